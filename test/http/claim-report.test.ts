import t from 'tap'
import { findings } from '../../src/service/domain/invoices/finding.ts'
import {
  type ClaimContent,
  claimReport,
} from '../../src/service/http/courier-invoices/claim-report.ts'
import { timesIn } from '../../src/service/ledger/evidence/report/times.ts'

type Line = ClaimContent['lines'][number]

const line: Line = {
  object: 'courier_invoice_line',
  line: 7,
  kind: 'charge',
  guide_number: 'SG1',
  amount: 1_450,
  currency: 'PEN',
  weight_kg: null,
  date: null,
  client_reference: null,
  finding: 'amount_differs',
  shipment_id: 'shp_1',
  shipment_version: 4,
  expected: { amount: 1_200, currency: 'PEN', weight_kg: 0.8 },
  at_stake: 250,
  billed_before: null,
  billing: null,
  decision: {
    decision: 'disputed',
    finding: 'amount_differs',
    note: 'A note',
    operator_id: 'opr_1',
    decided_by: 'Ana',
    at: '2026-03-01T12:00:00.000Z',
  },
}
const times = timesIn('America/Lima')
if (times === null) throw new Error('the zone is unknown')

const content: ClaimContent = {
  invoice: { id: 'inv_1', reference: 'F001-1', livemode: true, period: null },
  shop: 'My shop',
  courier: { code: 'mock', account: 'Main' },
  language: 'en',
  lines: [line],
  shipments: new Map([
    [
      'shp_1',
      {
        order: 'ORDER-1',
        endedAt: Date.parse('2026-03-01T17:00:00Z'),
        cancelledAt: null,
        weightKg: 0.8,
        route: { from: 'Lima Centro', to: 'Cusco Centro' },
      },
    ],
  ]),
  invoices: new Map([['inv_0', 'F001-0']]),
  times,
  isAlone: false,
  madeAt: new Date('2026-04-01T12:00:00Z'),
}

for (const finding of findings) {
  t.test(`a line that is ${finding} has one sentence of proof in the claim`, async (t) => {
    const report = claimReport({ ...content, lines: [{ ...line, finding }] })
    const table = report?.blocks.find((block) => block.kind === 'table')
    const [row] = table?.rows ?? []
    t.strictSame(row?.slice(0, 3), ['7', 'SG1', 'ORDER-1'])
    t.match(row?.[6]?.[0], /^[A-Z].*\.$/)
    t.equal(row?.[6]?.[1], 'From Lima Centro to Cusco Centro.')
    const inSpanish = claimReport({ ...content, language: 'es', lines: [{ ...line, finding }] })
    const spanish = inSpanish?.blocks.find((block) => block.kind === 'table')?.rows[0]
    t.match(spanish?.[6]?.[0], /^[A-Z].*\.$/)
    t.not(spanish?.[6]?.[0], row?.[6]?.[0])
    t.equal(spanish?.[6]?.[1], 'De Lima Centro a Cusco Centro.')
    t.strictSame(spanish?.slice(0, 4), row?.slice(0, 4), 'numbers and amounts are the same')
  })
}

t.test('a claim adds up what its disputed lines have at stake, by currency', async (t) => {
  const nothing = { ...line, finding: 'weight_differs', at_stake: null } as const
  const dollars = { ...line, currency: 'USD', at_stake: 1_450 }
  const undecided = { ...line, decision: null }
  const report = claimReport({ ...content, lines: [line, nothing, dollars, undecided] })
  const table = report?.blocks.find((block) => block.kind === 'table')
  t.strictSame(
    table?.rows.map((row) => row[5]),
    ['2.50 PEN', '—', '14.50 USD', ['2.50 PEN', '14.50 USD']],
  )
})

t.test('an invoice that already billed the guide is named by its reference', async (t) => {
  const before = (id: string) => ({ courier_invoice_id: id, version: 1, line: 3 })
  const proofs = ['inv_0', 'inv_1', 'inv_9'].map((id) => {
    const twice = { ...line, finding: 'billed_twice', billed_before: before(id) } as const
    const report = claimReport({ ...content, lines: [twice] })
    const table = report?.blocks.find((block) => block.kind === 'table')
    return table?.rows[0]?.[6]?.[0]
  })
  t.strictSame(proofs, [
    'Line 3 of invoice F001-0 already bills the guide in full.',
    'Line 3 of this invoice already bills the guide in full.',
    'An earlier invoice already bills the guide in full.',
  ])
})

t.test('lines that are not disputed are no claim', async (t) => {
  t.equal(claimReport({ ...content, lines: [{ ...line, decision: null }] }), null)
  t.notMatch(JSON.stringify(claimReport(content)), /shp_|inv_|opr_|Ana|A note/)
})

t.test('cash on delivery that is paid out too little is claimed apart from charges', async (t) => {
  const expected = { amount: 5_000, currency: 'PEN', weight_kg: 0.8 }
  const cash = {
    ...line,
    kind: 'cash_on_delivery',
    amount: 4_000,
    expected,
    at_stake: 1_000,
  } as const
  const paidTwice = { ...cash, finding: 'billed_twice', at_stake: null } as const
  const report = claimReport({ ...content, lines: [line, cash, paidTwice] })
  const facts = report?.blocks.find((block) => block.kind === 'facts')?.rows ?? []
  t.strictSame(facts.slice(-3), [
    ['Billed for them', '14.50 PEN'],
    ['Cash on delivery paid out', '80.00 PEN'],
    ['Claimed in all', '12.50 PEN'],
  ])
  const [, short, twice] = report?.blocks.find((block) => block.kind === 'table')?.rows ?? []
  t.strictSame(short?.slice(3, 6), [['40.00 PEN', 'paid out'], '50.00 PEN', '10.00 PEN'])
  t.match(short?.[6]?.[0], /^The guide was issued on .* with 50\.00 PEN to collect on delivery\.$/)
  t.equal(twice?.[6]?.[0], 'An earlier line already pays out all of the cash on delivery.')
  const spanish = claimReport({ ...content, language: 'es', lines: [cash] })
  const row = spanish?.blocks.find((block) => block.kind === 'table')?.rows[0]
  t.match(row?.[6]?.[0], /^La guía se emitió el .* con 50\.00 PEN por cobrar contra entrega\.$/)
})
