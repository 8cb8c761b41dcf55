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

async function slowest(page: Page): Promise<readonly [string, number]> {
  await page.evaluate('new Promise((done) => setTimeout(() => requestAnimationFrame(done), 50))')
  const all = (await page.evaluate('window.interactions.splice(0)')) as readonly [string, number][]
  return all.toSorted(([, a], [, b]) => b - a)[0] ?? ['nothing', 0]
}

/** The machine may be busy with other tests: what is fluent once in so many rounds is fluent. */
const roundsMax = 3

async function slowestOfRounds(
  page: Page,
  interact: () => Promise<void>,
): Promise<readonly [string, number]> {
  let best: readonly [string, number] = ['nothing', Number.POSITIVE_INFINITY]
  for (let round = 0; round < roundsMax && best[1] >= fluentMs; round++) {
    await interact()
    const worst = await slowest(page)
    if (worst[1] < best[1]) best = worst
  }
  return best
}

/** Scrolls through an area in steps and answers how long it takes until half of the frames are there. */
function usualFrame(page: Page, selector: string): Promise<number> {
  return page.evaluate(`(async () => {
    const area = document.querySelector(${JSON.stringify(selector)})
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    area.scrollTop = 0
    await frame()
    const steps = 15
    const took = []
    for (let step = 1; step <= steps; step++) {
      const before = performance.now()
      area.scrollTop = (area.scrollHeight - area.clientHeight) * step / steps
      await frame()
      await frame()
      took.push((performance.now() - before) / 2)
    }
    return took.sort((a, b) => a - b)[Math.floor(steps / 2)]
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
  const frameMs = await usualFrame(page, '.table-area')
  t.ok(frameMs < fluentMs, `a frame of scrolling took ${frameMs.toFixed(0)} ms`)
  await observeInteractions(page)
  const worst = await slowestOfRounds(page, async () => {
    await page.locator('.table-row a').first().focus()
    for (let n = 0; n < 15; n++) await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: /^Times:/ }).click()
    await page.getByRole('button', { name: /^Theme:/ }).click()
    await page.getByLabel('Cause').selectOption('process_died')
    await page.getByText('No operations').waitFor()
    await page.getByLabel('Cause').selectOption('')
    await page.locator('.table-row').first().waitFor()
  })
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
  const frameMs = await usualFrame(page, '.history')
  t.ok(frameMs < fluentMs, `a frame of scrolling took ${frameMs.toFixed(0)} ms`)
  await observeInteractions(page)
  const worst = await slowestOfRounds(page, async () => {
    await page.locator('.event-type').nth(3).click()
    await page.getByRole('slider').focus()
    for (const key of ['Home', 'End', 'Home']) await page.keyboard.press(key)
    for (let n = 0; n < 10; n++) await page.keyboard.press('ArrowRight')
    await page.getByText(/^As of version 11 of 5/).waitFor()
    await page.getByRole('button', { name: /^Times:/ }).click()
  })
  t.comment(
    `scrolling: ${frameMs.toFixed(0)} ms a frame; slowest interaction: ${worst.join(' ')} ms`,
  )
  t.ok(worst[1] < fluentMs, `${worst.join(' ')} ms`)
  await close()
})
