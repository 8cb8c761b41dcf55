import t from 'tap'
import { sendInvoice } from '../../support/sent-invoice.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { cutBadges, misplacedColumns, overflowPx } from '../console-layout.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)
const kind = 'cash_on_delivery'
const cash = { amount: 5_000, currency: 'PEN' }

async function created(key: string) {
  const { body } = await shop.create(key, { body: { cash_on_delivery: cash } })
  return { guide_number: body.guide_number as string, price: body.price as typeof cash }
}

t.test('cash on delivery is shown apart from what is billed', async (t) => {
  const [right, short, missing] = [
    await created('right'),
    await created('short'),
    await created('missing'),
  ]
  await shop.advance('P3D')
  const invoice = await sendInvoice(shop, 'F001-COD', [
    { guide_number: right.guide_number, ...right.price },
    { kind, guide_number: right.guide_number, ...cash },
    { guide_number: short.guide_number, ...short.price, amount: short.price.amount + 100 },
    { kind, guide_number: short.guide_number, amount: 4_000, currency: 'PEN' },
  ])
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/courier-invoices/${invoice.id}`)
  const check = page.getByRole('link', { name: /^To check\s*2/ })
  await check.getByText('PEN 40.00 cash on delivery').waitFor()
  await check.getByText('PEN 11.00 at stake').waitFor()
  const totals = page.getByRole('region', { name: 'Lines by finding' })
  await totals.getByRole('row', { name: /^All charges in PEN 2/ }).waitFor()
  await totals.getByRole('row', { name: /^All cash on delivery in PEN 2 PEN 90.00/ }).waitFor()
  t.same(await violationsInBothThemes(page), [])

  const paid = totals.getByRole('row', { name: /^amount differs cash on delivery/ })
  await paid.getByRole('link', { name: /^PEN 40.00/ }).click()
  await page.getByText('1 line', { exact: true }).waitFor()
  t.equal(await page.getByLabel('Kind').inputValue(), kind)
  await page.locator('.table-row').getByText('paid out').waitFor()
  t.same(await misplacedColumns(page), [])
  t.same(await cutBadges(page), [])
  await page.getByRole('link', { name: short.guide_number }).click()
  const line = page.getByRole('region', { name: 'Line 4' })
  await line.getByText('The shipment has another cash on delivery.').waitFor()
  await line.getByRole('columnheader', { name: 'Paid out' }).waitFor()
  await line.getByText('-PEN 10.00').waitFor()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Decide line 4' })
  await dialog.getByText('The shipment has another cash on delivery.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.same(await violationsInBothThemes(page), [])
  await page.setViewportSize({ width: 320, height: 700 })
  t.equal(await overflowPx(page), 0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('2 lines', { exact: true }).waitFor()

  await go(`/courier-invoices/${invoice.id}/not-billed`)
  await page.getByRole('link', { name: missing.guide_number }).waitFor()
  await page.getByRole('tab', { name: 'Cash on delivery' }).click()
  await page.getByText('PEN 50.00 expected for 1 guide.').waitFor()
  await page.getByRole('link', { name: missing.guide_number }).waitFor()
  t.same(await violationsInBothThemes(page), [])

  await go('/courier-invoices/new')
  await page.locator('input[type="file"]').setInputFiles({
    name: 'cash.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `Guía,Tipo,Importe (S/)\r\n${right.guide_number},flete,9.10\r\n${right.guide_number},COD,50.00\r\n`,
    ),
  })
  await page.getByText('PEN 50.00 cash on delivery on 1 line').waitFor()
  t.same(troubles, [])
  await close()
})

t.test('the screens asked for nothing that is refused', async (t) => {
  t.same(unexpectedRequests(), [])
})
