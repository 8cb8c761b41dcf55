import t from 'tap'
import { consoleUnderTest, violationsInBothThemes } from '../console/console.ts'

const { shop, visit, requests } = await consoleUnderTest(t)

t.test('the reference is drawn under the strict policy, in our name and both themes', async (t) => {
  const { page, troubles, close } = await visit()
  await page.goto(`${shop.url}/docs/reference#tag/shipments/createShipment`)
  const create = page.locator('[id="v1/tag/shipments/createShipment"]')
  await create.waitFor()
  t.match(await create.innerText(), 'Idempotency-Key')
  const sample = create.getByRole('button', { name: 'curl' })
  await sample.click()
  t.same(await page.getByRole('option').allInnerTexts(), ['curl', 'Node.js', 'Python', 'PHP'])
  await page.getByRole('option', { name: 'Python' }).click()
  await create.getByText('urlopen').first().waitFor()
  t.same(await violationsInBothThemes(page), [])
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`body.${colorScheme}-mode`).waitFor()
  }
  const text = String(await page.evaluate('document.body.innerText'))
  t.notMatch(text, /scalar|powered by|ask ai|mcp|test request/i)
  t.same(await page.locator('a[href^="http"]:visible').count(), 0, 'no link leaves the service')
  t.same(troubles, [])
  await close()
})

t.test('the reference fits a phone', async (t) => {
  const { page, troubles, close } = await visit({ width: 390, dark: true })
  await page.goto(`${shop.url}/docs/reference`)
  await page.getByRole('heading', { level: 1, name: 'shipping-ledger' }).waitFor()
  const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  t.equal(await page.evaluate(widths), 0)
  t.same(troubles, [])
  await close()
  t.same(
    requests.filter((request) => new URL(request.split(' ')[1] ?? '').origin !== shop.url),
    [],
    'the reference asks no other host for anything',
  )
})
