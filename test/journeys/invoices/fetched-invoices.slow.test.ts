import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { createClient } from '../../../src/client/create-client.ts'
import { beginPlay, playCall } from '../../../src/client/play-scenario.ts'
import { byCli } from '../../../src/service/cli/acting.ts'
import {
  type ScenarioName,
  scenarioNames,
  scenarios,
} from '../../../src/service/couriers/scenarios/scenarios.ts'
import { billedMonth } from '../../../src/service/domain/invoices/billed-month.ts'
import { findings as allFindings } from '../../../src/service/domain/invoices/finding.ts'
import { registerCourier } from '../../../src/service/processes/connections/registered-couriers.ts'
import { createApiKey, type Scope, scopes } from '../../../src/service/security/api-keys.ts'
import { type Answer, type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { service } from '../../support/service.ts'
import { projectRoot } from '../../support/source-files.ts'

/** The simulated courier bills each guide in one line. */
const findings = allFindings.filter((finding) => finding !== 'part_of')
const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }
const dayMs = 24 * 60 * 60_000

type Line = {
  readonly line: number
  readonly finding: string
  readonly guide_number: string
  readonly client_reference: string | null
}

function fetchMonth(own: ApiClient, month: string, more: object = {}): Promise<Answer> {
  const body = { courier_connection_id: own.seeded.connectionId, month, ...more }
  return own.call(`${path}/fetch`, { body, ...operator })
}

/** Fetches a month and waits until it is compared. */
async function fetched(own: ApiClient, month: string) {
  const answer = await fetchMonth(own, month)
  t.equal(answer.status, 202, JSON.stringify(answer.body))
  const { body } = await eventually(
    () => own.call(`${path}/${answer.body.id}`, operator),
    (read) => read.body.status === 'compared',
  )
  return { answer, invoice: body }
}

async function linesOf(own: ApiClient, id: string): Promise<readonly Line[]> {
  return (await own.call(`${path}/${id}/lines?limit=100`, operator)).body.data
}

/** Advances to the tenth of the next month, so that no test crosses the end of a month. */
async function toTheTenth(own: ApiClient): Promise<string> {
  const { body: clock } = await own.call(`/v1/sandbox/clock?workspace_id=${own.seeded.workspaceId}`)
  const tenth = billedMonth(clock.now.slice(0, 7)).endsAt + 9 * dayMs
  const seconds = Math.ceil((tenth - Date.parse(clock.now)) / 1_000)
  const { body } = await own.advance(`PT${seconds}S`)
  return body.now.slice(0, 7)
}

function monthAfter(month: string): string {
  return new Date(billedMonth(month).endsAt).toISOString().slice(0, 7)
}

/** Makes the listed calls of a scenario once, and returns its shipment. */
async function play(own: ApiClient, name: ScenarioName): Promise<string> {
  const { workspaceId, connectionId, shopKey } = own.seeded
  const client = createClient({ baseUrl: own.url, apiKey: shopKey, retry: { requestsMax: 1 } })
  const listed = (await client.sandbox.listScenarios()).data.find((each) => each.name === name)
  if (listed === undefined) throw new Error(`no scenario ${name}`)
  let played = await beginPlay(client, listed, { workspaceId, connectionId })
  for (const call of listed.calls) played = await playCall(client, played, call)
  if (played.shipmentId === null) throw new Error(`${name} names no shipment`)
  return played.shipmentId
}

t.test('the month of all nineteen scenarios has every finding, and nothing else', async (t) => {
  const own = await freshShop(shop, 'nineteen')
  const month = await toTheTenth(own)
  const shipments = new Map<ScenarioName, string>()
  for (const name of scenarioNames) shipments.set(name, await play(own, name))
  await own.advance('PT5M')
  const { invoice } = await fetched(own, month)
  const { from, to } = billedMonth(month)
  t.match(invoice, { reference: `SIM-${month}`, period: { from, to }, version: 1 })
  const lines = await linesOf(own, invoice.id)
  const nameOf = new Map([...shipments].map(([name, id]) => [id, name]))
  t.strictSame(
    lines.map(({ client_reference: id, finding }) => [nameOf.get(id ?? '') ?? null, finding]),
    [
      ...scenarioNames.flatMap((name) =>
        scenarios[name].billing.findings.map((finding) => [name, finding]),
      ),
      [null, 'unknown_guide'],
    ],
  )
  t.same(new Set(lines.map(({ finding }) => finding)), new Set(findings))
  const { body: left } = await own.call(`${path}/${invoice.id}/not-billed`, operator)
  t.strictSame(
    left.data.map((guide: { shipment_id: string }) => guide.shipment_id),
    [shipments.get('label_delayed')],
  )
})

t.test('the scenarios that the guide plays make an invoice with every finding', async (t) => {
  const guide = readFileSync(join(projectRoot, 'docs/guides/courier-invoices.md'), 'utf8')
  const [, list = ''] = /for scenario in ([^;]+); do/.exec(guide) ?? []
  const names = list.split(/[\s\\]+/).filter((name) => name !== '')
  t.strictSame(
    names.filter((name) => !Object.hasOwn(scenarios, name)),
    [],
  )
  const found = names.flatMap((name) => scenarios[name as ScenarioName].billing.findings)
  const once = found.filter((finding) => finding !== 'matched')
  t.strictSame(
    [...once, 'matched', 'unknown_guide'].toSorted(),
    [...findings].toSorted(),
    'each once',
  )
})

t.test('the same month again is the same invoice until the courier bills more', async (t) => {
  const own = await freshShop(shop, 'again')
  const month = await toTheTenth(own)
  const first = await own.create('first')
  const { answer, invoice } = await fetched(own, month)
  t.equal(answer.headers.get('location'), `${path}/${invoice.id}`)
  t.equal(answer.headers.get('idempotent-replayed'), null)
  const again = await fetchMonth(own, month)
  t.match(again, { status: 202, body: { id: invoice.id, version: 1 } })
  t.equal(again.headers.get('idempotent-replayed'), 'true')

  const csv = await linesOf(own, invoice.id)
  const byHand = await own.call(path, {
    ...operator,
    body: {
      courier_connection_id: own.seeded.connectionId,
      reference: invoice.reference,
      period: invoice.period,
      lines: csv.map((each) => {
        const { guide_number, amount, currency, weight_kg, date, client_reference } =
          each as unknown as Record<string, unknown>
        return { guide_number, amount, currency, weight_kg, date, client_reference }
      }),
    },
  })
  t.match(byHand, { status: 202, body: { id: invoice.id, version: 1 } }, 'also if it was imported')

  const keyed = async () => {
    const body = { courier_connection_id: own.seeded.connectionId, month }
    const headers = { 'idempotency-key': 'march' }
    return await own.call(`${path}/fetch`, { body, headers, ...operator })
  }
  t.match(await keyed(), { status: 202, body: { id: invoice.id, version: 1 } })
  const second = await own.create('second')
  const asked = shop.record.callCount('invoice')
  t.match(await keyed(), { status: 202, body: { id: invoice.id, version: 1 } })
  t.equal(shop.record.callCount('invoice'), asked, 'a repeat does not ask the courier')
  const later = await fetched(own, month)
  t.match(later.invoice, { id: invoice.id, version: 2, total: 3 })
  t.match(await linesOf(own, invoice.id), [
    { client_reference: first.body.id, finding: 'matched' },
    { client_reference: second.body.id, finding: 'matched' },
    { client_reference: null, finding: 'unknown_guide' },
  ])
  const next = monthAfter(month)
  await own.advance('P30D')
  const third = await own.create('third')
  const other = await fetched(own, next)
  t.match(other.invoice, { reference: `SIM-${next}`, version: 1, total: 2 })
  t.match((await linesOf(own, other.invoice.id))[0], { client_reference: third.body.id })
  t.equal((await fetched(own, month)).invoice.version, 2, 'the previous month is unchanged')
})

t.test('a month that is not billed is refused, and nothing is stored', async (t) => {
  const own = await freshShop(shop, 'refused')
  const month = await toTheTenth(own)
  await own.create('of-another-connection')
  const sibling = await freshShop(shop, 'refused-sibling')
  const moved = await toTheTenth(sibling)
  const cases: readonly (readonly [ApiClient, string])[] = [
    [own, monthAfter(month)],
    [own, '2000-01'],
    [sibling, moved],
  ]
  for (const [who, asked] of cases) {
    const refused = await fetchMonth(who, asked)
    t.match(refused, { status: 409, body: { reason: 'invoice_not_ready', retryable: true } })
    t.match(refused.headers.get('retry-after'), /^\d+$/)
  }
  t.strictSame((await own.call(`${path}?reference=SIM-2000-01`, operator)).body.data, [])
  for (const wrong of ['2026-13', '2026-1', '2026-01-01', 'January', '']) {
    t.match(await fetchMonth(own, wrong), {
      status: 422,
      body: { errors: [{ pointer: '/month' }] },
    })
  }
  t.match(await fetchMonth(own, month, { more: 1 }), { status: 422 })
})

t.test('a connection is asked while it is disabled, and not while it is parked', async (t) => {
  const own = await freshShop(shop, 'parked')
  const month = await toTheTenth(own)
  await own.create('shipped')
  const connection = `/v1/courier-connections/${own.seeded.connectionId}`
  const change = (body: object) => own.call(connection, { method: 'PATCH', body })
  await change({ status: 'disabled' })
  t.equal((await fetchMonth(own, month)).status, 202)
  await change({ status: 'active', credentials: { username: 'shop', password: 'wrong' } })
  const calls = shop.record.callCount('invoice')
  for (const asked of ['refused by the courier', 'not asked again']) {
    t.match(
      await fetchMonth(own, month),
      { status: 424, body: { reason: 'connection_needs_reauth' } },
      asked,
    )
  }
  t.equal(shop.record.callCount('invoice'), calls + 1)
  t.equal((await own.call(connection)).body.status, 'needs_reauth')
  await change({ credentials: { username: 'shop', password: 'right' } })
  t.equal((await fetchMonth(own, month)).status, 202)
  await own.call(connection, { method: 'DELETE' })
  t.equal((await fetchMonth(own, month)).status, 404)
})

async function aKey(more: {
  readonly workspaceId?: string
  readonly livemode?: boolean
  readonly scopes?: readonly Scope[]
}) {
  const { organizationId } = shop.seeded
  const asked = { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null }
  return (await createApiKey(shop.parts, { ...asked, ...more }, byCli)).key
}

t.test('fetching needs the scope of importing, and reaches no other connection', async (t) => {
  const own = await freshShop(shop, 'reach')
  const month = await toTheTenth(own)
  await own.create('shipped')
  const body = { courier_connection_id: own.seeded.connectionId, month }
  const ask = async (key: string) => await own.call(`${path}/fetch`, { body, key })
  t.equal((await ask(await aKey({ scopes: ['operations:read'] }))).status, 403)
  t.equal((await ask(await aKey({ livemode: true }))).status, 404)
  t.equal((await ask(await aKey({ workspaceId: shop.seeded.workspaceId }))).status, 404)
  t.equal((await ask(await aKey({ workspaceId: own.seeded.workspaceId }))).status, 202)
})

type Reply = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A courier of live mode that answers for invoices as scripted. */
async function liveCourier(t: Test) {
  const said = { invoices: true, reply: null as Reply | (() => Promise<Reply>) | null }
  const asked: object[] = []
  const server = createServer(async (request, response) => {
    const body = request.method === 'POST' ? ((await json(request)) as object) : {}
    const capabilities = { find: true, cancel: true, tracking: true, label: true, quote: true }
    const { invoices } = said
    const described = { ...capabilities, ...(invoices ? { invoices } : {}) }
    if (request.url === '/invoices') asked.push(body)
    const reply: Reply =
      request.url === '/invoices' && said.reply !== null
        ? await (typeof said.reply === 'function' ? said.reply() : said.reply)
        : { status: 200, body: { protocol: 'v1', name: 'Live', capabilities: described } }
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(JSON.stringify(reply.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  t.teardown(stop)
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { said, asked, baseUrl, stop }
}

t.test('the answer of a live courier is an invoice, or one of the usual refusals', async (t) => {
  const courier = await liveCourier(t)
  const registration = {
    providerCode: 'billing',
    displayName: 'Billing courier',
    baseUrl: courier.baseUrl,
    token: null,
    capabilities: {
      find: true,
      cancel: true,
      tracking: true,
      label: true,
      quote: true,
      invoices: true,
      cash_on_delivery: false,
      declared_value: false,
      recipient_phone: false,
    },
  }
  await registerCourier(shop.parts, registration, { replace: false, actor: byCli.actor })
  const key = await aKey({ livemode: true })
  const call = (at: string, body?: object) =>
    shop.call(at, { key, ...(body === undefined ? {} : { body }) })
  const workspace = await call('/v1/workspaces', { name: 'Live', external_reference: 'live' })
  const connection = await eventually(
    () =>
      call('/v1/courier-connections', {
        workspace_id: workspace.body.id,
        provider_code: 'billing',
        display_name: 'Live',
        credentials: { username: 'shop', password: 'secret' },
      }),
    ({ status }) => status === 201,
  )
  const ask = () =>
    call(`${path}/fetch`, { courier_connection_id: connection.body.id, month: '2026-02' })
  const line = {
    guide_number: 'NEVER-MADE',
    amount: 1_450,
    currency: 'PEN',
    weight_kg: 0.8001,
    date: '2026-02-27',
    client_reference: 'order 1',
  }
  const bill = { success: true, reference: 'F001-000123', lines: [line] }
  const refusal = (code: string) => ({ success: false, code })
  const refused: readonly (readonly [string, Reply, number, string])[] = [
    ['a refusal', { status: 422, body: refusal('closed') }, 422, 'courier_rejected'],
    ['no bill yet', { status: 409, body: refusal('invoice_not_ready') }, 409, 'invoice_not_ready'],
    ['an empty bill', { status: 200, body: { ...bill, lines: [] } }, 409, 'invoice_not_ready'],
    ['nonsense', { status: 200, body: 'x' }, 503, 'courier_unreachable'],
    [
      'a wrong line',
      { status: 200, body: { ...bill, lines: [line, { ...line, amount: -1 }] } },
      503,
      'courier_unreachable',
    ],
    ['an error', { status: 500, body: {} }, 503, 'courier_unreachable'],
    [
      'slow down',
      { status: 429, body: {}, headers: { 'retry-after': '7' } },
      503,
      'courier_throttled',
    ],
  ]
  for (const [name, reply, status, reason] of refused) {
    courier.said.reply = reply
    t.match(await ask(), { status, body: { reason, outcome: 'not_executed' } }, name)
  }
  t.equal((await ask()).headers.get('retry-after'), '7')
  t.strictSame((await call(path)).body.data, [], 'nothing is stored')

  courier.said.reply = { status: 200, body: bill }
  const made = await ask()
  t.match(made, { status: 202, body: { reference: 'F001-000123', livemode: true, total: 1 } })
  t.strictSame(courier.asked.at(-1), {
    credentials: { username: 'shop', password: 'secret' },
    month: '2026-02',
  })
  const { body: lines } = await eventually(
    () => call(`${path}/${made.body.id}/lines`),
    ({ body }) => body.data[0]?.finding !== null,
  )
  t.match(lines.data, [{ finding: 'unknown_guide', weight_kg: 0.8, client_reference: 'order 1' }])

  let [atOnce, most] = [0, 0]
  courier.said.reply = async () => {
    atOnce += 1
    most = Math.max(most, atOnce)
    await new Promise((resolve) => setImmediate(resolve))
    atOnce -= 1
    return { status: 200, body: bill }
  }
  for (const answer of await Promise.all(Array.from({ length: 8 }, ask))) {
    t.match(answer, { status: 202, body: { id: made.body.id, version: 1 } })
  }
  t.equal(most, 1, 'one at a time')

  courier.said.invoices = false
  t.match(await ask(), {
    status: 422,
    body: { errors: [{ pointer: '/courier_connection_id', reason: 'no_invoices' }] },
  })
  const { body: listed } = await call('/v1/couriers')
  t.match(listed.data, [{ provider_code: 'billing', capabilities: { invoices: false } }])
  await courier.stop()
  t.match(await ask(), { status: 503, body: { reason: 'courier_unreachable' } })
})
