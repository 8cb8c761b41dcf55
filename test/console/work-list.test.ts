import { readFile } from 'node:fs/promises'
import t from 'tap'
import { consoleUnderTest, violations } from './console.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)

t.test(
  'an operator takes, comments on and puts off an operation, and opens the next',
  async (t) => {
    for (const reference of ['first', 'second']) {
      await shop.create(reference, { scenario: 'duplicate_guides' })
    }
    await shop.advance('PT1M')
    const { page, enter, go, troubles, close } = await visit()
    await enter(shop.seeded.operatorKey)
    await go('/operations')
    await page.getByText('2 operations').waitFor()
    t.same(await violations(page), [])

    // All four keys in one task of the browser, as fast as nobody types.
    await page.evaluate(`for (const key of 'jxjx') {
      const typed = { key, code: 'Key' + key.toUpperCase(), bubbles: true }
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', typed))
    }`)
    await page.getByRole('button', { name: 'Look at 2 now…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Look now' }).click()
    await dialog.getByText('of 2 looked at').waitFor()
    t.equal(await dialog.getByRole('row').count(), 3, 'a result for each')
    await dialog.getByRole('button', { name: 'Close' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV' }).click()
    const csv = await readFile(await (await saved).path(), 'utf8')
    t.match(csv, /^operation,shipment,external_reference,[\s\S]*,first,[\s\S]*,second,/)

    await page.getByRole('link', { name: 'first' }).press('Enter')
    await page.getByText(/lists 2 guides for this order/).waitFor()
    const work = page.getByRole('region', { name: 'Work' })
    await work.getByLabel('Assigned to').selectOption({ label: 'Sandbox operator' })
    await work.getByLabel('Comment').fill('The agency calls back')
    await work.getByRole('button', { name: 'Add the comment' }).click()
    await work.getByRole('button', { name: 'Show the comment' }).click()
    await work.getByText('The agency calls back').waitFor()
    await work.getByLabel('Put off').selectOption({ label: 'For 4 hours' })
    await work.getByText(/Out of the work list until/).waitFor()
    t.same(await violations(page), [])
    for (const tab of ['mine', 'snoozed']) {
      await go(`/operations?tab=${tab}`)
      await page.getByText('1 operation', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'first' }).waitFor()
    }

    await page.getByRole('link', { name: 'first' }).click()
    await page.getByRole('button', { name: 'Resolve…' }).click()
    await dialog.getByLabel(/guide exists/).check()
    await dialog.getByRole('radio', { name: /^SG/ }).first().check()
    await dialog.getByLabel(/Note/).fill('The courier says so')
    await dialog.getByRole('button', { name: 'Read it back' }).click()
    await dialog.getByRole('button', { name: 'Record the decision' }).click()
    await page.getByRole('heading', { name: 'second' }).waitFor()
    await page.getByRole('button', { name: 'Back to it' }).click()
    await page.getByRole('region', { name: 'Decision' }).getByText('guide exists').waitFor()
    t.same(troubles, [])
    t.same(unexpectedRequests(), [])
    await close()
  },
)
