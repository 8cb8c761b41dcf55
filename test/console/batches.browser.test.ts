import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { eventually } from '../support/eventually.ts'
import { readPdf } from '../support/read-pdf.ts'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'
import { overflowPx } from './console-layout.ts'

const { shop, visit, keyOf, unexpectedRequests } = await consoleUnderTest(t)
const { origin, destination, package: parcel } = exampleShipmentRequest('any', shop.seeded)

const names = [
  ...['Pedido', 'Agencia origen', 'Agencia destino', 'Producto', 'Cantidad', 'Peso (kg)'],
  ...['Alto', 'Largo', 'Ancho', 'Contenido', 'Tipo de documento', 'DNI', 'Nombres', 'Apellidos'],
  ...['metadata.sandbox_scenario', 'Notas'],
]

type Cells = { readonly weight?: string; readonly document?: string; readonly scenario?: string }

/** A line as a clerk keeps it: semicolons and decimal commas. */
function lineOf(reference: string, { weight = '0,8', document, scenario = '' }: Cells = {}) {
  const ids = [origin.agency_id, destination.agency_id, parcel.product_id]
  const sizes = ['0,05', '0,2', '0,15']
  const person = ['DNI', document ?? '45678912', 'Iñés', 'Núñez']
  return [reference, ...ids, '1', weight, ...sizes, 'Libros', ...person, scenario, 'call first']
}

function csvOf(lines: readonly (readonly string[])[]): Buffer {
  return Buffer.from([names, ...lines].map((cells) => `${cells.join(';')}\r\n`).join(''))
}

async function choose(page: Page, name: string, buffer: Buffer) {
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer })
}

/** What no line of the file says. */
async function fillIn(page: Page) {
  await page.getByLabel('service_mode of every line').selectOption('terrestrial')
  await page.getByLabel('payer of every line').selectOption('sender')
}

async function saved(page: Page, press: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent('download')
  await press()
  return await readFile(await (await download).path(), 'utf8')
}

t.test('faults are seen before anything is created, and the good lines are sent', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/batches')
  await page.getByText('A batch creates many shipments').waitFor()
  await page.getByRole('button', { name: 'New batch' }).click()
  await page.getByRole('heading', { level: 1, name: 'New batch' }).waitFor()
  const template = await saved(page, () => page.getByRole('button', { name: 'Template' }).click())
  t.match(template, /^\ufeffexternal_reference,origin_agency,destination_agency,product,/)

  await choose(page, 'orders.xlsx', Buffer.from('PK\x03\x04'))
  await page.getByRole('alert').getByText('The file is a workbook').waitFor()
  const file = csvOf([
    lineOf('good-1'),
    lineOf('heavy', { weight: 'two kilos' }),
    [],
    lineOf('short', { document: '4567891' }),
    lineOf('good-1'),
    lineOf('=cmd', { scenario: 'courier_rejected' }),
  ])
  await choose(page, 'orders.csv', file)
  await page.getByText('orders.csv: 5 lines, 16 columns.').waitFor()
  await page.getByText('2 columns are missing: service_mode, payer.').waitFor()
  await page.getByText('Not sent: Notas.').waitFor()
  await fillIn(page)
  await page.getByText('3 lines are wrong, and 2 are good.').waitFor()
  const wrong = page.getByRole('region', { name: 'What is wrong' }).locator('tbody tr')
  t.same(
    (await wrong.allInnerTexts()).map((row) => row.split('\t')),
    [
      ['3', 'weight_kg', 'It must be a number, without other characters.'],
      ['5', 'document', 'A DNI has 8 digits.'],
      [
        '6',
        'external_reference',
        'Line 2 has the same reference. For another parcel of the same order, give this line an idempotency_key of its own, and leave line 2 as it is.',
      ],
    ],
  )
  t.match(await page.getByLabel('Reference', { exact: true }).inputValue(), /^orders \d{4}-/)
  t.same(await violationsInBothThemes(page), [])
  await page.getByLabel('Reference', { exact: true }).fill('orders of Monday')

  // The service makes the batch, but its first two answers are lost.
  let lost = 0
  await page.route('**/v1/batches?*', async (route) => {
    if (route.request().method() !== 'POST' || ++lost > 2) return await route.fallback()
    await route.fetch()
    await route.abort()
  })
  const send = page.getByRole('button', { name: 'Create 2 shipments of the good lines' })
  await send.dblclick()
  await page.getByRole('alert').getByText('The connection was lost').waitFor()
  t.equal(lost, 2, 'the click and its repeat by the client, not the second click')
  await send.click()
  await page.getByRole('heading', { level: 1, name: 'orders of Monday' }).waitFor()
  const { body: batches } = await shop.call('/v1/batches?external_reference=orders+of+Monday')
  t.equal(batches.data.length, 1, 'one batch')

  await page.getByRole('button', { name: /^created 1/ }).waitFor()
  await page.getByText('completed', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Reasons' }).getByText('courier rejected').waitFor()
  await page.getByRole('button', { name: /^rejected 1/ }).click()
  const row = page.locator('.table-row')
  await page.getByText('1 line', { exact: true }).waitFor()
  t.match(await row.innerText(), /^7\s+=cmd\s+rejected\s+shp_/, 'its row in the file')
  t.same(await violationsInBothThemes(page), [])
  await row.getByRole('button').click()
  await page
    .getByRole('dialog')
    .getByText(/^Line 7: /)
    .waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Retry what failed…' }).click()
  const dialog = page.getByRole('dialog')
  t.same(await violationsInBothThemes(page), [])
  const failed = await saved(page, () => dialog.getByText('Save the list as CSV').click())
  t.match(failed, "\r\n7,'=cmd,rejected,courier_rejected,,", 'no formula')
  await dialog.getByRole('button', { name: 'Send the file again' }).click()
  await choose(page, 'orders.csv', csvOf([lineOf('good-1'), lineOf('=cmd')]))
  // The columns are mapped as they were the first time.
  await page.getByText('Nothing is wrong in the 2 lines').waitFor()
  t.equal(await page.getByLabel('Reference', { exact: true }).inputValue(), 'orders of Monday')
  await page.getByLabel('Reference', { exact: true }).fill('orders of Tuesday')
  await page.getByText('Order good-1 has a guide already.').waitFor()
  await page.getByLabel('Reference', { exact: true }).fill('orders of Monday')
  await page.getByText('was sent before. Its orders that have a guide are found').waitFor()
  const guides = shop.record.callCount('createGuide')
  await page.getByRole('button', { name: 'Create 2 shipments' }).click()
  await page.getByRole('button', { name: /^created 2/ }).waitFor()
  t.equal(shop.record.callCount('createGuide'), guides + 1, 'only what failed was made')

  const papers = page.getByRole('region', { name: 'Papers' })
  await papers.getByLabel('From line').fill('3')
  await papers.getByRole('button', { name: 'Print hand-over list' }).click()
  const list = page.waitForEvent('download')
  await papers.getByRole('link', { name: 'Save it' }).click()
  t.match((await list).suggestedFilename(), /^bat_\w+-hand-over-3-end\.pdf$/)
  const pages = readPdf(await readFile(await (await list).path()))
  t.match(pages.map(({ text }) => text).join(' '), '=cmd')
  t.notMatch(pages.map(({ text }) => text).join(' '), 'good-1')
  await papers.getByRole('button', { name: 'Print labels, A6' }).click()
  await papers.getByText(/-labels-3-end\.pdf/).waitFor()
  t.same(await violationsInBothThemes(page), [])

  await go('/batches')
  await page.getByText('2 batches', { exact: true }).waitFor()
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})

t.test('an order is not shipped again because a spreadsheet changed it', async (t) => {
  const items = ['00071', '00072', '00073'].map((order) => ({
    ...exampleShipmentRequest(order, shop.seeded),
    ...(order === '00073' && {
      metadata: { sandbox_scenario: 'lost_response_human_review' },
    }),
  }))
  const batch = await shop.client.batches.create({ external_reference: 'Zeros', items })
  await eventually(
    () => shop.client.batches.get({ id: batch.id }),
    ({ ended_at }) => ended_at !== null,
  )
  const { page, enter, go, troubles, close } = await visit({ width: 390 })
  await enter(shop.seeded.operatorKey)
  await go('/batches/new')
  await choose(page, 'zeros.csv', csvOf([lineOf('71'), lineOf('72'), lineOf('new')]))
  await fillIn(page)
  const reference = page.getByLabel('Reference', { exact: true })
  await reference.fill('Zeros')
  await page.getByText('2 orders were sent under this reference before').waitFor()
  await page.getByText('Line 2: 71 was sent as 00071').waitFor()
  const send = page.getByRole('button', { name: /^Create 3 shipments/ })
  t.equal(await send.getAttribute('aria-disabled'), 'true')
  await page.getByText('Confirm first that these are other parcels.').waitFor()
  t.same(await violationsInBothThemes(page), [])
  t.equal(await overflowPx(page), 0)
  const sure = page.getByRole('checkbox', { name: /^These are other parcels/ })
  await sure.check()
  t.equal(await send.getAttribute('aria-disabled'), null)

  await choose(page, 'zeros.csv', csvOf([lineOf('00071'), lineOf('00073')]))
  await page.getByText('was sent before. Its orders that have a guide are found').waitFor()
  t.equal(await sure.count(), 0)

  const added = ['a', 'b', 'c', 'd', 'e', 'f'].map((order) => lineOf(`added-${order}`))
  await choose(page, 'zeros.csv', csvOf([...added, lineOf('00073')]))
  await reference.fill('Zeros of today')
  await page.getByText('Order 00073 may have a guide already.').waitFor()
  t.equal(await sure.isChecked(), false)
  t.same(troubles, [])
  await close()
})

t.test('a batch is found, watched and cancelled on a phone', async (t) => {
  const items = Array.from({ length: 1_000 }, (_, n) => ({
    ...exampleShipmentRequest(`slow-${n}`, shop.seeded),
    metadata: { sandbox_scenario: 'slow_success' },
  }))
  const batch = await shop.client.batches.create({ external_reference: 'Slow night', items })
  const { page, enter, go, troubles, close } = await visit({ width: 390, dark: true })
  await enter(shop.seeded.operatorKey)
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('Slow ni')
  await page.getByText('1 result').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Slow night' }).waitFor()
  await page.getByRole('button', { name: /^waiting [1-9]/ }).waitFor()
  t.equal(await overflowPx(page), 0)
  await page.getByRole('button', { name: 'Cancel what has not begun…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No guide is cancelled').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Cancel it' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('cancelled', { exact: true }).first().waitFor()
  const left = page.getByRole('button', { name: /^not begun [1-9]/ })
  await left.focus()
  await page.keyboard.press('Space')
  await page.locator('.table-row').first().getByText('not begun').waitFor()
  t.equal(await left.getAttribute('aria-pressed'), 'true')
  t.same(await violationsInBothThemes(page), [])
  t.equal(await overflowPx(page), 0)

  await page.route('**/v1/**', (route) => route.abort())
  const isOld = page.getByText(/^Not up to date since/)
  await isOld.waitFor()
  await page.unroute('**/v1/**')
  await isOld.waitFor({ state: 'detached' })
  await go('/batches/new')
  await page.getByLabel('Or paste from a spreadsheet').fill('external_reference\tDNI\n1\t2\n')
  await page.getByText('Pasted: 1 line, 2 columns.').waitFor()
  t.equal(await overflowPx(page), 0)
  t.same(await violationsInBothThemes(page), [])
  await eventually(
    () => shop.client.batches.get({ id: batch.id }),
    ({ ended_at }) => ended_at !== null,
  )
  t.same(troubles, [])
  await close()
})

t.test('a key without the scopes sees what it may, and why not the rest', async (t) => {
  const { page, enter, go, troubles, close } = await visit()
  await enter(await keyOf({ scopes: ['shipments:read'] }))
  await go('/batches')
  await page.getByText('This key does not have the scope shipments:write.').waitFor()
  await go('/batches/new')
  await page.getByText('This key may not read this').waitFor()
  await go('/batches/bat_0aB1cD2eF3gH4iJ5kL6mN7')
  await page.getByText('This key cannot see anything with this id').waitFor()
  t.same(troubles, [])
  await close()
})

const clerksNames = [
  ...['Pedido', 'Agencia de origen', 'Agencia de destino', 'Producto', 'Cantidad', 'Peso (kg)'],
  ...['Alto (m)', 'Largo (m)', 'Ancho (m)', 'Servicio', 'Quién paga', 'Contenido'],
  ...['Tipo de documento', 'Nro. documento', 'Nombres', 'Apellidos'],
]

function clerksLine(reference: string, destination: string, origin = 'Agencia Lima Norte') {
  return [
    ...[reference, origin, destination, 'box xxs', '1', '0,8', '0,05', '0,2', '0,15'],
    ...['Terrestre', 'REMITENTE', 'Libros', 'd.n.i.', '45678912', 'Iñés', 'Núñez'],
  ]
}

/** The file of a clerk, who has names and Spanish words. */
async function chooseNamed(page: Page, lines: readonly (readonly string[])[]) {
  const text = [clerksNames, ...lines].map((cells) => `${cells.join(';')}\r\n`).join('')
  await choose(page, 'orders.csv', Buffer.from(text))
}

t.test('names are looked up once, and a choice holds for every line with the name', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ width: 390 })
  const searches: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/v1/agencies') searches.push(searchParams.get('search') ?? '')
  })
  await enter(shop.seeded.operatorKey)
  await go('/batches/new')
  await chooseNamed(page, [
    clerksLine('a', 'Agencia Jaén'),
    clerksLine('b', 'Agencia Miraflores'),
    clerksLine('c', 'AGENCIA MIRAFLORES'),
    clerksLine('d', 'Agencia Mirafloris'),
    clerksLine('e', 'Agencia Jaén', 'Kiosco Arequipa'),
    clerksLine('f', 'Xyz'),
  ])
  await page.getByText('5 lines are wrong, and one is good.').waitFor()
  t.same(searches.toSorted(), [
    'agen mira',
    'agencia jaen',
    'agencia lima norte',
    'agencia miraflores',
    'agencia mirafloris',
    'kios areq',
    'kiosco arequipa',
    'xyz',
  ])
  const wrong = page.getByRole('region', { name: 'What is wrong' }).locator('tbody tr')
  const several = 'Several agencies have this name. Choose one above, or correct the file.'
  const none = 'The courier has no agency of this name.'
  t.same(
    (await wrong.allInnerTexts()).map((row) => row.split('\t')),
    [
      ['3', 'destination_agency', several],
      ['4', 'destination_agency', several],
      ['5', 'destination_agency', `${none} Choose one above, or correct the file.`],
      ['6', 'origin_agency', 'The agency does not offer drop_off. Correct the file.'],
      ['7', 'destination_agency', `${none} Correct the file.`],
    ],
  )
  t.same(await violationsInBothThemes(page), [])
  t.equal(await overflowPx(page), 0)

  const arequipa = 'Agencia Miraflores · Miraflores, Arequipa'
  await page.getByLabel('destination_agency: Agencia Miraflores').selectOption({ label: arequipa })
  await page.getByText('3 lines are wrong, and 3 are good.').waitFor()
  await page
    .getByLabel('destination_agency: Agencia Mirafloris')
    .selectOption({ label: 'Agencia Miraflores · Miraflores, Lima' })
  await page.getByText('2 lines are wrong, and 4 are good.').waitFor()
  await page.getByText('You have chosen what is meant by these names.').waitFor()
  const asked = searches.length
  await chooseNamed(page, [
    clerksLine('a', 'Agencia Jaén'),
    clerksLine('b', 'Agencia Miraflores'),
    clerksLine('d', 'Agencia Mirafloris'),
  ])
  await page.getByText('Nothing is wrong in the 3 lines').waitFor()
  t.equal(searches.length, asked, 'a corrected file asks nothing again')
  await page.getByLabel('Reference', { exact: true }).fill('names')
  await page.getByRole('button', { name: 'Create 3 shipments' }).click()
  await page.getByRole('button', { name: /^created 3/ }).waitFor()
  const { body: made } = await shop.call('/v1/shipments?external_reference=b')
  const { body: agency } = await shop.call(`/v1/agencies/${made.data[0].destination.agency_id}`)
  t.match(agency, { name: 'Agencia Miraflores', province: 'Arequipa' })
  t.same(troubles, [])
  await close()
})

t.test('nothing is sent before the names are looked up', async (t) => {
  const { page, enter, go, close } = await visit()
  await page.route('**/v1/agencies?*', (route) => route.abort())
  await enter(shop.seeded.operatorKey)
  await go('/batches/new')
  await chooseNamed(page, [clerksLine('waiting', 'Agencia Jaén')])
  await page.getByText('The names in the file cannot be looked up.').waitFor()
  await page.getByText('Wait until the names are looked up.').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.unroute('**/v1/agencies?*')
  await page.getByText('Nothing is wrong in the line').waitFor()
  t.equal(
    await page.getByRole('button', { name: 'Create one shipment' }).getAttribute('aria-disabled'),
    null,
  )
  await close()
})
