import t from 'tap'
import { consoleUnderTest, violationsInBothThemes } from '../console/console.ts'

const { shop, visit, requests } = await consoleUnderTest(t)

t.test('the reference is drawn under the strict policy, in our name and both themes', async (t) => {
  const { page, troubles, close } = await visit()
  await page.goto(`${shop.url}/docs/reference#tag/shipments/createShipment`)
  const section = '[id="v1/tag/shipments/createShipment"]'
  const create = page.locator(section)
  await create.waitFor()
  t.match(await create.innerText(), 'Idempotency-Key')
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  t.equal(
    await sidebar.locator('[aria-current="page"]').innerText(),
    'Create a shipment: one key, one guide',
  )
  await create.getByRole('button', { name: 'curl' }).click()
  t.same(await page.getByRole('listbox').getByRole('option').allInnerTexts(), [
    'curl',
    'Node.js',
    'Python',
    'PHP',
  ])
  await page.getByRole('option', { name: 'Python' }).click()
  await create.getByText('urlopen').first().waitFor()
  t.same(await violationsInBothThemes(page, ['.header', '#starlight__sidebar', section]), [])
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`body.${colorScheme}-mode`).waitFor()
  }
  const text = String(await page.evaluate('document.body.innerText'))
  t.notMatch(text, /scalar|powered by|ask ai|mcp|test request/i)
  t.same(await page.locator('a[href^="http"]:visible').count(), 0, 'no link leaves the service')

  await page.setViewportSize({ width: 390, height: 900 })
  const root = 'document.documentElement'
  t.equal(await page.evaluate(`${root}.scrollWidth - ${root}.clientWidth`), 0, 'it fits a phone')
  await page.getByRole('button', { name: 'Menu' }).click()
  await sidebar.getByRole('link', { name: 'Cancel a batch' }).click()
  await page.locator('[id="v1/tag/batches/cancelBatch"]').waitFor()
  await page.waitForURL('**/docs/reference#tag/batches/cancelBatch')
  await sidebar.waitFor({ state: 'hidden' })
  t.same(troubles, [])
  await close()
  t.same(
    requests.filter((request) => new URL(request.split(' ')[1] ?? '').origin !== shop.url),
    [],
    'the reference asks no other host for anything',
  )
})
