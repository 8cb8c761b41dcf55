import { createServer } from 'node:http'
import t from 'tap'
import { request } from 'undici'
import { checkExplanations } from '../../src/cli/couriers/check-explanations.ts'
import { courierCheck } from '../../src/cli/couriers/courier-check.ts'
import { played } from './support.ts'

type Answer = { status: number; contentType: string; body: string | Buffer }
type Test = { teardown(end: () => Promise<void>): void }

/** The simulated connector, with its calls and answers changed by `tamper`. */
async function broken(
  test: Test,
  tamper: {
    readonly call?: (path: string, body: Record<string, unknown>) => Record<string, unknown>
    readonly answer?: (path: string, answer: Answer) => Answer
  },
): Promise<string> {
  const { simulator } = await played((end) => test.teardown(end))
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const path = incoming.url ?? '/'
    const parsed = text === '' ? {} : JSON.parse(text)
    const forwarded = await request(`${simulator.url}${path}`, {
      method: incoming.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      body: text === '' ? null : JSON.stringify(tamper.call?.(path, parsed) ?? parsed),
      reset: true,
    })
    const answer: Answer = {
      status: forwarded.statusCode,
      contentType: String(forwarded.headers['content-type']),
      body: Buffer.from(await forwarded.body.arrayBuffer()),
    }
    const { status, contentType, body } = tamper.answer?.(path, answer) ?? answer
    outgoing.writeHead(status, { 'content-type': contentType }).end(body)
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
  t.equal(report.passed, Object.keys(checkExplanations).length, 'each check was made')
  t.equal(lines.length, report.passed + 1)
  t.equal(lines.at(-1), `${report.passed} passed, 0 failed`)
  t.equal(record.guideCount(), 1, 'one guide was made')
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

t.test('a connector that finds nothing is caught', async (t) => {
  const none = JSON.stringify({ success: true, guides: [] })
  const url = await broken(t, {
    answer: (path, answer) =>
      path === '/guides/find' && answer.status === 200 ? { ...answer, body: none } : answer,
  })
  t.ok((await failuresOf(url)).includes('the new guide, and no other, is found by its reference'))
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

t.test('a connector whose label is not a PDF is caught', async (t) => {
  const url = await broken(t, {
    answer: (path, answer) => (path === '/guides/label' ? { ...answer, body: '<html>' } : answer),
  })
  t.strictSame(await failuresOf(url), ['the label is a PDF, or is announced for later'])
})

t.test('an unreachable connector fails every check instead of throwing', async (t) => {
  const { passed, failed } = await courierCheck({ url: 'http://127.0.0.1:1', write: () => {} })
  t.equal(passed, 0)
  t.ok(failed > 10)
})
