import type { Page } from 'playwright-core'
import t from 'tap'
import { consoleUnderTest } from '../support/console.ts'
import { fillOperations, growHistory } from '../support/console-rows.ts'

const operations = 10_000
const events = 500
/** What the issue asks of every interaction, from the input to the frame that shows it. */
const fluentMs = 100

const tested = await consoleUnderTest(t)
const { shop, visit } = tested

/** The browser's own measure of interactions: each input's time to the next paint, in 8 ms steps. */
async function observeInteractions(page: Page): Promise<void> {
  await page.evaluate(`window.interactions = []; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.interactionId) window.interactions.push([entry.name, entry.duration])
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`)
}

async function slowest(page: Page): Promise<readonly [string, number][]> {
  await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done), 50))')
  const all = (await page.evaluate('window.interactions')) as readonly [string, number][]
  return all.toSorted(([, a], [, b]) => b - a)
}

/** Scrolls through an area in steps of its height and answers the longest frame, in milliseconds. */
function longestFrame(page: Page, selector: string, steps: number): Promise<number> {
  return page.evaluate(`(async () => {
    const area = document.querySelector(${JSON.stringify(selector)})
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    area.scrollTop = 0
    await frame()
    let longest = 0
    for (let step = 1; step <= ${steps}; step++) {
      const before = performance.now()
      area.scrollTop = (area.scrollHeight - area.clientHeight) * step / ${steps}
      await frame()
      await frame()
      longest = Math.max(longest, (performance.now() - before) / 2)
    }
    return longest
  })()`) as Promise<number>
}

/** Pages are loaded as they are reached, so the end is reached again and again. */
function scrollToTheEnd(page: Page): Promise<unknown> {
  return page.evaluate(`(async () => {
    const area = document.querySelector('.table-area')
    while (document.querySelector('.count').innerText.includes('and more')) {
      area.scrollTop = area.scrollHeight
      await new Promise((done) => requestAnimationFrame(done))
    }
  })()`)
}

t.test('ten thousand operations stay fluent', async (t) => {
  await shop.create('stuck', { scenario: 'duplicate_guides' })
  await shop.advance('PT1M')
  const { data } = await shop.client.operations.list({ status: 'needs_review' })
  const [{ id: operationId, shipment_id: shipmentId } = { id: '', shipment_id: '' }] = data
  await fillOperations(shop, { operationId, shipmentId }, operations - 1)
  const { page, enter, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await page.locator('.table-row').first().waitFor()
  await scrollToTheEnd(page)
  t.equal(await page.locator('.count').innerText(), `${operations} operations`)
  t.ok((await page.locator('.table-row').count()) < 100, 'only what is in view is drawn')
  const frameMs = await longestFrame(page, '.table-area', 40)
  t.ok(frameMs < fluentMs, `the longest frame of scrolling took ${frameMs.toFixed(0)} ms`)
  await observeInteractions(page)
  await page.locator('.table-row a').first().focus()
  for (let n = 0; n < 30; n++) await page.keyboard.press('ArrowDown')
  await page.getByRole('button', { name: /^Times:/ }).click()
  await page.getByRole('button', { name: /^Theme:/ }).click()
  await page.getByLabel('Cause').selectOption('process_died')
  await page.getByText('No operations').waitFor()
  await page.getByLabel('Cause').selectOption('')
  await page.locator('.table-row a').first().click()
  await page.getByRole('button', { name: 'Look now' }).or(page.getByText('Not found')).waitFor()
  const [worst = ['none', 0]] = await slowest(page)
  t.comment(
    `scrolling: ${frameMs.toFixed(0)} ms a frame; slowest interaction: ${worst.join(' ')} ms`,
  )
  t.ok(worst[1] < fluentMs, `${worst.join(' ')} ms`)
  await close()
})

t.test('a shipment with five hundred events stays fluent', async (t) => {
  const created = await shop.create('long', { scenario: 'happy_path' })
  await growHistory(shop, created.body.id, events)
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/shipments/${created.body.id}`)
  await page.getByText(/^5\d\d of 5\d\d events$/).waitFor()
  t.ok((await page.locator('.history li').count()) < 100, 'only what is in view is drawn')
  const frameMs = await longestFrame(page, '.history', 20)
  t.ok(frameMs < fluentMs, `the longest frame of scrolling took ${frameMs.toFixed(0)} ms`)
  await observeInteractions(page)
  await page.locator('.event-type').nth(3).click()
  await page.locator('.json').waitFor()
  await page.getByRole('slider').focus()
  for (const key of ['Home', 'End', 'Home']) await page.keyboard.press(key)
  for (let n = 0; n < 20; n++) await page.keyboard.press('ArrowRight')
  await page.getByText(/^As of version 21 of 5/).waitFor()
  await page.getByRole('button', { name: /^Times:/ }).click()
  const [worst = ['none', 0]] = await slowest(page)
  t.comment(
    `scrolling: ${frameMs.toFixed(0)} ms a frame; slowest interaction: ${worst.join(' ')} ms`,
  )
  t.ok(worst[1] < fluentMs, `${worst.join(' ')} ms`)
  await close()
})
