import type { Page } from 'playwright-core'
import { type ConsoleUnderTest, consoleUnderTest } from '../console/console.ts'
import { say } from '../support/say.ts'
import { onScratchServer } from '../support/until-closed.ts'
import { median, row } from './support/bench-rounds.ts'
import { fillOperations, growHistory } from './support/console-rows.ts'

// Measures how long the console takes from an input to the frame that shows it, as the browser
// reports it, with many operations in a list and many events in a history. `npm run bench --
// console [rounds]`

const rounds = Number(process.argv[2] ?? 5)
const operations = 10_000
const events = 500
/** Invisible rows are not drawn; otherwise a long list would be slow everywhere but here. */
const drawnMax = 100
/** For each interaction, and for a frame while scrolling. */
const target = { atMost: 100 }
const name = 'console'

/**
 * The browser's own measure of interactions: the time from each input to the next paint, in steps
 * of 8 ms.
 */
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

/** The median over the rounds of the slowest interaction. */
async function slowestOfRounds(page: Page, interact: () => Promise<void>): Promise<number> {
  await observeInteractions(page)
  const took: number[] = []
  for (let round = 1; round <= rounds; round++) {
    await interact()
    const [what, ms] = await slowest(page)
    say(`  round ${round} of ${rounds}: slowest ${what} ${ms} ms`)
    took.push(ms)
  }
  return median(took)
}

async function drawnAtMost(page: Page, selector: string): Promise<void> {
  const drawn = await page.locator(selector).count()
  if (drawn >= drawnMax) throw new Error(`${drawn} of ${selector} are drawn`)
}

/** Scrolls through an area in steps and returns the median time of a frame. */
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

/** Pages are loaded as they are reached, so the end is reached repeatedly. */
function scrollToTheEnd(page: Page): Promise<unknown> {
  return page.evaluate(`(async () => {
    const area = document.querySelector('.table-area')
    while (document.querySelector('.count').innerText.includes('and more')) {
      area.scrollTop = area.scrollHeight
      await new Promise((done) => requestAnimationFrame(done))
    }
  })()`)
}

function told(what: string, frameMs: number, interactionMs: number): void {
  row({ name, measured: `${what}: a frame of scrolling, ms`, value: frameMs, target })
  row({ name, measured: `${what}: slowest interaction, ms`, value: interactionMs, target })
}

async function manyOperations({ shop, visit }: ConsoleUnderTest): Promise<void> {
  await shop.create('stuck', { scenario: 'duplicate_guides' })
  await shop.advance('PT1M')
  const { data } = await shop.client.operations.list({ status: 'needs_review' })
  const [{ id: operationId, shipment_id: shipmentId } = { id: '', shipment_id: '' }] = data
  await fillOperations(shop, { operationId, shipmentId }, operations - 1)
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/operations')
  await page.locator('.table-row').first().waitFor()
  await scrollToTheEnd(page)
  await page.getByText(`${operations} operations`).waitFor()
  await drawnAtMost(page, '.table-row')
  const frameMs = await usualFrame(page, '.table-area')
  const worstMs = await slowestOfRounds(page, async () => {
    await page.locator('.table-row a').first().focus()
    for (let n = 0; n < 15; n++) await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: /^Times:/ }).click()
    await page.getByRole('button', { name: /^Theme:/ }).click()
    await page.getByLabel('Cause').selectOption('process_died')
    await page.getByText('No operations').waitFor()
    await page.getByLabel('Cause').selectOption('')
    await page.locator('.table-row').first().waitFor()
  })
  told(`${operations} operations`, frameMs, worstMs)
  await close()
}

async function longHistory({ shop, visit }: ConsoleUnderTest): Promise<void> {
  const created = await shop.create('long', { scenario: 'happy_path' })
  await growHistory(shop, created.body.id, events)
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/shipments/${created.body.id}`)
  await page.getByText(/^5\d\d of 5\d\d events$/).waitFor()
  await drawnAtMost(page, '.history li')
  const frameMs = await usualFrame(page, '.history')
  const worstMs = await slowestOfRounds(page, async () => {
    await page.locator('.event-type').nth(3).click()
    await page.getByRole('slider').focus()
    for (const key of ['Home', 'End', 'Home']) await page.keyboard.press(key)
    for (let n = 0; n < 10; n++) await page.keyboard.press('ArrowRight')
    await page.getByText(/^As of version 11 of 5/).waitFor()
    await page.getByRole('button', { name: /^Times:/ }).click()
  })
  told(`a shipment of ${events} events`, frameMs, worstMs)
  await close()
}

await onScratchServer(async (ended) => {
  const tested = await consoleUnderTest({ ...ended, comment: (text) => say(`  ${text}`) })
  await manyOperations(tested)
  await longHistory(tested)
})
