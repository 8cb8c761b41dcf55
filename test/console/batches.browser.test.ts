import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { eventually } from '../support/eventually.ts'
import { readPdf } from '../support/read-pdf.ts'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'
import { overflowPx } from './console-layout.ts'
import { rowsOf } from './table-cells.ts'

const { shop, visit, keyOf, unexpectedRequests } = await consoleUnderTest(t)
const { origin, destination, package: parcel } = exampleShipmentRequest('any', shop.seeded)

const names = [
  ...['Pedido', 'Agencia origen', 'Agencia destino', 'Producto', 'Cantidad', 'Peso (kg)'],
  ...[
    'Alto (m)',
    'Largo (m)',
    'Ancho (m)',
    'Contenido',
    'Tipo de documento',
    'DNI',
    'Nombres',
    'Apellidos',
  ],
  ...['metadata.sandbox_scenario', 'Notas'],
]

type Cells = { readonly weight?: string; readonly document?: string; readonly scenario?: string }

/** A line as a clerk would write it: semicolons and decimal commas. */
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

/** Fills in what no line of the file contains. */
async function fillIn(page: Page) {
  await page.getByLabel('Service of every line').selectOption('terrestrial')
  await page.getByLabel('Who pays of every line').selectOption('sender')
}

async function saved(page: Page, press: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent('download')
  await press()
  return await readFile(await (await download).path(), 'utf8')
}

/** Presses the button and confirms. */
async function create(page: Page, word: string) {
  await page.getByRole('button', { name: `${word}…` }).click()
  await page.getByRole('dialog').getByRole('button', { name: word }).click()
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
  await choose(page, 'template.csv', Buffer.from(template))
  await page.getByText('No errors found in the line.').waitFor()

  await choose(page, 'orders.xlsx', Buffer.from('PK\x03\x04'))
  await page.getByRole('alert').getByText('Save the sheet as').waitFor()
  const file = csvOf([
    lineOf('good-1'),
    lineOf('heavy', { weight: '900' }),
    [],
    lineOf('short', { document: '4567891' }),
    lineOf('good-1'),
    lineOf('=cmd', { scenario: 'courier_rejected' }),
  ])
  await choose(page, 'orders.csv', file)
  await page.getByText('orders.csv, ').waitFor()
  await page.getByText('2 columns are missing: Service, Who pays.').waitFor()
  await page.getByText('Not read: Notas.').waitFor()
  await page.getByText('Complete the columns first.').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await fillIn(page)
  await page.getByText('3 lines have errors, and 2 are good. Good: 2 pieces, 1.6 kg.').waitFor()
  const wrong = await rowsOf(page, 'Errors')
  t.same(
    wrong.map((cells) => cells.slice(0, 4)),
    [
      ['3', 'heavy', 'Peso (kg)', '900'],
      ['5', 'short', 'DNI', '4567891'],
      ['6', 'good-1', 'Idempotency key', '–'],
    ],
  )
  t.match(
    wrong.map((cells) => cells[4]),
    [/at most/, /8 digits/, /^Line 2 ships the same order/],
  )
  const cell = (name: string) => page.getByRole('textbox', { name, exact: true })
  t.equal(await cell('Line 3, Peso (kg)').inputValue(), '900')
  await cell('Line 5, DNI').fill('45678912')
  await cell('Line 5, DNI').press('Enter')
  await page.getByText('2 lines have errors, and 3 are good.').waitFor()
  await page.getByText('Corrected here: your own file is unchanged.').waitFor()
  await choose(page, 'orders.csv', file)
  await page.getByText('3 lines have errors, and 2 are good.').waitFor()
  const first = (await rowsOf(page, 'First lines'))[0] ?? []
  t.match(first.slice(0, 7), [
    ...['2', 'good-1', /^Agencia/, /^Agencia/, /^Box/, '1', '0.8 kg'],
  ] as unknown as string[])
  t.match(await page.getByLabel('Reference', { exact: true }).inputValue(), /^orders \d{4}-/)
  t.same(await violationsInBothThemes(page), [])
  await page.getByLabel('Reference', { exact: true }).fill('orders of Monday')
  await page.getByText('or in the file, or leave them out.').waitFor()
  await page.getByRole('checkbox', { name: 'Leave the 3 bad lines out.' }).check()

  // The service creates the batch, but its first two answers are lost.
  let lost = 0
  await page.route('**/v1/batches?*', async (route) => {
    if (route.request().method() !== 'POST' || ++lost > 2) return await route.fallback()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Create 2 shipments…' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('Lines left out').waitFor()
  t.match(await question.innerText(), /Guides\s+2\s/)
  t.same(await violationsInBothThemes(page), [])
  const send = question.getByRole('button', { name: 'Create 2 shipments' })
  await send.dblclick()
  await page.getByRole('alert').getByText('The connection was lost').waitFor()
  t.equal(lost, 2, 'the click and its repeat by the client, not the second click')
  await send.click()
  await page.getByRole('heading', { level: 1, name: 'orders of Monday' }).waitFor()
  const { body: batches } = await shop.call('/v1/batches?external_reference=orders+of+Monday')
  t.equal(batches.data.length, 1, 'one batch')

  await page.getByRole('button', { name: /^invalid 3/ }).click()
  await page.locator('.table-row').getByText('Document number: ').waitFor()
  await page.getByRole('button', { name: /^all lines 5/ }).click()
  await page.getByRole('button', { name: /^created 1/ }).waitFor()
  await page.getByText('some created', { exact: true }).waitFor()
  const causes = page.getByRole('region', { name: 'Reasons' })
  await causes.getByText('1 line: The courier refused the parcel.').waitFor()
  await causes.getByText('3 lines: The line has values that are not valid.').waitFor()
  await page.getByRole('button', { name: /^rejected 1/ }).click()
  const row = page.locator('.table-row')
  await page.locator('.batch-lines').getByText('1 line', { exact: true }).waitFor()
  t.match(await row.innerText(), /^7\s+=cmd\s+rejected\s+shp_/, 'its row in the file')
  t.same(await violationsInBothThemes(page), [])
  await row.getByRole('button').click()
  await page
    .getByRole('dialog')
    .getByText(/^Line 7: /)
    .waitFor()
  t.same(await violationsInBothThemes(page), [])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Retry failed lines…' }).click()
  const dialog = page.getByRole('dialog')
  t.same(await violationsInBothThemes(page), [])
  const failed = await saved(page, () => dialog.getByText('Save the list as CSV').click())
  t.match(failed, "\r\n7,'=cmd,rejected,The courier refused the parcel.,,", 'no formula')
  await dialog.getByRole('button', { name: 'Send the file again' }).click()
  await choose(page, 'orders.csv', csvOf([lineOf('good-1'), lineOf('=cmd')]))
  // The columns are read as they were the first time.
  await page.getByText('No errors found in the 2 lines').waitFor()
  t.equal(await page.getByLabel('Reference', { exact: true }).inputValue(), 'orders of Monday')
  await page.getByLabel('Reference', { exact: true }).fill('orders of Tuesday')
  await page.getByText('One line has errors, and one is good.').waitFor()
  t.match(await rowsOf(page, 'Errors'), [['2', 'good-1', 'Pedido', 'good-1', /has a guide/]])
  await page.getByLabel('Reference', { exact: true }).fill('orders of Monday')
  await page.getByText('No errors found in the 2 lines').waitFor()
  await page.getByText('was sent before. Its orders that have a guide are not').waitFor()
  const guides = shop.record.callCount('createGuide')
  await create(page, 'Create 2 shipments')
  await page.getByRole('button', { name: /^created 2/ }).waitFor()
  await page.getByText('all created', { exact: true }).waitFor()
  t.equal(shop.record.callCount('createGuide'), guides + 1, 'only failed lines were created')

  const documents = page.getByRole('region', { name: 'Documents' })
  await documents.getByLabel('From line').fill('3')
  await documents.getByRole('button', { name: 'Print manifest' }).click()
  const list = page.waitForEvent('download')
  await documents.getByRole('link', { name: 'Save', exact: true }).click()
  t.match((await list).suggestedFilename(), /^bat_\w+-manifest-3-end\.pdf$/)
  const pages = readPdf(await readFile(await (await list).path()))
  t.match(pages.map(({ text }) => text).join(' '), '=cmd')
  t.notMatch(pages.map(({ text }) => text).join(' '), 'good-1')
  await documents.getByRole('button', { name: 'Print these labels' }).click()
  await documents.getByText(/labels-orders-of-Monday-lines-3-end\.pdf/).waitFor()
  t.same(await violationsInBothThemes(page), [])
  await documents.getByLabel('Format of labels').selectOption('ZPL, 4 × 6 inches, 203 dpi')
  const zpl = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Print labels', exact: true }).click()
  t.equal((await zpl).suggestedFilename(), 'labels-orders-of-Monday.zpl')
  const printed = await readFile(await (await zpl).path(), 'utf8')
  t.match(printed, /^\^XA[\s\S]*\^XZ\s*$/)
  await documents.getByLabel('Format of labels').selectOption('PDF, four labels on A4')

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
  await page.getByText('but with other leading zeros').waitFor()
  await page.getByText('Line 2: 71 was sent as 00071').waitFor()
  await page.getByText('Line 3: 72 was sent as 00072').waitFor()
  const send = page.getByRole('button', { name: /^Create 3 shipments/ })
  await page.getByText('Confirm first that these are other parcels.').waitFor()
  t.equal(await send.getAttribute('aria-disabled'), 'true')
  t.same(await violationsInBothThemes(page), [])
  t.equal(await overflowPx(page), 0)
  const sure = page.getByRole('checkbox', { name: /^These are other parcels/ })
  await sure.check()
  t.equal(await send.getAttribute('aria-disabled'), null)

  await choose(page, 'zeros.csv', csvOf([lineOf('00071'), lineOf('00073')]))
  await page.getByText('was sent before. Its orders that have a guide are not').waitFor()
  await page.getByText('No errors found in the 2 lines').waitFor()
  t.equal(await sure.count(), 0)

  await reference.fill('Zeros of today')
  await page.getByText('2 lines have errors, and 0 are good.').waitFor()
  await page.getByText('No line is good. Correct the file').waitFor()
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
  await page.getByRole('button', { name: 'Cancel waiting lines…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Guides are not cancelled').waitFor()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Cancel them' }).click()
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
  const isOld = page.getByText(/^Out of date since/)
  await isOld.waitFor()
  await page.unroute('**/v1/**')
  await isOld.waitFor({ state: 'detached' })
  await go('/batches/new')
  await page.getByLabel('Or paste from a spreadsheet').fill('external_reference\tDNI\n1\t2\n')
  await page.getByText('columns are missing: Origin agency,').waitFor()
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
  await page.getByText('This key does not have the shipments:write scope.').waitFor()
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

/** A clerk's file, with names and Spanish words. */
async function chooseNamed(page: Page, lines: readonly (readonly string[])[]) {
  const text = [clerksNames, ...lines].map((cells) => `${cells.join(';')}\r\n`).join('')
  await choose(page, 'orders.csv', Buffer.from(text))
}

t.test('a name is explained once, and the choice holds for every line with the name', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ width: 390 })
  await enter(shop.seeded.operatorKey)
  await go('/batches/new')
  await chooseNamed(page, [
    clerksLine('a', 'Agencia Jaén'),
    clerksLine('b', 'Agencia Miraflores'),
    clerksLine('c', 'AGENCIA MIRAFLORES'),
    clerksLine('d', 'Agencia Mirafloris'),
    clerksLine('e', 'Xyz'),
  ])
  await page.getByText('4 lines have errors, and one is good.').waitFor()
  const several = 'Several agencies have this name. Choose one above, or correct it here.'
  const none = 'The courier has no agency of this name.'
  const choose = `${none} Choose one above, or correct it here.`
  t.same(await rowsOf(page, 'Errors'), [
    ['3', 'b', 'Agencia de destino', 'Agencia Miraflores', several],
    ['4', 'c', 'Agencia de destino', 'AGENCIA MIRAFLORES', several],
    ['5', 'd', 'Agencia de destino', 'Agencia Mirafloris', choose],
    ['6', 'e', 'Agencia de destino', 'Xyz', choose],
  ])
  t.same(await violationsInBothThemes(page), [])
  t.equal(await overflowPx(page), 0)

  const arequipa = 'Agencia Miraflores, Miraflores, Arequipa'
  const misread = page.getByLabel('Destination agency: Agencia Miraflores')
  await misread.focus()
  await misread.selectOption({ label: arequipa })
  await page.getByText('2 lines have errors, and 3 are good.').waitFor()
  const focused = await page.evaluate('document.activeElement.labels[0].innerText')
  t.equal(focused, 'Destination agency: Agencia Miraflores')
  await page
    .getByLabel('Destination agency: Agencia Mirafloris')
    .selectOption({ label: 'Agencia Miraflores, Miraflores, Lima' })
  await page.getByText('One line has errors, and 4 are good.').waitFor()
  await page.getByLabel('Destination agency: Xyz').selectOption({ label: 'Another agency…' })
  await page.getByLabel('Search all agencies for').fill('jaen')
  t.same(await violationsInBothThemes(page), [])
  t.equal(await overflowPx(page), 0)
  await page
    .getByLabel('Agencies found for Destination agency: Xyz')
    .selectOption({ label: 'Agencia Jaén, Jaén, Jaén' })
  await page.getByText('No errors found in the 5 lines').waitFor()
  await page.getByText('All of these names are resolved.').waitFor()
  await chooseNamed(page, [
    clerksLine('a', 'Agencia Jaén'),
    clerksLine('b', 'Agencia Miraflores'),
    clerksLine('d', 'Agencia Mirafloris'),
  ])
  await page.getByText('No errors found in the 3 lines').waitFor()
  await page.getByLabel('Reference', { exact: true }).fill('names')
  await create(page, 'Create 3 shipments')
  await page.getByRole('button', { name: /^created 3/ }).waitFor()
  const { body: made } = await shop.call('/v1/shipments?external_reference=b')
  const { body: agency } = await shop.call(`/v1/agencies/${made.data[0].destination.agency_id}`)
  t.match(agency, { name: 'Agencia Miraflores', province: 'Arequipa' })
  t.same(troubles, [])
  await close()
})

t.test('more names than are shown at once follow when those before them are chosen', async (t) => {
  const { page, enter, go, close } = await visit()
  await enter(shop.seeded.operatorKey)
  await go('/batches/new')
  const misspelt = [...'abcdefghijklmnopqrtuv'].map((letter) => `Agencia Miraflore${letter}`)
  await chooseNamed(
    page,
    misspelt.map((name, index) => clerksLine(`misspelt-${index}`, name)),
  )
  const shown = page.getByRole('group', { name: 'Names' }).getByRole('combobox')
  await page.getByText('And 1 more name.').waitFor()
  t.equal(await shown.count(), 20)
  for (const name of misspelt) {
    const choice = page.getByLabel(`Destination agency: ${name}`)
    await choice.selectOption({ label: 'Agencia Miraflores, Miraflores, Lima' })
  }
  await page.getByText('No errors found in the 21 lines').waitFor()
  await close()
})

t.test('a column is read as another field, in another unit, or left out', async (t) => {
  const { page, enter, go, troubles, close } = await visit({ width: 390, dark: true })
  await enter(shop.seeded.operatorKey)
  await go('/batches/new')
  const header = clerksNames.map((name) =>
    name === 'Peso (kg)' ? 'Peso' : name === 'Servicio' ? 'Cómo va' : name,
  )
  const text = [header, clerksLine('mapped', 'Agencia Jaén')]
    .map((cells) => `${cells.join(';')}\r\n`)
    .join('')
  await page.getByLabel('Or paste from a spreadsheet').fill(text)
  await page.getByText('One column is missing: Service.').waitFor()
  await page.getByText('does not say its unit').first().waitFor()
  t.same(await violationsInBothThemes(page), [])
  t.equal(await overflowPx(page), 0)
  await page.getByLabel('Cómo va', { exact: true }).selectOption('Service')
  await page.getByLabel('Peso', { exact: true }).selectOption('Weight (g)')
  await page.getByText('One line has errors, and 0 are good.').waitFor()
  t.match((await rowsOf(page, 'First lines'))[0]?.join(' '), '0.0008 kg')
  await page.getByLabel('Peso', { exact: true }).selectOption('Weight (kg)')
  await page.getByText('Good: 1 piece, 0.8 kg.').waitFor()
  await page.getByLabel('Contenido', { exact: true }).selectOption('Not read')
  await page.getByText('One column is missing: Content.').waitFor()
  await page.getByLabel('Content of every line').fill('Books')
  await page.getByText('Good: 1 piece, 0.8 kg.').waitFor()
  t.match((await rowsOf(page, 'First lines'))[0]?.join(' '), 'Books')
  await page.getByLabel('Contenido', { exact: true }).selectOption('Metadata of the shipment')
  await page.getByLabel('Reference', { exact: true }).fill('mapped')
  await create(page, 'Create one shipment')
  await page.getByRole('button', { name: /^created 1/ }).waitFor()
  const { body: made } = await shop.call('/v1/shipments?external_reference=mapped')
  t.match(made.data, [{ declared_content: 'Books', metadata: { Contenido: 'Libros' } }])
  t.same(troubles, [])
  await close()
})

t.test('nothing is sent before the file is checked', async (t) => {
  const { page, enter, go, close } = await visit()
  await page.route('**/v1/batches?*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  )
  await enter(shop.seeded.operatorKey)
  await go('/batches/new')
  await chooseNamed(page, [clerksLine('waiting', 'Agencia Jaén')])
  await page.getByText('The file cannot be checked.').waitFor()
  t.equal(await page.getByRole('button', { name: /^Create / }).count(), 0)
  t.same(await violationsInBothThemes(page), [])
  await page.unroute('**/v1/batches?*')
  await page.getByText('No errors found in the line').waitFor({ timeout: 60_000 })
  const send = page.getByRole('button', { name: 'Create one shipment' })
  t.equal(await send.getAttribute('aria-disabled'), null)
  await close()
})
