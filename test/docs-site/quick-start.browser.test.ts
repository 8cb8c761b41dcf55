import t from 'tap'
import { consoleUnderTest, leftBehind, violationsInBothThemes } from '../console/console.ts'
import { overflowPx } from '../console/console-layout.ts'

const { shop, browser, visit, keyOf, requests } = await consoleUnderTest(t)
const address = `${shop.url}/docs/guides/quick-start`

t.test('the quick start leads a test key from a guide to a lost one that is found', async (t) => {
  const { page, troubles, close } = await visit()
  await page.goto(address)
  await page.getByLabel('Test key', { exact: true }).fill(shop.seeded.shopKey)
  await page.getByRole('button', { name: 'Use this key' }).click()
  await page.getByText('Signed in with the test key').waitFor()
  const samples = page.locator('.languages [role="tabpanel"]:visible')
  t.match(await samples.nth(1).innerText(), shop.seeded.workspaceId)
  t.match(await samples.first().innerText(), `Bearer ${shop.seeded.shopKey}`)

  const exported = page.locator('.code:visible', { hasText: 'export' })
  t.match(await exported.innerText(), `export SHIPPING_LEDGER_KEY=${shop.seeded.shopKey}`)
  t.match(await exported.innerText(), `export SHIPPING_LEDGER_URL=${shop.url}`)

  const place = (index: number) => page.locator(`[data-sample="${index}"]`)
  const run = async (index: number, expected: string) => {
    await place(index)
      .getByRole('button', { name: /^(Run|Watch)$/ })
      .click()
    await place(index).locator('.answer .badge', { hasText: expected }).waitFor()
  }
  t.equal(await place(5).getByRole('button').isDisabled(), true, 'there is no shipment yet')
  await run(4, '201')
  t.match(await place(4).innerText(), /"guide_number": "/)
  await run(5, '200')
  await place(5)
    .getByRole('button', { name: /^Save label\.pdf/ })
    .waitFor()

  await run(6, '409')
  await place(6).getByRole('link', { name: 'unknown_outcome' }).waitFor()
  await run(7, '200')
  await place(7)
    .getByText(/^\d+ s resolved: guide_exists, guide /)
    .waitFor()
  const steps = await place(7).getByRole('listitem').allInnerTexts()
  t.match(steps.at(-2), /asked the courier at .*: found/)
  await run(6, '201')
  await run(8, '200')
  await run(9, '200')
  t.match(await place(9).innerText(), /"status": "delivered"/)
  t.same(await violationsInBothThemes(page), [])

  await page.reload()
  await page.getByText('Signed in with the test key').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Test key', { exact: true }).waitFor()
  t.notMatch(await leftBehind(page), /svc_test_/)
  t.notMatch(await page.locator('main').innerText(), shop.seeded.shopKey)
  t.same(troubles, [])
  await close()
})

t.test(
  'samples are in the language that the reader chooses, with the reader’s values',
  async (t) => {
    const { page, troubles, close } = await visit({ width: 390 })
    await page.goto(address)
    const samples = page.locator('.languages')
    const shown = samples.locator('[role="tabpanel"]:visible')
    await page.getByLabel('Test key', { exact: true }).waitFor()
    const second = samples.nth(1)
    t.match(await shown.nth(1).innerText(), '-H "Idempotency-Key: $WORKSPACE_ID-mock"')
    await second.getByRole('tab', { name: 'curl' }).focus()
    await page.keyboard.press('ArrowRight')
    const node = second.getByRole('tab', { name: 'Node.js', selected: true })
    await node.waitFor()
    t.equal(await page.locator(':focus').innerText(), 'Node.js')
    t.match(await shown.nth(1).innerText(), "idempotencyKey: env.WORKSPACE_ID + '-mock'")
    const top = async () => (await second.boundingBox())?.y ?? 0
    const before = await top()
    await second.getByRole('tab', { name: 'Python' }).click()
    t.ok(Math.abs((await top()) - before) < 1, 'the sample stays where it is on the screen')
    t.match(await shown.nth(1).innerText(), 'os.environ["WORKSPACE_ID"] + "-mock"')
    t.equal(await samples.getByRole('tab', { name: 'Python', selected: true }).count(), 10)

    await page.reload()
    await page.getByLabel('Test key', { exact: true }).fill(shop.seeded.shopKey)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByText('Signed in with the test key').waitFor()
    t.match(await shown.nth(1).innerText(), `"${shop.seeded.workspaceId}" + "-mock"`)
    t.equal(await overflowPx(page), 0)
    t.same(await violationsInBothThemes(page), [])
    t.same(troubles, [])
    await close()
  },
)

t.test('without scripts every language of a sample is shown under its name', async (t) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(address)
  const sample = page.locator('.languages').first()
  t.equal(await sample.getByRole('tab').count(), 0)
  t.equal(await sample.locator('pre:visible').count(), 4)
  t.same(await sample.locator('.language-name').allInnerTexts(), [
    'curl',
    'Node.js',
    'Python',
    'PHP',
  ])
  await context.close()
})

t.test('the quick start refuses a live key without sending it, and a wrong one', async (t) => {
  const { page, troubles, close } = await visit({ width: 390, dark: true })
  const live = await keyOf({ livemode: true })
  await page.goto(address)
  const before = requests.length
  const enter = async (key: string) => {
    await page.getByLabel('Test key', { exact: true }).fill(key)
    await page.getByRole('button', { name: 'Use this key' }).click()
  }
  await enter(live)
  await page.getByText('This is a live key').waitFor()
  const sent = requests.slice(before).filter((request) => request.includes('/v1/'))
  t.same(sent, [], 'nothing was sent')
  await enter(`${shop.seeded.shopKey.slice(0, -1)}~`)
  await page.getByText('This is not a test key').waitFor()
  await enter(`svc_test_${'0'.repeat(49)}`)
  await page.getByText('This key is not accepted').waitFor()
  t.notMatch(await leftBehind(page), /svc_/)
  t.same(troubles, [])
  await close()
})

t.test('a key without a connection begins with its workspace', async (t) => {
  const { page, troubles, close } = await visit()
  const { id } = await shop.client.workspaces.create({
    name: 'New',
    external_reference: 'new-shop',
  })
  await page.goto(address)
  await page.getByLabel('Test key', { exact: true }).fill(await keyOf({ workspaceId: id }))
  await page.getByRole('button', { name: 'Use this key' }).click()
  await page.getByText('begin with step 2').waitFor()
  t.same(troubles, [])
  await close()
  t.same(
    requests.filter((request) => new URL(request.split(' ')[1] ?? '').origin !== shop.url),
    [],
    'the key goes to no other host',
  )
})
