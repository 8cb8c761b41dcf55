import t from 'tap'
import { createOrganization } from '../../src/security/organizations.ts'
import { apiClient, freshShop } from '../support/api-client.ts'
import { consoleUnderTest, violations } from '../support/console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, keyOf, strangeRequests } = tested
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

t.test('a wrong key opens nothing, and the page says why', async (t) => {
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

t.test(
  'a key is kept in this tab only where that was chosen, and leaving forgets everything',
  async (t) => {
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
    await page.reload()
    await page.getByRole('navigation').waitFor()
    t.notMatch(page.url(), shop.seeded.operatorKey)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    t.equal(await stored(), '[0,"",0]')
    await close()
  },
)

t.test('a foreign id and one that never was are the same page: not found', async (t) => {
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

t.test(
  'scopes decide what is offered, and a disabled button says which one is missing',
  async (t) => {
    await shop.create('to-review', { scenario: 'duplicate_guides' })
    await shop.advance('PT1M')
    const key = await keyOf({ scopes: ['operations:read', 'shipments:read'] })
    const { page, enter, close } = await visit()
    await enter(key)
    await page.getByRole('link', { name: 'to-review' }).click()
    const resolve = page.getByRole('button', { name: 'Resolve…' })
    await resolve.waitFor()
    t.ok(await resolve.isDisabled())
    t.match(await page.innerText('main'), /has not the scope operations:review/)
    await page.getByRole('link', { name: /^shp_/ }).click()
    await page.getByRole('region', { name: 'History' }).getByText('ledger:read').waitFor()
    await page.getByRole('region', { name: 'Webhooks' }).getByText('webhooks:read').waitFor()
    t.same(await violations(page), [])
    await close()
  },
)

t.test('live mode has another word and another colour than test mode', async (t) => {
  const colours: string[] = []
  for (const livemode of [true, false]) {
    const { page, enter, close } = await visit()
    await enter(await keyOf({ livemode }))
    await page.getByText(livemode ? 'LIVE' : 'TEST', { exact: true }).waitFor()
    await page.getByText('No operations').or(page.getByText('to-review')).first().waitFor()
    colours.push(
      String(
        await page.evaluate('getComputedStyle(document.querySelector("header")).backgroundColor'),
      ),
    )
    t.same(await violations(page), [])
    await close()
  }
  t.not(colours[0], colours[1])
})

t.test('entering and looking around asks this service only, as its document says', async (t) => {
  t.ok(tested.requests.length > 20)
  t.same(strangeRequests(), [])
})
