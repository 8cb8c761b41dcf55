import t from 'tap'
import { eventually } from '../../support/eventually.ts'
import { sendInvoice } from '../../support/sent-invoice.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

async function lineOf(key: string, options: { readonly scenario?: string } = {}) {
  const { body } = await shop.create(key, options)
  return { guide_number: body.guide_number, ...body.price }
}

t.test('To check leads to the undecided lines until none is left', async (t) => {
  const [right, wrong] = [await lineOf('right'), await lineOf('wrong')]
  const dearer = { ...wrong, amount: wrong.amount + 100 }
  const { id } = await sendInvoice(shop, 'to-check', [right, right, dearer])
  for (const line of [1, 2]) {
    const body = { decision: line === 1 ? 'accepted' : 'disputed', note: 'Checked.' }
    await shop.call(`${path}/${id}/lines/${line}/decision`, { body, ...operator })
  }
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/courier-invoices')
  const row = page.locator('.table-row').filter({ hasText: 'to-check' })
  t.equal(await row.locator('[data-name="To check"]').innerText(), '1')
  await go(`/courier-invoices/${id}`)
  await page.getByRole('link', { name: /^To check\s*1/ }).click()
  await page.getByRole('tab', { name: /^Differences\s*1$/, selected: true }).waitFor()
  await page.getByText('1 line', { exact: true }).waitFor()
  await page.getByRole('link', { name: dearer.guide_number }).waitFor()

  const decide = async (note: string) => {
    await page.getByRole('button', { name: /^(Accept or dispute|Decide again)…/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Dispute/ }).check()
    await dialog.getByLabel(/^Note/).fill(note)
    await dialog.getByRole('button', { name: 'Record the decision' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const onward = page.getByRole('link', { name: 'Continue with the other differences' })
  await page.getByRole('tab', { name: /^Billed twice/ }).click()
  await page.getByLabel('Show').selectOption({ label: 'All' })
  await page.getByRole('tab', { name: /^All/ }).click()
  await page.getByRole('button', { name: 'Select the first 3' }).click()
  await page.getByRole('button', { name: 'Decide 3…' }).click()
  await page.getByText('Findings: 1 × billed twice, 1 × amount differs, 1 × matched.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('tab', { name: /^Billed twice/ }).click()
  await page.getByLabel('Show').selectOption({ label: 'Decided' })
  await page.getByRole('link', { name: right.guide_number }).click()
  await decide('Billed twice.')
  await onward.click()
  await page.getByRole('tab', { name: /^Differences/, selected: true }).waitFor()
  await page.getByRole('link', { name: dearer.guide_number }).click()
  await decide('Quoted at less.')
  await page.getByText('It was the last line.').waitFor()
  await onward.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: /^Differences\s*0$/, selected: true }).waitFor()
  t.same(await violationsInBothThemes(page), [])
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})

t.test('a line says what should have been billed, and where it was billed first', async (t) => {
  const line = await lineOf('first')
  const { body: doubtful } = await shop.create('doubtful', { scenario: 'duplicate_guides' })
  const { body: operation } = await eventually(
    () => shop.call(`/v1/operations/${doubtful.operation_id}`, operator),
    ({ body }) => body.status === 'needs_review',
  )
  const [seen] = operation.looks.at(-1).guide_numbers
  await sendInvoice(shop, 'January', [{ ...line, guide_number: 'UNHEARD' }, line])
  const { id } = await sendInvoice(shop, 'February', [line, { ...line, guide_number: seen }])
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/courier-invoices/${id}/lines?finding=billed_twice&line=1`)
  await page.locator('.table-row').getByText('line 2 of January', { exact: true }).waitFor()
  const amount = async (number: number) =>
    (
      await page
        .getByRole('region', { name: `Line ${number}` })
        .getByRole('row', { name: /^Amount/ })
        .innerText()
    ).replaceAll(/\s+/g, ' ')
  const price = (line.amount / 100).toFixed(2)
  t.equal(await amount(1), `Amount PEN ${price} nothing +PEN ${price}`)
  await go(`/courier-invoices/${id}/lines?finding=unresolved&line=2`)
  await page.getByRole('region', { name: 'Line 2' }).getByText(seen).waitFor()
  t.equal(await amount(2), `Amount PEN ${price} not certain yet –`)
  t.same(await violationsInBothThemes(page), [])
  t.same(troubles, [])
  await close()
})

t.test('a refusal goes when what was refused is changed', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/courier-invoices/new')
  const choose = (name: string, text: string) =>
    page.locator('input[type="file"]').setInputFiles({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    })
  const month = page.getByLabel('Month', { exact: true })
  await month.fill('2020-01')
  await page.getByRole('button', { name: 'Fetch from the courier' }).click()
  await page.getByRole('alert').getByText('no invoice for this month').waitFor()
  await month.fill('2020-02')
  t.equal(await page.getByRole('alert').count(), 0)

  await page.getByLabel('Reference', { exact: true }).fill('F001-9')
  await choose('wrong.csv', 'guide_number,amount,currency\r\nA,1.450,PEN\r\n')
  await page.getByText('One line has errors. An invoice is imported as a whole.').waitFor()
  await choose('right.csv', 'guide_number,amount,currency\r\nA,14.50,PEN\r\n')
  await page.getByText('No errors found in 1 line.').waitFor()
  await page.getByRole('button', { name: 'Import and compare' }).click()
  await page.getByRole('heading', { level: 1, name: 'F001-9' }).waitFor()
  t.same(troubles, [])
  await close()
})

t.test('the good lines of a file are imported, and the others stay readable', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/courier-invoices/new')
  await page.getByLabel('Reference', { exact: true }).fill('F001-10')
  await page.getByLabel('Month', { exact: true }).fill('2020-03')
  await page.locator('input[type="file"]').setInputFiles({
    name: 'march.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Guía,Importe (S/)\r\nMARCH-1,14.50\r\nMARCH-2,#N/A\r\n'),
  })
  const send = page.getByRole('button', { name: 'Import and compare' })
  await page.getByText('or leave out the bad lines').waitFor()
  t.equal(await send.getAttribute('aria-disabled'), 'true')
  await page.getByLabel('Import without the bad line.').check()
  t.same(await violationsInBothThemes(page), [])
  await send.click()
  await page.getByRole('heading', { level: 1, name: 'F001-10' }).waitFor()
  await page.getByText('1 more invalid').waitFor()
  const rows = page.getByRole('region', { name: 'Invalid lines' }).last().locator('tbody tr')
  await rows.first().waitFor()
  t.same(await rows.allInnerTexts(), [
    '3\tMARCH-2,#N/A\tImporte (S/): The cell holds a spreadsheet error instead of a value. Correct the formula and save the file again.',
  ])
  t.same(await violationsInBothThemes(page), [])
  t.same(troubles, [])
  await close()
})
