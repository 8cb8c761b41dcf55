import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { i18n } from '@lingui/core'
import t from 'tap'
import { findingsByMonth } from '../../../src/console/invoices/findings-by-month.ts'
import {
  monthName,
  periodOf,
  questioned,
  toCheck,
} from '../../../src/console/invoices/invoice-findings.ts'
import { exampleInvoice } from '../../../src/service/http/openapi/invoice-examples.ts'
import { projectRoot } from '../../support/source-files.ts'

i18n.activate('en', 'en')

const none = { lines: 0, amount: 0, at_stake: 0 }
const found = (finding: string, lines: number, currency = 'PEN') => ({
  kind: 'charge',
  finding,
  currency,
  lines,
  amount: lines * 100,
  at_stake: 0,
  to_check: none,
  disputed: none,
  accepted: none,
})

function invoiceOf(from: string | null, to: string, totals: readonly ReturnType<typeof found>[]) {
  return {
    ...exampleInvoice,
    period: from === null ? null : { from, to },
    total: totals.reduce((sum, { lines }) => sum + lines, 0),
    totals: [...totals],
  }
}

t.test(
  'an invoice counts in the month of the middle of its period, and no month is left out',
  async (t) => {
    const months = findingsByMonth([
      invoiceOf('2026-01-01', '2026-01-31', [found('matched', 7), found('billed_twice', 2)]),
      invoiceOf('2025-12-26', '2026-01-25', [found('billed_twice', 1, 'USD')]),
      invoiceOf('2026-03-31T23:00:00-05:00', '2026-04-30T23:00:00-05:00', [found('matched', 1)]),
      invoiceOf(null, '', [found('unresolved', 3)]),
    ])
    t.strictSame(months, [
      { month: '2026-01', invoices: 2, lines: 10, found: { matched: 7, billed_twice: 3 } },
      { month: '2026-02', invoices: 0, lines: 0, found: {} },
      { month: '2026-03', invoices: 1, lines: 3, found: { unresolved: 3 } },
      { month: '2026-04', invoices: 1, lines: 1, found: { matched: 1 } },
    ])
    t.equal(monthName('2026-02'), 'Feb 2026')
    const named = (from: string | null, to: string) => periodOf(invoiceOf(from, to, []))
    t.equal(named('2028-02-01', '2028-02-29'), 'Feb 2028')
    t.equal(named('2028-02-01', '2028-02-28'), '2028-02-01 – 2028-02-28')
    t.equal(named('2028-02-01', '2028-02-01'), '2028-02-01')
    t.equal(named(null, ''), '–')
    t.strictSame(findingsByMonth([]), [])
  },
)

t.test('a chart shows no more than the last twelve months', async (t) => {
  const of = (from: string) => invoiceOf(from, from, [found('matched', 1)])
  const months = findingsByMonth([of('2024-02-10'), of('2026-01-05'), of('2025-02-05')])
  t.strictSame([months.length, months[0]?.month, months.at(-1)?.month], [12, '2025-02', '2026-01'])
})

t.test('no line is to check before the first comparison', async (t) => {
  const totals = [found('matched', 7), found('amount_differs', 4)]
  const decisions = { accepted: 1, disputed: 2, outdated: 0, matched: 0, to_check: 3 }
  const invoice = { ...invoiceOf(null, '', totals), decisions }
  t.equal(toCheck(invoice), 3)
  t.equal(toCheck({ ...invoice, totals: [] }), null, 'before the first comparison')
  const withdrawn = { ...decisions, to_check: 0 }
  t.equal(toCheck({ ...invoice, status: 'withdrawn', totals: [], decisions: withdrawn }), 0)
})

type Rgb = readonly [number, number, number]

/**
 * How people with each kind of color vision see a linear color, from Machado, Oliveira and
 * Fernandes (2009).
 */
const visions: Readonly<Record<string, readonly Rgb[]>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

function times(rows: readonly Rgb[], [r, g, b]: Rgb): Rgb {
  const [x = 0, y = 0, z = 0] = rows.map(([a, c, d]) => a * r + c * g + d * b)
  return [x, y, z]
}

function linear(hex: string): Rgb {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return [r, g, b]
}

function oklab(color: Rgb): Rgb {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  ).map(Math.cbrt) as unknown as Rgb
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  )
}

function seen(hex: string, rows: readonly Rgb[]): Rgb {
  return oklab(times(rows, linear(hex)).map((part) => Math.min(1, Math.max(0, part))) as never)
}

function contrast(one: string, other: string): number {
  const light = (hex: string) => {
    const [r, g, b] = linear(hex)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
  }
  return Math.max(light(one), light(other)) / Math.min(light(one), light(other))
}

t.test('the colors of findings differ in both themes, however people see colors', async (t) => {
  const style = readFileSync(join(projectRoot, 'src/console/styles/invoices.css'), 'utf8')
  const colors = [
    ...style.matchAll(/--finding-([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g),
  ]
  t.strictSame(
    colors.map(([, name]) => name?.replaceAll('-', '_')).toSorted(),
    [...questioned].toSorted(),
    'each finding has a color',
  )
  for (const [theme, panel, at] of [
    ['light', '#ffffff', 2],
    ['dark', '#13171d', 3],
  ] as const) {
    const all = colors.map((color) => String(color[at]))
    for (const color of all) t.ok(contrast(color, panel) >= 3, `${theme} ${color} on the panel`)
    for (const [vision, rows] of Object.entries(visions)) {
      const labs = all.map((color) => seen(color, rows))
      const distances = labs.flatMap(([l, a, b], index) =>
        labs.slice(index + 1).map(([l2, a2, b2]) => Math.hypot(l - l2, a - a2, b - b2)),
      )
      t.ok(Math.min(...distances) >= 0.14, `${theme}, ${vision}: ${Math.min(...distances)}`)
    }
  }
})
