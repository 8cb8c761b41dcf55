import type { Page } from 'playwright-core'
import t from 'tap'
import { byCli } from '../../src/service/cli/acting.ts'
import { registerCourier } from '../../src/service/processes/connections/registered-couriers.ts'
import { exampleConnector, token } from '../support/example-connector.ts'
import { ratedCapabilities, ratedShop } from '../support/rated-shop.ts'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'
import { overflowPx } from './console-layout.ts'
import { chooseWay, fillInMeasures, fillInOrder } from './new-shipment-form.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested

// Only with a live key does each courier answer for itself.
const rated = await ratedShop(shop, { name: 'plain', count: 2 })
t.teardown(() => rated.close())
const [plain, failing] = rated.connections as [
  (typeof rated.connections)[number],
  (typeof rated.connections)[number],
]
failing.courier.behavior = 'fails'
const { url, courierUrl } = await exampleConnector(t, 'TypeScript')
const registration = { providerCode: 'example', displayName: 'Example', baseUrl: url, token }
await registerCourier(
  shop.parts,
  { ...registration, capabilities: ratedCapabilities },
  { replace: false, actor: byCli.actor },
)
await shop.parts.registered.refresh()
const { client, seeded } = rated
const example = await client.courierConnections.create({
  workspace_id: seeded.workspaceId,
  provider_code: 'example',
  display_name: 'Example account',
  credentials: { api_key: 'demo' },
})
const operatorKey = await keyOf({ livemode: true })

async function exampleIds() {
  const of = { courier_connection_id: example.id }
  const { data: agencies } = await client.couriers.listAgencies(of)
  const { data: products } = await client.couriers.listPackageProducts(of)
  const idOf = (place: string) => agencies.find(({ name }) => name === place)?.id ?? ''
  return {
    originId: idOf('Lima Centro'),
    destinationId: idOf('Cusco'),
    productId: products.find(({ name }) => name === 'Small box')?.id ?? '',
  }
}

const offered = async (page: Page, label: string) =>
  (await page.getByLabel(label).locator('option').allInnerTexts()).slice(1)

/** Fills in the parcel at each courier, and compares what they ask. */
async function compare(page: Page) {
  await page.getByRole('checkbox', { name: /^Example account/ }).waitFor()
  await chooseWay(page, await exampleIds(), 'example')
  await chooseWay(page, plain, plain.code)
  await chooseWay(page, failing, failing.code)
  await fillInMeasures(page)
  await page.getByRole('button', { name: 'Compare rates' }).click()
  await page.getByRole('radio').first().waitFor()
}

/** The orders that the example courier has under a reference of ours. */
async function ordersAtExample(ref: string | undefined) {
  const answer = await fetch(`${courierUrl}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'demo' },
    body: JSON.stringify({ ref }),
  })
  return ((await answer.json()) as { orders: { cents: number; collect?: number }[] }).orders
}

t.test('couriers of different codes are compared, each with its own agencies', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ width: 320 })
  await enter(operatorKey)
  await go('/shipments/new')
  await page.getByRole('checkbox', { name: /^Example account/ }).waitFor()
  const agenciesAt = (code: string) => `Agencies found for Origin agency (${code})`
  await page
    .getByLabel(agenciesAt('example'))
    .locator('option')
    .nth(3)
    .waitFor({ state: 'attached' })
  t.match(await offered(page, agenciesAt('example')), [/^Arequipa/, /^Cusco/, /^Lima Centro/])
  t.match(await offered(page, agenciesAt(plain.code)), [/^Cusco/, /^Lima, /, /^Piura/])
  t.same(await offered(page, 'Kind of parcel (example)'), ['Large box', 'Small box'])
  t.same(await offered(page, `Kind of parcel (${plain.code})`), ['Box'])

  await compare(page)
  const rates = await page.getByRole('radio').all()
  t.equal(rates.length, 3, 'one of the example, two of the other')
  const texts = await page.getByRole('group', { name: 'Choose a rate' }).innerText()
  t.match(texts.replaceAll('\n', ' '), /10\.00.*10\.50.*20\.00/, 'cheapest first')
  const without = await page.getByRole('list', { name: 'Without a price' }).innerText()
  t.match(without, new RegExp(`\\(${failing.code}\\): The courier answered with an error`))
  t.equal(await overflowPx(page), 0)
  t.same(await violationsInBothThemes(page), [])

  await page.getByRole('radio', { name: /^Example account/ }).check()
  await fillInOrder(page, 'at-example')
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await page.getByRole('heading', { level: 1, name: 'at-example' }).waitFor()
  const { data } = await client.shipments.list({ external_reference: 'at-example' })
  t.equal(data.length, 1)
  t.equal(data[0]?.courier_connection_id, example.id)
  t.match(data[0]?.guide_number, /^C0/, 'the guide is of the chosen courier')
  t.equal((await ordersAtExample(data[0]?.id)).length, 1)
  const guides = plain.courier.calls.filter(({ path }) => path === '/guides')
  t.equal(guides.length, 0, 'the other courier was asked only for its price')
  t.same(troubles, [])
  await close()
})

t.test('what a courier lacks is said at once, and another rate has it', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(operatorKey)
  await go('/shipments/new')
  await compare(page)
  await page
    .getByRole('radio', { name: new RegExp(`\\(${plain.code}\\)`) })
    .first()
    .check()
  await fillInOrder(page, 'collected')
  const more = page.locator('details', { hasText: /^More/ })
  await more.locator('summary').click()
  await more.getByText('The courier of this rate does not get it.').first().waitFor()
  await more.getByText('The courier of this rate takes no declared value.').waitFor()
  const amount = more.getByLabel('Cash on delivery', { exact: true })
  await amount.fill('14.50')
  await more.getByText('Empty the field, or choose another rate.').waitFor()
  await more.locator('summary').click()
  await page.locator('details[open]').waitFor()
  await amount.waitFor()
  const before = tested.requests.length
  await page.getByRole('button', { name: 'Create shipment' }).click()
  t.ok(await amount.and(page.locator(':focus')).count())
  t.same(
    tested.requests.slice(before).filter((each) => each.startsWith('POST')),
    [],
    'nothing was sent',
  )
  t.same(await violationsInBothThemes(page), [])

  await page.getByRole('radio', { name: /^Example account/ }).check()
  t.equal(await amount.inputValue(), '14.50', 'what was typed stays')
  await more.getByText('Empty the field, or choose another rate.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await page.getByRole('heading', { level: 1, name: 'collected' }).waitFor()
  const { data } = await client.shipments.list({ external_reference: 'collected' })
  const [order] = await ordersAtExample(data[0]?.id)
  t.equal(order?.collect, 1_450)
  t.same(troubles, [])
  await close()
})

t.test('a refusal of what a courier lacks is shown at its field', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ locale: 'es-PE' })
  // As for a courier that could do it when the screen was opened.
  await page.route('**/v1/couriers?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll('"declared_value":false', '"declared_value":true'),
    })
  })
  await enter(operatorKey)
  await page.getByLabel('Language · Idioma').selectOption({ label: 'English' })
  await go('/shipments/new')
  await compare(page)
  await page
    .getByRole('radio', { name: new RegExp(`\\(${plain.code}\\)`) })
    .first()
    .check()
  await fillInOrder(page, 'refused')
  const more = page.locator('details', { hasText: /^More/ })
  await more.locator('summary').click()
  const amount = more.getByLabel('Declared value', { exact: true })
  await amount.fill('20')
  await more.locator('summary').click()
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await more.getByText('The courier does not have the capability declared_value.').waitFor()
  t.ok(await amount.and(page.locator(':focus')).count())
  t.equal(await page.getByRole('alert').count(), 0, 'it is said once, at the field')
  await page.getByLabel('Language · Idioma').selectOption({ label: 'Español' })
  await page.getByText('El courier de esta tarifa no lo recibe.').first().waitFor()
  await page.getByRole('button', { name: 'Crear envío' }).click()
  await page.getByText('El courier no tiene la capacidad declared_value.').waitFor()
  await page.getByLabel('Valor declarado', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Crear envío' }).click()
  await page.getByRole('heading', { level: 1, name: 'refused' }).waitFor()
  t.same(troubles, [])
  await close()
})

t.test('comparing couriers makes only documented calls', async (t) => {
  t.same(unexpectedRequests(), [])
})
