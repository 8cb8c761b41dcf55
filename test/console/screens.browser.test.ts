import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { eventually } from '../support/eventually.ts'
import { projectRoot } from '../support/source-files.ts'
import { consoleUnderTest, violations, violationsInBothThemes } from './console.ts'
import { cutCells, overflowPx } from './console-layout.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested

t.test('scenario 7 runs in the console, from the 409 to the guide that exists', async (t) => {
  const { page, enter, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await page.getByRole('link', { name: 'Sandbox' }).click()
  const scenarios = page.getByRole('region', { name: 'Scenarios' })
  await scenarios.getByRole('button', { name: 'Run 7', exact: true }).waitFor()
  t.equal(await scenarios.getByRole('listitem').count(), 19)

  await scenarios.getByRole('button', { name: 'Run 7', exact: true }).click()
  const play = page.getByRole('region', { name: 'Play' })
  const answers = play.getByRole('list', { name: 'Answers' })
  await answers.getByText('409 unknown_outcome').waitFor()
  t.match(await page.evaluate('document.activeElement.innerText'), /^7 · /)
  await play.getByText('unknown outcome', { exact: true }).waitFor()
  await play.getByText('reconciling', { exact: true }).waitFor()
  await page.getByLabel('Advance by').fill('PT1M')
  await page.getByRole('button', { name: 'Advance the clock' }).click()
  await play.getByText('guide exists', { exact: true }).waitFor()
  await play.getByText('created', { exact: true }).waitFor()
  await play.getByText('GuideFound').waitFor()
  await play.getByRole('button', { name: 'Repeat with the same key' }).click()
  await answers.getByText('201').waitFor()
  t.equal(await answers.getByRole('listitem').count(), 2)
  t.same(await violations(page), [])

  await page.getByLabel('Advance by').fill('P3D')
  await page.getByRole('button', { name: 'Advance the clock' }).click()
  await play.getByText('delivered', { exact: true }).waitFor()
  await play.getByRole('link', { name: /^shp_/ }).click()
  await page.getByRole('region', { name: 'Replay' }).waitFor()
  await page.goBack()
  await answers.getByText('201').waitFor()
  t.same(troubles, [])
  await close()
})

t.test(
  'a scenario with several calls makes each of them, and live mode has no sandbox',
  async (t) => {
    const { page, enter, go, troubles, close } = await visit({ width: 390, dark: true })
    await enter(await keyOf({ workspaceId: shop.seeded.workspaceId }))
    await go('/sandbox')
    const answers = page.getByRole('list', { name: 'Answers' })
    await page.getByRole('button', { name: 'Run 4', exact: true }).click()
    await answers.getByText('424 connection_needs_reauth').waitFor()
    await page.getByRole('button', { name: 'Run 15' }).click()
    await answers.getByText('409 unknown_outcome').waitFor()
    t.match(await answers.innerText(), /POST \/v1\/shipments 201\s.*\/cancel 409/s)
    await page.getByRole('button', { name: 'Run 14' }).click()
    await answers.getByText('409 quote_price_changed').waitFor()
    t.match(await answers.innerText(), /POST \/v1\/quotes 201/)
    await page.getByRole('button', { name: 'Run 6', exact: true }).click()
    await answers.getByText('503 courier_unreachable').waitFor()
    await page.getByRole('button', { name: 'Repeat with the same key' }).click()
    await answers.getByText('201').waitFor()
    await go('/usage')
    await go('/sandbox')
    await page.getByRole('option', { name: 'needs new credentials' }).waitFor({ state: 'attached' })
    t.match(await page.getByLabel('Courier connection').locator(':checked').innerText(), /active$/)
    t.same(troubles, [])
    await close()

    const live = await visit()
    await live.enter(await keyOf({ livemode: true }))
    await live.go('/sandbox')
    await live.page.getByRole('heading', { name: 'There is no sandbox in live mode' }).waitFor()
    await live.close()
  },
)

/** Waits until the last checkpoint covers every event of the shipment, and returns their number. */
async function waitUntilSealed(shipmentId: string): Promise<number> {
  const events = await shop.client.ledger.listShipmentEvents({ id: shipmentId, limit: 100 })
  const last = events.data.at(-1)?.position ?? ''
  await eventually(
    () => shop.call(`/v1/ledger/proof/${last}`, { key: shop.seeded.operatorKey }),
    ({ status }) => status === 200,
  )
  return events.data.length
}

t.test('the browser verifies a shipment and refuses one that was changed', async (t) => {
  const created = await shop.create('verified', { scenario: 'happy_path' })
  await shop.advance('P3D')
  const count = await waitUntilSealed(created.body.id)
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/shipments/${created.body.id}`)
  await page.getByRole('link', { name: 'Verify this shipment' }).click()
  const verified = page.getByRole('region', { name: 'Verify a shipment' })
  await verified.getByText(`Verified. ${count} events are in the signed tree`).waitFor()
  t.match(await verified.innerText(), /Signed by\s+shipping-ledger\/\S+\+[0-9a-f]{8}\+/)
  t.same(await violations(page), [])

  await verified.getByLabel('Shipment').fill('shp_another')
  t.notOk(await verified.getByText('Verified.').isVisible(), 'of another one nothing is said')
  await verified.getByLabel('Shipment').fill(created.body.id)

  /** Changes an answer on its way to the browser and waits until the verification refuses it. */
  const refused = async (path: RegExp, change: (body: string) => string, why: RegExp) => {
    await page.route(path, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: change(await response.text()) })
    })
    await verified.getByRole('button', { name: 'Verify' }).click()
    const alert = verified.getByRole('alert').filter({ hasText: why })
    await alert.waitFor()
    t.match(await alert.innerText(), /^Not verified\./)
    await page.unrouteAll({ behavior: 'wait' })
  }
  await refused(
    /\/events\?/,
    (body) => body.replace('"type":"GuideIssued"', '"type":"GuideDenied"'),
    /GuideDenied: it differs from what was recorded/,
  )
  const shortened = (body: string) => {
    const answer = JSON.parse(body)
    answer.data.splice(2, 1)
    return JSON.stringify(answer)
  }
  await refused(/\/events\?/, shortened, /Event 4, \w+: it is out of order, at position 3/)
  await refused(
    /\/v1\/ledger\/checkpoint/,
    (body) => body.replace(/\\n([1-9]\d*)\\n/, (_, size) => `\\n${Number(size) + 1}\\n`),
    /No key of this ledger has signed the checkpoint/,
  )
  t.same(troubles, [])
  await close()
})

t.test(
  'the health and usage screens show what the scopes allow, and say when it is stale',
  async (t) => {
    const created = await shop.create('s'.repeat(200), { scenario: 'duplicate_guides' })
    await shop.advance('PT1M')
    const { page, enter, go, troubles, close } = await visit({ width: 390, dark: true })
    await page.clock.install()
    const poll = () => page.clock.fastForward(5_000)
    await enter(shop.seeded.operatorKey)
    await page.getByText('Two guides or more').waitFor()
    await go('/operations')
    await page.locator('.table-row').first().waitFor()
    t.same(await cutCells(page), ['Reference'], 'a card shows its state and times whole')
    await go(`/shipments/${created.body.shipment_id}`)
    await page.getByRole('heading', { name: 's'.repeat(200) }).waitFor()
    t.equal(await overflowPx(page), 0, 'a long reference does not widen the screen')
    await page.route('**/v1/health', (route) => route.fulfill({ json: { object: 'health' } }))
    await go('/health')
    await page.getByText('This screen could not be displayed').waitFor()
    t.match(await page.title(), /^Health/)
    await page.unroute('**/v1/health')
    await page.getByRole('button', { name: 'Try again' }).click()
    const ages = page.getByRole('region', { name: 'Open operations by age' })
    await ages.getByRole('row', { name: /^needs review 1 / }).waitFor()
    await page.getByRole('region', { name: 'Projections' }).getByText('working').first().waitFor()
    await page.getByRole('region', { name: 'Ledger' }).getByText('Root').waitFor()
    t.same(await violations(page), [])

    const good = page.locator('[data-tone="good"]')
    t.ok((await good.count()) > 0)
    await page.route('**/v1/**', (route) => route.abort())
    await poll()
    await page.getByText(/^Out of date since \d\d:\d\d:\d\d:/).waitFor()
    await page.getByText('The service does not respond').waitFor()
    t.equal(await good.count(), 0, 'a service that answers no more is not well')
    t.same(await violations(page), [])
    await page.unroute('**/v1/**')
    await poll()
    await page.getByText(/^Out of date since/).waitFor({ state: 'detached' })
    await good.first().waitFor()
    await go('/usage')
    await page
      .getByText(/^[1-9]\d* of (unlimited|\d+)/)
      .first()
      .waitFor()
    t.same(await violations(page), [])
    t.same(troubles, [], 'and the failed content is logged nowhere')
    await close()

    const other = await visit()
    await other.enter(await keyOf({ scopes: ['shipments:read'] }))
    await other.page.waitForURL('**/console/shipments')
    await other.go('/health')
    await other.page.getByText('ledger:read').first().waitFor()
    await other.page.getByText('operations:read').waitFor()
    await other.go('/keys')
    await other.page.getByText('workspaces:read').waitFor()
    await other.close()
  },
)

/** The paths of screens.tsx, which cannot be imported here. */
function declaredPaths(): readonly string[] {
  const text = readFileSync(join(projectRoot, 'src', 'console', 'screens.tsx'), 'utf8')
  return [...text.matchAll(/^ {4}path: '(.+)'/gm)].map(([, path]) => String(path))
}

t.test('every screen opens by its address and says what it shows', async (t) => {
  const { workspaceId, connectionId, operatorId, operatorKey, originId } = shop.seeded
  const { body } = await shop.create('each-screen', { scenario: 'duplicate_guides' })
  const endpoint = await shop.client.webhookEndpoints.create({
    workspace_id: workspaceId,
    url: 'http://127.0.0.1:9/each-screen',
    event_types: ['label.ready'],
  })
  const type = 'label.ready'
  const delivery = await shop.client.webhookEndpoints.test({ id: endpoint.id, type })
  const workspace = await shop.client.workspaces.get({ id: workspaceId })
  const logged = await eventually(
    async () =>
      (await shop.client.requests.list({ route: '/v1/shipments', method: 'POST' })).data[0],
    (found) => found !== undefined,
  )
  const batch = await shop.client.batches.create({
    external_reference: 'each-batch',
    items: [exampleShipmentRequest('each-batch-line', shop.seeded)],
  })
  const invoice = await eventually(
    () =>
      shop.call('/v1/courier-invoices', {
        key: operatorKey,
        body: {
          courier_connection_id: connectionId,
          reference: 'each-invoice',
          lines: [{ guide_number: 'EACH', amount: 1, currency: 'PEN' }],
        },
      }),
    ({ body: { status } }) => status === 'compared',
  )
  const agency = await shop.client.couriers.getAgency({ id: originId })
  const key = await shop.client.keys.get()
  /** The id in the path, and the heading of the screen. */
  const shown: Readonly<Record<string, readonly [id: string, head: string]>> = {
    '/': ['', 'Home'],
    '/operations': ['', 'Operations'],
    '/operations/:id': [body.operation_id, 'each-screen'],
    '/shipments': ['', 'Shipments'],
    '/shipments/new': ['', 'New shipment'],
    '/shipments/:id': [body.shipment_id, 'each-screen'],
    '/batches': ['', 'Batches'],
    '/batches/new': ['', 'New batch'],
    '/batches/:id': [batch.id, 'each-batch'],
    '/courier-invoices': ['', 'Courier invoices'],
    '/courier-invoices/new': ['', 'Import an invoice'],
    '/courier-invoices/:id': [invoice.body.id, 'each-invoice'],
    '/courier-invoices/:id/lines': [invoice.body.id, 'each-invoice'],
    '/courier-invoices/:id/not-billed': [invoice.body.id, 'each-invoice'],
    '/webhooks': ['', 'Webhooks'],
    '/webhooks/:id': [endpoint.id, endpoint.url],
    '/deliveries': ['', 'Deliveries'],
    '/deliveries/:id': [delivery.id, type],
    '/sandbox': ['', 'Sandbox'],
    '/health': ['', 'Health'],
    '/requests': ['', 'Requests'],
    '/requests/:id': [String(logged?.id), 'POST /v1/shipments'],
    '/usage': ['', 'Usage'],
    '/workspaces': ['', 'Workspaces'],
    '/workspaces/:id': [workspaceId, workspace.name],
    '/connections': ['', 'Courier connections'],
    '/connections/:id': [connectionId, 'Simulated courier'],
    '/keys': ['', 'API keys'],
    '/keys/:id': [key.id, `${key.name} …${key.last4}`],
    '/operators': ['', 'Operators'],
    '/operators/:id': [operatorId, 'Sandbox operator'],
    '/objects/:id': [originId, agency.name],
  }
  t.same(Object.keys(shown).toSorted(), declaredPaths().toSorted(), 'no screen is missing')
  const { page, enter, go, troubles, close } = await visit()
  await enter(operatorKey)
  for (const [path, [id, head]] of Object.entries(shown)) {
    await go(path.replace(':id', id))
    await page.getByRole('heading', { level: 1, name: head, exact: true }).waitFor()
    const title = await page.title()
    t.notMatch(title, /Page not found/, path)
    if (id !== '') t.match(title, id, `${path} is named in the tab`)
    t.same(await violationsInBothThemes(page), [], path)
  }
  t.same(troubles, [])
  await close()
})

t.test('the sandbox, verify, health and usage screens make only documented calls', async (t) => {
  t.ok(tested.requests.length > 100)
  t.same(unexpectedRequests(), [])
})
