import type { Page } from 'playwright-core'
import t from 'tap'
import { eventually } from '../../support/eventually.ts'
import { sendInvoice } from '../../support/sent-invoice.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { cutBadges, misplacedColumns, overflowPx } from '../console-layout.ts'

const { shop, visit, keyOf, unexpectedRequests } = await consoleUnderTest(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

/** A compared invoice that bills each guide one unit too much. */
async function overbilled(reference: string, guides: readonly string[]) {
  const lines: object[] = []
  for (const key of guides) {
    const { body } = await shop.create(`${reference}-${key}`)
    const { amount, currency } = body.price
    lines.push({ guide_number: body.guide_number, amount: amount + 100, currency, weight_kg: 1.3 })
  }
  return await sendInvoice(shop, reference, lines)
}

async function decisionsOf(id: string) {
  const { body } = await shop.call(`${path}/${id}/lines?limit=100`, operator)
  type Read = { readonly decision: { readonly decision: string; readonly note: string } | null }
  return body.data.map(({ decision }: Read) =>
    decision === null ? null : `${decision.decision}: ${decision.note}`,
  )
}

/** Waits until the row of this line has the focus. */
async function focusedLine(page: Page, line: number) {
  await page.locator(`a[href$="line=${line}"]:focus`).waitFor()
}

t.test('findings are worked off with the keyboard, one after the other', async (t) => {
  const invoice = await overbilled('keys', ['a', 'b', 'c'])
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/courier-invoices/${invoice.id}`)
  await page.getByRole('link', { name: /^To check/ }).click()
  await page.getByText('3 lines', { exact: true }).waitFor()
  t.equal(await page.getByRole('tab', { selected: true }).innerText(), 'Differences\n3')
  t.same(await misplacedColumns(page), [])
  t.same(await cutBadges(page), [])
  await page.locator('.table-row').nth(2).waitFor()
  await page.keyboard.press('j')
  await focusedLine(page, 1)
  await page.keyboard.press('j')
  await focusedLine(page, 2)
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const line = (number: number) => page.getByRole('region', { name: `Line ${number}` })
  await line(1).getByText('+PEN 1.00').waitFor()
  t.match(
    await line(1)
      .getByRole('row', { name: /^Weight/ })
      .innerText(),
    /1.3 kg\s+0.8 kg\s+\+0.5 kg/,
  )
  await line(1).getByRole('link', { name: /^shp_/ }).waitFor()
  await line(1)
    .getByRole('link', { name: /^version \d+/ })
    .waitFor()
  t.same(await violationsInBothThemes(page), [])

  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Decide line 1' })
  await dialog.locator('input[type=radio]:focus').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.keyboard.press('ArrowDown')
  t.ok(await dialog.getByRole('radio', { name: /^Dispute/ }).isChecked())
  await page.keyboard.press('Tab')
  await page.keyboard.type('Quoted at less.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await line(2).getByText('+PEN 1.00').waitFor()
  await focusedLine(page, 2)
  t.same(await decisionsOf(invoice.id), ['disputed: Quoted at less.', null, null])
  await page.keyboard.press('r')
  const second = page.getByRole('dialog', { name: 'Decide line 2' })
  await second.getByRole('radio', { name: /^Accept/ }).check()
  await second.getByLabel(/^Note/).fill('A known surcharge.')
  await second.getByRole('button', { name: 'Record the decision' }).click()
  await line(3).getByText('+PEN 1.00').waitFor()
  await focusedLine(page, 3)

  const last = page.getByRole('status').filter({ hasText: 'Line 2 is accepted.' })
  await last.getByRole('link', { name: 'Back to the line' }).click()
  await line(2).getByText('masked').waitFor()
  await line(2).getByRole('button', { name: 'Show the notes' }).click()
  await line(2).getByText('A known surcharge.').waitFor()
  await line(2).getByText('Sandbox operator').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.keyboard.press('r')
  const again = page.getByRole('dialog', { name: 'Decide again about line 2' })
  await again.getByRole('radio', { name: /^Dispute/ }).check()
  await again.getByLabel(/^Note/).fill('It was none.')
  await again.getByRole('button', { name: 'Record the decision' }).click()
  await again.waitFor({ state: 'detached' })
  t.same(await decisionsOf(invoice.id), [
    'disputed: Quoted at less.',
    'disputed: It was none.',
    null,
  ])
  await go(`/courier-invoices/${invoice.id}`)
  await page.getByRole('link', { name: /^To check\s*1/ }).waitFor()
  await page.getByRole('link', { name: /^Disputed\s*2/ }).waitFor()
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})

t.test('a line that changed since it was read is not decided silently', async (t) => {
  const invoice = await overbilled('stale', ['a', 'b'])
  const { page, enter, go, troubles, close } = await visit()
  await enter(await keyOf({}))
  await go(`/courier-invoices/${invoice.id}/lines?line=1`)
  const line = page.getByRole('region', { name: 'Line 1' })
  await line.getByRole('button', { name: 'Accept or dispute…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^Dispute/ }).check()
  await dialog.getByLabel(/^Note/).fill('Mine.')
  await dialog.getByLabel(/^Decided by/).fill('ana.torres')
  await shop.call(`${path}/${invoice.id}/lines/1/decision`, {
    body: { decision: 'accepted', note: 'Theirs.' },
    ...operator,
  })
  await dialog.getByRole('button', { name: 'Record the decision' }).click()
  await dialog.getByText('The line has changed since it was read').waitFor()
  await dialog.getByText('Sandbox operator').waitFor()
  t.same((await decisionsOf(invoice.id))[0], 'accepted: Theirs.')
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Decide on the new state' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.same((await decisionsOf(invoice.id))[0], 'disputed: Mine.')

  await page.getByRole('region', { name: 'Line 2' }).waitFor()
  // The page behind the dialog does not see the new version before the decision is sent.
  const behind = /courier-invoices\/\w+$/
  await page.route(behind, (route) => route.abort())
  await page.route(/\/decision$/, async (route) => {
    await page.unroute(behind)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Accept or dispute…' }).click()
  await dialog.getByRole('radio', { name: /^Accept/ }).check()
  await dialog.getByLabel(/^Note/).fill('Of the version before.')
  t.equal(await dialog.getByLabel(/^Decided by/).inputValue(), 'ana.torres', 'as for the last line')
  await sendInvoice(shop, 'stale', [
    { guide_number: 'OTHER', amount: 1, currency: 'PEN' },
    { guide_number: 'OTHER-2', amount: 1, currency: 'PEN' },
  ])
  await dialog.getByRole('button', { name: 'Record the decision' }).click()
  await eventually(
    () => decisionsOf(invoice.id),
    (all) => all.length === 2,
  )
  await page.getByText('version 2').first().waitFor()
  t.same(await decisionsOf(invoice.id), [null, null])
  t.same(troubles, [])
  await close()
})

t.test('several lines are decided at once, and what failed is said', async (t) => {
  const invoice = await overbilled('many', ['a', 'b', 'c'])
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/courier-invoices/${invoice.id}/lines`)
  await page.getByText('3 lines', { exact: true }).waitFor()
  const box = (line: number) => page.getByRole('checkbox', { name: `Select line ${line}` })
  await box(1).check()
  await page.getByRole('link').and(page.locator('a[href$="line=2"]')).focus()
  await page.keyboard.press('x')
  t.ok(await box(2).isChecked())
  await page.getByRole('button', { name: 'Clear the selection' }).click()
  await page.getByRole('button', { name: 'Select the first 3' }).click()
  await page.getByRole('button', { name: 'Decide 3…' }).click()
  const dialog = page.getByRole('dialog')
  t.equal(
    await dialog.getByRole('button', { name: 'Decide', exact: true }).getAttribute('aria-disabled'),
    'true',
    'not without a decision and a note',
  )
  await dialog.getByRole('radio', { name: /^Dispute/ }).check()
  await dialog.getByLabel(/^Note/).fill('All of them.')
  t.same(await violationsInBothThemes(page), [])
  await shop.call(`${path}/${invoice.id}/lines/2/decision`, {
    body: { decision: 'accepted', note: 'By another.' },
    ...operator,
  })
  await dialog.getByRole('button', { name: 'Dispute 3' }).click()
  await dialog.getByText('2 lines of 3 decided.').waitFor()
  await dialog.getByRole('row', { name: /^2 · .*has changed since it was read/ }).waitFor()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Close' }).click()
  t.same(await decisionsOf(invoice.id), [
    'disputed: All of them.',
    'accepted: By another.',
    'disputed: All of them.',
  ])
  await page.getByText('Every line that differs is decided.').waitFor()
  await page.getByLabel('Show').selectOption({ label: 'Decided' })
  await page.getByText('3 lines', { exact: true }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  t.equal((await download).suggestedFilename(), `courier-invoice-${invoice.id}.csv`)
  t.same(troubles, [])
  await close()
})

t.test(
  'a line leads to its shipment, operation, evidence and where it was billed first',
  async (t) => {
    const { body: doubtful } = await shop.create('doubtful', { scenario: 'duplicate_guides' })
    const { body: operation } = await eventually(
      () => shop.call(`/v1/operations/${doubtful.operation_id}`, operator),
      ({ body }) => body.status === 'needs_review',
    )
    const [seen] = operation.looks.at(-1).guide_numbers
    const { body: once } = await shop.create('billed-once')
    const line = { amount: 1_000, currency: 'PEN' }
    await sendInvoice(shop, 'leads-first', [{ ...line, guide_number: once.guide_number }])
    const invoice = await sendInvoice(shop, 'leads', [
      { ...line, guide_number: seen, client_reference: 'Ana Torres' },
      { ...line, guide_number: once.guide_number },
    ])
    const { page, enter, go, troubles, close } = await visit({ width: 390, dark: true })
    await enter(shop.seeded.operatorKey)
    await go(`/courier-invoices/${invoice.id}/lines?finding=unresolved&line=1`)
    const open = page.getByRole('region', { name: 'Line 1' })
    await open.getByRole('link', { name: operation.id }).waitFor()
    await open.getByText('masked').waitFor()
    t.equal(await page.getByText('Ana Torres').count(), 0)
    t.equal(await overflowPx(page), 0)
    t.same(await violationsInBothThemes(page), [])
    await open.getByRole('button', { name: 'Evidence bundle…' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: 'Save it' }).click()
    t.match((await download).suggestedFilename(), /^evidence-shp_\w+\.zip$/)
    await page.getByRole('tab', { name: /^Billed twice/ }).click()
    await page.getByRole('link', { name: once.guide_number }).click()
    await page
      .getByRole('region', { name: 'Line 2' })
      .getByRole('link', { name: 'line 1 of leads-first' })
      .click()
    await page.getByRole('heading', { level: 1, name: 'leads-first' }).waitFor()
    await page.getByRole('region', { name: 'Line 1' }).getByText(once.guide_number).waitFor()
    t.equal(await overflowPx(page), 0)
    t.same(troubles, [])
    await close()
  },
)
