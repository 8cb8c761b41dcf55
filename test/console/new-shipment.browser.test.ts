import type { Page } from 'playwright-core'
import t from 'tap'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'
import { overflowPx } from './console-layout.ts'
import { chooseWay, fillInMeasures, fillInOrder } from './new-shipment-form.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested
const { workspaceId, originId, destinationId, productId, operatorKey } = shop.seeded
const creations = () =>
  tested.requests.filter((each) => each === `POST ${shop.url}/v1/shipments`).length

const connect = (display_name: string, password: string) =>
  shop.client.courierConnections.create({
    workspace_id: workspaceId,
    provider_code: 'mock',
    display_name,
    credentials: { username: display_name, password },
  })

const second = await connect('Second account', 'right')
await connect('Refused account', 'wrong')

async function fillInParcel(page: Page) {
  await page.getByRole('checkbox', { name: /^Second account/ }).waitFor()
  await chooseWay(page, { originId, destinationId, productId })
  await fillInMeasures(page)
}

async function compareAndChoose(page: Page, button = 'Compare rates') {
  await page.getByRole('button', { name: button, exact: true }).click()
  const rate = page.getByRole('radio', {
    name: /^Second account .*terrestrial, paid by the sender/,
  })
  await rate.check()
  return await page.getByRole('radio').count()
}

/** Says nothing about the request before it. */
const refusedForNow = {
  type: '/docs/errors#organization_suspended',
  title: 'The organization is suspended',
  detail: 'The organization is suspended.',
  reason: 'organization_suspended',
  outcome: 'not_executed',
  retryable: false,
  action: 'person',
}

/** The only shipment with this reference. */
async function onlyOne(reference: string) {
  const { data } = await shop.client.shipments.list({ external_reference: reference })
  t.equal(data.length, 1, `${reference} was created once`)
  return data[0]
}

t.test('two connections are compared, and the chosen one creates one guide', async (t) => {
  const { page, enter, troubles, close } = await visit()
  await enter(operatorKey)
  await page.getByRole('link', { name: 'Shipments' }).click()
  await page.getByRole('button', { name: 'New shipment' }).click()
  await page.getByRole('heading', { level: 1, name: 'New shipment' }).waitFor()
  await fillInParcel(page)
  t.ok((await compareAndChoose(page)) >= 4, 'each of two connections has rates')
  const without = page.getByRole('list', { name: 'Without a price' })
  t.match(await without.innerText(), /Refused account .*: The courier refuses the account’s cred/)
  t.same(await violationsInBothThemes(page), [])

  await fillInOrder(page, 'chosen-rate')
  await page.getByLabel('Document number').fill('123')
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await page.getByText('A DNI has 8 digits.').waitFor()
  t.ok(await page.getByLabel('Document number').and(page.locator(':focus')).count())
  await page.getByLabel('Document number').fill('45678912')
  const before = creations()
  await page.getByRole('button', { name: 'Create shipment' }).dblclick()
  await page.getByRole('heading', { level: 1, name: 'chosen-rate' }).waitFor()
  t.equal(creations() - before, 1, 'two presses send one order')
  const shipment = await onlyOne('chosen-rate')
  t.equal(shipment?.courier_connection_id, second.id)
  t.match(shipment?.quote_id, /^quo_/, 'the price is that of the quote')
  t.same(shipment?.service, { mode: 'terrestrial', payer: 'sender' })

  await page.goBack()
  await page.getByLabel('Agencies found for Origin agency').waitFor()
  t.equal(await page.getByLabel('Weight (kg)').inputValue(), '', 'the form starts anew')
  t.same(troubles, [])
  await close()
})

t.test('a lost answer is asked for again, and an old quote is compared again', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ width: 390 })
  await enter(operatorKey)
  await go('/shipments/new')
  await fillInParcel(page)
  await compareAndChoose(page)
  await fillInOrder(page, 'lost-answer')
  t.equal(await overflowPx(page), 0)
  await shop.advance('PT31M')
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await compareAndChoose(page, 'Compare rates again')

  await page.route('**/v1/shipments', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await page.getByText('It is not known whether the shipment was created.').waitFor()
  t.ok(await page.getByLabel('Content').isDisabled(), 'only the same order can be sent')
  t.equal(await page.getByRole('button', { name: 'Create shipment' }).count(), 0)
  t.same(await violationsInBothThemes(page), [])
  await page.unrouteAll({ behavior: 'wait' })
  await page.route('**/v1/shipments', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ ...refusedForNow, status: 403 }),
    }),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The organization is suspended').first().waitFor()
  t.equal(await page.getByRole('button', { name: 'Create shipment' }).count(), 0)
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'lost-answer' }).waitFor()
  await onlyOne('lost-answer')
  t.same(troubles, [])
  await close()

  const reader = await visit()
  await reader.enter(await keyOf({ scopes: ['shipments:read'] }))
  await reader.page.getByRole('heading', { level: 1, name: 'Shipments' }).waitFor()
  t.equal(await reader.page.getByRole('button', { name: 'New shipment' }).count(), 0)
  await reader.close()
})

t.test(
  'an unknown outcome leads to its operation, and the order is not offered again',
  async (t) => {
    const { page, enter, go, troubles, close } = await visit()
    await enter(operatorKey)
    await go('/shipments/new')
    await fillInParcel(page)
    await compareAndChoose(page)
    await fillInOrder(page, 'unknown-outcome')
    await page.route('**/v1/shipments', (route) =>
      route.continue({
        headers: { ...route.request().headers(), 'sandbox-scenario': 'lost_response_human_review' },
      }),
    )
    await page.getByRole('button', { name: 'Create shipment' }).click()
    await page.waitForURL('**/console/operations/op_*')
    await page.getByRole('heading', { level: 1, name: 'unknown-outcome' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await onlyOne('unknown-outcome')
    await go('/shipments/new')
    await page.getByRole('checkbox', { name: /^Second account/ }).waitFor()
    t.equal(await page.getByRole('button', { name: /^(Create shipment|Try again)$/ }).count(), 0)
    t.same(troubles, [])
    await close()
  },
)

t.test('the screen of a new shipment makes only documented calls', async (t) => {
  t.ok(creations() > 1)
  t.same(unexpectedRequests(), [])
})
