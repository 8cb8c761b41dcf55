import t from 'tap'
import { consoleUnderTest } from '../console/console.ts'

// The first answer to an advance does not wait for the clock.
const { shop, visit } = await consoleUnderTest(t, { advance: { answerMs: 0 } })

t.test('a sample waits until the clock that another one advances has arrived', async (t) => {
  const { page, troubles, close } = await visit()
  await page.goto(`${shop.url}/docs/guides/quick-start`)
  await page.getByLabel('Test key', { exact: true }).fill(shop.seeded.shopKey)
  await page.getByRole('button', { name: 'Use this key' }).click()
  await page.getByText('Signed in with the test key').waitFor()
  const place = (index: number) => page.locator(`[data-sample="${index}"]`)
  const [create, advance, tracking] = [place(4), place(8), place(9)]
  const run = (sample: typeof create) => sample.getByRole('button', { name: 'Run' }).click()
  await run(create)
  await create.locator('.badge', { hasText: '201' }).waitFor()

  // The page learns that the clock has reached its target only when the test lets it.
  const clock = '**/v1/sandbox/clock?*'
  const held = Promise.withResolvers<void>()
  await page.route(clock, async (route) => {
    await held.promise
    await route.continue()
  })
  await run(advance)
  await advance.locator('.badge', { hasText: '202' }).waitFor()
  await tracking.getByText('Wait until the clock has advanced.').waitFor()
  t.equal(await tracking.getByRole('button', { name: 'Run' }).isDisabled(), true)
  held.resolve()
  await advance.locator('.badge', { hasText: '200' }).waitFor()
  await run(tracking)
  await tracking.locator('.badge', { hasText: '200' }).waitFor()
  t.match(await tracking.innerText(), '"status": "delivered"')
  t.same(troubles, [])
  await close()
})
