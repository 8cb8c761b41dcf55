import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { readZip } from '../../../src/verifier/verify.mjs'
import { comparedInvoice, sendInvoice } from '../../support/sent-invoice.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { overflowPx } from '../console-layout.ts'

const { shop, visit, keyOf, unexpectedRequests } = await consoleUnderTest(t)
const path = '/v1/courier-invoices'
const bill = { amount: 1, currency: 'PEN' }

/** The file that a press on the button saves. */
async function savedBy(page: Page, word: string) {
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: word, exact: true }).click()
  const file = await download
  const files = await readZip(await readFile(await file.path()))
  return {
    name: file.suggestedFilename(),
    folders: [...new Set([...files.keys()].map((each) => each.split('/')[0]))].filter((each) =>
      each?.startsWith('shp_'),
    ),
    rows: String(files.get('lines.csv')).trimEnd().split('\r\n').slice(1),
  }
}

/** Lines of unknown guides, more than JSON allows. */
async function longInvoice(reference: string, count: number) {
  const query = new URLSearchParams({
    courier_connection_id: shop.seeded.connectionId,
    reference,
  })
  const lines = Array.from({ length: count }, (_, at) => `X${at},1,PEN\r\n`)
  const answer = await fetch(`${shop.url}${path}?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.seeded.operatorKey}`, 'content-type': 'text/csv' },
    body: `guide_number,amount_minor,currency\r\n${lines.join('')}`,
  })
  const { id } = (await answer.json()) as { readonly id: string }
  return await comparedInvoice(shop, id)
}

t.test('the evidence about the lines that are listed is saved', async (t) => {
  const { body: one } = await shop.create('evidence-one')
  const { body: two } = await shop.create('evidence-two')
  const invoice = await sendInvoice(shop, 'F001-1', [
    { ...bill, guide_number: one.guide_number, client_reference: 'Ana Torres' },
    { ...bill, guide_number: two.guide_number },
    { ...bill, guide_number: 'NOBODYS' },
  ])
  await shop.call(`${path}/${invoice.id}/lines/1/decision`, {
    body: { decision: 'disputed', note: 'Quoted at less.' },
    key: shop.seeded.operatorKey,
  })
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/courier-invoices/${invoice.id}/lines?finding=amount_differs&show=decided`)
  await page.getByText('1 line', { exact: true }).waitFor()
  const evidence = page.getByRole('button', { name: 'Evidence…' })
  await evidence.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('the listed lines (amount differs, decided)').waitFor()
  t.notOk(await dialog.getByRole('checkbox').isChecked())
  t.same(await violationsInBothThemes(page), [])
  const plain = await savedBy(page, 'Save it')
  t.equal(plain.name, `evidence-${invoice.id}.zip`)
  t.strictSame(plain.folders, [one.id])
  t.equal(plain.rows.length, 1)
  t.notMatch(plain.rows[0], /Ana Torres|Quoted/)
  await dialog.waitFor({ state: 'detached' })

  await evidence.click()
  await dialog.getByLabel('Include personal data').check()
  const personal = await savedBy(page, 'Save it')
  t.match(personal.rows[0], 'Ana Torres')
  t.match(personal.rows[0], 'Quoted at less.')
  await dialog.waitFor({ state: 'detached' })

  await page.getByLabel('Show').selectOption({ label: 'Undecided' })
  await page.getByRole('tab', { name: /^All/ }).click()
  await page.getByText('2 lines', { exact: true }).waitFor()
  await evidence.click()
  const rest = await savedBy(page, 'Save it')
  t.strictSame([rest.folders, rest.rows.length], [[two.id], 2])
  await dialog.waitFor({ state: 'detached' })
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})

t.test('too much for one file is offered in parts', async (t) => {
  const invoice = await longInvoice('F001-2', 2_001)
  const { page, enter, go, troubles, close } = await visit({ width: 390 })
  await enter(shop.seeded.operatorKey)
  await go(`/courier-invoices/${invoice.id}/lines`)
  await page.getByRole('button', { name: 'Evidence…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save it' }).click()
  await dialog.getByText('The evidence is too large for one file.').waitFor()
  t.equal(await overflowPx(page), 0)
  t.same(await violationsInBothThemes(page), [])
  const first = await savedBy(page, 'Save lines up to 1001')
  t.equal(first.name, `evidence-${invoice.id}-lines-first-1001.zip`)
  t.equal(first.rows.length, 1_000)
  await dialog.getByText('Saved', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Save lines from 1002' }).click()
  const second = await savedBy(page, 'Save lines 1002 to 2001')
  const third = await savedBy(page, 'Save lines from 2002')
  t.strictSame([second.rows.length, third.rows.length], [1_000, 1])
  await eventuallySaved(page, 3)
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.same(troubles, [])
  await close()
})

async function eventuallySaved(page: Page, count: number) {
  const saved = page.getByRole('dialog').getByText('Saved', { exact: true })
  await saved.nth(count - 1).waitFor()
}

t.test('a busy service and missing scopes are explained', async (t) => {
  const { body: guide } = await shop.create('evidence-busy')
  const line = { ...bill, guide_number: guide.guide_number }
  const invoice = await sendInvoice(shop, 'F001-3', [line])
  const address = `/courier-invoices/${invoice.id}/lines`
  const { page, enter, go, troubles, close } = await visit()
  await enter(await keyOf({ scopes: ['operations:read', 'ledger:read'] }))
  await go(address)
  await page.getByText('1 line', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Evidence…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This key does not have the shipments:read scope.').waitFor()
  t.ok(await dialog.getByRole('checkbox').isDisabled())
  await page.route('**/evidence?*', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'retry-after': '30', 'content-type': 'application/problem+json' },
      body: JSON.stringify({
        type: 'about:blank',
        title: 'The service is overloaded',
        status: 503,
        detail: 'Other bundles are being made. Try again in a moment.',
        reason: 'overloaded',
        retryable: true,
        request_id: 'req_1',
      }),
    }),
  )
  await dialog.getByRole('button', { name: 'Save it' }).click()
  await dialog.getByText('Other bundles are being made. Try again in a moment.').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.unroute('**/evidence?*')
  t.equal((await savedBy(page, 'Save it')).rows.length, 1)
  t.same(troubles, [])
  await close()

  const other = await visit()
  await other.enter(await keyOf({ scopes: ['operations:read'] }))
  await other.go(address)
  await other.page.getByText('This key does not have the ledger:read scope.').waitFor()
  t.same(await violationsInBothThemes(other.page), [])
  t.same(other.troubles, [])
  await other.close()
})
