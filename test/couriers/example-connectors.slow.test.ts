import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { request } from 'undici'
import { byCli } from '../../src/service/cli/acting.ts'
import {
  checkExplanations,
  connectorGuide,
} from '../../src/service/cli/couriers/check-explanations.ts'
import { courierCheck } from '../../src/service/cli/couriers/courier-check.ts'
import { findableDays } from '../../src/service/couriers/protocol-codes.ts'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { registerCourier } from '../../src/service/processes/connections/registered-couriers.ts'
import { createApiKey, defaultScopes } from '../../src/service/security/api-keys.ts'
import { eventually } from '../support/eventually.ts'
import { exampleConnector, examples, token } from '../support/example-connector.ts'
import { withoutPython } from '../support/run-process.ts'
import { service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'

for (const language of ['TypeScript', 'Python'] as const) {
  const options = language === 'Python' ? { skip: withoutPython() } : {}
  t.test(`the example connector in ${language} keeps the protocol`, options, async (t) => {
    const { url, restarted } = await exampleConnector(t, language)
    const { reference: earlier } = await courierCheck({ url, token, write: () => undefined })
    const again = await restarted()
    const { results } = await courierCheck({ url: again, token, earlier, write: () => undefined })
    t.same(
      results.filter(({ passed }) => !passed),
      [],
    )
    const declared = Object.values(checkExplanations).filter(
      ({ section }) => section !== 'invoices',
    )
    t.equal(results.length, declared.length, 'each check of what it declares was made')
    const withoutToken = await courierCheck({ url: again, write: () => undefined })
    t.equal(withoutToken.passed, 0, 'a caller without the token gets no answer')
  })
}

/** Passes calls on to the connector, but loses the answer to the first creation. */
async function losingOneAnswer(t: Test, url: string): Promise<string> {
  let lost = false
  const server = createServer(async (incoming, outgoing) => {
    const answer = await request(`${url}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: { authorization: String(incoming.headers.authorization) },
      body: incoming.method === 'POST' ? await buffer(incoming) : null,
      reset: true,
    })
    const body = await buffer(answer.body)
    const isGuide = incoming.url === '/guides' && JSON.parse(body.toString()).success
    if (isGuide && !lost) {
      lost = true
      incoming.socket.destroy()
      return
    }
    const contentType = String(answer.headers['content-type'])
    outgoing.writeHead(answer.statusCode, { 'content-type': contentType }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('a lost answer of the example courier ends as the one guide that exists', async (t) => {
  const { url } = await exampleConnector(t, 'TypeScript')
  const shop = await service(t)
  const registration = {
    providerCode: 'example',
    displayName: 'Example courier',
    baseUrl: await losingOneAnswer(t, url),
    token,
    capabilities: {
      find: true,
      cancel: true,
      tracking: true,
      label: true,
      quote: true,
      invoices: false,
      cash_on_delivery: false,
      declared_value: false,
      recipient_phone: false,
    },
  }
  await registerCourier(shop.parts, registration, { replace: false, actor: byCli.actor })
  const { organizationId } = shop.seeded
  const made = { organizationId, workspaceId: null, livemode: true, scopes: defaultScopes }
  const { key } = await createApiKey(shop.parts, { ...made, expiresAt: null }, byCli)
  const call = async (path: string, body?: object, idempotencyKey?: string) =>
    await shop.call(path, {
      key,
      ...(body === undefined ? {} : { body }),
      ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
    })
  const workspace = await call('/v1/workspaces', { name: 'Shop', external_reference: 'shop' })
  const connection = await eventually(
    () =>
      call('/v1/courier-connections', {
        workspace_id: workspace.body.id,
        provider_code: 'example',
        display_name: 'Example',
        credentials: { api_key: 'demo' },
      }),
    ({ status }) => status === 201,
  )
  const at = `courier_connection_id=${connection.body.id}`
  const agencies = (await call(`/v1/agencies?${at}`)).body.data
  const products = (await call(`/v1/package-products?${at}`)).body.data
  const order = {
    ...exampleShipmentRequest('order-1'),
    workspace_id: workspace.body.id,
    courier_connection_id: connection.body.id,
    origin: { agency_id: agencies[0].id },
    destination: { agency_id: agencies[1].id },
  }
  const cash_on_delivery = { amount: 5_000, currency: 'PEN' }
  const parcel = { ...order.package, product_id: products[0].id }
  const { origin, destination, workspace_id, courier_connection_id } = order
  const asked = { workspace_id, courier_connection_id, origin, destination, package: parcel }
  const priceWith = async (more: object) => (await call('/v1/quotes', { ...asked, ...more })).body
  const { rates: plain } = await priceWith({})
  const { id: quote_id, rates } = await priceWith({ cash_on_delivery })
  t.equal(rates[0].amount - plain[0].amount, 100, 'the courier charges for what it collects')
  const unquoted = { ...order, package: parcel, cash_on_delivery }
  const inDollars = { ...unquoted, cash_on_delivery: { amount: 5_000, currency: 'USD' } }
  t.match(await call('/v1/shipments', inDollars, 'order-2'), {
    status: 422,
    body: { reason: 'courier_rejected', detail: 'We collect PEN only.' },
  })
  const byAir = { ...unquoted, service: { mode: 'air', payer: 'sender' } }
  const refused = await call('/v1/shipments', byAir, 'order-3')
  t.match(
    refused,
    { status: 422, body: { reason: 'courier_rejected', detail: 'unknown_service' } },
    'its code, because it gives no message',
  )
  const { shipment_id: id } = refused.body
  t.match((await call(`/v1/shipments/${id}`)).body.failure, { detail: 'unknown_service' })
  const body = { ...unquoted, quote_id }
  const first = await call('/v1/shipments', body, 'order-1')
  t.match({ status: first.status, reason: first.body.reason }, { reason: 'unknown_outcome' })
  const again = await eventually(
    () => call('/v1/shipments', body, 'order-1'),
    ({ status }) => status === 201,
    20_000,
  )
  t.equal(again.body.guide_number, 'C00000001', 'the courier has one order')
  t.equal(again.body.price.amount, rates[0].amount, 'at the quoted price')
  const { body: cancelled } = await call(
    `/v1/shipments/${again.body.id}/cancel`,
    {},
    'cancel-order-1',
  )
  t.equal(cancelled.status, 'cancelled')
})

t.test('the example fits on five pages, and the guide has each section', async (t) => {
  const lines = readFileSync(join(projectRoot, examples, 'connector.ts'), 'utf8').split('\n')
  t.ok(lines.length - 1 <= 200, `${lines.length - 1} lines`)
  const guide = readFileSync(join(projectRoot, connectorGuide), 'utf8')
  const sections = [...guide.matchAll(/^## (.+)$/gm)].map(([, title]) =>
    String(title).toLowerCase().replaceAll(' ', '-'),
  )
  for (const [name, { section }] of Object.entries(checkExplanations)) {
    t.ok(sections.includes(section), `${name}: ${section}`)
  }
})

t.test('the guide and the protocol say how long a guide must be found', async (t) => {
  for (const page of [connectorGuide, 'docs/connector-protocol.md']) {
    const text = readFileSync(join(projectRoot, page), 'utf8').replaceAll('\n', ' ')
    t.match(text, `at least ${findableDays} days`, page)
    t.match(text, `or ${findableDays} days`, `${page} says what for`)
  }
})
