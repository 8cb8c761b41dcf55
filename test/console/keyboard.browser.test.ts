import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { receiver } from '../support/receiver.ts'
import { consoleUnderTest } from './console.ts'

const { shop, visit } = await consoleUnderTest(t)

/** More elements than any screen has. */
const tabsMax = 80

async function isFocused(page: Page, target: Locator): Promise<boolean> {
  return (await target.and(page.locator(':focus')).count()) === 1
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let n = 0; n < tabsMax; n++) {
    if (await isFocused(page, target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${target} is not reached with Tab`)
}

async function press(page: Page, button: Locator): Promise<void> {
  await tabTo(page, button)
  await page.keyboard.press('Enter')
}

/**
 * The focused element once every pending focus change has run: `dialog`, or the name of an element
 * outside.
 */
function focused(page: Page): Promise<string> {
  return page.evaluate(`new Promise((done) => {
    const report = () => {
      const { activeElement } = document
      done(activeElement.closest('[role=dialog]') === null ? activeElement.localName : 'dialog')
    }
    requestAnimationFrame(() => requestAnimationFrame(report))
  })`)
}

/** Asserts that this step of a dialog has the focus and keeps it. */
async function hasFocus(t: Test, page: Page, step: Locator): Promise<void> {
  await step.waitFor()
  t.equal(await focused(page), 'dialog', `the focus is in the dialog: ${step}`)
  await page.keyboard.press('Tab')
  t.equal(await focused(page), 'dialog', `and stays there: ${step}`)
}

async function returnsTo(t: Test, page: Page, opener: Locator): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await focused(page)
  t.ok(await isFocused(page, opener), `the focus is back at ${opener}`)
}

t.test('an operation is resolved with the keyboard alone', async (t) => {
  await shop.create('by-keyboard', { scenario: 'duplicate_guides' })
  await shop.advance('PT1M')
  const { page, enter, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await press(page, page.getByRole('link', { name: 'by-keyboard' }))
  const opener = page.getByRole('button', { name: 'Resolve…' })
  await press(page, opener)
  const dialog = page.getByRole('dialog')
  await page.locator('[role=dialog] input[type=radio]:focus').waitFor()
  t.ok(await isFocused(page, dialog.getByRole('radio').first()), 'it begins at its first field')
  await page.keyboard.press('Space')
  await tabTo(page, dialog.getByRole('radio', { name: /^SG/ }).first())
  await page.keyboard.press('Space')
  await tabTo(page, dialog.getByLabel(/Note/))
  await page.keyboard.type('Seen at the counter')
  await press(page, dialog.getByRole('button', { name: 'Review' }))
  const record = dialog.getByRole('button', { name: 'Record the decision' })
  await record.waitFor()
  await focused(page)
  t.ok(await isFocused(page, record), 'Enter records what the evidence supports')
  await hasFocus(t, page, record)
  await press(page, dialog.getByRole('button', { name: 'Back' }))
  await hasFocus(t, page, dialog.getByRole('button', { name: 'Review' }))
  await press(page, dialog.getByRole('button', { name: 'Review' }))
  await hasFocus(t, page, record)

  await page.route(/\/resolve$/, (route) => route.abort())
  await press(page, record)
  await hasFocus(t, page, dialog.getByRole('alert'))
  await page.unroute(/\/resolve$/)
  await press(page, record)
  await returnsTo(t, page, page.getByRole('region', { name: 'What to do' }))
  await page.getByRole('region', { name: 'Decision' }).waitFor()
  t.same(troubles, [])
  await close()
})

t.test('single keys look, assign and open the decision, except in a field', async (t) => {
  await shop.create('by-keys', { scenario: 'duplicate_guides' })
  await shop.advance('PT1M')
  const { page, enter, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await press(page, page.getByRole('link', { name: 'by-keys' }))
  await page.keyboard.press('Shift+?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByRole('row', { name: /Resolve on an operation$/ }).waitFor()
  await help.getByRole('row', { name: /Next row in a list$/ }).waitFor()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  const note = page.getByLabel('Comment')
  await tabTo(page, note)
  await page.keyboard.type('later')
  t.equal(await note.inputValue(), 'later', 'letters in a field are text')
  await page.getByRole('heading', { name: 'by-keys' }).click()
  await page.keyboard.press('l')
  await page.getByRole('alert').filter({ hasText: 'The courier lists several guides.' }).waitFor()
  await page.keyboard.press('a')
  const assignee = page.getByLabel('Assigned to')
  t.ok(await isFocused(page, assignee))
  await page.keyboard.press('ArrowDown')
  await page.getByText('Press Enter to apply.').waitFor()
  await page.keyboard.press('Escape')
  t.equal(await assignee.inputValue(), '', 'nothing was assigned')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .filter({ hasText: /^by-keysAssigned to .+\.$/ })
    .waitFor()
  await page.getByRole('heading', { name: 'by-keys' }).click()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').first().waitFor()
  await page.keyboard.press('l')
  await tabTo(page, dialog.getByRole('button', { name: 'Cancel' }))
  await page.keyboard.press('a')
  t.equal(await focused(page), 'dialog', 'behind a dialog the keys do nothing')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.same(troubles, [])
  await close()
})

async function readOtherDecision(t: Test, name: string, isReadBehind: boolean): Promise<void> {
  const { body } = await shop.create(name, { scenario: 'duplicate_guides' })
  await shop.advance('PT1M')
  const id: string = body.operation_id
  const { body: operation } = await shop.call(`/v1/operations/${id}`, {
    key: shop.seeded.operatorKey,
  })
  const [guide] = operation.looks.at(-1).guide_numbers
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/operations/${id}`)
  const opener = page.getByRole('button', { name: 'Resolve…' })
  const dialog = page.getByRole('dialog')
  await press(page, opener)
  await tabTo(page, dialog.getByRole('radio').first())
  await page.keyboard.press('ArrowDown')
  t.ok(await dialog.getByRole('radio', { name: /nothing created/ }).isChecked())
  const confirmed = dialog.getByRole('checkbox', { name: /confirmed that they are void/ })
  await tabTo(page, confirmed)
  await page.keyboard.press('Space')
  t.ok(await confirmed.isChecked(), 'guides that the courier lists are not forgotten')
  await tabTo(page, dialog.getByLabel(/Note/))
  await page.keyboard.type('Nothing was shipped')
  await press(page, dialog.getByRole('button', { name: 'Review' }))
  // The page behind the dialog must not reload while the other decision is made.
  await page.route(/\/v1\/operations\/\w+$/, (route) => route.abort())
  await page.route(/\/resolve$/, async (route) => {
    const decided = {
      decision: 'guide_exists',
      guide_number: guide,
      note: 'Seen',
    }
    await shop.call(`/v1/operations/${id}/resolve`, {
      method: 'POST',
      key: shop.seeded.operatorKey,
      body: decided,
    })
    await page.unroute(/\/v1\/operations\/\w+$/)
    await route.continue()
  })
  await press(page, dialog.getByRole('button', { name: 'Record against the evidence' }))
  await hasFocus(t, page, dialog.getByText(/^guide exists/))
  if (isReadBehind) {
    const behind = page.locator('.what-to-do', { hasText: /Decided by/ })
    await behind.waitFor({ state: 'attached' })
  }
  await press(page, dialog.getByRole('button', { name: 'Close' }))
  await returnsTo(t, page, page.getByRole('region', { name: 'What to do' }))
  await close()
}

t.test('a decision that another operator made first is read with the keyboard alone', async (t) => {
  await readOtherDecision(t, 'decided', false)
})

t.test('the focus is not lost if the page behind has read that decision before', async (t) => {
  await readOtherDecision(t, 'decided-behind', true)
})

t.test('a period is recovered with the keyboard alone', async (t) => {
  const mine = await receiver(t)
  const { id } = await shop.client.webhookEndpoints.create({
    workspace_id: shop.seeded.workspaceId,
    url: mine.url,
    event_types: ['label.ready'],
  })
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/webhooks/${id}`)
  const opener = page.getByRole('button', { name: 'Recover a period…' })
  const dialog = page.getByRole('dialog')
  await press(page, opener)
  await hasFocus(t, page, dialog.getByRole('button', { name: 'Review' }))
  await press(page, dialog.getByRole('button', { name: 'Review' }))
  const question = page.getByRole('dialog', { name: 'Send missed events?' })
  // The title has the focus and no button: a second Enter confirms nothing.
  await question.locator('[data-autofocus]:focus').waitFor()
  await hasFocus(t, page, dialog.getByRole('button', { name: 'Send' }))
  await press(page, dialog.getByRole('button', { name: 'Back' }))
  await hasFocus(t, page, dialog.getByRole('button', { name: 'Review' }))
  await press(page, dialog.getByRole('button', { name: 'Review' }))
  await press(page, dialog.getByRole('button', { name: 'Send' }))
  await hasFocus(t, page, dialog.getByRole('button', { name: 'Close' }))
  await page.keyboard.press('Escape')
  await returnsTo(t, page, opener)
  t.same(troubles, [])
  await close()
})

t.test('a secret is rotated with the keyboard alone', async (t) => {
  const { id } = await shop.client.webhookEndpoints.create({
    workspace_id: shop.seeded.workspaceId,
    url: 'http://127.0.0.1:9/rotated',
    event_types: ['label.ready'],
  })
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/webhooks/${id}`)
  const dialog = page.getByRole('dialog')
  const opener = page.getByRole('button', { name: 'Rotate the secret…' })
  await press(page, opener)
  await page.route(/\/rotate-secret$/, (route) => route.abort())
  await press(page, dialog.getByRole('button', { name: 'Create a new secret' }))
  await hasFocus(t, page, dialog.getByRole('alert'))
  await page.unroute(/\/rotate-secret$/)
  await press(page, dialog.getByRole('button', { name: 'Create a new secret' }))
  await hasFocus(t, page, dialog.getByText(/^whsec_/))
  await press(page, dialog.getByRole('button', { name: 'I have saved it' }))
  await returnsTo(t, page, opener)

  await press(page, page.getByRole('button', { name: 'Disable…' }))
  await press(page, dialog.getByRole('button', { name: 'Disable it' }))
  await returnsTo(t, page, page.getByRole('button', { name: 'Enable…' }))
  t.same(troubles, [])
  await close()
})

t.test('deliveries are sent again with the keyboard alone', async (t) => {
  const mine = await receiver(t)
  const endpoint = await shop.client.webhookEndpoints.create({
    workspace_id: shop.seeded.workspaceId,
    url: mine.url,
    event_types: ['shipment.created'],
  })
  const test = { id: endpoint.id, type: 'shipment.created' } as const
  const { id } = await shop.client.webhookEndpoints.test(test)
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/deliveries/${id}`)
  const dialog = page.getByRole('dialog')
  const opener = page.getByRole('button', { name: 'Redeliver…' })
  await press(page, opener)
  await press(page, dialog.getByRole('button', { name: 'Send 1 again' }))
  await hasFocus(t, page, dialog.getByRole('button', { name: 'Close' }))
  await press(page, dialog.getByRole('button', { name: 'Close' }))
  await returnsTo(t, page, opener)
  t.same(troubles, [])
  await close()
})
