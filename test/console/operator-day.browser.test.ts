import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { receiver } from '../support/receiver.ts'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'
import { cutBadges } from './console-layout.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)

async function createQuoted(reference: string, scenario: string) {
  const { body: quote } = await shop.call('/v1/quotes', { body: shop.quoteBody() })
  const body = { quote_id: quote.id, service: quote.rates[0].service }
  return await shop.create(reference, { scenario, body })
}

const tile = (page: Page, name: string) =>
  page.getByRole('region', { name: 'What needs you' }).getByRole('link', { name })

/** The texts of the chips, without what is only for screen readers. */
async function filtersOf(chips: Locator): Promise<readonly string[]> {
  const texts = await chips.getByRole('button', { name: /^Remove the filter/ }).allInnerTexts()
  return texts.map((text) => text.replace(/^Remove the filter\s*/, ''))
}

t.test('an operator decides between two guides, from Home to a resolved operation', async (t) => {
  await createQuoted('order-1001', 'duplicate_guides')
  await shop.create('order-1002', { scenario: 'lost_response_nothing_created' })
  await shop.advance('PT5M')
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await tile(page, 'Needs review 1').waitFor()
  const sum = /PEN\s9\.10/
  await tile(page, 'Money at stake').getByText(sum).waitFor()
  const boxes = await Promise.all(
    (await page.locator('.figure').all()).map((each) => each.boundingBox()),
  )
  t.same([boxes.length, new Set(boxes.map((box) => box?.y)).size], [9, 1], 'one line of tiles')
  t.same(await violationsInBothThemes(page), [])
  await tile(page, 'Money at stake').click()
  await page.getByText('1 operation', { exact: true }).waitFor()
  t.match(await page.getByText(/^Money at stake: /).innerText(), sum, 'the number of the tile')
  t.match(await page.locator('[data-name="Age"]').innerText(), /^waiting \d+ (min|h)/)
  t.equal(await page.getByRole('checkbox', { name: 'Select order-1001' }).count(), 1)

  await page.getByLabel('Cause').selectOption('response_lost')
  await page.getByLabel('Assignee').selectOption('none')
  await page.waitForURL(/cause=response_lost.*assignee=none/)
  const chips = page.getByRole('list', { name: 'Active filters' })
  t.same(await filtersOf(chips), ['Cause: response lost', 'Assignee: Unassigned'])
  t.same(await violationsInBothThemes(page), [])
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Save these filters as').fill('lost and free')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.keyboard.press('Escape')
  await chips.getByRole('button', { name: 'Assignee: Unassigned' }).click()
  await page.waitForURL((url) => !url.search.includes('assignee'))
  t.equal(await page.getByLabel('Assignee').inputValue(), '')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'lost and free' }).click()
  await page.waitForURL(/cause=response_lost.*assignee=none/)
  t.same(await cutBadges(page), [])

  await page.getByRole('link', { name: 'order-1001' }).click()
  const guides = page.getByRole('region', { name: 'Guides under our reference' })
  await guides.getByRole('article').nth(1).waitFor()
  for (const guide of await guides.getByRole('article').all()) {
    t.match(await guide.innerText(), sum)
  }
  const second = guides.getByRole('article').nth(1)
  await second.getByRole('button', { name: /^Show its scans/ }).click()
  await second.getByText('The guide was registered').waitFor()
  t.equal(await second.locator('li time').count(), 1)
  t.equal(await second.locator('li').getByRole('link').count(), 1, 'the agency')
  t.same(await violationsInBothThemes(page), [])
  await second.getByRole('button', { name: /^Ask again/ }).waitFor()
  await page.getByRole('button', { name: 'Ask the courier' }).click()
  await page.getByText('The courier lists several guides.').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await guides
    .getByRole('button', { name: /^This one is ours/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^SG\d+$/, checked: true }).waitFor()
  await dialog.getByLabel(/Note/).fill('The agency has this parcel')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByRole('button', { name: 'Record the decision' }).click()

  const toDo = page.getByRole('region', { name: 'What to do' })
  await toDo.getByText(/^Decided by Sandbox operator on \d{4}-/).waitFor()
  t.equal(await page.getByRole('button', { name: 'Resolve…' }).count(), 0)
  t.equal(await guides.getByRole('button', { name: /^This one/ }).count(), 0)
  await guides.getByText('in use').waitFor()
  await guides.getByText('guide to cancel').waitFor()
  t.equal(await toDo.locator('[aria-disabled]').count(), 0, 'no dead button')
  t.same(await violationsInBothThemes(page), [])
  await go('/')
  await tile(page, 'Guides to cancel 1').click()
  await page.getByText('1 operation', { exact: true }).waitFor()

  await go('/operations?tab=all')
  await page.getByText('2 operations', { exact: true }).waitFor()
  t.match(await page.locator('[data-name="Age"]').allInnerTexts(), [/^took /, /^took /])
  await page.getByRole('link', { name: 'order-1002' }).click()
  await toDo.getByText(/^Concluded automatically on/).waitFor()
  t.equal(await page.getByRole('region', { name: 'Actions' }).count(), 0)
  t.same(await violationsInBothThemes(page), [])
  t.same(troubles, [])
  await close()
})

t.test('numbers and ages are a dash until they are known', async (t) => {
  await shop.create('order-1003', { scenario: 'duplicate_guides' })
  await shop.advance('P2D')
  const { page, enter, go, troubles, close } = await visit()
  const held = Promise.withResolvers<void>()
  const hold = async (route: { continue(): Promise<void> }) => {
    await held.promise
    await route.continue()
  }
  await page.route('**/v1/statistics/operations*', hold)
  await page.route('**/v1/sandbox/clock*', hold)
  await enter(shop.seeded.operatorKey)
  await tile(page, 'Needs review –').waitFor()
  await page.getByText('order-1003').waitFor()
  const ages = page.locator('.waiting-age')
  t.same(await ages.allInnerTexts(), ['–'], 'not an age by another clock')
  held.resolve()
  await tile(page, 'Needs review 1').waitFor()
  await ages.getByText(/^waiting 2 d/).waitFor()
  await go('/operations')
  await page
    .locator('[data-name="Age"]')
    .getByText(/^waiting 2 d/)
    .waitFor()
  t.same(troubles, [])
  await close()
})

t.test(
  'a failing endpoint is red, says when it tries next, and gets its events again',
  async (t) => {
    let isUp = false
    const mine = await receiver(t, () => ({ status: isUp ? 200 : 503 }))
    await shop.client.webhookEndpoints.create({
      workspace_id: shop.seeded.workspaceId,
      url: mine.url,
      event_types: ['shipment.created'],
    })
    for (const key of ['order-1', 'order-2', 'order-3']) await shop.create(key)
    const { page, enter, troubles, close } = await visit()
    await enter(shop.seeded.operatorKey)
    await tile(page, 'Failing endpoints 1').click()
    await page.getByText('1 endpoint', { exact: true }).waitFor()
    const chips = page.getByRole('list', { name: 'Active filters' })
    t.same(await filtersOf(chips), ['State: enabled', 'Endpoint health: failing'])
    t.match(await page.locator('[data-name="State"]').innerText(), /failing\s+for \d+ s/)
    t.same(await violationsInBothThemes(page), [])

    await page.getByRole('link', { name: mine.url }).click()
    const row = page.locator('.table-row').first()
    await row.locator('[data-tone="bad"]').getByText('failing').waitFor()
    await row.getByText(/^next try (in \d+ s|now)$/).waitFor()
    const actions = page.getByRole('region', { name: 'Actions' })
    const right = async (name: string) => {
      const box = await actions.getByRole('button', { name }).boundingBox()
      return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0) }
    }
    const apartPx = (await right('Delete…')).left - (await right('Disable…')).right
    t.ok(apartPx > 100, `Delete is ${apartPx} px from the everyday actions`)
    t.same(await violationsInBothThemes(page), [])

    isUp = true
    await page.getByRole('button', { name: 'Select the first 3' }).click()
    await page.getByRole('button', { name: 'Redeliver 3…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send 3 again' }).click()
    await dialog.getByText('3 of 3 are on their way again.').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const states = page.locator('.table-row [data-name="State"]')
    await states.getByText('delivered').nth(2).waitFor()
    await page.locator('.screen-head').getByText('enabled').waitFor()
    t.same(troubles, [])
    t.same(unexpectedRequests(), [])
    await close()
  },
)
