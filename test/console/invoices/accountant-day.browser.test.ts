import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { readPdf } from '../../support/read-pdf.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { cutBadges, misplacedColumns, overflowPx } from '../console-layout.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)

async function guideOf(key: string) {
  const { body } = await shop.create(key)
  return { id: body.id as string, guide: body.guide_number as string, price: body.price.amount }
}

/** The text with plain spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const decimal = (minor: number) => (minor / 100).toFixed(2)

async function importFile(page: Page, rows: readonly string[]) {
  await page.getByLabel('Reference', { exact: true }).fill('F001-45')
  await page.getByLabel('Month', { exact: true }).fill('2026-02')
  await page.locator('input[type="file"]').setInputFiles({
    name: 'february.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${rows.join('\r\n')}\r\n`),
  })
}

async function decide(page: Page, decision: RegExp, note: string) {
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: decision }).check()
  await dialog.getByLabel(/^Note/).fill(note)
  await dialog.getByRole('button', { name: 'Record the decision' }).click()
  await dialog.waitFor({ state: 'detached' })
}

t.test('an accountant imports, checks, disputes and claims an invoice', async (t) => {
  const [a, b, c] = [await guideOf('day-a'), await guideOf('day-b'), await guideOf('day-c')]
  const header = 'Guía,Importe (S/)'
  const right = `${a.guide},${decimal(a.price)}`
  const dearer = `${b.guide},${decimal(b.price + 300)}`
  const sum = a.price + b.price + 300 + 1_900
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/courier-invoices/new')
  const total = `Total,${decimal(sum)}`
  await importFile(page, [header, right, dearer, 'NEVER-1,19.00', 'IGV 18%,3.15', total])
  await page.getByText('No errors found in 3 lines.').waitFor()
  await page.getByText('2 rows are set aside as totals, taxes or notes.').waitFor()
  const aside = page.getByRole('region', { name: 'Rows set aside' })
  t.same(
    (await aside.locator('tbody tr').allInnerTexts()).map((row) => plain(row).split('\t')),
    [
      ['5', 'IGV 18%', 'PEN 3.15', ''],
      ['6', 'Total', `PEN ${decimal(sum)}`, 'This is the sum of the good lines.'],
    ],
  )
  t.same(await violationsInBothThemes(page), [])
  await page.getByRole('button', { name: 'Import and compare' }).click()

  const tile = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
  await page.getByRole('link', { name: /^To check\s*2/ }).waitFor()
  const toCheck = plain(await tile('To check').innerText())
  t.match(toCheck, `PEN ${decimal(b.price + 300 + 1_900)}\nPEN 22.00 at stake`)
  t.equal(await page.getByRole('button', { name: 'Open the claim' }).count(), 0)
  await tile('To check').click()
  await page.getByRole('tab', { name: /^Differences\s*2$/, selected: true }).waitFor()
  await page.getByText('2 lines', { exact: true }).waitFor()
  t.same(await cutBadges(page), [])
  t.same(await misplacedColumns(page), [])
  t.same(await violationsInBothThemes(page), [])
  await page.getByRole('link', { name: b.guide }).click()
  await page.getByRole('region', { name: 'Line 3' }).waitFor()
  await decide(page, /^Dispute/, 'Quoted at less.')
  await page.getByRole('region', { name: 'Line 4' }).waitFor()
  await decide(page, /^Accept/, 'A parcel of the old system.')
  await page.getByText('It was the last line.').waitFor()

  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('The claim for the courier is PEN 3.00 for one disputed line.').waitFor()
  t.same(await violationsInBothThemes(page), [])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Open the claim' }).click()
  const saved = await download
  t.equal(saved.suggestedFilename(), 'claim-F001-45.pdf')
  const [printed] = readPdf(await readFile(await saved.path()))
  t.match(printed?.text, 'Claimed in all 3.00 PEN')
  await tile('Disputed').click()
  await page.getByText('1 line', { exact: true }).waitFor()
  await page.getByRole('link', { name: b.guide }).waitFor()

  await go('/courier-invoices/new')
  await importFile(page, [header, dearer, right, `${c.guide},${decimal(c.price)}`])
  await page.getByRole('button', { name: 'Import and compare' }).click()
  await page.getByText('It keeps the decision on one unchanged line').waitFor()
  await page.getByRole('link', { name: /^Disputed\s*1/ }).waitFor()
  await page.getByRole('link', { name: /^To check\s*0/ }).waitFor()
  t.same(await violationsInBothThemes(page), [])
  await go('/courier-invoices')
  const row = page.locator('.table-row').filter({ hasText: 'F001-45' })
  t.equal(
    plain(await row.locator('[data-name="Disputed"]').innerText()),
    `PEN ${decimal(b.price + 300)}`,
  )
  t.equal(await row.locator('[data-name="At stake"]').innerText(), '–')

  await go(`/shipments/${b.id}`)
  const bills = page.getByRole('region', { name: 'Lines of invoices' })
  await bills.getByRole('row', { name: /^F001-45 2 amount differs/ }).waitFor()
  t.same(await violationsInBothThemes(page), [])
  await bills.getByRole('link', { name: 'F001-45' }).click()
  await page.getByRole('region', { name: 'Line 2' }).getByText(b.guide).first().waitFor()
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()

  const phone = await visit({ width: 390, dark: true })
  await phone.enter(shop.seeded.operatorKey)
  await phone.go('/courier-invoices')
  await phone.page.getByRole('link', { name: /F001-45/ }).click()
  await phone.page.getByRole('button', { name: 'Open the claim' }).waitFor()
  t.equal(await overflowPx(phone.page), 0)
  t.same(await violationsInBothThemes(phone.page), [])
  await phone.close()
})
