import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { consoleUnderTest } from '../console/console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit } = tested
const { operatorKey, operatorId, workspaceId, connectionId, originId } = shop.seeded
await shop.create('delivered')
const { body: lost } = await shop.create('lost', { scenario: 'duplicate_guides' })
const endpoint = await shop.client.webhookEndpoints.create({
  workspace_id: workspaceId,
  url: 'http://127.0.0.1:9/away',
  event_types: ['label.ready'],
})
const delivery = await shop.client.webhookEndpoints.test({ id: endpoint.id, type: 'label.ready' })

/** How soon a screen recovers once the service is back. */
const recoversWithinMs = 5_000

type Screen = {
  readonly name: string
  readonly path: string
  readonly ready: (page: Page) => Locator
}

const text = (shown: string | RegExp) => (page: Page) => page.getByText(shown)
const row = (page: Page) => page.locator('.table-row')

const screens: readonly Screen[] = [
  { name: 'home', path: '/', ready: text('Waiting longest') },
  { name: 'operations', path: '/operations?cause=response_lost', ready: row },
  { name: 'an operation', path: `/operations/${lost.operation_id}`, ready: text('Deadline') },
  { name: 'shipments', path: '/shipments', ready: row },
  { name: 'a shipment', path: `/shipments/${lost.shipment_id}`, ready: text('GuideRequested') },
  { name: 'webhooks', path: '/webhooks', ready: row },
  { name: 'an endpoint', path: `/webhooks/${endpoint.id}`, ready: row },
  { name: 'deliveries', path: '/deliveries', ready: row },
  { name: 'a delivery', path: `/deliveries/${delivery.id}`, ready: text('Next try') },
  {
    name: 'the sandbox',
    path: '/sandbox',
    ready: (page) => page.getByRole('button', { name: 'Run 19' }),
  },
  { name: 'health', path: '/health', ready: text('Root') },
  { name: 'usage', path: '/usage', ready: text('Shipments this month') },
  { name: 'workspaces', path: '/workspaces', ready: row },
  { name: 'a workspace', path: `/workspaces/${workspaceId}`, ready: row },
  { name: 'connections', path: '/connections', ready: row },
  { name: 'a connection', path: `/connections/${connectionId}`, ready: text('Verified') },
  { name: 'keys', path: '/keys', ready: row },
  { name: 'operators', path: '/operators', ready: row },
  { name: 'an operator', path: `/operators/${operatorId}`, ready: text('E-mail') },
  { name: 'an object', path: `/objects/${originId}`, ready: text('"object": "agency"') },
  {
    name: 'a version of a shipment',
    path: `/shipments/${lost.shipment_id}?as_of=1`,
    ready: (page) => page.locator('.facts-of').getByText('lost', { exact: true }),
  },
]

/** Makes the service unreachable until the returned function is called or the test ends. */
async function away(t: Test): Promise<() => Promise<void>> {
  await shop.listener.close()
  let back: Promise<void> | undefined
  const open = () => {
    back ??= shop.listener.open()
    return back
  }
  t.teardown(open)
  return open
}

const { page, enter, go, troubles, close } = await visit()
t.teardown(close)
await page.clock.install()
await enter(operatorKey)
const failed = page.getByText('Something went wrong').first()

for (const { name, path, ready } of screens) {
  t.test(`${name}: the screen loads after a failed read once the service is back`, async (t) => {
    await go('/objects/none')
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    const open = await away(t)
    await go(path)
    await failed.waitFor()
    await page.clock.fastForward(recoversWithinMs)
    t.ok(await failed.isVisible(), 'it is still said while it is tried again')
    await open()
    await page.clock.fastForward(recoversWithinMs)
    await ready(page).first().waitFor()
    await failed.waitFor({ state: 'detached' })
    await page.getByText('Out of date').waitFor({ state: 'detached' })
  })
}

t.test('a screen that went out of date is up to date once the service is back', async (t) => {
  await go('/health')
  await page.getByText('Root', { exact: true }).waitFor()
  const open = await away(t)
  await page.clock.fastForward(recoversWithinMs)
  await page.getByText(/^Out of date since/).waitFor()
  await open()
  await page.clock.fastForward(recoversWithinMs)
  await page.getByText('Out of date').waitFor({ state: 'detached' })
})

t.test('a retry that fails again leaves the focus where it was', async (t) => {
  await go('/objects/none')
  const open = await away(t)
  await go(`/objects/${originId}`)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.press('Enter')
  await page.clock.fastForward(recoversWithinMs)
  t.ok(await again.and(page.locator(':focus')).isVisible())
  await open()
  await page.clock.fastForward(recoversWithinMs)
  await page.getByText('"object": "agency"').waitFor()
  t.same(troubles, [])
})

t.test('the entered key opens the console once the service is back', async (t) => {
  const { page, troubles, close } = await visit()
  await page.clock.install()
  await page.goto(`${shop.url}/console`)
  await page.getByLabel('API key').fill(operatorKey)
  const open = await away(t)
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('alert').waitFor()
  await page.clock.fastForward(recoversWithinMs)
  t.match(await page.getByRole('alert').innerText(), /tries again every few seconds/)
  await open()
  await page.clock.fastForward(recoversWithinMs)
  await page.locator('#screen').waitFor()
  t.same(troubles, [])
  await close()
})

t.test('a key that is being edited is not sent', async (t) => {
  const { page, close } = await visit()
  await page.clock.install()
  await page.goto(`${shop.url}/console`)
  await page.getByLabel('API key').fill(operatorKey)
  await page.route('**/v1/key', (route) => route.abort())
  const enter = page.getByRole('button', { name: 'Enter', exact: true })
  await enter.click()
  await page.getByRole('alert').waitFor()
  await enter.waitFor()
  await page.getByLabel('API key').fill('svc_test_')
  const asked = tested.requests.length
  await page.clock.fastForward(recoversWithinMs)
  await enter.waitFor()
  t.equal(tested.requests.length, asked)
  await close()
})
