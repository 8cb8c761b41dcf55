import t from 'tap'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { actDialog, eraseWord, keysSent } from './act-pages.ts'
import { silentCourier } from './silent-courier.ts'

const courier = silentCourier(t)
const tested = await consoleUnderTest(t, { courierUrl: courier.courierUrl })
const { shop, visit, keyOf, unexpectedRequests } = tested

t.test('support erases personal data, also from what the page already showed', async (t) => {
  const { body } = await shop.create('erase-1', { scenario: 'happy_path' })
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const sent = keysSent(page, '/erase-personal-data')
  await go(`/shipments/${body.id}?as_of=2`)
  await page.getByText('This is version 2').waitFor()
  const personal = page.getByRole('region', { name: 'Personal data' })
  await personal.getByRole('button', { name: 'Show personal data' }).click()
  await personal.getByText(body.recipient.document).waitFor()
  await page.getByRole('button', { name: 'Show the label', exact: true }).click()
  await page.getByRole('link', { name: 'Save', exact: true }).waitFor()

  const { dialog, open, fill, confirm } = actDialog(page)
  await open(eraseWord)
  await dialog.getByText('Nobody can restore them.').waitFor()
  await dialog.getByText('The parcel has not arrived yet.').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await fill('erase-1', 'Asked for by letter, case 114')
  await confirm('Erase the personal data').dblclick()
  await page.getByRole('alert').filter({ hasText: 'The personal data is erased.' }).waitFor()
  t.equal(sent.length, 1)
  await personal.getByText(body.recipient.document).waitFor({ state: 'detached' })
  await page.getByText('It was erased with the personal data.').waitFor()
  t.equal(await page.getByRole('link', { name: 'Save', exact: true }).count(), 0)
  const notes = page.getByRole('region', { name: 'Notes' })
  await notes.getByRole('button', { name: 'Show the notes' }).click()
  await notes.getByText('Asked to erase the personal data. Asked for by letter').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await open(eraseWord)
  await dialog.getByText('The personal data of this shipment is already erased.').waitFor()
  const { status } = await shop.call(`/v1/shipments/${body.id}/documents/label`)
  t.equal(status, 410)
  t.same(troubles, [])
  await close()
})

t.test(
  'personal data on legal hold is not erased, and the page says who can lift it',
  async (t) => {
    const { body } = await shop.create('erase-held', { scenario: 'happy_path' })
    const { page, enter, go, troubles, close } = await visit({ width: 390 })
    await enter(shop.seeded.operatorKey)
    const sent = keysSent(page, '/erase-personal-data')
    const why = 'A legal hold keeps the personal data of this shipment.'
    const { dialog, open, fill, confirm } = actDialog(page)
    await go(`/shipments/${body.id}`)
    await open(eraseWord)
    await fill('erase-held', 'Asked for by letter')
    const hold = { key: shop.seeded.operatorKey, body: { note: 'Claim 2026-114' } }
    t.equal((await shop.call(`/v1/shipments/${body.id}/hold`, hold)).status, 200)
    await confirm('Erase the personal data').click()
    await dialog.getByRole('alert').getByText(why).waitFor()
    t.equal(sent.length, 1)
    t.same(await violationsInBothThemes(page), [])
    await dialog.getByRole('button', { name: 'Keep the data' }).click()
    await dialog.waitFor({ state: 'detached' })

    await page.getByText('A legal hold keeps the personal data: since').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('erase')
    await page.keyboard.press('Enter')
    await dialog.getByText(why).waitFor()
    await dialog.getByText('A person with the operations:review scope can lift').waitFor()
    t.equal(await dialog.getByRole('textbox').count(), 0)
    t.equal(sent.length, 1)
    t.same(troubles, [])
    await close()
  },
)

t.test('personal data stays while a cancellation has an unknown outcome', async (t) => {
  const { body } = await shop.create('erase-open', { scenario: 'cancel_response_lost' })
  const cancelled = await shop.call(`/v1/shipments/${body.id}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': 'erase-open-cancel' },
  })
  t.equal(cancelled.status, 409)
  const { page, enter, go, close } = await visit()
  await enter(await keyOf({ scopes: ['shipments:read', 'shipments:write'] }))
  await go(`/shipments/${body.id}`)
  const { dialog, open } = actDialog(page)
  await open(eraseWord)
  await dialog.getByText('A cancellation is already running').waitFor()
  t.equal(await dialog.getByRole('link', { name: 'Follow the operation' }).count(), 1)
  await close()
})

t.test('erasing makes only documented calls', async (t) => {
  t.ok(tested.requests.length > 20)
  t.same(unexpectedRequests(), [])
})
