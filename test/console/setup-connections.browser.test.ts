import t from 'tap'
import { receiver } from '../support/receiver.ts'
import { consoleUnderTest, leftBehind, violationsInBothThemes } from './console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested
const creationsOf = (path: string) =>
  tested.requests.filter((each) => each === `POST ${shop.url}${path}`).length

t.test('a courier is connected, verified, refused, and given new credentials', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await page.getByRole('link', { name: 'Connections' }).click()
  await page.getByText('1 connection', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Connect a courier…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Courier').getByText('(mock)').waitFor({ state: 'attached' })
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByLabel('Name', { exact: true }).fill('Second account')
  await dialog.getByLabel('Username').fill(' ')
  await dialog.getByLabel('Password', { exact: true }).fill('wrong')
  await dialog.getByRole('button', { name: 'Connect it' }).click()
  await dialog.locator('[aria-invalid="true"]:focus').waitFor()
  t.ok(await dialog.getByLabel('Username').and(page.locator(':focus')).count())
  await dialog.getByLabel('Username').fill('shop')
  const before = creationsOf('/v1/courier-connections')
  await dialog.getByRole('button', { name: 'Connect it' }).dblclick()
  await page.getByRole('heading', { name: 'Second account' }).waitFor()
  t.equal(creationsOf('/v1/courier-connections') - before, 1, 'two clicks connect one account')
  t.notMatch(await leftBehind(page), 'wrong')

  const states = page.locator('.screen-head')
  await states.getByText('active').waitFor()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('The courier refused the credentials.').waitFor()
  await states.getByText('needs new credentials').waitFor()
  t.same(await violationsInBothThemes(page), [])

  await page.getByRole('button', { name: 'New credentials…' }).click()
  t.equal(await dialog.getByLabel('Username').inputValue(), '', 'credentials are never shown')
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByLabel('Username').fill('shop')
  await dialog.getByLabel('Password', { exact: true }).fill('right')
  await dialog.getByRole('button', { name: 'Replace the credentials' }).click()
  await states.getByText('active').waitFor()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('The courier accepted the credentials.').waitFor()
  await go('/connections')
  await page
    .getByRole('row', { name: /Second account/ })
    .getByText(/:\d\d:/)
    .first()
    .waitFor()
  t.same(troubles, [])
  await close()
})

t.test('a connection is renamed, disabled, enabled and removed, never over a change', async (t) => {
  const made = await shop.client.courierConnections.create({
    workspace_id: shop.seeded.workspaceId,
    provider_code: 'mock',
    display_name: 'To change',
    credentials: { username: 'shop', password: 'right' },
  })
  const { page, enter, go, troubles, close } = await visit({ width: 390 })
  await enter(shop.seeded.operatorKey)
  await go(`/connections/${made.id}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Rename…' }).click()
  await shop.client.courierConnections.update({ id: made.id, display_name: 'Another tab' })
  await dialog.getByLabel('Name').fill('Mine')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').waitFor()
  t.match(await dialog.getByRole('alert').innerText(), /version|changed/i)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'Another tab' }).waitFor()
  await page.getByRole('button', { name: 'Rename…' }).click()
  await dialog.getByLabel('Name').fill('Mine')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Mine' }).waitFor()

  await page.getByRole('button', { name: 'Disable…' }).click()
  await dialog.getByRole('button', { name: 'Disable it' }).click()
  await page.locator('.screen-head').getByText('disabled').waitFor()
  await page.getByRole('button', { name: 'Enable…' }).click()
  await dialog.getByRole('button', { name: 'Enable it' }).click()
  await page.locator('.screen-head').getByText('active').waitFor()
  await page.getByRole('button', { name: 'Remove…' }).click()
  await dialog.getByRole('button', { name: 'Remove it' }).click()
  await page.getByRole('heading', { name: 'Courier connections' }).waitFor()
  t.equal(await page.getByText('Mine', { exact: true }).count(), 0)
  t.same(troubles, [])
  await close()

  const reader = await visit()
  await reader.enter(await keyOf({ scopes: ['connections:read'] }))
  await reader.go(`/connections/${shop.seeded.connectionId}`)
  t.ok(await reader.page.getByRole('button', { name: 'Verify' }).isDisabled())
  await reader.page.getByText('does not have the connections:write scope').first().waitFor()
  await reader.close()
})

t.test('an endpoint is created in the console, and its secret is shown once', async (t) => {
  const mine = await receiver(t)
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/webhooks')
  await page.getByRole('button', { name: 'Create an endpoint…' }).click()
  const dialog = page.getByRole('dialog')
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByLabel('Address').fill('not an address')
  await dialog.getByRole('button', { name: 'Create it' }).click()
  await dialog.getByText('It is not an absolute URL.').waitFor()
  await dialog.getByLabel('Address').fill(mine.url)
  const before = creationsOf('/v1/webhook-endpoints')
  await dialog.getByRole('button', { name: 'Create it' }).dblclick()
  const secret = await dialog.getByText(/^whsec_/).innerText()
  t.equal(creationsOf('/v1/webhook-endpoints') - before, 1, 'two clicks create one endpoint')
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('heading', { name: mine.url }).waitFor()
  await page.getByText('shipment.*, tracking.*').waitFor()
  t.notMatch(await page.content(), secret)
  t.notMatch(await leftBehind(page), secret)
  t.same(troubles, [])
  await close()
})

t.test('the screens of connections make only documented calls', async (t) => {
  t.ok(tested.requests.length > 20)
  t.same(unexpectedRequests(), [])
})
