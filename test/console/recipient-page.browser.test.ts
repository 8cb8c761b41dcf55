import t from 'tap'
import { service } from '../support/service.ts'
import { launchBrowser } from './browser.ts'
import { consoleUnderTest, violations } from './console.ts'

const sizes = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
] as const

t.test(
  "a recipient's page is readable on any screen, in both languages, without a script",
  async (t) => {
    const shop = await service(t)
    const { browser } = await launchBrowser()
    t.teardown(() => browser.close())
    const page = { shop_name: 'Librería Los Andes', support_url: 'tel:+5115551234' }
    const made = [
      await shop.create('a'),
      await shop.create('b', { scenario: 'delivery_exception' }),
    ]
    await shop.advance('PT20H')
    const links = made.map(({ body }) => shop.url + new URL(body.tracking_url).pathname)
    for (const accent of ['#1f6f54', '#ffd400', '#7a7a7a']) {
      await shop.call(`/v1/workspaces/${shop.seeded.workspaceId}`, {
        method: 'PATCH',
        body: { tracking_page: { ...page, accent } },
      })
      // Each color is shown on a link of its own, because a page is kept for a minute.
      const { body } = await shop.create(`shown-in-${accent.slice(1)}`)
      links.push(shop.url + new URL(body.tracking_url).pathname)
    }
    links.push(`${shop.url}/t/no-such-link`)
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const locale of ['es-PE', 'en-GB']) {
        for (const viewport of sizes) {
          const context = await browser.newContext({ viewport, colorScheme, locale })
          const requests: string[] = []
          const troubles: string[] = []
          context.on('request', (request) => requests.push(request.url()))
          const tab = await context.newPage()
          tab.on('console', (message) => troubles.push(message.text()))
          for (const link of links) {
            const what = `${link.slice(-6)} ${colorScheme} ${locale} ${viewport.width}`
            await tab.goto(link)
            t.equal(await tab.locator('html').getAttribute('lang'), locale.slice(0, 2), what)
            t.equal(await tab.locator('h1').count(), 1, what)
            const wide = await tab.evaluate('document.documentElement.scrollWidth - innerWidth')
            t.equal(wide, 0, `${what} does not scroll sideways`)
            t.strictSame(await violations(tab), [], what)
          }
          const ours = requests.filter((url) => !url.endsWith('/favicon.ico'))
          t.strictSame(ours, links, 'nothing but the pages was loaded')
          t.strictSame(
            troubles.filter((text) => !text.startsWith('Failed to load resource')),
            [],
          )
          await context.close()
        }
      }
    }
  },
)

t.test(
  "a recipient's page works in a browser without scripts, and changes its language",
  async (t) => {
    const shop = await service(t)
    const { browser } = await launchBrowser()
    t.teardown(() => browser.close())
    const { body } = await shop.create('plain')
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'es-PE' })
    const page = await context.newPage()
    await page.goto(shop.url + new URL(body.tracking_url).pathname)
    t.equal(await page.locator('h1').textContent(), 'La tienda registró su envío')
    await page.getByRole('link', { name: 'English' }).click()
    t.equal(await page.locator('h1').textContent(), 'The shop registered your shipment')
    await page.getByRole('link', { name: 'Español' }).click()
    t.equal(await page.locator('h1').textContent(), 'La tienda registró su envío')
  },
)

t.test('a shop copies, opens and replaces the link of a shipment', async (t) => {
  const own = await consoleUnderTest(t)
  const { body } = await own.shop.create('order-77')
  const visit = await own.visit()
  await visit.enter(await own.keyOf({}))
  await visit.go(`/shipments/${body.id}`)
  const { page } = visit
  await page.getByText(body.tracking_url).waitFor()
  t.equal(
    await page.getByRole('link', { name: 'Open the page' }).getAttribute('href'),
    body.tracking_url,
  )
  await page.getByRole('button', { name: 'Replace the link…' }).click()
  t.strictSame(await violations(page), [])
  await page.getByRole('button', { name: 'Replace it' }).click()
  await page.getByText(body.tracking_url).waitFor({ state: 'detached' })
  const now = (await own.shop.call(`/v1/shipments/${body.id}`)).body.tracking_url
  await page.getByText(now).waitFor()
  t.strictSame(visit.troubles, [])
})

t.test('a shop sets up the page of its workspace', async (t) => {
  const own = await consoleUnderTest(t)
  const { workspaceId } = own.shop.seeded
  const visit = await own.visit({ width: 390 })
  await visit.enter(await own.keyOf({}))
  await visit.go(`/workspaces/${workspaceId}`)
  const { page } = visit
  await page.getByRole('button', { name: "Recipient's page…" }).click()
  await page.getByLabel("Shop's name on the page").fill('Librería Los Andes')
  await page.getByLabel('Color').fill('green')
  t.strictSame(await violations(page), [])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/color like #1f6f54/).waitFor()
  await page.getByLabel('Color').fill('#1f6f54')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('shows the shop as “Librería Los Andes”').waitFor()
  const saved = (await own.shop.call(`/v1/workspaces/${workspaceId}`)).body.tracking_page
  t.match(saved, { enabled: true, shop_name: 'Librería Los Andes', accent: '#1f6f54' })
  t.strictSame(visit.troubles, [])
})
