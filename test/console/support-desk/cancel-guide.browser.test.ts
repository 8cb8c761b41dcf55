import t from 'tap'
import { eventually } from '../../support/eventually.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { actDialog, cancelWord, keysSent } from './act-pages.ts'
import { silentCourier } from './silent-courier.ts'

const courier = silentCourier(t)
const tested = await consoleUnderTest(t, { courierUrl: courier.courierUrl })
const { shop, visit, keyOf, unexpectedRequests } = tested

async function countOf(shipmentId: string, type: string): Promise<number> {
  return (await shop.events(shipmentId)).filter((event) => event.type === type).length
}

t.test('support cancels a guide from the palette with the keyboard alone', async (t) => {
  const { body } = await shop.create('cancel-1', { scenario: 'happy_path' })
  const { page, enter, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const sent = keysSent(page, '/cancel')
  await eventually(
    () => shop.client.search.findByText({ text: body.guide_number }),
    ({ data }) => data.length === 1,
  )
  const search = page.getByRole('searchbox')
  await page.keyboard.press('Control+k')
  await search.and(page.locator(':focus')).waitFor()
  await page.keyboard.type(body.guide_number)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'cancel-1' }).waitFor()
  await page.getByText('ShipmentRequested').waitFor()
  await search.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await search.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('cancel the')
  await page.keyboard.press('Enter')
  const { dialog, confirm } = actDialog(page)
  await dialog.locator('textarea:focus').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.keyboard.type('The customer ordered twice')
  await page.keyboard.press('Tab')
  await page.keyboard.type('cancel-2')
  await page.keyboard.press('Enter')
  const typed = dialog.getByLabel('To confirm, type the order reference')
  t.notOk(await typed.evaluate('(field) => field.checkValidity()'), 'another order is refused')
  t.equal(sent.length, 0)
  await page.keyboard.press('Backspace')
  await page.keyboard.type('1')
  await page.keyboard.press('Tab')
  t.equal(await confirm('Cancel the guide').and(page.locator(':focus')).count(), 1)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'The guide is cancelled.' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  t.equal(await page.evaluate('document.activeElement.id'), 'screen', 'the focus is on the screen')
  const parcel = page.getByRole('region', { name: 'Parcel' })
  await parcel.getByText('The guide is cancelled, so no parcel is on its way.').waitFor()
  t.equal(sent.length, 1)

  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByText('masked').waitFor()
  await notes.getByRole('button', { name: 'Show the notes' }).click()
  await notes.getByText('Asked to cancel the guide. The customer ordered twice').waitFor()
  await actDialog(page).open(cancelWord)
  await dialog.getByText('The guide is already cancelled.').waitFor()
  t.same(troubles, [])
  await close()
})

t.test(
  'a guide whose parcel the courier has is not cancelled, and the page says why',
  async (t) => {
    const early = await shop.create('cancel-early', { scenario: 'happy_path' })
    const { page, enter, go, troubles, close } = await visit({ width: 390, dark: true })
    await enter(shop.seeded.operatorKey)
    const sent = keysSent(page, '/cancel')
    const why = 'The courier already has the parcel, and a guide can only be cancelled before that.'
    const { dialog, open, fill, confirm } = actDialog(page)
    await go(`/shipments/${early.body.id}`)
    await open(cancelWord)
    await fill('cancel-early', 'The customer ordered twice')
    // The courier is faster than the clerk.
    await page.route(/\/v1\/shipments\/shp_\w+$/, (route) => route.abort())
    await shop.advance('PT5H')
    await page.unroute(/\/v1\/shipments\/shp_\w+$/)
    await confirm('Cancel the guide').click()
    await dialog.getByRole('alert').getByText(why).waitFor()
    t.equal(sent.length, 1)
    t.same(await violationsInBothThemes(page), [])
    await dialog.getByRole('button', { name: 'Keep the guide' }).click()
    await dialog.waitFor({ state: 'detached' })

    await open(cancelWord)
    await dialog.getByText(why).waitFor()
    await dialog.getByText('Ask the courier to stop the parcel').waitFor()
    t.equal(await dialog.getByRole('textbox').count(), 0)
    await page.keyboard.press('Escape')
    t.equal(sent.length, 1)
    t.equal(await countOf(early.body.id, 'CancellationRequested'), 0)
    t.same(troubles, [])
    await close()
  },
)

t.test(
  'a cancellation with a lost answer is shown as unknown until it is cleared up',
  async (t) => {
    const { body } = await shop.create('cancel-lost', { scenario: 'cancel_response_lost' })
    const { page, enter, go, troubles, close } = await visit()
    await enter(shop.seeded.operatorKey)
    const sent = keysSent(page, '/cancel')
    const { dialog, open, fill, confirm } = actDialog(page)
    await go(`/shipments/${body.id}`)
    await open(cancelWord)
    await fill('cancel-lost', 'Wrong address')
    await confirm('Cancel the guide').dblclick()
    await dialog.getByText('It is not known yet whether the guide is cancelled.').waitFor()
    t.equal(sent.length, 1, 'a double click cancels once')
    t.equal(await page.locator('.mantine-Notification-root').count(), 0, 'no success is shown')
    const followed = dialog.getByRole('link', { name: 'Follow the operation' })
    t.match(await followed.getAttribute('href'), /\/console\/operations\/op_/)
    t.same(await violationsInBothThemes(page), [])
    await dialog.getByRole('button', { name: 'Close' }).click()
    const notice = page.locator('.open-outcome')
    await notice.getByText('do not tell the customer that it is cancelled').waitFor()
    t.same(await violationsInBothThemes(page), [])

    await open(cancelWord)
    await dialog.getByText('A cancellation is already running').waitFor()
    await page.keyboard.press('Escape')
    courier.speak()
    await shop.advance('PT1H')
    const parcel = page.getByRole('region', { name: 'Parcel' })
    await parcel.getByText('The guide is cancelled, so no parcel is on its way.').waitFor()
    await notice.getByText('do not tell').waitFor({ state: 'detached' })
    t.equal(await countOf(body.id, 'CancellationRequested'), 1)
    t.same(troubles, [])
    await close()
  },
)

t.test('the open dialog shows how a cancellation with a lost answer ended', async (t) => {
  courier.fallSilent()
  const { body } = await shop.create('cancel-watched', { scenario: 'cancel_response_lost' })
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const { dialog, open, fill, confirm } = actDialog(page)
  await go(`/shipments/${body.id}`)
  await open(cancelWord)
  await fill('cancel-watched', 'Wrong address')
  await confirm('Cancel the guide').click()
  await dialog.getByText('It is not known yet whether the guide is cancelled.').waitFor()
  courier.speak()
  await shop.advance('PT1H')
  await dialog.getByText('The courier has confirmed it: the guide is cancelled.').waitFor()
  t.equal(await countOf(body.id, 'CancellationRequested'), 1)
  await close()
})

t.test('a cancellation whose answer the browser lost is not repeated as another', async (t) => {
  const { body } = await shop.create('cancel-offline', { scenario: 'happy_path' })
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const sent = keysSent(page, '/cancel')
  const { dialog, open, fill, confirm } = actDialog(page)
  await go(`/shipments/${body.id}`)
  await page.route(/\/cancel$/, (route) => route.abort())
  await open(cancelWord)
  await fill('cancel-offline', 'Wrong address')
  await confirm('Cancel the guide').click()
  await dialog.getByRole('alert').getByText('No answer arrived').waitFor()
  t.equal(await countOf(body.id, 'OperationCommented'), 1)
  await dialog.getByRole('button', { name: 'Keep the guide' }).click()
  await page.unroute(/\/cancel$/)

  // The service gets the next request, but its answer is lost.
  await page.route(/\/cancel$/, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await open(cancelWord)
  await fill('cancel-offline', 'Wrong address')
  await confirm('Cancel the guide').click()
  await dialog.getByText('The courier has confirmed it: the guide is cancelled.').waitFor()
  t.ok(sent.length >= 3)
  t.equal(new Set(sent).size, 1, 'each request continues the same attempt')
  t.equal(await countOf(body.id, 'CancellationRequested'), 1)
  await close()
})

t.test('a key that may only read is told so, and one without notes gives no reason', async (t) => {
  const { body } = await shop.create('cancel-scopes', { scenario: 'happy_path' })
  const reader = await visit()
  await reader.enter(await keyOf({ scopes: ['shipments:read'] }))
  await reader.go(`/shipments/${body.id}`)
  const read = actDialog(reader.page)
  await read.open(cancelWord)
  await read.dialog.getByText('Your key does not have the shipments:write scope').waitFor()
  t.same(await violationsInBothThemes(reader.page), [])
  await reader.close()

  const writer = await visit()
  await writer.enter(await keyOf({ scopes: ['shipments:read', 'shipments:write'] }))
  await writer.go(`/shipments/${body.id}`)
  const { dialog, open, confirm } = actDialog(writer.page)
  await open(cancelWord)
  await dialog.getByText('To record a reason too').waitFor()
  t.equal(await dialog.getByLabel('Reason').count(), 0)
  await dialog.getByLabel('To confirm, type the order reference').fill('cancel-scopes')
  await confirm('Cancel the guide').click()
  await writer.page.getByRole('alert').filter({ hasText: 'The guide is cancelled.' }).waitFor()
  await writer.close()
})

t.test('cancelling makes only documented calls', async (t) => {
  t.ok(tested.requests.length > 20)
  t.same(unexpectedRequests(), [])
})
