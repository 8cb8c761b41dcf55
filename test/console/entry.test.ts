import t from 'tap'
import { consoleUnderTest, violations } from '../support/console.ts'

t.test('a visitor enters with a key, sees the operations, and leaves nothing behind', async (t) => {
  const { shop, visit, strangeRequests } = await consoleUnderTest(t)
  await shop.create('stuck-1', { scenario: 'lost_response_human_review' })
  const { page, enter, troubles } = await visit()
  await enter(shop.seeded.operatorKey)
  t.ok(await page.getByText('TEST', { exact: true }).isVisible())
  await page.getByRole('link', { name: 'stuck-1' }).waitFor()
  t.same(await violations(page), [])
  t.same(troubles, [])
  t.same(strangeRequests(), [])
})
