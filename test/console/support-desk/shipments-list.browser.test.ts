import t from 'tap'
import { consoleUnderTest, violationsInBothThemes } from '../console.ts'

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)

t.test('shipments are filtered by tracking and days, with chips in the address', async (t) => {
  await shop.create('listed-1', { scenario: 'happy_path' })
  await shop.advance('P3D')
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/shipments?tracking=delivered')
  await page.getByRole('link', { name: 'listed-1' }).waitFor()
  const chips = page.getByRole('list', { name: 'Active filters' })
  await chips.getByRole('button', { name: 'Remove the filter Tracking: delivered' }).waitFor()
  await page.getByLabel('Tracking').selectOption('registered')
  await page.getByText('Names are encrypted and cannot be searched.').waitFor()
  await page.getByLabel('Tracking').selectOption('delivered')

  const created = page.locator('[data-name="Created"]').first()
  const day = (await created.innerText()).slice(0, 10)
  await page.getByLabel('Created from').fill(day)
  await page.getByLabel('Created to').fill(day)
  await page.waitForURL(`**/shipments?tracking=delivered&from=${day}&to=${day}`)
  await page.getByRole('link', { name: 'listed-1' }).waitFor()
  t.same(await violationsInBothThemes(page), [])

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Save these filters as').fill('Delivered today')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Created to').fill('2020-01-01')
  await page.getByText('No matching shipments.').waitFor()
  const remove = chips.getByRole('button', { name: 'Remove the filter Created to: 2020-01-01' })
  await remove.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'listed-1' }).waitFor()
  t.match(await page.evaluate('document.activeElement.innerText'), 'Clear filters')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/console/shipments')
  t.equal(await chips.count(), 0)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Delivered today' }).click()
  await page.waitForURL(`**/shipments?tracking=delivered&from=${day}&to=${day}`)
  await go('/shipments?from=soon&tracking=nowhere')
  await page.getByText('Something went wrong').waitFor()
  t.same(troubles, [])
  await close()
})

t.test('the days of a filter are those of the zone that the list shows', async (t) => {
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  const asked: string[] = []
  page.on('request', (request) => asked.push(decodeURIComponent(request.url())))
  await go('/shipments?from=2026-03-01&to=2026-03-01')
  await page.getByText('No matching shipments.').waitFor()
  const inLima = 'created_at[gte]=2026-03-01T05:00:00.000Z&created_at[lt]=2026-03-02T05:00:00.000Z'
  t.ok(asked.some((url) => url.includes(inLima)))
  await page.getByRole('button', { name: 'Times: local' }).click()
  const inUtc = 'created_at[gte]=2026-03-01T00:00:00.000Z&created_at[lt]=2026-03-02T00:00:00.000Z'
  await page.waitForResponse((response) => decodeURIComponent(response.url()).includes(inUtc))
  t.same(unexpectedRequests(), [])
  await close()
})
