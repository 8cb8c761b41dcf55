import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { receiver } from '../support/receiver.ts'
import { consoleUnderTest, violations, violationsInBothThemes } from './console.ts'
import { isInTopDialog, misplacedColumns } from './console-layout.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, unexpectedRequests } = tested

t.test('dead letters are found, selected and sent again, and the receiver gets them', async (t) => {
  let isUp = false
  const mine = await receiver(t, () =>
    isUp ? { status: 200 } : { status: 503, body: 'Ana Torres is away' },
  )
  const endpoint = await shop.client.webhookEndpoints.create({
    workspace_id: shop.seeded.workspaceId,
    url: mine.url,
    event_types: ['shipment.created'],
  })
  await shop.create('dead-1')
  await shop.create('dead-2')
  await eventually(
    () => mine.received.length,
    (received) => received >= 2,
  )
  await shop.advance('P4D')
  const failed = mine.received.length
  const { page, enter, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('link', { name: mine.url }).waitFor()
  await page.locator('.badge').getByText('failing').waitFor()
  t.same(await violations(page), [])
  await page.getByRole('link', { name: mine.url }).click()
  await page.getByRole('region', { name: 'Facts' }).getByText('failing').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Health' }).click()
  const service = page.getByRole('region', { name: 'Service' })
  await service.getByText('0 ok, 1 failing, 0 disabled').waitFor()
  t.match(await service.innerText(), /Dead deliveries\s+2\s+Discarded deliveries\s+0/)
  t.match(await service.innerText(), /degraded/)
  t.same(await violations(page), [])
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('link', { name: 'Dead letters' }).click()
  await page.getByText('2 deliveries').waitFor()
  t.same(await violations(page), [])
  t.same(await misplacedColumns(page), [])
  await page.setViewportSize({ width: 900, height: 900 })
  t.same(await misplacedColumns(page), [])
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('dead-1')
  await page.getByText('1 result').waitFor()
  t.ok(
    await isInTopDialog(page, '.mantine-Spotlight-action'),
    'no part of the table covers a dialog',
  )
  await page.keyboard.press('Escape')

  await page.locator('.table-row a').first().click()
  const attempts = page.getByRole('region', { name: 'Attempts' })
  await attempts.getByText('503').first().waitFor()
  t.equal(await attempts.getByText('Ana Torres').count(), 0, 'what a receiver says is masked')
  await attempts.getByRole('button', { name: 'Show the responses' }).click()
  await attempts.getByText('Ana Torres').first().waitFor()
  t.same(await violations(page), [])
  await page.goBack()

  isUp = true
  await page.getByRole('button', { name: 'Select the first 2' }).click()
  await page.getByRole('button', { name: 'Redeliver 2…' }).click()
  t.equal(mine.received.length, failed, 'nothing is sent before it is confirmed')
  const dialog = page.getByRole('dialog')
  t.same(await violations(page), [])
  await dialog.getByRole('button', { name: 'Send 2 again' }).click()
  await dialog.getByText('2 of 2 are on their way again.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByText('No deliveries').waitFor()
  await eventually(
    () => mine.received.length,
    (received) => received === failed + 2,
  )
  await page.getByLabel('State').selectOption('delivered')
  await page.getByText('2 deliveries').waitFor()
  t.match(page.url(), /state=delivered/)

  // A redelivery to an endpoint that was deleted in the meantime is shown as refused.
  await shop.client.webhookEndpoints.delete({ id: endpoint.id })
  await page
    .getByLabel(/^Select shipment.created of shp_/)
    .first()
    .focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Redeliver 1…' }).click()
  await dialog.getByRole('button', { name: 'Send 1 again' }).click()
  await dialog.getByText('Refused: 1').waitFor()
  await dialog.getByText('0 of 1 are on their way again.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.route(/\/redeliver$/, (route) => route.abort())
  await page.getByRole('button', { name: 'Select the first 2' }).click()
  await page.getByRole('button', { name: 'Redeliver 2…' }).click()
  await dialog.getByText('2 delivered').waitFor()
  await dialog.getByRole('button', { name: 'Send 2 again' }).click()
  await dialog.getByText('Unknown: 2').waitFor()
  t.same(troubles, [])
  await close()
})

t.test('an endpoint gets another address and other types, and is deleted', async (t) => {
  const made = await shop.client.webhookEndpoints.create({
    workspace_id: shop.seeded.workspaceId,
    url: 'http://127.0.0.1:9/before',
    event_types: ['label.ready'],
  })
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/webhooks/${made.id}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Change…' }).click()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByLabel('Address').fill('not an address')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('[aria-invalid="true"]:focus').waitFor()
  await dialog.getByLabel('Address').fill('http://127.0.0.1:9/after')
  await dialog.getByText('including pending deliveries').waitFor()
  await dialog.locator('.mantine-MultiSelect-input').click()
  await page.getByRole('option', { name: 'tracking.*', exact: true }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'http://127.0.0.1:9/after' }).waitFor()
  await page.getByText('label.ready, tracking.*').waitFor()
  const changed = await shop.client.webhookEndpoints.get({ id: made.id })
  t.same(
    [changed.url, changed.event_types],
    ['http://127.0.0.1:9/after', ['label.ready', 'tracking.*']],
  )

  await page.getByRole('button', { name: 'Delete…' }).click()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
  const gone = await shop.call(`/v1/webhook-endpoints/${made.id}`)
  t.equal(gone.status, 404)
  t.same(troubles, [])
  await close()
})

t.test(
  'an endpoint is tested, recovered, rotated and disabled, each after confirmation',
  async (t) => {
    const mine = await receiver(t)
    const made = await shop.client.webhookEndpoints.create({
      workspace_id: shop.seeded.workspaceId,
      url: mine.url,
      event_types: ['label.ready'],
    })
    const { page, enter, go, troubles, close } = await visit({ width: 390, dark: true })
    await enter(shop.seeded.operatorKey)
    await go(`/webhooks/${made.id}`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('heading', { name: mine.url }).waitFor()
    t.same(await violations(page), [])

    await page.getByRole('button', { name: 'Rotate the secret…' }).click()
    await dialog.getByRole('button', { name: 'Create a new secret' }).click()
    const secret = await dialog.getByText(/^whsec_/).innerText()
    t.not(secret, made.secret)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 890)
    t.equal(await dialog.getByText(secret).count(), 1, 'only its own button closes it')
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    t.equal(await page.getByText(secret).count(), 0, 'it is shown once')

    await page.getByRole('button', { name: 'Recover a period…' }).click()
    const since = await dialog.getByLabel('From (UTC)').inputValue()
    await dialog.getByLabel('From (UTC)').fill('2026-01-02T03:04')
    await dialog.getByText('longer than 14 days').waitFor()
    await page.mouse.click(5, 890)
    await dialog.getByLabel('From (UTC)').fill(since)
    await dialog.getByRole('button', { name: 'Review' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Review' }).click()
    t.equal(mine.received.length, 0)
    // The events of this endpoint's workspace are older: the clock was advanced by four days.
    await dialog.getByText('0 events to send.').waitFor()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText(/on the way/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('button', { name: 'Send a test event…' }).click()
    await dialog.getByLabel('Event type').selectOption('tracking.lost')
    await dialog.getByRole('button', { name: 'Send it' }).click()
    await page.getByRole('heading', { name: 'tracking.lost' }).waitFor()
    await page.locator('.screen-head').getByText('delivered').waitFor()
    t.ok(mine.received.some(({ event }) => event.type === 'tracking.lost'))

    await go(`/webhooks/${made.id}`)
    await page.getByRole('button', { name: 'Disable…' }).click()
    await dialog.getByRole('button', { name: 'Disable it' }).click()
    await page.getByText('switched off').waitFor()

    const states = page.locator('.screen-head')
    await page.getByRole('button', { name: 'Send a test event…' }).click()
    t.same(await violations(page), [])
    await dialog.getByRole('button', { name: 'Enable and send it' }).click()
    await page.getByRole('heading', { name: 'shipment.created' }).waitFor()
    await states.getByText('delivered').waitFor()

    await shop.client.webhookEndpoints.update({ id: made.id, status: 'disabled' })
    await page.getByRole('button', { name: 'Redeliver…' }).click()
    await dialog.getByRole('button', { name: 'Send 1 again' }).click()
    await dialog.getByText('Refused: 1').waitFor()
    t.same(await violations(page), [])
    const sent = mine.received.length
    await dialog.getByRole('button', { name: 'Enable and redeliver 1' }).click()
    await dialog.getByText('1 of 1 are on their way again.').waitFor()
    t.equal(await dialog.getByRole('button', { name: /Enable/ }).count(), 0)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await eventually(
      () => mine.received.length,
      (received) => received === sent + 1,
    )

    await shop.client.webhookEndpoints.update({ id: made.id, status: 'disabled' })
    await go(`/webhooks/${made.id}`)
    await states.getByText('disabled').waitFor()
    await page.getByRole('button', { name: 'Recover a period…' }).click()
    await dialog.getByRole('button', { name: 'Review' }).click()
    await dialog.getByRole('button', { name: 'Enable and send' }).click()
    await dialog.getByText(/on the way/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await states.getByText('enabled').waitFor()
    t.same(troubles, [])
    await close()
  },
)

t.test(
  'the signature of what a receiver got is checked in the tab, and sent nowhere',
  async (t) => {
    const mine = await receiver(t)
    const endpoint = await shop.client.webhookEndpoints.create({
      workspace_id: shop.seeded.workspaceId,
      url: mine.url,
      event_types: ['label.ready'],
    })
    await shop.client.webhookEndpoints.test({ id: endpoint.id, type: 'label.ready' })
    const [got] = await eventually(
      () => mine.received,
      ({ length }) => length === 1,
    )
    const { page, enter, go, troubles, close } = await visit()
    await enter(shop.seeded.operatorKey)
    await go(`/webhooks/${endpoint.id}`)
    const tester = page.getByRole('region', { name: 'Signature tester' })
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      await tester.getByLabel(name).fill(String(got?.headers[name]))
    }
    await tester.getByLabel('Secret').fill(String(endpoint.secret))
    await tester.getByLabel('Body').fill(String(got?.body))
    const asked = tested.requests.length
    const check = tester.getByRole('button', { name: 'Check the signature' })
    await check.click()
    await tester.getByText('The signature is valid.').waitFor()
    await tester.getByLabel('Body').fill(`${got?.body} `)
    await check.click()
    await tester.getByText(/does not match the body/).waitFor()
    await tester.getByLabel('Secret').fill('not-a-secret')
    await check.click()
    await tester.getByText(/starts with whsec_/).waitFor()
    const changing = tested.requests.slice(asked).filter((each) => !each.startsWith('GET '))
    t.same(changing, [])
    t.same(await violations(page), [])
    t.same(troubles, [])
    await close()
  },
)

t.test('the webhook screens call only their own origin and documented operations', async (t) => {
  t.ok(tested.requests.length > 20)
  t.same(unexpectedRequests(), [])
})
