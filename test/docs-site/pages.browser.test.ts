import type { Page } from 'playwright-core'
import t from 'tap'
import { consoleUnderTest, violationsInBothThemes } from '../console/console.ts'
import { overflowPx } from '../console/console-layout.ts'

const { shop, browser, visit, requests } = await consoleUnderTest(t)

t.test('pages are readable in both themes and on a phone, without serious findings', async (t) => {
  const { page, troubles, close } = await visit({ width: 390 })
  for (const path of ['', '/guides/webhooks', '/guides/quick-start', '/states', '/errors']) {
    await page.goto(`${shop.url}/docs${path}`)
    t.equal(await overflowPx(page), 0, path)
    if (!path.startsWith('/guides')) t.same(await violationsInBothThemes(page), [], path)
  }
  const diagram = page.getByRole('region', { name: 'Diagram' })
  await page.goto(`${shop.url}/docs/guides/what-to-do-with-a-409`)
  await diagram.getByRole('img', { name: 'Diagram: What to do with a 409' }).waitFor()
  t.equal(await overflowPx(page), 0, 'a diagram scrolls by itself')
  await page.getByRole('button', { name: 'Menu' }).click()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Idempotency' }).click()
  await page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor()
  await page.getByRole('link', { name: /^Next/ }).click()
  await page.getByRole('heading', { level: 1, name: 'What to do with a 409' }).waitFor()
  t.same(troubles, [])
  await close()
})

t.test('the search finds a reason, a section and an operation from the keyboard', async (t) => {
  const { page, troubles, close } = await visit()
  await page.goto(`${shop.url}/docs/errors`)
  const find = async (text: string, result: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByLabel('Search the documentation').fill(text)
    await page.getByRole('dialog').getByRole('link', { name: result }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    while (!(await focused(page)).match(result)) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await find('nothing_created', /^Errors: nothing_created/)
  await page.waitForURL('**/docs/errors#nothing_created')
  await find('missed events', /^Webhooks: Missed events/)
  await page.waitForURL('**/docs/guides/**')
  await find('createShipment', /POST \/v1\/shipments/)
  await page.waitForURL('**/docs/reference#**')
  await page.goto(`${shop.url}/docs/errors`)
  await page.getByRole('button', { name: 'Search' }).click()
  const search = page.getByRole('dialog')
  await search.getByLabel('Search the documentation').fill('rate limit')
  await search.getByRole('link').first().waitFor()
  t.same(await violationsInBothThemes(page, ['dialog']), [])
  await search.getByLabel('Search the documentation').fill('zzzzzzzz')
  await search.getByText('No results for “zzzzzzzz”.').waitFor()
  await page.keyboard.press('Escape')
  await search.waitFor({ state: 'hidden' })
  t.same(troubles, [])
  await close()
})

const focused = (page: Page) => page.evaluate('document.activeElement.innerText') as Promise<string>

t.test('the chosen theme stays from page to page, and code can be copied', async (t) => {
  const { page, troubles, close } = await visit()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${shop.url}/docs/guides/quick-start`)
  await page.getByLabel('Select theme').first().selectOption('dark')
  await page.goto(`${shop.url}/docs/guides/tracking`)
  await page.locator('html[data-theme="dark"]').waitFor()
  await page.goto(`${shop.url}/console`)
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await page.goto(`${shop.url}/docs/guides/quick-start`)
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), 'npm ci && npm start')
  t.same(troubles, [])
  await close()
})

t.test('no page violates its content security policy, in either theme', async (t) => {
  for (const dark of [false, true]) {
    const { page, troubles, close } = await visit({ dark })
    await page.addInitScript(`window.refused = []
      addEventListener('securitypolicyviolation', ({ violatedDirective, sample, sourceFile }) =>
        refused.push([violatedDirective, sample, sourceFile].join(' ')))`)
    const paths = ['', '/guides/quick-start', '/guides/what-to-do-with-a-409', '/architecture']
    for (const path of [...paths, '/errors', '/no-such-page', '/reference']) {
      await page.goto(`${shop.url}/docs${path}`)
      if (path === '/reference') await page.getByText('Create a shipment').nth(1).waitFor()
      await page.getByRole('button', { name: 'Search' }).click()
      await page.getByLabel('Search the documentation').fill('webhook')
      await page.getByRole('dialog').getByRole('link').first().waitFor()
      t.same(await page.evaluate('window.refused'), [], path)
    }
    t.same(troubles, [])
    await close()
  }
})

t.test('a page can be read and left without JavaScript', async (t) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${shop.url}/docs/guides/idempotency`)
  t.match(await page.locator('main').innerText(), 'Idempotency-Key')
  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  await context.close()
})

t.test('the site asks no other host for anything', async (t) => {
  t.ok(requests.length > 20)
  t.same(
    requests.filter((request) => new URL(request.split(' ')[1] ?? '').origin !== shop.url),
    [],
  )
})
