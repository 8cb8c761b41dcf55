import { Problem } from '../../../src/service/errors.ts'
import { csvColumns } from '../../../src/service/http/batches/lines/csv-columns.ts'
import { linesOfCsv } from '../../../src/service/http/batches/lines/lines-of-csv.ts'
import { linesOfNdjson } from '../../../src/service/http/batches/lines/lines-of-ndjson.ts'
import type { RawLine } from '../../../src/service/http/batches/lines/raw-line.ts'
import {
  exampleReference,
  exampleShipmentRequest,
} from '../../../src/service/http/openapi/examples.ts'

export const example = exampleShipmentRequest(exampleReference)
/** With ids rather than names. */
export const required = csvColumns.filter(({ isRequired, type }) => isRequired && type !== 'name')
export const names = required.map(({ name }) => name)
export const mark = '\ufeff'

export type Cells = Readonly<Record<string, string>>

/** Rows of the required columns with the example's cells, except for those given. */
export function file(
  rows: readonly Cells[],
  separator = ',',
  extra: readonly string[] = [],
): string {
  const header = [...names, ...extra]
  const cellsOf = (row: Cells) =>
    header.map((name) => {
      const found = csvColumns.find((column) => column.name === name)
      return row[name] ?? String(found?.example ?? '')
    })
  return [header, ...rows.map(cellsOf)].map((cells) => `${cells.join(separator)}\r\n`).join('')
}

export async function all(lines: AsyncGenerator<RawLine>): Promise<RawLine[]> {
  const found: RawLine[] = []
  for await (const line of lines) found.push(line)
  return found
}

export const ndjson = (text: string | Buffer) => all(linesOfNdjson(Buffer.from(text as string)))

export async function csv(text: string | Buffer): Promise<RawLine[]> {
  const lines = await all(linesOfCsv(Buffer.from(text as string)))
  const odd = lines.filter(({ fields, errors }) => (fields === null) !== errors.length > 0)
  if (odd.length > 0) throw new Error('a line has neither fields nor errors, or both')
  return lines
}

// biome-ignore lint/suspicious/noExplicitAny: any field of a line may be asked for
export async function fieldsOf(text: string | Buffer): Promise<any[]> {
  const lines = await csv(text)
  const failed = lines.find(({ errors }) => errors.length > 0)
  if (failed !== undefined) throw new Error(JSON.stringify(failed))
  return lines.map(({ fields }) => fields)
}

/** The line, pointer and reason of each error. */
export async function errorsOf(text: string | Buffer) {
  const lines = await csv(text)
  return lines.flatMap(({ line, errors }) =>
    errors.map(({ pointer, reason }) => [line, pointer, reason]),
  )
}

/** The reasons and details of a refusal of everything. */
export async function refusalOf(lines: Promise<readonly RawLine[]>): Promise<readonly string[]> {
  try {
    await lines
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'validation_failed') throw error
    return (error.options.errors ?? []).map(({ reason, detail }) => `${reason}: ${detail}`)
  }
  return []
}
