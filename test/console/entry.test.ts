import t from 'tap'
import { consoleUnderTest, violations } from '../support/console.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, strangeRequests } = tested

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

t.test('a key is kept in this tab only where that was chosen, and leaving forgets everything', async (t) => {
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
})

t.test('a foreign id and one that never was are the same page: not found', async (t) => {
  const other = await tested.otherShop()
  const created = await other.create('foreign', { scenario: 'happy_path' })
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const shown: string[] = []
  for (const id of [created.body.id, 'shp_0000000000000000000000']) {
    await go(`/shipments/${id}`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    shown.push((await page.innerText('main')).replaceAll(id, ''))
    await go('/operations')
    await page.getByRole('heading', { name: 'Operations' }).waitFor()
  }
  t.equal(shown[0], shown[1])
  await close()
})
