import { readFile } from 'node:fs/promises'
import t from 'tap'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { apiClient, freshShop } from '../support/api-client.ts'
import { consoleUnderTest, violations } from './console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, unexpectedRequests } = tested
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

t.test('an operator finds a stuck operation, reads its evidence and resolves it', async (t) => {
  const lost = await shop.create('two-guides', { scenario: 'duplicate_guides' })
  await shop.create('happy', { scenario: 'happy_path' })
  await shop.advance('PT1M')
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await page.getByRole('link', { name: 'two-guides' }).click()
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await evidence.getByText('ambiguous').first().waitFor()
  const shown = await evidence.getByRole('row').nth(1).innerText()
  const guides = [...shown.matchAll(/SG\d+/g)].map(([guide]) => guide)
  t.equal(guides.length, 2, 'both guides are shown')
  t.same(await violations(page), [])

  await page.getByRole('button', { name: 'Resolve…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/guide exists/).check()
  await dialog.getByLabel('Another guide').check()
  await dialog.getByLabel('Guide number').fill('SG0')
  await dialog.getByLabel(/Note/).fill(' . ')
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByLabel(/Note/).fill('Seen at the counter')
  t.same(await violations(page), [])
  await dialog.getByRole('button', { name: 'Review' }).click()
  await dialog.getByRole('button', { name: 'Record the decision' }).click()
  await dialog.getByRole('alert').waitFor()
  const refusal = await dialog.getByRole('alert').innerText()
  t.match(refusal, /no such guide/, 'another guide is refused')
  t.equal(refusal.split('no such guide').length, 2, 'and the reason is said once')

  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByLabel(String(guides[0])).check()
  await dialog.getByRole('button', { name: 'Review' }).click()
  t.match(await dialog.innerText(), new RegExp(`guide exists, guide ${guides[0]}`))
  t.match(await dialog.getByRole('status').innerText(), `The courier also lists ${guides[1]}.`)
  await dialog.getByRole('button', { name: 'Record the decision' }).click()
  const decision = page.getByRole('region', { name: 'Decision' })
  await decision.getByText('Sandbox operator').waitFor()
  await decision.getByText('masked').waitFor()
  const toDo = await page.getByRole('region', { name: 'What to do' }).innerText()
  t.match(toDo, `The courier still listed ${guides[1]} when last asked. Have the courier cancel it`)
  t.match(toDo, /Message for the courier/)
  await decision.getByRole('button', { name: 'Show the note' }).press('Enter')
  t.match(await decision.innerText(), /Seen at the counter/)
  t.match(await page.evaluate('document.activeElement.innerText'), /Hide again/)

  await page.getByRole('link', { name: /^shp_/ }).click()
  await page.getByRole('heading', { name: 'two-guides' }).waitFor()
  await page.getByText(String(guides[0])).first().waitFor()
  t.same(await violations(page), [])
  t.same(troubles, [])
  await page.getByRole('link', { name: 'Operations' }).click()
  await page.getByRole('heading', { name: 'No operations' }).waitFor()

  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('link', { name: /^Guides to cancel 1/ }).click()
  await page.locator('[data-name="To cancel"]').getByText(String(guides[1])).waitFor()
  await page.getByRole('link', { name: 'two-guides' }).click()
  await page.getByRole('button', { name: 'Ask the courier' }).click()
  await evidence.getByRole('cell', { name: '2', exact: true }).waitFor()
  shop.record.cancel(lost.body.shipment_id, String(guides[1]), new Date())
  await shop.advance('P1D')
  await page.getByText('Nothing to do.').waitFor()
  await go('/operations?tab=surplus')
  await page.getByText('No operations have an extra guide.').waitFor()
  await close()
})

t.test('a shipment can be replayed to any version: its facts, scans and history', async (t) => {
  const created = await shop.create('replayed', { scenario: 'happy_path' })
  await shop.advance('P3D')
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/shipments/${created.body.id}`)
  const head = page.getByRole('banner').or(page.locator('.screen-head')).last()
  await head.getByText('delivered').waitFor()
  const history = page.getByRole('region', { name: 'History' })
  await history.getByText('ShipmentRequested').waitFor()

  const slider = page.getByRole('slider')
  await slider.focus()
  await page.keyboard.press('Home')
  await head.getByText('creating').waitFor()
  t.match(page.url(), /as_of=1$/, 'the version is in the address')
  const parcel = page.getByRole('region', { name: 'Parcel' })
  await parcel.getByText('No scans at this version').waitFor()
  t.same(await violations(page), [])

  await page.route(/as_of=2$/, (route) => route.abort())
  await page.keyboard.press('ArrowRight')
  await page.getByText('Something went wrong').waitFor()
  t.notMatch(await page.innerText('main'), /delivered/, 'nothing of now is shown as of then')
  await page.unroute(/as_of=2$/)
  await head.getByText('creating').waitFor()
  const held = Promise.withResolvers<void>()
  await page.route(/as_of=3$/, (route) => held.promise.then(() => route.continue()))
  await slider.press('ArrowRight')
  await page.getByText('Showing version 2 while version 3 is loading').waitFor()
  t.notMatch(await head.innerText(), /creating|created|delivered/)
  held.resolve()
  await head.getByText('created', { exact: true }).waitFor()
  await page.reload()
  await page.getByLabel('API key').waitFor()
  t.equal(
    await page.getByText('creating').count(),
    0,
    'a key in memory is gone when it is loaded again',
  )
  t.same(troubles, [])
  await close()
})

t.test(
  'personal data and the label are shown only on request, and masked again on leaving',
  async (t) => {
    const created = await shop.create('personal', { scenario: 'happy_path' })
    const { recipient } = created.body
    const { page, enter, go, troubles, close } = await visit({ dark: true })
    await enter(shop.seeded.shopKey)
    await go(`/shipments/${created.body.id}`)
    const personal = page.getByRole('region', { name: 'Personal data' })
    await personal.getByText('masked').first().waitFor()
    t.notMatch(await page.innerText('body'), recipient.document)
    t.same(await violations(page), [])
    await personal.getByRole('button', { name: 'Show personal data' }).click()
    await personal.getByText(recipient.document).waitFor()

    await page.getByRole('button', { name: 'Show the label', exact: true }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save', exact: true }).click()
    const pdf = await readFile(await (await saved).path())
    t.equal(pdf.subarray(0, 5).toString(), '%PDF-')

    await go('/shipments')
    await page.getByRole('link', { name: 'personal', exact: true }).waitFor()
    await page.getByRole('link', { name: 'personal', exact: true }).click()
    await personal.getByText('masked').first().waitFor()
    t.equal(await page.getByRole('link', { name: 'Save', exact: true }).count(), 0)
    t.same(troubles, [])
    await close()
  },
)

t.test('search by id, guide number, reference or key works with the keyboard alone', async (t) => {
  const created = await shop.create('op_1001', { scenario: 'happy_path' })
  const { id, guide_number: guide } = created.body
  const { page, enter, close } = await visit({ width: 390 })
  await enter(shop.seeded.operatorKey)
  for (const text of [id, guide, 'op_1001']) {
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill(text)
    if (text === id) {
      await page.getByText('1 result').waitFor()
      await page.getByText(/^Ids and references match by prefix/).waitFor()
      t.same(await violations(page), [])
    }
    await page.keyboard.press('Enter')
    // The second and third search lead to the page that is already open.
    await page.getByRole('searchbox').waitFor({ state: 'detached' })
    await page.waitForURL(`**/console/shipments/${id}`)
    await page.getByRole('heading', { name: 'op_1001' }).waitFor()
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('shp_0000000000000000000000')
  await page.getByText('No matches').waitFor()
  await page.getByRole('searchbox').fill(created.body.workspace_id)
  await page.getByText('1 result').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'My first shop' }).waitFor()
  await close()
})

t.test('a wrong key does not sign in, and the page says why', async (t) => {
  const { page, close } = await visit()
  await page.goto(`${shop.url}/console`)
  await page.getByLabel('API key').fill('svc_test_nobody')
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('alert').waitFor()
  t.match(await page.getByRole('alert').innerText(), /not accepted/)
  t.equal(await page.getByRole('navigation').count(), 0)
  t.same(await violations(page), [])
  await close()
})

t.test('the key is kept in the tab only on request, and signing out removes it', async (t) => {
  const { page, enter, close } = await visit()
  const stored = () =>
    page.evaluate('JSON.stringify([localStorage.length, document.cookie, sessionStorage.length])')
  await enter(shop.seeded.operatorKey)
  t.equal(await stored(), '[0,"",0]', 'in memory only')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').fill(shop.seeded.operatorKey)
  await page.getByLabel(/Keep it until/).check()
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('navigation').waitFor()
  t.equal(await stored(), '[0,"",1]')
  await page.route('**/v1/key', (route) => route.fulfill({ status: 503, json: {} }))
  await page.reload()
  await page.getByRole('alert').waitFor()
  t.equal(await stored(), '[0,"",1]', 'a failing service does not count against the key')
  await page.getByRole('button', { name: 'Try again' }).press('Enter')
  t.match(await page.evaluate('document.activeElement.innerText'), /Try again/)
  await page.unroute('**/v1/key')
  await page.getByRole('navigation').waitFor()
  t.notMatch(page.url(), shop.seeded.operatorKey)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  t.equal(await stored(), '[0,"",0]')
  await close()
})

t.test("another organization's id and an unknown id show the same Not found page", async (t) => {
  const stranger = await createOrganization(shop.parts, { name: 'S', type: 'external' }, by)
  const shopKey = await keyOf({ organizationId: stranger.id })
  const other = await freshShop(apiClient(shop.url, { ...shop.seeded, shopKey }), 'strangers')
  const created = await other.create('foreign', { scenario: 'happy_path' })
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const shown: string[] = []
  for (const id of [created.body.id, 'shp_0000000000000000000000']) {
    await go(`/shipments/${id}`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    shown.push((await page.innerText('main')).replaceAll(id, ''))
    await go('/operations')
    await page.getByRole('heading', { name: 'Operations', exact: true }).waitFor()
  }
  t.equal(shown[0], shown[1])
  await close()
})

t.test('scopes decide what is offered, and the page names the scope a button needs', async (t) => {
  await shop.create('to-review', { scenario: 'duplicate_guides' })
  await shop.advance('PT1M')
  const key = await keyOf({ scopes: ['operations:read', 'shipments:read'] })
  const { page, enter, go, close } = await visit()
  await enter(key)
  await page.getByRole('link', { name: 'to-review' }).click()
  const resolve = page.getByRole('button', { name: 'Resolve…' })
  await resolve.waitFor()
  t.ok(await resolve.isDisabled())
  t.match(await page.innerText('main'), /does not have the operations:review scope/)
  await page.getByRole('link', { name: /^shp_/ }).click()
  await page.getByRole('region', { name: 'History' }).getByText('ledger:read').waitFor()
  await page.getByRole('region', { name: 'Webhooks' }).getByText('webhooks:read').waitFor()
  await go(`${new URL(page.url()).pathname.replace('/console', '')}?as_of=1`)
  await page.getByText('No scans at this version').waitFor()
  t.match(await page.getByRole('region', { name: 'Replay' }).innerText(), /\d\d:\d\d:\d\d/)
  t.same(await violations(page), [])
  await close()
})

t.test('live mode shows a different word and color from test mode', async (t) => {
  const colors: string[] = []
  for (const livemode of [true, false]) {
    const { page, enter, close } = await visit()
    await enter(await keyOf({ livemode }))
    await page.getByText(livemode ? 'LIVE' : 'TEST', { exact: true }).waitFor()
    await page
      .getByRole('heading', { name: 'No operations' })
      .or(page.getByText('to-review'))
      .first()
      .waitFor()
    colors.push(
      String(
        await page.evaluate('getComputedStyle(document.querySelector("header")).backgroundColor'),
      ),
    )
    await close()
  }
  t.not(colors[0], colors[1])
})

t.test('the console calls only its own origin and documented operations', async (t) => {
  t.ok(tested.requests.length > 20)
  t.same(unexpectedRequests(), [])
})
