import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { eventually } from '../support/eventually.ts'
import { readPdf } from '../support/read-pdf.ts'
import { consoleUnderTest, violationsInBothThemes } from './console.ts'

/** The days of four people who read only Spanish, with what their couriers and printers get. */

const { shop, visit, unexpectedRequests } = await consoleUnderTest(t)

/** The console waits for the courier's last labels, and a busy service asks to try again. */
const printedWithinMs = 45_000
const triesMax = 4

async function saved(page: Page, press: () => Promise<void>): Promise<Buffer> {
  for (let tries = 1; ; tries++) {
    const [download] = await Promise.allSettled([
      page.waitForEvent('download', { timeout: printedWithinMs }),
      press(),
    ])
    if (download.status === 'fulfilled') return await readFile(await download.value.path())
    if (tries === triesMax) throw download.reason
  }
}

async function choose(page: Page, name: string, rows: readonly (readonly string[])[]) {
  const buffer = Buffer.from(rows.map((cells) => `${cells.join(';')}\r\n`).join(''), 'latin1')
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer })
}

const columns = [
  ...['Pedido', 'Agencia de origen', 'Agencia de destino', 'Producto', 'Cantidad', 'Peso (kg)'],
  ...['Alto (cm)', 'Largo (cm)', 'Ancho (cm)', 'Servicio', 'Quién paga', 'Contenido'],
  ...['Tipo de documento', 'Nro. documento', 'Nombres', 'Apellidos'],
]

function lineOf(order: string, { weight = '0,8', document = '45678912' } = {}): readonly string[] {
  const { origin, destination, package: parcel } = exampleShipmentRequest(order, shop.seeded)
  return [
    ...[order, origin.agency_id, destination.agency_id, parcel.product_id, '1', weight],
    ...['5', '20', '15', 'terrestre', 'remitente', 'Libros', 'DNI', document, 'Iñés', 'Núñez'],
  ]
}

t.test(
  'una empaquetadora corrige su archivo, crea las guías e imprime las etiquetas',
  async (t) => {
    const { page, enter, go, troubles, close } = await visit({ locale: 'es-PE' })
    await enter(shop.seeded.operatorKey)
    await go('/batches/new')
    await page.getByRole('heading', { level: 1, name: 'Nuevo lote' }).waitFor()
    const lines = [lineOf('lunes-1'), lineOf('lunes-2', { weight: '900' }), lineOf('lunes-3')]
    await choose(page, 'lunes.csv', [columns, ...lines])
    await page.getByText('Una fila tiene errores y 2 están correctas.').waitFor()
    t.same(await violationsInBothThemes(page), [])
    const cell = page.getByRole('textbox', { name: 'Fila 3, Peso (kg)', exact: true })
    await cell.fill('1,5')
    await cell.press('Enter')
    await page.getByText('No se encontraron errores en las 3 filas.').waitFor()
    await page.getByLabel('Referencia', { exact: true }).fill('Pedidos del lunes')
    await page.getByRole('button', { name: 'Crear 3 envíos…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Crear 3 envíos' }).click()
    await page.getByText('todas creadas', { exact: true }).waitFor()
    // The page waits for them too, but no longer than a person would.
    await eventually(
      async () => (await shop.client.shipments.list({ limit: 3 })).data,
      (made) => made.every(({ label }) => label.status === 'ready'),
    )
    const labels = await saved(page, () =>
      page.getByRole('button', { name: 'Imprimir etiquetas', exact: true }).click(),
    )
    t.match(
      readPdf(labels).map(({ text }) => text),
      [/lunes-1/, /lunes-2/, /lunes-3/],
      'each label has its order, and none is missing',
    )
    const manifest = await saved(page, async () => {
      await page.getByRole('button', { name: 'Imprimir manifiesto' }).click()
      await page.getByRole('link', { name: 'Guardar', exact: true }).click()
    })
    t.match(readPdf(manifest)[0]?.text, /Lista de entrega/)
    t.same(troubles, [])
    await close()
  },
)

t.test('una agente de soporte encuentra un paquete, anula su guía y borra los datos', async (t) => {
  const { body } = await shop.create('pedido-77', { scenario: 'happy_path' })
  const { page, enter, go, troubles, close } = await visit({ locale: 'es-PE' })
  await enter(shop.seeded.operatorKey)
  await go('/shipments')
  await page.getByRole('link', { name: 'pedido-77' }).click()
  const parcel = page.getByRole('region', { name: 'Paquete' })
  await parcel.waitFor()
  await page.getByText('ShipmentRequested').waitFor()
  const dialog = page.getByRole('dialog')
  const confirm = async (reason: string, press: string) => {
    await dialog.getByLabel('Motivo').fill(reason)
    await dialog.getByLabel('Para confirmar, escriba la referencia del pedido').fill('pedido-77')
    await dialog.getByRole('button', { name: press, exact: true }).click()
  }
  await page.getByRole('button', { name: 'Anular la guía…' }).click()
  t.same(await violationsInBothThemes(page), [])
  await confirm('El cliente compró dos veces', 'Anular la guía')
  await page.getByRole('alert').filter({ hasText: 'La guía está anulada.' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await parcel.getByText('así que no hay ningún paquete en camino').waitFor()
  await page.getByRole('button', { name: 'Borrar los datos personales…' }).click()
  await confirm('El cliente lo pidió', 'Borrar los datos personales')
  await dialog.waitFor({ state: 'detached' })
  const types = (await shop.events(body.id)).map(({ type }) => type)
  t.match(types.join(), /GuideCancelled.*PersonalDataErased/)
  t.same(troubles, [])
  await close()
})

t.test('un contador importa una factura, la objeta y abre el reclamo en español', async (t) => {
  const guides = [await shop.create('factura-1'), await shop.create('factura-2')]
  const [right, dearer] = guides.map(({ body }, index) => [
    body.guide_number,
    ((body.price.amount + 300 * index) / 100).toFixed(2).replace('.', ','),
  ]) as [string[], string[]]
  const { page, enter, go, troubles, close } = await visit({ locale: 'es-PE' })
  await enter(shop.seeded.operatorKey)
  await go('/courier-invoices/new')
  await page.getByLabel('Referencia', { exact: true }).fill('F001-77')
  await page.getByLabel('Mes', { exact: true }).fill('2026-02')
  await choose(page, 'febrero.csv', [['Nro. Guía', 'Importe (S/)'], right, dearer])
  await page.getByText('No se encontraron errores en 2 líneas.').waitFor()
  await page.getByRole('button', { name: 'Importar y comparar' }).click()
  const toCheck = page.getByRole('link', { name: /^Por revisar\s*1/ })
  await toCheck.waitFor()
  t.match(await toCheck.innerText(), /S\/\s*3[.,]00 en juego/)
  await toCheck.click()
  await page.getByRole('link', { name: dearer[0] ?? '' }).click()
  await page.getByRole('region', { name: 'Línea 3' }).waitFor()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^Objetar/ }).check()
  await dialog.getByLabel(/^Nota/).fill('Se cotizó por menos.')
  await dialog.getByRole('button', { name: 'Registrar la decisión' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Resumen' }).click()
  const claim = await saved(page, () =>
    page.getByRole('button', { name: 'Abrir el reclamo' }).click(),
  )
  const [printed] = readPdf(claim)
  t.match(printed?.text, /Reclamo/)
  t.notMatch(printed?.text, /\b(the|Claimed|Disputed|Evidence)\b/)
  t.same(troubles, [])
  await close()
})

t.test('un operador decide entre dos guías', async (t) => {
  await shop.create('dos-guias', { scenario: 'duplicate_guides' })
  await shop.advance('PT5M')
  const { page, enter, troubles, close } = await visit({ locale: 'es-PE' })
  await enter(shop.seeded.operatorKey)
  await page.getByRole('link', { name: /^Por revisar\s*1/ }).click()
  await page.getByRole('link', { name: 'dos-guias' }).click()
  await page
    .getByRole('button', { name: /^Esta es la nuestra/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^SG\d+$/, checked: true }).waitFor()
  await dialog.getByLabel(/^Nota/).fill('La agencia tiene este paquete')
  await dialog.getByRole('button', { name: 'Revisar' }).click()
  t.same(await violationsInBothThemes(page), [])
  await dialog.getByRole('button', { name: 'Registrar la decisión' }).click()
  const toDo = page.getByRole('region', { name: 'Qué hacer' })
  await toDo.getByText(/^Decidida por Sandbox operator el \d{4}-/).waitFor()
  t.same(troubles, [])
  t.same(unexpectedRequests(), [])
  await close()
})
