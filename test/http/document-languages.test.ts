import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { readZip } from '../../src/verifier/verify.mjs'
import { type Answer, type CallOptions, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { readImages } from '../support/read-images.ts'
import { readPdf } from '../support/read-pdf.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const operator = { key: shop.seeded.operatorKey }
const inSpanish = { headers: { 'accept-language': 'es-PE, es;q=0.9, en;q=0.5' } }

/** Repeats a call while other documents are being made. */
function printed(path: string, options: CallOptions = {}): Promise<Answer> {
  return eventually(
    () => shop.call(path, options),
    ({ status }) => status !== 503,
  )
}

/** The text of all pages. */
function textOf(pdf: Uint8Array | undefined): string {
  return readPdf(pdf ?? new Uint8Array())
    .map(({ text }) => text)
    .join(' ')
    .replaceAll('\u200b', '')
}

const { body: ready } = await shop.create('ready', { body: { external_reference: 'PEDIDO-1' } })
const { body: early } = await shop.create('early', { scenario: 'label_delayed' })
await printed(`/v1/shipments/${ready.id}/documents/label`)
const both = { shipment_ids: [ready.id, early.id] }

t.test('a document is in the language of lang, else of Accept-Language', async (t) => {
  const asked: readonly (readonly [string, Readonly<Record<string, string>>, 'en' | 'es'])[] = [
    ['', {}, 'en'],
    ['', { 'accept-language': 'fr' }, 'en'],
    ['', inSpanish.headers, 'es'],
    ['?lang=en', inSpanish.headers, 'en'],
    ['?lang=es', {}, 'es'],
    ['?lang=es', { 'accept-language': 'en' }, 'es'],
  ]
  for (const [query, headers, language] of asked) {
    const answer = await printed(`/v1/manifests${query}`, { body: both, headers })
    const what = `${query} ${headers['accept-language']}`
    t.equal(answer.headers.get('content-language'), language, what)
    t.equal(answer.headers.get('vary'), query === '' ? 'accept-language' : null, what)
    const title = { en: 'Hand-over list', es: 'Lista de entrega' }[language]
    t.ok(textOf(answer.body).startsWith(title), what)
  }
})

t.test('another lang is refused with its pointer, on every route of a document', async (t) => {
  const refusal = { reason: 'invalid_filter', errors: [{ pointer: '#/query/lang' }] }
  const { id } = ready
  const invoice = 'inv_0000000000000000000001'
  const batch = 'bat_0000000000000000000001'
  const calls: readonly (readonly [string, CallOptions])[] = [
    ['/v1/labels', { body: both }],
    ['/v1/manifests', { body: both }],
    [`/v1/shipments/${id}/documents/label`, {}],
    [`/v1/shipments/${id}/evidence`, {}],
    [`/v1/batches/${batch}/documents/labels`, {}],
    [`/v1/batches/${batch}/documents/manifest`, {}],
    [`/v1/courier-invoices/${invoice}/claim`, operator],
    [`/v1/courier-invoices/${invoice}/evidence`, operator],
  ]
  for (const [path, options] of calls) {
    const answer = await shop.call(`${path}?lang=fr`, options)
    t.match(answer, { status: 400, body: refusal }, path)
    t.equal(answer.headers.get('content-language'), null)
  }
})

t.test('labels list in Spanish what is missing, and their caption has no words', async (t) => {
  const body = { ...both, caption: true }
  const answer = await printed('/v1/labels', { body, ...inSpanish })
  t.match(
    answer.headers.get('content-disposition'),
    "filename*=UTF-8''etiquetas-PEDIDO-1-y-1-m%C3%A1s.pdf",
  )
  const [cover, label] = readPdf(answer.body)
  t.match(cover?.text, /Sin etiqueta: 1 de 2 Estos envíos no están en este archivo\./)
  t.match(cover?.text, 'El courier todavía no ha hecho la etiqueta, o aún no se ha descargado.')
  t.match(cover?.text, 'Página 1 de 1')
  t.match(label?.text, 'PEDIDO-1 My first shop')
  t.strictSame(await label?.barcodes(), [ready.guide_number])
  const images = await printed('/v1/labels?lang=es', { body: { ...both, format: 'png' } })
  t.match(
    (await readImages(images.body)).map(({ name }) => name),
    ['1-faltantes.png', /^2-PEDIDO-1-/],
  )
})

t.test('the same label in the same language is the same bytes', async (t) => {
  const path = `/v1/shipments/${ready.id}/documents/label`
  const own = await Promise.all(['en', 'es'].map((lang) => printed(`${path}?lang=${lang}`)))
  t.equal(own[0]?.headers.get('etag'), own[1]?.headers.get('etag'), "the courier's own file")
  t.match(own[1]?.headers.get('content-disposition'), /filename=etiqueta-PEDIDO-1-SG\w+\.pdf/)
  const tagOf = async (lang: string) =>
    (await printed(`${path}?caption=true&lang=${lang}`)).headers.get('etag')
  const spanish = await tagOf('es')
  t.equal(await tagOf('es'), spanish)
  t.not(await tagOf('en'), spanish)
  const headers = { 'if-none-match': String(spanish), ...inSpanish.headers }
  const known = await printed(`${path}?caption=true`, { headers })
  t.match(known, { status: 304 })
  t.equal(known.headers.get('content-language'), 'es')
})

t.test('a manifest in Spanish is read back', async (t) => {
  const cancellation = { method: 'POST', headers: { 'idempotency-key': 'cancel-it' } }
  const { body: cancelled } = await shop.create('cancelled')
  await shop.call(`/v1/shipments/${cancelled.id}/cancel`, cancellation)
  const body = { shipment_ids: [ready.id, cancelled.id] }
  const answer = await printed('/v1/manifests?lang=es', { body })
  t.match(answer.headers.get('content-disposition'), 'lista-de-entrega-PEDIDO-1')
  const pages = readPdf(answer.body)
  t.match(pages[0]?.text, /^Lista de entrega .* UTC Remitente: My first shop Entrega en: /)
  t.match(pages[0]?.text, '1 envío · 1 bulto · 0.8 kg')
  t.match(pages[0]?.text, 'Modo de prueba: el courier simulado emitió estas guías.')
  t.match(pages[0]?.text, 'No entregar: 1 envío más, indicado al final de este archivo.')
  t.match(pages[0]?.text, '# Guía Referencia Destino Bultos Peso, kg')
  t.match(pages[0]?.text, /Entregado por .*Recibido por .*Nombre .*Firma .*Fecha y hora/)
  t.strictSame(await pages[0]?.barcodes(), [ready.guide_number])
  t.match(pages[1]?.text, /^No entregar Retenga estos paquetes\./)
  t.match(pages[1]?.text, `El envío fue anulado. Guía ${cancelled.guide_number}.`)
  t.match(pages[1]?.text, 'Página 2 de 2')
})

t.test('labels and manifest of a batch name its lines in Spanish', async (t) => {
  const own = await freshShop(shop, 'batch')
  const { workspace_id, courier_connection_id, ...line } = own.bodyOf('b-1')
  const items = [line, { wrong: 1 }]
  const batch = { external_reference: 'LOTE 7', workspace_id, courier_connection_id, items }
  const { body } = await own.call('/v1/batches', { body: batch })
  await eventually(
    () => own.call(`/v1/batches/${body.id}`),
    (answer) => answer.body.status !== 'running',
  )
  const path = `/v1/batches/${body.id}/documents`
  const labels = await printed(`${path}/labels?lang=es&last_line=2`)
  t.match(
    labels.headers.get('content-disposition'),
    "filename*=UTF-8''etiquetas-LOTE-7-l%C3%ADneas-1-2.pdf",
  )
  t.match(textOf(labels.body), /Línea 2 .*Fue rechazada\. La solicitud no es válida\./)
  const manifest = await printed(`${path}/manifest`, inSpanish)
  t.equal(manifest.headers.get('content-language'), 'es')
  t.match(textOf(manifest.body), /No entregar .*Línea 2 .*Fue rechazada\./)
})

/** An invoice with a disputed line about a cancelled guide. */
async function disputedInvoice(reference: string): Promise<string> {
  const own = await freshShop(shop, reference)
  const { body: guide } = await own.create('anulado')
  await own.call(`/v1/shipments/${guide.id}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': 'anular' },
  })
  const lines = [{ guide_number: guide.guide_number, ...guide.price }]
  const body = { courier_connection_id: own.seeded.connectionId, reference, lines }
  const { body: invoice } = await own.call('/v1/courier-invoices', { body, ...operator })
  await eventually(
    () => own.call(`/v1/courier-invoices/${invoice.id}`, operator),
    (answer) => answer.body.status === 'compared',
  )
  const decision = { body: { decision: 'disputed', note: 'No se usó.' }, ...operator }
  await own.call(`/v1/courier-invoices/${invoice.id}/lines/1/decision`, decision)
  return invoice.id
}

t.test('a claim and its evidence in Spanish are read back, and check', async (t) => {
  const id = await disputedInvoice('F001-9')
  const path = `/v1/courier-invoices/${id}`
  const claim = await printed(`${path}/claim?lang=es&time_zone=America/Lima`, operator)
  t.match(claim.headers.get('content-disposition'), 'filename=reclamo-F001-9.pdf')
  const text = textOf(claim.body)
  t.match(text, 'Reclamo sobre una factura Factura F001-9 · modo de prueba: un courier simulado')
  t.match(text, 'Objetado 1 línea Facturado por ellas')
  t.match(text, 'Línea Guía Pedido Facturado Esperado Reclamado Sustento')
  t.match(text, /nada \d+\.\d\d PEN La guía fue anulada el .* UTC-05:00\. De .* a .*\./)
  t.match(text, 'La historia de cada envío, con sus pruebas, está disponible en un archivo aparte.')

  const evidence = await printed(`${path}/evidence`, { ...operator, ...inSpanish })
  t.match(evidence.headers.get('content-disposition'), 'filename=evidencia-F001-9.zip')
  const files = await readZip(evidence.body)
  const names = [...files.keys()]
  t.strictSame(names.slice(0, 3), ['claim.pdf', 'README.md', 'lines.csv'], 'names stay English')
  t.match(textOf(files.get('claim.pdf')), '1 de 1 línea de este archivo')
  t.match(String(files.get('README.md')), /^# Evidencia sobre una factura del courier\n/)
  t.match(String(files.get('lines.csv')), /^\ufeffline,guide_number,amount,/)
  const report = names.find((name) => name.endsWith('/report.pdf')) ?? ''
  t.match(textOf(files.get(report)), 'El courier confirmó que la guía está anulada.')
})

t.test('a report of a shipment in Spanish is read back, and its bundle checks', async (t) => {
  const query = '?lang=es&time_zone=America/Lima&include_personal=true'
  const answer = await printed(`/v1/shipments/${ready.id}/evidence${query}`)
  t.equal(answer.headers.get('content-language'), 'es')
  t.match(answer.headers.get('content-disposition'), /filename=evidencia-PEDIDO-1-SG\w+\.zip/)
  const files = await readZip(answer.body)
  const text = textOf(files.get('report.pdf'))
  t.match(text, `Evidencia sobre un envío ${ready.id} · modo de prueba`)
  t.match(text, 'Al final de esta historia: el envío tiene una guía.')
  t.match(text, 'terrestre, paga el remitente')
  t.match(text, /Qué pasó, paso a paso .*Cuándo Quién Qué Por qué/)
  t.match(text, 'Clave de API de la tienda')
  t.match(text, /El courier confirma la guía SG\w+ por \d+\.\d\d PEN\./)
  t.match(text, 'Datos personales Destinatario')
  t.match(text, 'Todo está en orden: cada evento está en el árbol firmado')
  t.match(text, 'No probado: el texto de este informe')
  t.match(text, /Página 1 de \d/)
  t.notMatch(text, /\b(the|is|was|guide|Page)\b/)
  t.match(String(files.get('README.md')), /^# Evidencia sobre el envío shp_/)

  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-spanish-bundle-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of files) writeFileSync(join(folder, name), content)
  const run = await promisify(execFile)(process.execPath, [join(folder, 'verify.mjs')])
  t.match(run.stdout, /nothing is wrong/i)
})

t.test('the typed client takes lang beside the fields of a body', async (t) => {
  const pdf = await eventually(
    () => shop.client.documents.printManifest({ ...both, lang: 'es' }).catch(() => null),
    (bytes) => bytes !== null,
  )
  t.match(textOf(pdf ?? undefined), /^Lista de entrega/)
})
