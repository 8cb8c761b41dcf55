import { Problem } from '../../src/service/errors.ts'
import {
  exampleReference,
  exampleShipmentRequest,
} from '../../src/service/http/openapi/examples.ts'
import { batchColumns, batchSheet } from '../../src/service/sheets/batch-columns.ts'
import { type CsvRequest, readCsv, refuseHeader } from '../../src/service/sheets/csv-lines.ts'
import { readNdjson } from '../../src/service/sheets/json-lines.ts'
import type { Sheet } from '../../src/service/sheets/sheet-columns.ts'
import type { RawLine } from '../../src/service/sheets/sheet-line.ts'

export const example = exampleShipmentRequest(exampleReference)
/** The variant with ids rather than names. */
export const required = batchColumns.filter(({ isRequired, type }) => isRequired && type !== 'name')
export const names = required.map(({ name }) => name)
export const mark = '\ufeff'

export type Cells = Readonly<Record<string, string>>

/** A file of rows with the required columns and the example's cells, except for those given. */
export function file(
  rows: readonly Cells[],
  separator = ',',
  extra: readonly string[] = [],
): string {
  const header = [...names, ...extra]
  const cellsOf = (row: Cells) =>
    header.map((name) => {
      const found = batchColumns.find((column) => column.name === name)
      return row[name] ?? String(found?.example ?? '')
    })
  return [header, ...rows.map(cellsOf)].map((cells) => `${cells.join(separator)}\r\n`).join('')
}

export function ndjson(text: string | Buffer): RawLine[] {
  const lines: RawLine[] = []
  readNdjson(Buffer.from(text as string), batchSheet, (line) => lines.push(line) > 0)
  return lines
}

export function csv(
  text: string | Buffer,
  request: Partial<CsvRequest> = {},
  sheet: Sheet = batchSheet,
): RawLine[] {
  const lines: RawLine[] = []
  const whole = { charset: null, columns: {}, values: {}, ...request }
  readCsv(Buffer.from(text as string), sheet, whole, {
    header: (header) => {
      refuseHeader(header)
      return true
    },
    line: (line) => lines.push(line) > 0,
  })
  return lines
}

// biome-ignore lint/suspicious/noExplicitAny: any field of a line may be asked for
export function fieldsOf(text: string | Buffer, request: Partial<CsvRequest> = {}): any[] {
  const lines = csv(text, request)
  const failed = lines.find(({ errors }) => errors.length > 0)
  if (failed !== undefined) throw new Error(JSON.stringify(failed))
  return lines.map(({ fields }) => fields)
}

/** The line, pointer and reason of each error. */
export function errorsOf(text: string | Buffer, request: Partial<CsvRequest> = {}) {
  const lines = csv(text, request)
  return lines.flatMap(({ line, errors }) =>
    errors.map(({ pointer, reason }) => [line, pointer, reason]),
  )
}

/** The reasons and details with which the whole file is refused. */
export function refusalOf(read: () => readonly RawLine[]): readonly string[] {
  try {
    read()
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'validation_failed') throw error
    return (error.options.errors ?? []).map(({ reason, detail }) => `${reason}: ${detail}`)
  }
  return []
}
