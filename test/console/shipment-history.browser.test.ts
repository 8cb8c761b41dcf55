import t from 'tap'
import { consoleUnderTest, violations } from './console.ts'
import { styleOf } from './console-layout.ts'

const { shop, visit } = await consoleUnderTest(t)

t.test('events after the viewed version are dimmed, not struck out', async (t) => {
  const { body } = await shop.create('dimmed', { scenario: 'happy_path' })
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go(`/shipments/${body.id}?as_of=1`)
  await page.getByText('GuideIssued').waitFor()
  const known = '.history li[data-later=false] .event-type'
  const later = '.history li[data-later=true] .event-type'
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    t.not(await styleOf(page, later, 'color'), await styleOf(page, known, 'color'))
    t.equal(await styleOf(page, later, 'text-decoration-line'), 'none')
    t.same(await violations(page), [])
  }
  await close()
})
