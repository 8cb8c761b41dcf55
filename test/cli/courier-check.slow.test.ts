import { createServer } from 'node:http'
import t from 'tap'
import { request } from 'undici'
import {
  type CheckName,
  checkExplanations,
} from '../../src/service/cli/couriers/check-explanations.ts'
import { courierCheck } from '../../src/service/cli/couriers/courier-check.ts'
import { played } from '../couriers/support.ts'

type Answer = { status: number; contentType: string; body: string | Buffer }
type Test = { teardown(end: () => Promise<void>): void }
type Body = Record<string, unknown>
type Ask = (path: string, body: Body) => Promise<Answer>

/** The simulated connector, with its calls and answers changed by `tamper`. */
async function broken(
  test: Test,
  tamper: {
    readonly call?: (path: string, body: Body) => Body
    readonly answer?: (path: string, answer: Answer) => Answer
    /** Answers these paths itself. `ask` calls the simulated connector. */
    readonly routes?: Readonly<Record<string, (body: Body, ask: Ask) => Promise<Answer>>>
  },
): Promise<string> {
  const { simulator } = await played((end) => test.teardown(end))
  const sent = async (method: string, path: string, body: Body | null): Promise<Answer> => {
    const forwarded = await request(`${simulator.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === null ? null : JSON.stringify(body),
      reset: true,
    })
    return {
      status: forwarded.statusCode,
      contentType: String(forwarded.headers['content-type']),
      body: Buffer.from(await forwarded.body.arrayBuffer()),
    }
  }
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const path = incoming.url ?? '/'
    const body: Body | null = text === '' ? null : JSON.parse(text)
    const route = tamper.routes?.[path]
    const changed = body === null ? null : (tamper.call?.(path, body) ?? body)
    const answer =
      route === undefined || body === null
        ? await sent(incoming.method ?? 'GET', path, changed)
        : await route(body, (to, asked) => sent('POST', to, asked))
    const told = tamper.answer?.(path, answer) ?? answer
    outgoing.writeHead(told.status, { 'content-type': told.contentType }).end(told.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  test.teardown(async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

async function failuresOf(url: string): Promise<readonly string[]> {
  const { results } = await courierCheck({ url, write: () => {} })
  return results.filter(({ passed }) => !passed).map(({ name }) => name)
}

t.test('the simulated courier passes every check of the protocol', async (t) => {
  const { simulator, record } = await played((end) => t.teardown(end))
  const lines: string[] = []
  const report = await courierCheck({ url: simulator.url, write: (line) => lines.push(line) })
  t.strictSame(
    report.results.filter(({ passed }) => !passed),
    [],
  )
  t.equal(lines.length, report.passed + 1)
  t.match(lines.at(-1), `${report.passed} passed, 0 failed`)
  t.match(lines.at(-1), `--earlier ${report.reference}`)
  t.equal(record.guideCount(), 1, 'one guide was made')
  t.equal(record.guidesOf(report.reference).length, 1, 'under the reference of the report')
  const { reference: earlier } = report
  const later = await courierCheck({ url: simulator.url, earlier, write: () => {} })
  t.equal(later.failed, 0)
  t.equal(later.passed, Object.keys(checkExplanations).length, 'each check was made')
})

t.test('the report can be printed as one line of JSON', async (t) => {
  const { simulator } = await played((end) => t.teardown(end))
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const report = await courierCheck({ url: simulator.url, write, json: true })
  t.equal(lines.length, 1)
  t.strictSame(JSON.parse(lines[0] ?? ''), report)
})

t.test('a connector that executes after not_after is caught', async (t) => {
  const later = new Date(Date.now() + 60_000).toISOString()
  const url = await broken(t, {
    call: (_path, body) => ('not_after' in body ? { ...body, not_after: later } : body),
  })
  t.strictSame(await failuresOf(url), [
    'a creation after not_after is refused and not executed',
    'a cancellation after not_after is refused and not executed',
  ])
})

t.test('a connector that refuses late calls but executes them is caught', async (t) => {
  const later = new Date(Date.now() + 60_000).toISOString()
  const late = new Set<unknown>()
  const tooLate = JSON.stringify({ success: false, executed: false, code: 'too_late' })
  let lying = false
  const url = await broken(t, {
    call: (_path, body) => {
      lying = typeof body.not_after === 'string' && Date.parse(body.not_after) < Date.now()
      if (lying) late.add(body.client_reference)
      return lying ? { ...body, not_after: later } : body
    },
    answer: (_path, answer) => (lying ? { ...answer, status: 412, body: tooLate } : answer),
  })
  t.match(await failuresOf(url), ['a creation after not_after is refused and not executed'])
  t.ok(late.size > 0)
})

t.test('a connector that ignores the quoted price is caught', async (t) => {
  const url = await broken(t, { call: (_path, body) => ({ ...body, quoted_amount: null }) })
  t.strictSame(await failuresOf(url), ['a creation at a price that was never quoted is refused'])
})

type Guides = readonly Readonly<Record<string, unknown>>[]
type Find = {
  readonly client_reference: string
  readonly guide_number?: string
  readonly include_cancelled?: boolean
}
/**
 * What a faulty find answers instead; `found` calls the courier, and `created` contains the
 * references.
 */
type FaultyFind = (
  asked: Find,
  found: (changed?: Partial<Find>) => Promise<Guides>,
  created: readonly string[],
) => Guides | Promise<Guides>

/** The simulated connector with a faulty `POST /guides/find`. */
async function finding(test: Test, find: FaultyFind): Promise<string> {
  const created: string[] = []
  return await broken(test, {
    routes: {
      '/guides': async (body, ask) => {
        const answer = await ask('/guides', body)
        const isCreated = JSON.parse(String(answer.body)).success
        if (isCreated) created.push(String(body.client_reference))
        return answer
      },
      '/guides/find': async (body, ask) => {
        const own = await ask('/guides/find', body)
        if (own.status !== 200) return own
        const found = async (changed = {}) => {
          const answer = await ask('/guides/find', { ...body, ...changed })
          return JSON.parse(String(answer.body)).guides
        }
        const guides = await find(body as Find, found, created)
        return { ...own, body: JSON.stringify({ success: true, guides }) }
      },
    },
  })
}

const finds = {
  unknown: 'an unknown reference finds no guide',
  late: 'a creation after not_after is refused and not executed',
  unquoted: 'a creation at a price that was never quoted is refused',
  credentials: 'a find with wrong credentials is answered 401',
  own: 'the new guide, and no other, is found by its reference',
  withCancelled: 'a guide that stands is found with include_cancelled too',
  almost: 'a reference that is almost the same finds no guide',
  byNumber: 'a guide number finds no guide of another reference',
  lateCancel: 'a cancellation after not_after is refused and not executed',
  leftOut: 'a cancelled guide is left out unless it is asked for',
  cancelled: 'a cancelled guide is found as such on request',
} as const satisfies Readonly<Record<string, CheckName>>

const madeUp = { guide_number: 'G1', pickup_code: null, price: null }

t.test('a connector that answers find wrongly is caught', async (t) => {
  const unfound = [finds.own, finds.withCancelled, finds.lateCancel, finds.cancelled]
  const asked = new Set<string>()
  const folded = (text: string) => text.toLowerCase()
  const faults: readonly (readonly [string, FaultyFind, readonly CheckName[]])[] = [
    ['it finds nothing', () => [], unfound],
    [
      'it answers the newest guide, whatever the reference',
      (_asked, found, [client_reference]) =>
        client_reference === undefined ? [] : found({ client_reference }),
      [finds.almost, finds.byNumber],
    ],
    [
      'it answers a guide for a reference that never was',
      async ({ client_reference }, found, created) =>
        created.includes(client_reference) ? await found() : [madeUp],
      [finds.late, finds.unknown, finds.unquoted, finds.almost, finds.byNumber],
    ],
    [
      'it creates a guide if it finds none',
      ({ client_reference }, found, created) => {
        if (created.includes(client_reference)) return found()
        if (asked.has(client_reference)) return [madeUp]
        asked.add(client_reference)
        return []
      },
      [finds.unknown, finds.byNumber],
    ],
    [
      'it answers another guide number',
      async (_asked, found) => (await found()).map((guide) => ({ ...guide, guide_number: 'G2' })),
      [finds.own, finds.withCancelled, finds.cancelled],
    ],
    [
      'it answers another pickup code',
      async (_asked, found) => (await found()).map((guide) => ({ ...guide, pickup_code: '0' })),
      [finds.own, finds.withCancelled],
    ],
    [
      'it answers the guide twice',
      async (_asked, found) => (await found()).flatMap((guide) => [guide, guide]),
      [finds.own, finds.withCancelled, finds.lateCancel],
    ],
    [
      'it lists cancelled guides always',
      (_asked, found) => found({ include_cancelled: true }),
      [finds.leftOut],
    ],
    [
      'it never lists cancelled guides',
      (_asked, found) => found({ include_cancelled: false }),
      [finds.cancelled],
    ],
    [
      'it lists only cancelled guides if it is asked for those',
      async ({ include_cancelled }, found) =>
        (await found()).filter(({ status }) => !include_cancelled || status === 'cancelled'),
      [finds.withCancelled],
    ],
    [
      'it lists a cancelled guide as one that stands',
      async (_asked, found) => (await found()).map((guide) => ({ ...guide, status: 'active' })),
      [finds.cancelled],
    ],
    [
      'it compares references without regard to case',
      ({ client_reference }, found, created) => {
        const own = created.find((other) => folded(other) === folded(client_reference))
        return found({ client_reference: own ?? client_reference })
      },
      [finds.almost],
    ],
    [
      'it compares the first 20 characters of a reference',
      ({ client_reference }, found, created) => {
        const own = created.find((other) => other.startsWith(client_reference.slice(0, 20)))
        return found({ client_reference: own ?? client_reference })
      },
      [finds.almost],
    ],
    [
      'it finds by the number alone',
      ({ client_reference, guide_number }, found, [own]) =>
        found({ client_reference: guide_number === undefined ? client_reference : (own ?? '') }),
      [finds.byNumber],
    ],
  ]
  for (const [name, find, expected] of faults) {
    t.strictSame(await failuresOf(await finding(t, find)), expected, name)
  }
})

t.test(
  'a connector that cannot find, but says so otherwise than by a list, is caught',
  async (t) => {
    const all = Object.values(finds)
    const refusals: readonly (readonly [string, number, object])[] = [
      ['no such route', 404, { success: false, code: 'not_found' }],
      ['not implemented', 501, { success: false, code: 'not_implemented' }],
      ['it breaks', 500, { success: false }],
      ['it answers differently', 200, { success: true, orders: [] }],
    ]
    for (const [name, status, body] of refusals) {
      const url = await broken(t, {
        answer: (path, answer) =>
          path === '/guides/find' ? { ...answer, status, body: JSON.stringify(body) } : answer,
      })
      const failures = await failuresOf(url)
      t.strictSame(
        all.filter((check) => !failures.includes(check)),
        [],
        name,
      )
    }
  },
)

t.test('a connector that refuses a find instead of listing nothing is caught', async (t) => {
  const refusal = JSON.stringify({ success: false, code: 'guide_not_found' })
  const url = await broken(t, {
    answer: (path, answer) => {
      const isEmpty = path === '/guides/find' && /"guides":\[\]/.test(String(answer.body))
      return isEmpty ? { ...answer, body: refusal } : answer
    },
  })
  const { results } = await courierCheck({ url, write: () => {} })
  const failure = results.find(({ name }) => name === finds.unknown)
  t.match(failure, { passed: false, detail: /refuses with "guide_not_found"/ })
})

t.test('a connector that finds nothing with wrong credentials is caught', async (t) => {
  const none = JSON.stringify({ success: true, guides: [] })
  const url = await broken(t, {
    answer: (path, answer) =>
      path === '/guides/find' && answer.status === 401
        ? { ...answer, status: 200, body: none }
        : answer,
  })
  t.strictSame(await failuresOf(url), [finds.credentials])
})

t.test('a connector that forgets its guides in a restart is caught by --earlier', async (t) => {
  let isRestarted = false
  const url = await finding(t, ({ client_reference }, found, [first]) =>
    isRestarted && client_reference === first ? [] : found(),
  )
  const { failed, reference: earlier } = await courierCheck({ url, write: () => {} })
  t.equal(failed, 0, 'before it restarts')
  isRestarted = true
  const again = await courierCheck({ url, earlier, write: () => {} })
  t.strictSame(
    again.results.filter(({ passed }) => !passed).map(({ name, detail }) => [name, detail]),
    [['the guide of an earlier check is still found', '0 guides are found']],
  )
})

t.test('a connector that creates twice is caught', async (t) => {
  const { simulator } = await played((end) => t.teardown(end))
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = chunks.length === 0 ? null : Buffer.concat(chunks)
    const forward = () =>
      request(`${simulator.url}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        body,
        reset: true,
      })
    if (incoming.url === '/guides') await (await forward()).body.dump()
    const answer = await forward()
    const type = String(answer.headers['content-type'])
    outgoing.writeHead(answer.statusCode, { 'content-type': type })
    outgoing.end(Buffer.from(await answer.body.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const failures = await failuresOf(`http://127.0.0.1:${address.port}`)
  t.ok(failures.includes('the new guide, and no other, is found by its reference'))
})

t.test('a connector that accepts any credentials is caught', async (t) => {
  const url = await broken(t, {
    call: (_path, body) => ({ ...body, credentials: { username: 'demo', password: 'demo' } }),
  })
  t.strictSame(await failuresOf(url), [
    'wrong credentials are answered 401',
    'a creation with wrong credentials is answered 401',
    'a find with wrong credentials is answered 401',
    'an invoice with wrong credentials is answered 401',
  ])
})

/** The simulated connector, whose invoices are changed by `tamper`. */
async function billing(
  test: Test,
  tamper: (invoice: Record<string, unknown>, ordinal: number) => object,
): Promise<string> {
  let invoices = 0
  return await broken(test, {
    answer: (path, answer) => {
      const body = JSON.parse(path === '/invoices' ? String(answer.body) : '{}')
      if (answer.status === 401 || path !== '/invoices') return answer
      invoices += 1
      return { ...answer, status: 200, body: JSON.stringify(tamper(body, invoices)) }
    },
  })
}

t.test('a connector whose invoices break the protocol is caught', async (t) => {
  const form = 'an invoice has the documented form, or is not ready'
  const number = 'a month has the same invoice number each time'
  const early = 'a month that has not begun has no invoice'
  const line = {
    guide_number: 'G1',
    amount: 900,
    currency: 'PEN',
    weight_kg: null,
    date: null,
    client_reference: null,
  }
  const bill = { success: true, reference: 'F1', lines: [line] }
  const cases: readonly (readonly [string, Parameters<typeof billing>[1], readonly string[]])[] = [
    ['a bill at any time', () => bill, [early]],
    ['an empty bill', () => ({ ...bill, lines: [] }), [form, number, early]],
    ['no number', (own) => ({ ...own, reference: undefined }), [form, number]],
    [
      'a line without an amount',
      (own) => (own.success ? { ...own, lines: [{ ...line, amount: undefined }] } : own),
      [form, number],
    ],
    [
      'a new number each time',
      (own, ordinal) => (own.success ? { ...own, reference: `F${ordinal}` } : own),
      [number],
    ],
    [
      'another refusal',
      (own) => (own.success ? own : { ...own, code: 'no_such_month' }),
      [form, number, early],
    ],
  ]
  for (const [name, tamper, expected] of cases) {
    t.strictSame(await failuresOf(await billing(t, tamper)), expected, name)
  }
})

t.test('a connector that does not declare invoices is not asked for one', async (t) => {
  const asked: string[] = []
  const url = await broken(t, {
    call: (path, body) => {
      asked.push(path)
      return body
    },
    answer: (path, answer) => {
      if (path !== '/') return answer
      const { capabilities, ...described } = JSON.parse(String(answer.body))
      const { invoices: _, ...others } = capabilities
      return { ...answer, body: JSON.stringify({ ...described, capabilities: others }) }
    },
  })
  t.strictSame(await failuresOf(url), [])
  t.ok(asked.includes('/guides'))
  t.notOk(asked.includes('/invoices'))
})

t.test('a connector that responds with HTML instead of JSON is caught', async (t) => {
  const url = await broken(t, {
    answer: (_path, answer) => ({ ...answer, contentType: 'text/html', body: '<html></html>' }),
  })
  t.ok((await failuresOf(url)).length > 10)
})

t.test('a connector whose label is not a PDF that can be printed is caught', async (t) => {
  for (const [body, detail] of [
    ['<html>', /not a PDF/],
    ['%PDF-1.4\n% label of 1\n%%EOF\n', /cannot be opened and drawn/],
  ] as const) {
    const url = await broken(t, {
      answer: (path, answer) => (path === '/guides/label' ? { ...answer, body } : answer),
    })
    const { results } = await courierCheck({ url, write: () => {} })
    t.match(
      results.filter(({ passed }) => !passed),
      [{ name: 'the label is a PDF, or is announced for later', detail }],
    )
  }
})

t.test('a connector that ignores the service is caught, and its guide is cancelled', async (t) => {
  const paths: string[] = []
  const service = { mode: 'terrestrial', payer: 'sender' }
  const url = await broken(t, {
    call: (path, body) => {
      if (path === '/guides/cancel') paths.push(String(body.client_reference))
      return 'service' in body ? { ...body, service } : body
    },
  })
  t.strictSame(await failuresOf(url), [
    'a creation with an unknown service is refused',
    'a quote for an unknown service has no price',
  ])
  t.equal(new Set(paths).size, 2, 'its guide and that of the check')
})

t.test('an unreachable connector fails every check instead of throwing', async (t) => {
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const { passed, failed } = await courierCheck({ url: 'http://127.0.0.1:1', write })
  t.equal(passed, 0)
  t.ok(failed > 10)
  t.equal(lines.at(-1), `0 passed, ${failed} failed.`, 'there is no guide to look for later')
})
