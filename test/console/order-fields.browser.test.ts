import type { Page } from 'playwright-core'
import t from 'tap'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'
import { overflowPx } from './console-layout.ts'
import { chooseWay, fillInMeasures, fillInOrder } from './new-shipment-form.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, unexpectedRequests } = tested
const { operatorKey } = shop.seeded
const creations = () =>
  tested.requests.filter((each) => each === `POST ${shop.url}/v1/shipments`).length

/** An order at the first rate, complete but for what is optional. */
async function fillIn(page: Page, reference: string) {
  await page.getByRole('checkbox').first().waitFor()
  await chooseWay(page, shop.seeded)
  await fillInMeasures(page)
  await page.getByRole('button', { name: 'Compare rates' }).click()
  await page.getByRole('radio').first().check()
  await fillInOrder(page, reference)
}

const isFocused = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator(':focus')).count()

t.test(
  'what few orders have is typed as people write it, and sent as the API has it',
  async (t) => {
    const { page, enter, go, troubles, close } = await visit({ width: 320 })
    await enter(operatorKey)
    await go('/shipments/new')
    await fillIn(page, 'everything')
    t.notOk(await page.getByLabel('Phone').isVisible(), 'it is closed at first')
    await page.locator('summary', { hasText: /^More/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Phone').fill('+51987654321')
    await page.getByLabel('E-mail').fill('ana@example.com')
    await page.getByLabel('Declared value', { exact: true }).fill('150.5')
    await page.getByLabel('Currency of the declared value').fill('usd')
    await page.getByLabel('Cash on delivery', { exact: true }).fill('14,50')
    t.equal(await page.getByLabel('Currency of the cash on delivery').inputValue(), 'PEN')
    await page.getByLabel('Metadata').fill('channel: web\n\ngift note: For Ana: happy birthday')
    t.equal(await overflowPx(page), 0)
    t.same(await violationsInBothThemes(page), [])
    await page.getByRole('button', { name: 'Create shipment' }).click()
    await page.getByRole('heading', { level: 1, name: 'everything' }).waitFor()
    const { data } = await shop.client.shipments.list({ external_reference: 'everything' })
    t.equal(data.length, 1)
    t.same(data[0]?.declared_value, { amount: 15_050, currency: 'USD' })
    t.same(data[0]?.cash_on_delivery, { amount: 1_450, currency: 'PEN' })
    t.same(data[0]?.metadata, { channel: 'web', 'gift note': 'For Ana: happy birthday' })
    t.match(data[0]?.recipient, { phone: '+51987654321', email: 'ana@example.com' })
    t.same(troubles, [])
    await close()
  },
)

t.test('what cannot be read is not sent, and its field gets the focus', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(operatorKey)
  await go('/shipments/new')
  await fillIn(page, 'faults')
  const before = creations()
  const more = page.locator('details', { hasText: /^More/ })
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
  await refusedAt('Cash on delivery', '1.000', 'An amount in PEN has at most 2 decimals.')
  await refusedAt('Cash on delivery', '1,000.00', 'Expected an amount, such as 14.50.')
  await more.getByLabel('Currency of the cash on delivery').fill('JPY')
  await refusedAt('Cash on delivery', '14.50', 'An amount in JPY has at most 0 decimals.')
  await refusedAt('Currency of the cash on delivery', 'P1', 'Expected three capital letters.')
  await more.getByLabel('Cash on delivery', { exact: true }).fill('')
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
  await more.getByLabel('Declared value', { exact: true }).fill('0')
  await press()
  await more.getByText('Too small').waitFor()
  t.ok(await isFocused(page, 'Declared value'))
  await more.getByLabel('Declared value', { exact: true }).fill('')
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
  await page.getByRole('button', { name: 'Comparar tarifas' }).click()
  await page.getByRole('radio').first().check()
  const order = page.getByRole('region', { name: /^3\./ })
  for (const field of await order.getByRole('textbox').all()) await field.fill('45678912')
  await page.locator('summary', { hasText: /^Más/ }).click()
  await page.getByLabel('Pago contra entrega', { exact: true }).fill('x')
  await page.getByLabel('Correo').fill('ana')
  await order.getByRole('button').click()
  await page.getByText('Escriba un importe').waitFor()
  await page.getByLabel('Pago contra entrega', { exact: true }).fill('')
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
