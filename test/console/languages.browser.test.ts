import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { createClient } from '../../src/client/create-client.ts'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { eventually } from '../support/eventually.ts'
import { projectRoot } from '../support/source-files.ts'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'
import { overflowPx } from './console-layout.ts'

const tested = await consoleUnderTest(t)
const { shop, visit, unexpectedRequests } = tested
const spanish: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(projectRoot, 'src', 'console', 'languages', 'es.json'), 'utf8'),
)
const english = new Set(Object.keys(spanish).filter((text) => spanish[text] !== text))
/** Words that stand in almost every English sentence, and in no Spanish one. */
const isEnglish = /\b(the|of|and|is|are|was|not|with|for|has|this|that|yet|been|from|could)\b/i
/** What a person reads or hears, except ids, codes, JSON, and what is marked as English. */
const readTexts = `(() => {
  const skipped = '[lang="en"], code, pre, bdi, time, option, script, .json-view, .copyable'
  const texts = []
  for (const each of document.body.querySelectorAll('*')) {
    if (each.closest(skipped) !== null || each.checkVisibility() === false) continue
    for (const name of ['aria-label', 'placeholder']) texts.push(each.getAttribute(name) ?? '')
    for (const node of each.childNodes) if (node.nodeType === 3) texts.push(node.data)
  }
  return [...new Set(texts.map((text) => text.replace(/\\s+/g, ' ').trim()))].filter((text) => !text.startsWith('/v1/'))
})()`

async function textsIn(page: Page): Promise<readonly string[]> {
  await page.locator('.state.loading').first().waitFor({ state: 'detached' })
  return (await page.evaluate(readTexts)) as readonly string[]
}

/** The texts of the page that a person who reads only Spanish would not understand. */
async function englishIn(page: Page): Promise<readonly string[]> {
  return (await textsIn(page)).filter((text) => english.has(text) || isEnglish.test(text))
}

t.test(
  'the browser chooses the language, and the menu changes it within the session',
  async (t) => {
    const { page, enter, troubles, close } = await visit({ locale: 'es-PE' })
    await page.goto(`${shop.url}/console`)
    await page.getByRole('button', { name: 'Entrar' }).waitFor()
    t.equal(await page.locator('html').getAttribute('lang'), 'es')
    t.match(await page.title(), /^Iniciar sesión · /)
    t.same(await englishIn(page), [])
    await page.getByLabel('Clave de API').fill('not a key')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.getByText('Esto no es una clave de API.').waitFor()

    await enter(shop.seeded.operatorKey)
    const language = page.getByLabel('Language · Idioma')
    await page.getByRole('link', { name: 'Envíos' }).click()
    await page.getByRole('heading', { name: 'Envíos', level: 1 }).waitFor()
    await language.selectOption({ label: 'English' })
    await page.getByRole('heading', { name: 'Shipments', level: 1 }).waitFor()
    t.equal(await page.locator('html').getAttribute('lang'), 'en')
    t.match(await page.title(), /^Shipments · /)
    await page.reload()
    await page.getByLabel('API key').waitFor()
    t.same(await violationsInBothThemes(page), [])
    await enter(shop.seeded.operatorKey)
    await language.selectOption({ label: 'Español' })
    await page.getByRole('heading', { name: 'Inicio', level: 1 }).waitFor()
    t.same(troubles, [])
    await close()
  },
)

/** Shipments, operations, an invoice and a batch, in the states that people work on. */
async function aDay() {
  const { client, seeded } = shop
  for (const [order, scenario] of [
    ['pedido-1', 'happy_path'],
    ['pedido-2', 'lost_response_human_review'],
    ['pedido-3', 'duplicate_guides'],
    ['pedido-4', 'delivery_exception'],
    ['pedido-5', 'courier_rejected'],
  ] as const) {
    await shop.create(order, { scenario })
  }
  await shop.advance('P2D')
  const operator = createClient({ baseUrl: shop.url, apiKey: seeded.operatorKey })
  const shipments = await client.shipments.list({ status: 'created' })
  const lines = [shipments.data[0]?.guide_number, '100000000009'].map((guide) => ({
    guide_number: guide ?? '',
    amount: 99_00,
    currency: 'PEN',
  }))
  const { id: invoice } = await operator.courierInvoices.create({
    courier_connection_id: seeded.connectionId,
    reference: 'F001-1',
    lines,
  })
  const heavy = exampleShipmentRequest('pedido-7', seeded)
  const { id: batch } = await client.batches.create({
    external_reference: 'lote-1',
    items: [
      exampleShipmentRequest('pedido-6', seeded),
      { ...heavy, package: { ...heavy.package, weight_kg: 900 } },
    ],
  })
  await eventually(
    () => operator.courierInvoices.get({ id: invoice }),
    ({ status }) => status === 'compared',
  )
  await eventually(
    () => client.batches.get({ id: batch }),
    ({ ended_at }) => ended_at !== null,
  )
  const operations = await client.operations.list({ limit: 10 })
  return { invoice, batch, operations: operations.data, shipments: shipments.data }
}

t.test('no screen has English on it when a person reads Spanish', async (t) => {
  const { invoice, batch, operations, shipments } = await aDay()
  const { page, enter, go, troubles, close } = await visit({ locale: 'es-PE' })
  await enter(shop.seeded.operatorKey)
  const { workspaceId, connectionId } = shop.seeded
  const paths = [
    '/',
    '/operations',
    ...operations.map(({ id }) => `/operations/${id}`),
    '/shipments?status=created&tracking_status=in_transit',
    ...shipments.map(({ id }) => `/shipments/${id}`),
    '/batches',
    '/batches/new',
    `/batches/${batch}`,
    '/courier-invoices',
    '/courier-invoices/new',
    `/courier-invoices/${invoice}`,
    `/courier-invoices/${invoice}/lines?line=1`,
    `/courier-invoices/${invoice}/lines?line=2`,
    `/courier-invoices/${invoice}/not-billed`,
    '/webhooks',
    '/deliveries',
    '/sandbox',
    '/workspaces',
    `/workspaces/${workspaceId}`,
    '/connections',
    `/connections/${connectionId}`,
    '/keys',
    '/operators',
    '/requests',
    '/health',
    '/usage',
    '/objects/shp_0000000000000000000000',
  ]
  for (const path of paths) {
    await go(path)
    await page.locator('#screen h1').first().waitFor()
    t.same(await englishIn(page), [], path)
    t.equal(await overflowPx(page), 0, `${path} is not wider than the window`)
  }
  await page.setViewportSize({ width: 390, height: 900 })
  for (const path of paths) {
    await go(path)
    await page.locator('#screen h1').first().waitFor()
    t.equal(await overflowPx(page), 0, `${path} is not wider than a phone`)
  }
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})
