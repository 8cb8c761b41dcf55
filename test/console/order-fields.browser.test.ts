import type { Page } from 'playwright-core'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'
import { overflowPx } from './console-layout.ts'
import { chooseWay, fillInMeasures, fillInOrder } from './new-shipment-form.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, unexpectedRequests } = tested
const { operatorKey } = shop.seeded
const creations = () =>
  tested.requests.filter((each) => each === `POST ${shop.url}/v1/shipments`).length

const { workspaceId } = shop.seeded
const quotes = () => tested.requests.filter((each) => each === `POST ${shop.url}/v1/quotes`).length

// Its price shows which currency the workspace's couriers charge.
await shop.create('earlier')
await eventually(
  () => shop.client.shipments.list({ workspace_id: workspaceId }),
  ({ data }) => data[0]?.price?.currency === 'PEN',
)

async function fillInParcel(page: Page) {
  await page.getByRole('checkbox').first().waitFor()
  await chooseWay(page, shop.seeded)
  await fillInMeasures(page)
}

/** An order at the first rate, complete but for what is optional. */
async function fillIn(page: Page, reference: string) {
  await fillInParcel(page)
  await page.getByRole('button', { name: 'Compare rates' }).click()
  await page.getByRole('radio').first().check()
  await fillInOrder(page, reference)
}

/** What few parcels or orders have, in the step with this number. */
const moreIn = (page: Page, step: number) =>
  page.getByRole('region', { name: new RegExp(`^${step}\\.`) }).locator('details')

const isFocused = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator(':focus')).count()

async function onlyOne(reference: string) {
  const { data } = await shop.client.shipments.list({ external_reference: reference })
  t.equal(data.length, 1, `${reference} was created once`)
  return data[0]
}

t.test(
  'what few orders have is typed as people write it, and sent as the API has it',
  async (t) => {
    const { page, enter, go, troubles, close } = await visit({ width: 320 })
    await enter(operatorKey)
    await go('/shipments/new')
    await fillInParcel(page)
    const cash = page.getByLabel('Cash on delivery', { exact: true })
    t.notOk(await cash.isVisible(), 'it is closed at first')
    await moreIn(page, 1).locator('summary').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    t.ok(await isFocused(page, 'Declared value'))
    await page.keyboard.type('150.5')
    await page.keyboard.press('Tab')
    await page.keyboard.type('usd')
    await page.keyboard.press('Tab')
    await page.keyboard.type('14,50')
    t.equal(await page.getByLabel('Currency of the cash on delivery').inputValue(), 'PEN')
    t.equal(await overflowPx(page), 0)
    t.same(await violationsInBothThemes(page), [])
    await page.keyboard.press('Enter')
    await page.getByRole('radio').first().check()

    await fillInOrder(page, 'everything')
    t.notOk(await page.getByLabel('Phone').isVisible(), 'it is closed at first')
    await moreIn(page, 3).locator('summary').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Phone').fill('+51987654321')
    await page.getByLabel('E-mail').fill('ana@example.com')
    await page.getByLabel('Metadata').fill('channel: web\n\ngift note: For Ana: happy birthday')
    t.equal(await overflowPx(page), 0)
    t.same(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Create shipment' }).click()
    await page.getByRole('heading', { level: 1, name: 'everything' }).waitFor()
    const shipment = await onlyOne('everything')
    t.same(shipment?.declared_value, { amount: 15_050, currency: 'USD' })
    t.same(shipment?.cash_on_delivery, { amount: 1_450, currency: 'PEN' })
    t.same(shipment?.metadata, { channel: 'web', 'gift note': 'For Ana: happy birthday' })
    t.match(shipment?.recipient, { phone: '+51987654321', email: 'ana@example.com' })
    const quote = await shop.client.quotes.get({ id: shipment?.quote_id ?? '' })
    t.same(quote.cash_on_delivery, shipment?.cash_on_delivery, 'it was part of the price')
    t.same(troubles, [])
    await close()
  },
)

t.test('a sum that cannot be read is not sent, and its field gets the focus', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(operatorKey)
  await go('/shipments/new')
  await fillInParcel(page)
  const before = quotes()
  const more = moreIn(page, 1)
  const refusedAt = async (label: string, typed: string, sentence: string) => {
    await more.getByLabel(label, { exact: true }).fill(typed)
    await more.locator('summary').focus()
    await page.getByRole('button', { name: 'Compare rates' }).click()
    await more.getByText(sentence).waitFor()
    t.ok(await isFocused(page, label), `${label}: ${typed}`)
  }
  await more.locator('summary').click()
  await refusedAt('Cash on delivery', '1.000', 'An amount in PEN has at most 2 decimals.')
  await more.locator('summary').click()
  await page.locator('details[open]').waitFor()
  t.ok(await more.getByLabel('Cash on delivery', { exact: true }).isVisible(), 'it stays in sight')
  await refusedAt('Cash on delivery', '1,000.00', 'Expected an amount, such as 14.50.')
  await more.getByLabel('Currency of the cash on delivery').fill('JPY')
  await refusedAt('Cash on delivery', '14.50', 'An amount in JPY has at most 0 decimals.')
  await refusedAt('Currency of the cash on delivery', 'P1', 'Expected three capital letters.')
  await refusedAt('Currency of the cash on delivery', '', 'The field is required.')
  t.same(await violationsInBothThemes(page), [])
  t.equal(quotes(), before, 'nothing was sent')
  await more.getByLabel('Cash on delivery', { exact: true }).fill('')
  await refusedAt('Declared value', '0', 'Too small')
  t.equal(quotes(), before + 1, 'what can be read is for the API to check')
  t.equal(await page.getByRole('alert').count(), 0, 'it is said once, at the field')
  t.same(troubles, [])
  await close()
})

t.test('a sum that is changed after the comparison outdates it', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(operatorKey)
  await go('/shipments/new')
  await fillIn(page, 'outdated')
  const create = page.getByRole('button', { name: 'Create shipment' })
  await moreIn(page, 1).locator('summary').click()
  const cash = page.getByLabel('Cash on delivery', { exact: true })
  for (const typed of ['14.50', 'x']) {
    await cash.fill(typed)
    await create.waitFor({ state: 'detached' })
    t.equal(await page.getByRole('radio').count(), 0, `no rate is for ${typed}`)
    await cash.fill('')
    await create.waitFor()
  }
  await cash.fill('14.50')
  await page.getByRole('button', { name: 'Compare rates' }).click()
  await page.getByRole('radio').first().check()
  t.equal(await page.getByLabel('Content').inputValue(), 'Books', 'what was typed stays')
  await create.click()
  await page.getByRole('heading', { level: 1, name: 'outdated' }).waitFor()
  t.same((await onlyOne('outdated'))?.cash_on_delivery, { amount: 1_450, currency: 'PEN' })
  t.same(troubles, [])
  await close()
})

t.test('what is wrong with the optional fields of an order is said at the field', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(operatorKey)
  await go('/shipments/new')
  await fillIn(page, 'faults')
  const before = creations()
  const more = moreIn(page, 3)
  const press = async () => {
    await page.getByRole('button', { name: 'Create shipment' }).click()
  }
  const refusedAt = async (label: string, typed: string, sentence: string) => {
    await more.getByLabel(label, { exact: true }).fill(typed)
    await more.locator('summary').click()
    t.notOk(await more.getByLabel('Phone').isVisible())
    await press()
    await more.getByText(sentence).waitFor()
    t.ok(await isFocused(page, label), `${label}: ${typed}`)
  }
  await more.locator('summary').click()
  await refusedAt('Metadata', 'web', 'Each line is a name and its value')
  await refusedAt('Metadata', 'a: 1\na: 2', 'Two keys are the same text.')
  t.same(await violationsInBothThemes(page), [])
  t.equal(creations(), before, 'nothing was sent')

  await more.getByLabel('Metadata').fill('')
  await more.getByLabel('E-mail').fill('ana')
  await more.getByLabel('Phone').fill('987654321')
  await more.locator('summary').click()
  await press()
  await more.getByText('Expected a number with its country code').waitFor()
  t.ok(await isFocused(page, 'Phone'), 'the field that the API refuses is shown too')
  await more.getByLabel('Phone').fill('')
  await more.getByLabel('E-mail').fill('')
  await press()
  await page.getByRole('heading', { level: 1, name: 'faults' }).waitFor()
  t.same(troubles, [])
  await close()
})

t.test('the optional fields are in Spanish, with their errors', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ locale: 'es-PE', width: 320 })
  await enter(operatorKey)
  await go('/shipments/new')
  await page.getByRole('checkbox').first().waitFor()
  const { originId, destinationId, productId } = shop.seeded
  await page.getByLabel(/^Agencias encontradas para Agencia de origen/).selectOption(originId)
  await page.getByLabel(/^Agencias encontradas para Agencia de destino/).selectOption(destinationId)
  await page.getByLabel('Tipo de paquete').selectOption(productId)
  for (const label of [/^Peso/, /^Alto/, /^Largo/, /^Ancho/])
    await page.getByLabel(label).fill('0.1')
  await page.getByText('Más: valor declarado, pago contra entrega').click()
  const cash = page.getByLabel('Pago contra entrega', { exact: true })
  await cash.fill('x')
  await page.getByRole('button', { name: 'Comparar tarifas' }).click()
  await page.getByText('Escriba un importe').waitFor()
  t.equal(await overflowPx(page), 0)
  t.same(await violationsInBothThemes(page), [])
  await cash.fill('14,50')
  await page.getByRole('button', { name: 'Comparar tarifas' }).click()
  await page.getByRole('radio').first().check()
  const order = page.getByRole('region', { name: /^3\./ })
  for (const field of await order.getByRole('textbox').all()) await field.fill('45678912')
  await page.getByText('Más: teléfono, correo, metadatos').click()
  await page.getByLabel('Correo').fill('ana')
  await order.getByRole('button').click()
  await page.getByText('La dirección de correo no es válida').waitFor()
  t.equal(await overflowPx(page), 0)
  t.same(await violationsInBothThemes(page), [])
  t.same(troubles, [])
  await close()
})

t.test('the optional fields make only documented calls', async (t) => {
  t.same(unexpectedRequests(), [])
})
