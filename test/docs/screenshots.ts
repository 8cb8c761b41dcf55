import { mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createClient } from '../../src/client/create-client.ts'
import { consoleUnderTest, type Visit } from '../console/console.ts'
import { chooseWay, fillInMeasures, fillInOrder } from '../console/new-shipment-form.ts'
import type { ApiClient } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { receiver } from '../support/receiver.ts'
import { say } from '../support/say.ts'
import { projectRoot } from '../support/source-files.ts'
import { onScratchServer } from '../support/until-closed.ts'

/**
 * `npm run screenshots`: every screen of the console, the recipient's page and some pages of the
 * documentation, taken from the composed service with example data, in both themes and at both widths.
 */

const folder = join(projectRoot, 'docs', 'images')
const looks = [1440, 390].flatMap((width) =>
  [false, true].map((dark) => ({ name: `${width}-${dark ? 'dark' : 'light'}`, width, dark })),
)

type Screen = {
  readonly name: string
  readonly path: string
  /** Prepares the screen and waits until it is ready. */
  ready(page: Visit['page']): Promise<unknown>
}

/** A day of a small shop: most orders went well, some did not. */
const orders = [
  ['order-1001', 'happy_path'],
  ['order-1002', 'happy_path'],
  ['order-1003', 'lost_response_human_review'],
  ['order-1004', 'delivery_exception'],
  ['order-1005', 'duplicate_guides'],
  ['order-1006', 'courier_rejected'],
  ['order-1007', 'not_collected_returned'],
  ['order-1008', 'lost_response_late_guide'],
] as const
const lastOrders = [
  ['order-1009', 'lost_response_human_review'],
  ['order-1010', 'lost_response_nothing_created'],
] as const

async function create(shop: ApiClient, all: readonly (readonly [string, string])[]) {
  for (const [reference, scenario] of all) await shop.create(reference, { scenario })
}

async function picture(visit: Visit, { name, path, ready }: Screen, look: string): Promise<void> {
  await visit.go('/objects/none')
  await visit.page.getByRole('heading', { name: 'Not found' }).waitFor()
  await visit.go(path)
  await ready(visit.page)
  await visit.page.mouse.move(0, 0)
  await visit.page.screenshot({ path: join(folder, `${name}-${look}.png`) })
}

async function idsOf({ client, seeded, url }: ApiClient, endpointUrl: string) {
  const { workspaceId, originId, destinationId, productId } = seeded
  const shipments = await client.shipments.list({ external_reference: 'order-1001' })
  const operations = await client.operations.list({ external_reference: 'order-1005' })
  const endpoints = await client.webhookEndpoints.list({ workspace_id: workspaceId })
  const dead = await client.webhookDeliveries.list({ state: 'dead', limit: 1 })
  const connections = await client.courierConnections.list({ workspace_id: workspaceId })
  const keys = await client.keys.list({})
  const operators = await client.operators.list({})
  const requests = await client.requests.list({ status: '4xx', limit: 1 })
  const operator = createClient({ baseUrl: url, apiKey: seeded.operatorKey })
  const invoices = await operator.courierInvoices.list({ limit: 1 })
  return {
    connection: connections.data[0]?.id,
    key: keys.data[0]?.id,
    operator: operators.data[0]?.id,
    request: requests.data[0]?.id,
    invoice: invoices.data.find(({ status }) => status === 'compared')?.id,
    workspace: workspaceId,
    originId,
    destinationId,
    productId,
    shipment: shipments.data[0]?.id,
    operation: operations.data[0]?.id,
    endpoint: endpoints.data.find(({ url }) => url === endpointUrl)?.id,
    delivery: dead.data[0]?.id,
  }
}

function screensOf(ids: Awaited<ReturnType<typeof idsOf>>): readonly Screen[] {
  const row = (page: Visit['page']) => page.locator('.table-row').first().waitFor()
  const text = (found: string | RegExp) => (page: Visit['page']) =>
    page.getByText(found).first().waitFor()
  return [
    { name: 'home', path: '/', ready: text(/^waiting \d/) },
    { name: 'operations', path: '/operations', ready: row },
    { name: 'operation', path: `/operations/${ids.operation}`, ready: text('ambiguous') },
    { name: 'shipments', path: '/shipments', ready: row },
    { name: 'shipment', path: `/shipments/${ids.shipment}`, ready: text('ShipmentRequested') },
    {
      name: 'new-shipment',
      path: '/shipments/new',
      ready: async (page) => {
        await page.getByRole('checkbox').first().waitFor()
        await chooseWay(page, ids)
        await fillInMeasures(page)
        await page.getByRole('button', { name: 'Compare rates' }).click()
        await page.getByRole('radio').first().check()
        await fillInOrder(page, 'order-1012')
        await page.locator('summary', { hasText: 'metadata' }).click()
        await page.getByLabel('Metadata').scrollIntoViewIfNeeded()
      },
    },
    { name: 'invoices', path: '/courier-invoices', ready: text('Findings by month') },
    { name: 'invoice', path: `/courier-invoices/${ids.invoice}`, ready: text('All lines') },
    {
      name: 'invoice-lines',
      path: `/courier-invoices/${ids.invoice}/lines?line=2`,
      ready: text('Compared with'),
    },
    { name: 'not-billed', path: `/courier-invoices/${ids.invoice}/not-billed`, ready: row },
    { name: 'webhooks', path: '/webhooks', ready: row },
    { name: 'endpoint', path: `/webhooks/${ids.endpoint}`, ready: row },
    { name: 'dead-letters', path: '/deliveries?state=dead', ready: row },
    { name: 'delivery', path: `/deliveries/${ids.delivery}`, ready: text('503') },
    {
      name: 'sandbox',
      path: '/sandbox',
      ready: async (page) => {
        await page.getByRole('button', { name: 'Run 7', exact: true }).click()
        await page.getByText('GuideOutcomeUnknown').waitFor()
        await page.getByRole('region', { name: 'Clock' }).scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'health',
      path: `/health?shipment=${ids.shipment}`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Verify' }).click()
        await page.getByText('Verified.').waitFor()
      },
    },
    { name: 'usage', path: '/usage', ready: text('Shipments this month') },
    { name: 'deliveries', path: '/deliveries', ready: row },
    { name: 'requests', path: '/requests', ready: row },
    { name: 'request', path: `/requests/${ids.request}`, ready: text('Represents') },
    { name: 'workspace', path: `/workspaces/${ids.workspace}`, ready: row },
    { name: 'connection', path: `/connections/${ids.connection}`, ready: text('Verified') },
    { name: 'key', path: `/keys/${ids.key}`, ready: text('shipments:read') },
    { name: 'operator', path: `/operators/${ids.operator}`, ready: text('E-mail') },
    { name: 'not-found', path: '/objects/shp_0000000000000000000000', ready: text('Not found') },
    { name: 'workspaces', path: '/workspaces', ready: row },
    { name: 'connections', path: '/connections', ready: row },
    { name: 'keys', path: '/keys', ready: row },
    { name: 'operators', path: '/operators', ready: row },
  ]
}

/** A correct guide, one billed too high, and one that was never created. */
async function bill({ client, seeded, url }: ApiClient): Promise<void> {
  const { data } = await client.shipments.list({ status: 'created', limit: 2 })
  const lines = data.map(({ guide_number, price }, index) => ({
    guide_number: String(guide_number),
    amount: (price?.amount ?? 0) + 100 * index,
    currency: price?.currency ?? 'PEN',
  }))
  const unknown = { guide_number: '100000000009', amount: 1_450, currency: 'PEN' }
  const operator = createClient({ baseUrl: url, apiKey: seeded.operatorKey })
  await operator.courierInvoices.create({
    courier_connection_id: seeded.connectionId,
    reference: 'F001-000123',
    lines: [...lines, unknown],
  })
}

/** Pages of the documentation by file name, and what shows that they are rendered. */
const sitePages: Readonly<Record<string, readonly [path: string, shown: string]>> = {
  overview: ['', 'Create your first guide, here in the page.'],
  'quick-start': ['/guides/quick-start', 'Use this key'],
  authentication: ['/guides/authentication', 'svc_test_'],
  'what-to-do-with-a-409': ['/guides/what-to-do-with-a-409', 'unknown_outcome'],
  'webhooks-guide': ['/guides/webhooks', 'A receiver'],
  'verify-a-webhook': ['/guides/verify-a-webhook', 'What the signature covers'],
  errors: ['/errors', 'forbidden_scope'],
  scenarios: ['/scenarios', 'happy_path'],
  states: ['/states', 'An operation'],
  limits: ['/api-limits', 'Beyond it'],
  reference: ['/reference#tag/shipments/createShipment', 'Idempotency-Key'],
}

async function sitePictures({ page }: Visit, url: string, look: string): Promise<void> {
  for (const [name, [path, shown]] of Object.entries(sitePages)) {
    await page.goto(`${url}/docs${path}`)
    await page.getByText(shown).first().waitFor({ state: 'attached' })
    await page.screenshot({ path: join(folder, `docs-${name}-${look}.png`) })
  }
}

/** A parcel that waits at its agency. */
async function recipientPicture({ page }: Visit, shop: ApiClient, look: string): Promise<void> {
  const { data } = await shop.client.shipments.list({ external_reference: 'order-1007' })
  await page.goto(shop.url + new URL(data[0]?.tracking_url ?? '').pathname)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.screenshot({ path: join(folder, `recipient-page-${look}.png`) })
}

async function makeAll(t: Parameters<typeof consoleUnderTest>[0]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const { shop, visit } = await consoleUnderTest(t)
  const { client, seeded } = shop
  const deaf = await receiver(t, () => ({ status: 503, body: 'We are moving house.' }))
  const well = await receiver(t)
  const { workspaceId } = seeded
  for (const { url } of [deaf, well]) {
    await client.webhookEndpoints.create({
      workspace_id: workspaceId,
      url: `${url}/webhooks`,
      event_types: url === deaf.url ? ['shipment.created'] : ['shipment.*', 'operation.*'],
    })
  }
  await create(shop, orders)
  await shop.advance('P4D')
  await bill(shop)
  await create(shop, lastOrders)
  await shop.advance('PT9H')
  await create(shop, [['order-1011', 'lost_response_human_review']])
  await shop.advance('PT1M')
  const ids = await eventually(
    () => idsOf(shop, `${deaf.url}/webhooks`),
    (found) => Object.values(found).every((id) => id !== undefined),
  )
  say('the example data are there')
  for (const { name, width, dark } of looks) {
    const visited = await visit({ width, dark })
    await visited.page.goto(`${shop.url}/console`)
    await visited.page.getByLabel('API key').waitFor()
    await visited.page.screenshot({ path: join(folder, `sign-in-${name}.png`) })
    await visited.enter(seeded.operatorKey)
    for (const screen of screensOf(ids)) await picture(visited, screen, name)
    await sitePictures(visited, shop.url, name)
    await recipientPicture(visited, shop, name)
    await visited.close()
  }
}

await onScratchServer((t) => makeAll({ ...t, comment: say }))
say(`written ${relative(projectRoot, folder)}`)
