import t from 'tap'
import { comparedInvoice, sendInvoice } from '../../support/sent-invoice.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { overflowPx } from '../console-layout.ts'

const { shop, visit, keyOf, unexpectedRequests } = await consoleUnderTest(t)
const bill = { amount: 1_000, currency: 'PEN' }

t.test('an invoice is withdrawn, says so, and is imported again', async (t) => {
  const { body: guide } = await shop.create('withdrawn')
  const line = { ...bill, guide_number: guide.guide_number }
  const mistake = await sendInvoice(shop, 'F001-1', [line, { ...bill, guide_number: 'W-1' }])
  const other = await sendInvoice(shop, 'F001-2', [line])
  t.match(other.totals, [{ finding: 'billed_twice', lines: 1 }])
  await shop.call(`/v1/courier-invoices/${mistake.id}/lines/2/decision`, {
    body: { decision: 'disputed', note: 'It is not ours.' },
    key: shop.seeded.operatorKey,
  })
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/courier-invoices/${mistake.id}`)
  await page.getByRole('link', { name: /^Disputed\s*1/ }).waitFor()
  await page.getByRole('button', { name: 'Withdraw…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw F001-1?' })
  await dialog.getByText('Its 2 lines no longer count as billed.').waitFor()
  await dialog.getByText('are compared again automatically').waitFor()
  await dialog.getByText('without the 1 decision made so far').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Withdraw…' }).click()
  await dialog.getByRole('button', { name: 'Withdraw it' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Its lines bill nothing and are not compared or decided').waitFor()
  await page.locator('.screen-head').getByText('withdrawn', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Facts' }).getByText('Withdrawn').waitFor()
  await page.getByRole('link', { name: /^To check\s*0/ }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Withdraw…' }).count(), 0)
  const compare = page.getByRole('button', { name: 'Compare again' })
  t.equal(await compare.getAttribute('aria-disabled'), 'true')
  t.same(await violationsInBothThemes(page), [])
  t.match((await comparedInvoice(shop, other.id)).totals, [{ finding: 'amount_differs' }])

  await go(`/courier-invoices/${mistake.id}/lines?finding=all&show=all&line=2`)
  const open = page.getByRole('region', { name: 'Line 2' })
  await open.getByText('No shipment of the connection has this guide.').waitFor()
  await page.getByText('2 lines', { exact: true }).waitFor()
  t.equal(await page.getByRole('button', { name: /Decide|Accept/ }).count(), 0)
  t.equal(await page.getByRole('checkbox').count(), 0)
  t.same(await violationsInBothThemes(page), [])

  await page.getByRole('link', { name: 'import it again' }).click()
  await page.getByLabel('Reference', { exact: true }).fill('F001-1')
  await page.getByText('even with the same file, creates version 2').waitFor()
  await page.getByLabel('No period').check()
  await page.locator('input[type="file"]').setInputFiles({
    name: 'again.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`guide_number,amount_minor,currency\r\n${guide.guide_number},1000,PEN\r\n`),
  })
  await page.getByRole('button', { name: 'Import and compare' }).click()
  await page.getByText('This is version 2.').waitFor()
  await page.getByRole('button', { name: 'Withdraw…' }).waitFor()
  t.equal(await page.getByText('Its lines bill nothing').count(), 0)
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})

t.test('a key that only reads sees what is withdrawn, and cannot withdraw', async (t) => {
  const invoice = await sendInvoice(shop, 'F001-3', [{ ...bill, guide_number: 'W-2' }])
  const { page, enter, go, troubles, close } = await visit({ width: 390, dark: true })
  await enter(await keyOf({ scopes: ['operations:read'] }))
  await go(`/courier-invoices/${invoice.id}`)
  const withdraw = page.getByRole('button', { name: 'Withdraw…' })
  t.equal(await withdraw.getAttribute('aria-disabled'), 'true')
  await shop.call(`/v1/courier-invoices/${invoice.id}/withdraw`, {
    method: 'POST',
    key: shop.seeded.operatorKey,
  })
  await page.getByText('Its lines bill nothing').waitFor()
  t.equal(await overflowPx(page), 0)
  t.same(await violationsInBothThemes(page), [])
  await go('/courier-invoices')
  await page
    .locator('.table-row')
    .filter({ hasText: 'F001-3' })
    .getByText('withdrawn', { exact: true })
    .waitFor()
  t.same(troubles, [])
  await close()
})
