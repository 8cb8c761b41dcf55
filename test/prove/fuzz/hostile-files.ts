import { exampleShipmentRequest } from '../../../src/service/http/openapi/examples.ts'
import type { Service } from '../../support/service.ts'
import { type Chance, nearly, spoiled, texts } from './hostile.ts'

/** A body that is a file, with the query parameters that describe it. */
export type HostileFile = {
  readonly contentType: string
  readonly query: Readonly<Record<string, string>>
  readonly payload: Buffer
}

const separators = [',', ';', '\t', '|']
const lineEnds = ['\r\n', '\n', '\r']
const rowsMax = 30

/** Files that a path accepts. */
const files: Readonly<Record<string, (shop: Service, by: Chance) => HostileFile>> = {
  '/v1/batches': (shop, by) => (by.is(0.5) ? batchCsv(shop, by) : batchLines(shop, by)),
  '/v1/courier-invoices': invoiceCsv,
}

export function takesFiles(path: string): boolean {
  return path in files
}

/** A valid, nearly valid or hostile file for a path; null if it accepts no file. */
export function hostileFile(path: string, shop: Service, by: Chance): HostileFile | null {
  return files[path]?.(shop, by) ?? null
}

function batchCsv(shop: Service, by: Chance): HostileFile {
  const { package: parcel, recipient, origin, destination, service, ...order } = shipmentOf(shop)
  const row = {
    external_reference: order.external_reference,
    origin_agency_id: origin.agency_id,
    destination_agency_id: destination.agency_id,
    ...parcel,
    service_mode: service.mode,
    payer: service.payer,
    declared_content: order.declared_content,
    ...recipient,
  }
  return {
    contentType: 'text/csv',
    query: batchQuery(shop, by),
    payload: csvOf(row, 'external_reference', by),
  }
}

function batchLines(shop: Service, by: Chance): HostileFile {
  const item = shipmentOf(shop)
  const lines = Array.from({ length: 1 + by.below(rowsMax) }, (_, row) => {
    const own = { ...item, external_reference: `fuzzed-${row}` }
    return JSON.stringify(by.is(0.3) ? nearly(own, by) : own)
  })
  const text = lines.join(by.one(lineEnds))
  return {
    contentType: 'application/x-ndjson',
    query: batchQuery(shop, by),
    payload: by.is(0.3) ? spoiled(text, by) : Buffer.from(text),
  }
}

function batchQuery({ seeded }: Service, by: Chance) {
  return {
    external_reference: `fuzzed-${by.below(50)}`,
    workspace_id: seeded.workspaceId,
    courier_connection_id: seeded.connectionId,
    ...reading(by),
  }
}

/** Sometimes only a check or without what is wrong, or other meanings of columns. */
function reading(by: Chance) {
  return {
    ...(by.is(0.3) ? { validate: 'true' } : {}),
    ...(by.is(0.2) ? { skip_invalid: 'true' } : {}),
    ...(by.is(0.1)
      ? { columns: by.one(['{"*":null}', '{"a":"weight_g"}', '{', '[]', 'null']) }
      : {}),
    ...(by.is(0.1)
      ? { values: by.one(['{"payer":"sender"}', '{"amount":"1,5"}', '{"x":1}']) }
      : {}),
  }
}

function invoiceCsv({ seeded }: Service, by: Chance): HostileFile {
  const row = {
    guide_number: '100000000001',
    amount: 1_450,
    currency: 'PEN',
    weight_kg: 0.8,
    date: '2026-02-28',
    client_reference: 'shp_0aB1cD2eF3gH4iJ5kL6mN7',
  }
  return {
    contentType: 'text/csv',
    query: {
      courier_connection_id: seeded.connectionId,
      reference: `fuzzed-${by.below(50)}`,
      ...reading(by),
    },
    payload: csvOf(row, 'guide_number', by),
  }
}

function shipmentOf({ seeded }: Service) {
  const { workspace_id, courier_connection_id, ...order } = exampleShipmentRequest('fuzzed', seeded)
  return order
}

/** Rows like the given one, in a file as any spreadsheet might write it, with hostile cells. */
function csvOf(row: Readonly<Record<string, unknown>>, numbered: string, by: Chance): Buffer {
  const separator = by.one(separators)
  const names = Object.keys(row)
  if (by.is(0.1)) names.push(by.one(texts))
  const rows = Array.from({ length: 1 + by.below(rowsMax) }, (_, index) =>
    names.map((name) => {
      if (by.is(0.05)) return cell(by.one(texts), by)
      const value = String(row[name] ?? '')
      return cell(name === numbered ? `${value}-${index}` : value, by)
    }),
  )
  const text = [names.map((name) => cell(name, by)), ...rows]
    .map((cells) => cells.join(separator))
    .join(by.one(lineEnds))
  return by.is(0.3) ? spoiled(text, by) : Buffer.from(text)
}

/** Usually quoted where necessary. */
function cell(text: string, by: Chance): string {
  const isSpecial = /[",;\t|\r\n]/.test(text)
  return by.is(isSpecial ? 0.8 : 0.1) ? `"${text.replaceAll('"', '""')}"` : text
}
