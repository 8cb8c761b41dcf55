import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { eventually } from '../../support/eventually.ts'
import { comparedInvoice } from '../../support/sent-invoice.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { cutBadges, misplacedColumns, overflowPx } from '../console-layout.ts'
import { rowsOf } from '../table-cells.ts'

const { shop, visit, keyOf, unexpectedRequests } = await consoleUnderTest(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

type Line = readonly [guide: string, amount: number, currency?: string]
type Days = { readonly from: string; readonly to: string }

/** Sends an invoice over the API, and waits until it is compared. */
async function invoiceOf(reference: string, lines: readonly Line[], period?: Days) {
  const body = {
    courier_connection_id: shop.seeded.connectionId,
    reference,
    ...(period === undefined ? {} : { period }),
    lines: lines.map(([guide_number, amount, currency = 'PEN']) => ({
      guide_number,
      amount,
      currency,
    })),
  }
  const { body: sent } = await shop.call(path, { body, ...operator })
  return await comparedInvoice(shop, sent.id)
}

async function guideOf(key: string) {
  const { body } = await shop.create(key)
  return body as {
    readonly id: string
    readonly guide_number: string
    readonly price: { readonly amount: number }
  }
}

async function choose(page: Page, name: string, text: string) {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.locator('input[type="file"]').setInputFiles(file)
}

const month = (of: string, lastDay: number): Days => ({ from: `${of}-01`, to: `${of}-${lastDay}` })

t.test('the list and its chart show what was found over the months', async (t) => {
  const guide = await guideOf('charted')
  const { guide_number: number, price } = guide
  await invoiceOf(
    'January',
    [
      [number, price.amount],
      ['X-1', 1_050],
      ['X-2', 200, 'JPY'],
    ],
    month('2026-01', 31),
  )
  await invoiceOf(
    'March',
    [
      [number, price.amount],
      ['X-3', 100],
    ],
    month('2026-03', 31),
  )
  const { page, enter, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await page.getByRole('link', { name: 'Courier invoices' }).click()
  await page.getByText('2 invoices', { exact: true }).waitFor()
  const chart = page.getByRole('region', { name: 'Findings by month' })
  await chart.getByText('Jan 2026 to Mar 2026').waitFor()
  t.equal(
    await chart.getByRole('img').first().getAttribute('aria-label'),
    'Jan 2026: 2 Unknown guide; Feb 2026: no invoice; Mar 2026: 1 Billed twice, 1 Unknown guide',
  )
  await chart.getByText('Show as a table').click()
  t.same(
    (await chart.getByRole('row').allInnerTexts()).map((row) => row.split('\t')),
    [
      ['Month', 'Invoices', 'Lines', 'Billed twice', 'Unknown guide'],
      ['Jan 2026', '1 invoice', '3', '0', '2'],
      ['Feb 2026', 'no invoice'],
      ['Mar 2026', '1 invoice', '2', '1', '1'],
    ],
  )
  const row = page.locator('.table-row').nth(1)
  const amounts = await row.locator('[data-name="Amount"]').innerText()
  t.match(amounts, /¥200|JP¥200|JPY 200/, 'a currency without decimals')
  t.match(amounts, new RegExp(`PEN\\s*${((price.amount + 1_050) / 100).toFixed(2)}`))
  t.equal(await row.locator('[data-name="To check"]').innerText(), '2')
  t.same(await cutBadges(page), [])
  t.same(await misplacedColumns(page), [])
  t.same(await violationsInBothThemes(page), [])
  await page.getByLabel('Exact reference').fill('March')
  await page.getByLabel('Exact reference').press('Enter')
  await page.getByRole('status').getByText('1 invoice', { exact: true }).waitFor()
  await chart.getByText('Mar 2026', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Connection').selectOption({ index: 1 })
  await page.getByText('2 invoices', { exact: true }).waitFor()
  t.same(troubles, [])
  await close()

  const phone = await visit({ width: 390, dark: true })
  await phone.enter(shop.seeded.operatorKey)
  await phone.go('/courier-invoices')
  await phone.page.getByText('Jan 2026 to Mar 2026').waitFor()
  t.equal(await overflowPx(phone.page), 0)
  t.same(await violationsInBothThemes(phone.page), [])
  await phone.close()
})

t.test(
  'a file with faults is refused by row and column, and the right one is imported',
  async (t) => {
    const { guide_number: number, price } = await guideOf('imported')
    const { page, enter, go, troubles, close } = await visit()
    await enter(shop.seeded.operatorKey)
    await go('/courier-invoices')
    await page.getByRole('button', { name: 'Import an invoice' }).click()
    await page.getByText('Enter the reference first.').waitFor()
    await page.getByLabel('Reference', { exact: true }).fill('F001-7')
    await page.getByLabel('Month', { exact: true }).fill('2026-02')
    const header = 'guide_number;amount_minor;currency;weight_kg'
    await choose(page, 'invoice.csv', `${header}\r\n${number};1.450;PEN;0,8\r\nB;100;soles;1\r\n`)
    await page.getByText('invoice.csv, ').waitFor()
    const send = page.getByRole('button', { name: 'Import and compare' })
    await page.getByText('2 lines have errors. An invoice is imported as a whole.').waitFor()
    const rows = (await rowsOf(page, 'Errors')).map((cells) => cells.slice(0, 4))
    t.same(rows, [
      ['2', number, 'amount_minor', '1.450'],
      ['3', 'B', 'currency', 'soles'],
    ])
    await page.getByText('Correct the file and choose it again.').waitFor()
    t.equal(await send.getAttribute('aria-disabled'), 'true')
    t.same(await violationsInBothThemes(page), [])
    t.equal((await shop.call(`${path}?reference=F001-7`, operator)).body.data.length, 0)

    const right = `${header}\r\n${number};${price.amount};PEN;0,8\r\nUNHEARD;100;PEN;1\r\n`
    await choose(page, 'invoice.csv', right)
    await page.getByText('No errors found in 2 lines. Good: PEN').waitFor()
    const lines = page.getByRole('region', { name: 'First lines' })
    await lines.getByRole('row', { name: /^3 UNHEARD PEN\s?1\.00 PEN 1 kg/ }).waitFor()
    // The service imports it, but its first two answers are lost.
    let lost = 0
    await page.route('**/v1/courier-invoices?*', async (route) => {
      if (route.request().method() !== 'POST' || ++lost > 2) return await route.fallback()
      await route.fetch()
      await route.abort()
    })
    await send.click()
    await page.getByRole('alert').getByText('The connection was lost').waitFor()
    await send.click()
    await page.getByRole('heading', { level: 1, name: 'F001-7' }).waitFor()
    await page.unroute('**/v1/courier-invoices?*')
    await page.getByText('compared', { exact: true }).waitFor()
    const totals = page.getByRole('region', { name: 'Lines by finding' })
    await totals.getByRole('row', { name: /^matched 1 PEN\s?\S+ – – – –/ }).waitFor()
    await totals.getByRole('row', { name: /^All lines 2/ }).waitFor()
    const { body } = await shop.call(`${path}?reference=F001-7`, operator)
    t.match(body.data, [{ version: 1, period: { from: '2026-02-01', to: '2026-02-28' } }])
    t.same(await violationsInBothThemes(page), [])

    await go('/courier-invoices/new')
    await page.getByLabel('Reference', { exact: true }).fill('F001-7')
    await page.getByText('was imported before (2 lines').waitFor()
    await page.getByLabel('Other days').check()
    await page.getByLabel('First day').fill('2026-02-01')
    await page.getByLabel('Last day').fill('2026-02-28')
    await choose(page, 'again.csv', right)
    t.same(await violationsInBothThemes(page), [])
    await send.click()
    await page.getByText('This file was imported before. Nothing has changed').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()

    await go('/courier-invoices/new')
    await page.getByLabel('Reference', { exact: true }).fill('F001-7')
    await page.getByLabel('No period').check()
    await choose(page, 'next.csv', `${header}\r\n${number};${price.amount};PEN;0,8\r\n`)
    await send.click()
    await page.getByText('This is version 2.').waitFor()
    await page.getByRole('link', { name: 'Lines of version 1' }).click()
    await page.getByText('Version 1 of 2').waitFor()
    await page.getByText('2 lines', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'UNHEARD' }).click()
    await page.getByText('Only lines of the newest version can be decided.').waitFor()
    t.same(await violationsInBothThemes(page), [])
    await page.getByRole('link', { name: 'Show the newest' }).click()
    await page.getByText('1 line', { exact: true }).waitFor()
    t.same(troubles, [])
    t.same(unexpectedRequests(), [])
    await close()
  },
)

t.test('an invoice says how far its comparison is, and is compared again', async (t) => {
  const invoice = await invoiceOf('progress', [
    ['P-1', 1],
    ['P-2', 1],
    ['P-3', 1],
  ])
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const address = new RegExp(`/v1/courier-invoices/${invoice.id}$`)
  let compared = 2
  await page.route(address, async (route) => {
    const comparing = { status: 'comparing', compared_lines: compared, totals: [] }
    await route.fulfill({ json: { ...invoice, ...comparing } })
  })
  await go(`/courier-invoices/${invoice.id}`)
  await page.getByText('Comparing with the ledger: 2 of 3 lines.').waitFor()
  t.same(await violationsInBothThemes(page), [])
  compared = 3
  await page.getByText('Every line is compared. Asking the courier').waitFor()
  await page.unroute(address)
  await page.getByRole('region', { name: 'Lines by finding' }).waitFor()
  const { body: before } = await shop.call(`${path}/${invoice.id}`, operator)
  await page.getByRole('button', { name: 'Compare again' }).click()
  await eventually(
    () => shop.call(`${path}/${invoice.id}`, operator),
    ({ body }) => body.status === 'compared' && body.compared_at > before.compared_at,
  )
  t.same(troubles, [])
  await close()
})

t.test('guides that no invoice bills are listed with what they should cost', async (t) => {
  const { id, guide_number: number, price } = await guideOf('left-out')
  const cancelled = await guideOf('left-out-cancelled')
  await shop.call(`/v1/shipments/${cancelled.id}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': 'cancel-left-out' },
  })
  const ever = { from: '2000-01-01', to: '2100-01-01' }
  const invoice = await invoiceOf('of all days', [['NONE', 1]], ever)
  const listed = await eventually(
    () => shop.call(`${path}/${invoice.id}/not-billed?limit=100`, operator),
    ({ body }) => body.data.some((each: { status: string }) => each.status === 'cancelled'),
  )
  const due = listed.body.data.filter((each: { status: string }) => each.status !== 'cancelled')
  const { page, enter, go, troubles, close } = await visit({ width: 390 })
  await enter(shop.seeded.operatorKey)
  await go(`/courier-invoices/${invoice.id}`)
  await page.getByRole('link', { name: 'Not billed' }).click()
  await page.getByRole('link', { name: number }).waitFor()
  const sum = due.reduce(
    (all: number, each: { expected: { amount: number } }) => all + each.expected.amount,
    0,
  )
  const words = await page.locator('.not-billed-sum').innerText()
  t.match(words, new RegExp(`${(sum / 100).toFixed(2)} expected for ${due.length} guides?\\.`))
  t.match(words, '1 cancelled guide not included')
  t.ok(price.amount > 0)
  t.equal(await overflowPx(page), 0)
  t.same(await violationsInBothThemes(page), [])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV of the rows shown' }).click()
  t.match(await readFile(await (await download).path(), 'utf8'), `${number},${id},created,`)
  await page.getByRole('link', { name: number }).click()
  await page.getByRole('heading', { level: 1, name: 'left-out' }).waitFor()
  t.same(troubles, [])
  await close()
})

t.test(
  'keys without the scopes read what they may, and an unknown invoice is not found',
  async (t) => {
    const invoice = await invoiceOf('read-only', [['R-1', 1]])
    const { page, enter, go, troubles, close } = await visit()
    await enter(await keyOf({ scopes: ['operations:read'] }))
    await go(`/courier-invoices/${invoice.id}/lines?finding=unknown_guide&line=1`)
    await page.getByRole('region', { name: 'Line 1' }).getByText('R-1').waitFor()
    await page.getByText('This key does not have the operations:review scope.').first().waitFor()
    t.same(await violationsInBothThemes(page), [])
    await go('/courier-invoices/new')
    await page.getByText('This key may not read this').waitFor()
    await go('/courier-invoices/inv_0aB1cD2eF3gH4iJ5kL6mN7')
    await page.getByText('This key cannot see anything with this id').waitFor()
    await page.route('**/v1/courier-invoices?*', (route) => route.abort())
    await go('/courier-invoices')
    await page.getByText('This page tries again every few seconds.').waitFor()
    await page.unroute('**/v1/courier-invoices?*')
    await page.getByRole('link', { name: 'read-only' }).waitFor()
    t.same(troubles, [])
    await close()

    const other = await visit()
    await other.enter(await keyOf({ scopes: ['shipments:read'] }))
    await other.go('/courier-invoices')
    await other.page.getByText('operations:read').waitFor()
    await other.close()
  },
)

t.test('code removed by an update asks for a reload', async (t) => {
  const { page, enter, go, close } = await visit()
  await page.route('**/console/assets/invoices-*.js', (route) => route.fulfill({ status: 404 }))
  await enter(shop.seeded.operatorKey)
  await go('/courier-invoices')
  await page.getByText('This screen could not be loaded.').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.unroute('**/console/assets/invoices-*.js')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await page.getByLabel('API key').fill(shop.seeded.operatorKey)
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('heading', { level: 1, name: 'Courier invoices' }).waitFor()
  await close()
})
