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

/** The parcel at each courier. */
async function fillInParcel(page: Page) {
  await page.getByRole('checkbox', { name: /^Example account/ }).waitFor()
  await chooseWay(page, await exampleIds(), 'example')
  await chooseWay(page, plain, plain.code)
  await chooseWay(page, failing, failing.code)
  await fillInMeasures(page)
}

async function compare(page: Page) {
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

  await fillInParcel(page)
  await page.getByText('More: declared value, cash on delivery').click()
  const cash = page.getByLabel('Cash on delivery', { exact: true })
  await cash.fill('14.50')
  await page.getByRole('button', { name: 'Compare rates' }).click()
  await page.getByText('The field is required.').waitFor()
  const currency = page.getByLabel('Currency of the cash on delivery').and(page.locator(':focus'))
  t.equal(await currency.inputValue(), '', 'no shipment has shown a currency yet')
  await cash.fill('')
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

t.test('cash on delivery is compared, and a courier that cannot collect it says so', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ width: 320 })
  await enter(operatorKey)
  await go('/shipments/new')
  await fillInParcel(page)
  await page.getByText('More: declared value, cash on delivery').click()
  const value = page.getByLabel('Declared value', { exact: true })
  await value.fill('20')
  await page.getByLabel('Currency of the declared value').fill('PEN')
  await page.getByLabel('Cash on delivery', { exact: true }).fill('14.50')
  await page.getByLabel('Currency of the cash on delivery').fill('PEN')
  await page.getByRole('button', { name: 'Compare rates' }).click()
  await page.getByText('No connection has a price for this parcel.').waitFor()
  const saidOf = (code: string, sentence: string) =>
    page
      .getByRole('list', { name: 'Without a price' })
      .getByText(`(${code}): ${sentence}`)
      .waitFor()
  await saidOf('example', 'The courier takes no declared value.')
  const neither = 'The courier takes no declared value and does not collect cash on delivery.'
  await saidOf(plain.code, neither)
  await value.fill('')
  await compare(page)
  t.equal(await page.getByRole('radio').count(), 1)
  await saidOf(plain.code, 'The courier does not collect cash on delivery.')
  const rate = page.getByRole('radio', { name: /^Example account.*10\.79/ })
  t.equal(await overflowPx(page), 0)
  t.same(await violationsInBothThemes(page), [])

  await rate.check()
  await fillInOrder(page, 'collected')
  await page.getByRole('button', { name: 'Create shipment' }).click()
  await page.getByRole('heading', { level: 1, name: 'collected' }).waitFor()
  const { data } = await client.shipments.list({ external_reference: 'collected' })
  t.match(data, [
    { cash_on_delivery: { amount: 1_450, currency: 'PEN' }, price: { amount: 1_079 } },
  ])
  const [order] = await ordersAtExample(data[0]?.id)
  t.equal(order?.collect, 1_450)
  t.same(troubles, [])
  await close()
})

t.test('what a courier lacks is said in Spanish', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ locale: 'es-PE' })
  await enter(operatorKey)
  await page.getByLabel('Language · Idioma').selectOption({ label: 'English' })
  await go('/shipments/new')
  await fillInParcel(page)
  await compare(page)
  await page
    .getByRole('radio', { name: new RegExp(`\\(${plain.code}\\)`) })
    .first()
    .check()
  await page.getByLabel('Language · Idioma').selectOption({ label: 'Español' })
  await page.getByText('Más: teléfono, correo, metadatos').click()
  await page.getByText('El courier de esta tarifa no lo recibe.').first().waitFor()

  await page.getByText('Más: valor declarado, pago contra entrega').click()
  await page.getByLabel('Pago contra entrega', { exact: true }).fill('14.50')
  await page.getByLabel('Moneda del pago contra entrega').fill('PEN')
  await page.getByRole('button', { name: 'Comparar tarifas' }).click()
  await page.getByText('El courier no cobra contra entrega.').first().waitFor()
  t.equal(await page.getByRole('radio').count(), 1)
  t.same(await violationsInBothThemes(page), [])
  t.same(troubles, [])
  await close()
})

t.test('comparing couriers makes only documented calls', async (t) => {
  t.same(unexpectedRequests(), [])
})
