import t from 'tap'
import { comparedInvoice, sendInvoice } from '../../support/sent-invoice.ts'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'
import { cutBadges, misplacedColumns, overflowPx } from '../console-layout.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

t.test('decisions about another finding are counted, listed and made again', async (t) => {
  const lines: object[] = []
  for (const key of ['a', 'b', 'c']) {
    const { body } = await shop.create(`outdated-${key}`)
    const { amount, currency } = body.price
    lines.push({ guide_number: body.guide_number, amount: amount + 100, currency })
  }
  const first = await sendInvoice(shop, 'January', lines.slice(0, 2))
  const invoice = await sendInvoice(shop, 'February', lines)
  for (const line of [1, 2, 3]) {
    await shop.call(`${path}/${invoice.id}/lines/${line}/decision`, {
      body: { decision: 'disputed', note: 'It was billed in January.' },
      ...operator,
    })
  }
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/courier-invoices/${invoice.id}/lines?finding=all&show=outdated`)
  await page.getByText('Every decision is about the current finding.').waitFor()
  await go(`/courier-invoices/${invoice.id}`)
  await page.getByRole('link', { name: /^Disputed\s*3/ }).waitFor()
  t.equal(await page.getByRole('link', { name: /^Outdated/ }).count(), 0)

  await shop.call(`${path}/${first.id}/withdraw`, { method: 'POST', ...operator })
  await comparedInvoice(shop, invoice.id)
  await page.getByRole('link', { name: /^Outdated\s*2/ }).waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.getByRole('link', { name: /^Outdated/ }).click()
  await page.getByText('2 lines', { exact: true }).waitFor()
  t.equal(await page.getByRole('tab', { selected: true }).innerText(), 'All\n2')
  const row = page.locator('.table-row').nth(1)
  t.equal(await row.locator('[data-name="Finding"]').innerText(), 'amount differs')
  t.equal(await row.locator('[data-name="Decided about"]').innerText(), 'billed twice')
  t.same(await cutBadges(page), [])
  t.same(await misplacedColumns(page), [])
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const line = (number: number) => page.getByRole('region', { name: `Line ${number}` })
  await line(1).getByText('It was disputed when the finding was').waitFor()
  t.equal(
    await line(1).getByRole('status').first().textContent(),
    'It was disputed when the finding was billed twice. The finding has changed since: decide again.',
  )
  t.same(await violationsInBothThemes(page), [])
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Decide again about line 1' })
  await dialog.getByText('when the finding was').waitFor()
  await dialog.getByRole('radio', { name: /^Accept/ }).check()
  await dialog.getByLabel(/^Note/).fill('A known surcharge.')
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Record the decision' }).click()
  await line(2).getByText('It was disputed when the finding was').waitFor()
  await page.getByRole('tab', { name: /^All\s*1$/ }).waitFor()
  const { body: now } = await shop.call(`${path}/${invoice.id}`, operator)
  t.same(now.decisions, { accepted: 1, disputed: 2, matched: 0, outdated: 1, to_check: 0 })
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()

  const phone = await visit({ width: 390, dark: true })
  await phone.enter(shop.seeded.operatorKey)
  await phone.go(`/courier-invoices/${invoice.id}/lines?finding=all&show=outdated&line=2`)
  await phone.page.getByText('It was disputed when the finding was').waitFor()
  t.equal(await overflowPx(phone.page), 0)
  await phone.close()
})
