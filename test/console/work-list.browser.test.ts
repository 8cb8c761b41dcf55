import { readFile } from 'node:fs/promises'
import t from 'tap'
import { consoleUnderTest, violations } from './console.ts'
import { cutBadges } from './console-layout.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)

t.test('an operator takes, comments on and snoozes an operation, and opens the next', async (t) => {
  for (const reference of ['first', 'second']) {
    await shop.create(reference, { scenario: 'duplicate_guides' })
  }
  await shop.advance('PT1M')
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/operations')
  await page.getByText('2 operations').waitFor()
  t.same(await violations(page), [])

  // All four keys in one task of the browser, faster than anyone types.
  await page.evaluate(`for (const key of 'jxjx') {
      const typed = { key, code: 'Key' + key.toUpperCase(), bubbles: true }
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', typed))
    }`)
  await page.getByRole('button', { name: 'Ask about 2…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Ask the courier' }).click()
  await dialog.getByText('of 2 checked').waitFor()
  t.equal(await dialog.getByRole('row').count(), 3, 'a result for each')
  await dialog.getByRole('button', { name: 'Close' }).click()
  const tabCount = (name: string) =>
    page.locator('.mantine-Tabs-tab', { hasText: name }).locator('.tab-count').innerText()
  const chooseBoth = async () => {
    for (const box of await page.getByRole('checkbox', { name: /^Select (first|second)$/ }).all()) {
      await box.check()
    }
  }
  await chooseBoth()
  await page.getByRole('button', { name: 'Assign 2…' }).click()
  await dialog.getByLabel('Assigned to').selectOption({ label: 'Sandbox operator' })
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
  await dialog.getByText('2 operations of 2 assigned.').waitFor()
  const assignees = await page.locator('[data-name="Assignee"]').allInnerTexts()
  t.same(assignees, ['Sandbox operator', 'Sandbox operator'], 'what is done is on the screen')
  t.match(await tabCount('Mine'), '2')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('cell', { name: 'Sandbox operator' }).nth(1).waitFor()
  await page.getByLabel('Assignee').selectOption({ label: 'Unassigned' })
  await page.getByText('No matching operations.').waitFor()
  await page.getByRole('button', { name: /^Remove the filter/ }).click()
  await chooseBoth()
  await page.getByRole('button', { name: 'Snooze 2…' }).click()
  await dialog.getByLabel('For how long').selectOption({ label: 'For an hour' })
  await dialog.getByRole('button', { name: 'Snooze', exact: true }).click()
  await dialog.getByText('2 operations of 2 snoozed.').waitFor()
  t.match(await tabCount('Snoozed'), '2')
  t.match(await tabCount('Needs review'), '0')
  t.same(await violations(page), [])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByText('No operations need a decision.').waitFor()
  await shop.advance('PT1H1M')
  await page.getByText('2 operations', { exact: true }).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const csv = await readFile(await (await saved).path(), 'utf8')
  t.match(csv, /^operation,shipment,external_reference,[\s\S]*,first,[\s\S]*,second,/)

  const reference = page.getByLabel('Exact external reference')
  await reference.fill('fir')
  await page.getByText('Press Enter to apply.').waitFor()
  await reference.fill('first')
  await reference.press('Tab')
  await page.getByText('1 operation', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Remove the filter/ }).click()
  await page.getByLabel('Workspace', { exact: true }).selectOption({ index: 1 })
  await page.waitForURL(`**workspace_id=${shop.seeded.workspaceId}`)
  await page.getByText('2 operations', { exact: true }).waitFor()
  t.same(await cutBadges(page), [])

  await page.getByRole('link', { name: 'first' }).press('Enter')
  await page.getByText(/lists 2 guides for this order/).waitFor()
  const requests = page.getByRole('region', { name: 'Requests to the courier' })
  await requests.getByRole('cell', { name: 'Create', exact: true }).waitFor()
  await requests.getByRole('cell', { name: 'Ask', exact: true }).first().waitFor()
  const work = page.getByRole('region', { name: 'Work' })
  await work.getByLabel('Assigned to').selectOption({ label: 'Unassigned' })
  await work.getByRole('button', { name: 'Assign to me' }).click()
  await work.getByRole('button', { name: 'Assign to me' }).waitFor({ state: 'detached' })
  await work.getByLabel('Comment').fill('The agency calls back')
  await work.getByRole('button', { name: 'Add the comment' }).click()
  await work.getByRole('listitem').getByText('The agency calls back').waitFor()
  t.equal(await work.getByLabel('Comment').inputValue(), '', 'a sent comment is not a draft')
  await work.getByRole('button', { name: 'Show the comment' }).click()
  await work.getByLabel('Snooze').selectOption({ label: 'For 4 hours' })
  await work.getByText(/Hidden from the work list until/).waitFor()
  t.same(await violations(page), [])
  for (const [tab, count] of [
    ['mine', '2 operations'],
    ['snoozed', '1 operation'],
  ] as const) {
    await go(`/operations?tab=${tab}`)
    await page.getByText(count, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'first' }).waitFor()
  }

  await page.getByRole('link', { name: 'first' }).click()
  await page.getByRole('button', { name: 'Resolve…' }).click()
  await dialog.getByLabel(/guide exists/).check()
  await dialog.getByRole('radio', { name: /^SG/ }).first().check()
  await dialog.getByLabel(/Note/).fill('The courier says so')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByRole('button', { name: 'Record the decision' }).click()
  await page.getByRole('heading', { name: 'second' }).waitFor()
  await page.getByText(/^Ask the courier to cancel SG\d+\.$/).waitFor()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('region', { name: 'Decision' }).getByText('guide exists').waitFor()
  await go('/operations?tab=mine')
  await page.getByText('1 operation', { exact: true }).waitFor()
  t.match(await tabCount('Mine'), '1', 'a resolved operation leaves my list')
  await go('/operations?tab=surplus')
  await page.getByRole('link', { name: 'first' }).waitFor()
  const decided = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const after = await readFile(await (await decided).path(), 'utf8')
  t.match(after, /,guide_exists,SG\d+,SG\d+,Sandbox operator,\d{4}-/)
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})
