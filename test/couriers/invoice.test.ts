import t from 'tap'
import { type Connector, connector } from '../../src/service/couriers/connector.ts'
import type { InvoiceAnswer } from '../../src/service/couriers/courier.ts'
import { connectorLimits } from '../../src/service/couriers/protocol-codes.ts'
import { hourMs } from '../../src/service/couriers/scenarios/courier-script.ts'
import {
  type ScenarioName,
  scenarioNames,
  scenarios,
} from '../../src/service/couriers/scenarios/scenarios.ts'
import { billedMonth } from '../../src/service/domain/invoices/billed-month.ts'
import { findings } from '../../src/service/domain/invoices/finding.ts'
import {
  createCall,
  credentials,
  httpAnswer,
  organizationId,
  type Played,
  played,
  rawServer,
  sandboxOf,
  startedAt,
} from './support.ts'

type Test = { teardown(end: () => Promise<void>): void }
const fresh = (test: Test) => played((end) => test.teardown(end))
const context = { requestId: null, organizationId, credentials, sandbox: null }
const account = 'ccn_0000000000000000000001'
const notReady = { kind: 'rejected', code: 'invoice_not_ready' }

/** A connector that answers every call with these bytes. */
async function answering(test: Test, body: string | Buffer, status = 200): Promise<Connector> {
  const teardown = (end: () => Promise<void>) => test.teardown(end)
  const server = await rawServer(teardown, (socket) => socket.write(httpAnswer(status, body)))
  const courier = connector({ baseUrl: server.url })
  teardown(() => courier.close())
  return courier
}

const line = {
  guide_number: 'G1',
  amount: 1_450,
  currency: 'PEN',
  weight_kg: 0.8,
  date: '2026-02-27',
  client_reference: 'shp_0000000000000000000001',
}
const invoiceOf = (lines: readonly unknown[], more: object = {}) =>
  JSON.stringify({ success: true, reference: 'F001-000123', lines, ...more })
const ask = (courier: Connector) => courier.invoice({ ...context, month: '2026-02' })

t.test("a courier's invoice is read with its number and its lines", async (t) => {
  const bare = { ...line, weight_kg: null, date: null, client_reference: null }
  const courier = await answering(
    t,
    invoiceOf([line, { ...bare, kind: 'cash_on_delivery', route: 'North' }]),
  )
  t.strictSame(await ask(courier), {
    kind: 'billed',
    reference: 'F001-000123',
    lines: [
      {
        kind: 'charge',
        guideNumber: 'G1',
        amount: 1_450,
        currency: 'PEN',
        weightKg: 0.8,
        date: '2026-02-27',
        clientReference: 'shp_0000000000000000000001',
      },
      {
        kind: 'cash_on_delivery',
        guideNumber: 'G1',
        amount: 1_450,
        currency: 'PEN',
        weightKg: null,
        date: null,
        clientReference: null,
      },
    ],
  })
})

const wrong: Readonly<Record<string, object>> = {
  'an unknown kind': { kind: 'tip' },
  'a negative amount': { amount: -1 },
  'an amount with decimals': { amount: 14.5 },
  'an amount as text': { amount: '1450' },
  'an unknown currency': { currency: 'soles' },
  'a guide number with a space': { guide_number: 'G 1' },
  'no guide number': { guide_number: undefined },
  'a negative weight': { weight_kg: -1 },
  'a time instead of a day': { date: '2026-02-27T00:00:00Z' },
  'a day that does not exist': { date: '2026-02-30' },
  'an empty reference': { client_reference: '' },
}

t.test('one line that cannot be read makes the whole invoice unreadable', async (t) => {
  for (const [name, difference] of Object.entries(wrong)) {
    const courier = await answering(t, invoiceOf([line, { ...line, ...difference }, line]))
    t.match(await ask(courier), { kind: 'unknown', cause: 'response_unreadable' }, name)
  }
  for (const more of [{ reference: undefined }, { reference: '' }, { reference: 'a\nb' }]) {
    const courier = await answering(t, invoiceOf([line], more))
    t.match(await ask(courier), { kind: 'unknown', cause: 'response_unreadable' })
  }
})

t.test('an invoice may have as many lines as the API takes, and no more', async (t) => {
  const { invoiceLinesMax, invoiceBytesMax } = connectorLimits
  const most = Array.from({ length: invoiceLinesMax }, () => line)
  const bytes = invoiceOf(most)
  t.ok(bytes.length < invoiceBytesMax, 'lines with every field fit')
  const answer = await ask(await answering(t, bytes))
  t.equal(answer.kind === 'billed' && answer.lines.length, invoiceLinesMax)
  const unreadable = { kind: 'unknown', cause: 'response_unreadable' }
  t.match(await ask(await answering(t, invoiceOf([...most, line]))), unreadable)
  const padded = `${bytes.slice(0, -1)}${' '.repeat(invoiceBytesMax - bytes.length)} }`
  t.match(await ask(await answering(t, padded)), unreadable, 'too many bytes')
})

t.test('a month without an invoice is a refusal', async (t) => {
  const refusal = '{"success":false,"code":"invoice_not_ready"}'
  for (const status of [200, 404, 409, 422]) {
    t.match(await ask(await answering(t, refusal, status)), notReady)
  }
})

t.test('a month has its first and last day, and its moments in UTC', async (t) => {
  t.strictSame(billedMonth('2028-02'), {
    from: '2028-02-01',
    to: '2028-02-29',
    beginsAt: Date.parse('2028-02-01T00:00:00Z'),
    endsAt: Date.parse('2028-03-01T00:00:00Z'),
  })
  t.match(billedMonth('2026-12'), { from: '2026-12-01', to: '2026-12-31' })
  t.match(billedMonth('0000-01'), { from: '0000-01-01', to: '0000-01-31' })
  t.match(billedMonth('9999-12'), { from: '9999-12-01', to: '9999-12-31' })
})

type Invoice = Extract<InvoiceAnswer, { kind: 'billed' }>

async function invoiceAt(
  { courier }: Played,
  month: string,
  more: { readonly account?: string; readonly afterMs?: number } = {},
) {
  const { afterMs = hourMs, ...who } = more
  const sandbox = sandboxOf('happy_path', afterMs, { account, ...who })
  return await courier.invoice({ ...context, sandbox, month })
}

function billed(answer: InvoiceAnswer): Invoice {
  if (answer.kind !== 'billed') throw new Error(`it answered ${answer.kind}`)
  return answer
}

/** One attempt of a scenario for the account, `afterMs` after the first. */
async function attempt(
  { courier, record }: Played,
  scenario: ScenarioName,
  more: { readonly account?: string; readonly afterMs?: number } = {},
) {
  const { afterMs = 0, ...who } = more
  const clientReference = `shp_${scenario}_${afterMs}`
  const at = new Date(startedAt.getTime() + afterMs)
  const stage = { account, attempt: 2, attemptAt: at, now: at, ...who }
  const call = () =>
    courier.createGuide(createCall({ clientReference, sandbox: sandboxOf(scenario, 0, stage) }))
  for (let throttled = 0; throttled < 3; throttled++) {
    if ((await call()).kind !== 'throttled') break
  }
  return record.guidesOf(clientReference)
}

t.test('the simulated courier bills each scenario as the table says', async (t) => {
  const all = await fresh(t)
  const numbers = new Map<ScenarioName, readonly string[]>()
  for (const [index, name] of scenarioNames.entries()) {
    const guides = await attempt(all, name, { afterMs: index })
    numbers.set(
      name,
      guides.map(({ guideNumber }) => guideNumber),
    )
  }
  const { reference, lines } = billed(await invoiceAt(all, '2030-01'))
  t.equal(reference, 'SIM-2030-01')
  const [unknown, ...rest] = lines.toReversed()
  t.match(unknown, { guideNumber: /^SG\d{14}$/, weightKg: null, date: null, clientReference: null })
  const made = [...numbers.values()].flat()
  t.notOk(made.includes(unknown?.guideNumber ?? ''), 'the last line is of no guide')
  const byReference = Map.groupBy(rest.toReversed(), (each) => each.clientReference)
  t.strictSame(
    [...byReference.keys()],
    scenarioNames
      .map((name, index) => [name, `shp_${name}_${index}`] as const)
      .filter(([name]) => byReference.has(`shp_${name}_${scenarioNames.indexOf(name)}`))
      .map(([, own]) => own),
    'in the order of the attempts',
  )
  for (const [index, name] of scenarioNames.entries()) {
    const own = byReference.get(`shp_${name}_${index}`) ?? []
    const guides = numbers.get(name) ?? []
    const { billing } = scenarios[name]
    const isInvented = name === 'lost_response_nothing_created'
    t.equal(own.length, billing.lines.length * (isInvented ? 1 : guides.length), name)
    const isMade = own.map(({ guideNumber }) => guides.includes(guideNumber))
    t.ok(
      isMade.every((is) => is !== isInvented),
      name,
    )
  }
  t.notOk(byReference.has(`shp_label_delayed_${scenarioNames.indexOf('label_delayed')}`))
  const right = byReference.get('shp_happy_path_0')?.[0]
  t.match(right, { weightKg: 1.5, date: '2030-01-01' })
  t.match(byReference.get('shp_slow_success_1'), [{ amount: (right?.amount ?? 0) + 100 }])
  t.match(byReference.get('shp_courier_throttled_4'), [{ amount: right?.amount, weightKg: 2.5 }])
  const again = billed(await invoiceAt(all, '2030-01', { afterMs: 2 * hourMs }))
  t.strictSame(again.lines, lines, 'the same each time')
})

t.test('another simulated courier bills the same attempts in the same way', async (t) => {
  const names = ['happy_path', 'lost_response_nothing_created', 'duplicate_guides'] as const
  const bills: Invoice[] = []
  for (const all of [await fresh(t), await fresh(t)]) {
    for (const [index, name] of names.entries()) await attempt(all, name, { afterMs: index })
    bills.push(billed(await invoiceAt(all, '2030-01')))
  }
  t.equal(bills[0]?.lines.length, 5)
  t.strictSame(bills[1], bills[0])
})

t.test('every finding that a scenario can have is in the table of scenarios', async (t) => {
  const found = new Set(scenarioNames.flatMap((name) => scenarios[name].billing.findings))
  t.strictSame(
    findings.filter((each) => !found.has(each)),
    // A scenario is one parcel with one charge.
    ['unknown_guide', 'part_of'],
  )
})

t.test('a month of the simulated courier is that of its attempts, in UTC', async (t) => {
  const all = await fresh(t)
  const month = billedMonth('2030-01')
  const last = month.endsAt - 1 - startedAt.getTime()
  await attempt(all, 'happy_path', { afterMs: last })
  await attempt(all, 'happy_path', { afterMs: last + 1 })
  t.match(billed(await invoiceAt(all, '2030-01')).lines, [{ date: '2030-01-31' }, {}])
  t.match(await invoiceAt(all, '2030-02'), notReady, 'not begun')
  const now = { afterMs: last + 1 }
  t.match(billed(await invoiceAt(all, '2030-02', now)).lines, [{ date: '2030-02-01' }, {}])
  t.match(await invoiceAt(all, '2029-12'), notReady, 'nothing was shipped')
  const [one, other] = [await invoiceAt(all, '2030-01', now), await invoiceAt(all, '2030-02', now)]
  t.not(billed(one).lines.at(-1)?.guideNumber, billed(other).lines.at(-1)?.guideNumber)
})

t.test('the simulated courier bills an account only what was made for it', async (t) => {
  const all = await fresh(t)
  await attempt(all, 'happy_path')
  const other = { account: 'ccn_0000000000000000000002' }
  t.match(await invoiceAt(all, '2030-01', other), notReady)
  await attempt(all, 'noisy_tracking', other)
  t.match(billed(await invoiceAt(all, '2030-01', other)).lines, [
    { clientReference: 'shp_noisy_tracking_0' },
    {},
  ])
  t.equal(billed(await invoiceAt(all, '2030-01')).lines.length, 2)
  const password = { ...context, credentials: { username: 'shop', password: 'wrong' } }
  const sandbox = sandboxOf('happy_path', 0, { account })
  const refused = await all.courier.invoice({ ...password, sandbox, month: '2030-01' })
  t.match(refused, { kind: 'unauthorized' })
})

t.test('a cancelled guide is billed only where that is the mistake', async (t) => {
  const all = await fresh(t)
  const names = ['happy_path', 'cancel_response_lost'] as const
  for (const name of names) {
    const [guide] = await attempt(all, name)
    if (guide === undefined) throw new Error('no guide')
    all.record.cancel(guide.clientReference, guide.guideNumber, startedAt)
  }
  t.match(billed(await invoiceAt(all, '2030-01')).lines, [
    { clientReference: 'shp_cancel_response_lost_0' },
    { clientReference: null },
  ])
})
