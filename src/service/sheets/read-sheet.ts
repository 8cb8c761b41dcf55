import { currenciesMax, tooManyCurrencies } from '../domain/invoices/invoice-limits.ts'
import { isSpreadsheetError, spreadsheetErrorText } from '../domain/spreadsheet-error.ts'
import type { FieldError } from '../error-kinds.ts'
import { errorsMax as errorsMaxOfLine, fieldErrors, pointer } from '../field-errors.ts'
import { batchSheet } from './batch-columns.ts'
import type { BatchLine } from './batch-line.ts'
import { type CsvRequest, type ReadHeader, readCsv } from './csv-lines.ts'
import { invoiceSheet } from './invoice-columns.ts'
import type { InvoiceLineBody } from './invoice-line-body.ts'
import { readItems, readNdjson } from './json-lines.ts'
import type { Sheet } from './sheet-columns.ts'
import type { LineName, RawLine, SetAside, SheetError } from './sheet-line.ts'

export type Bodies = { readonly batch: BatchLine; readonly invoice: InvoiceLineBody }

/** A file or body to read. It is sent to another thread, so it has only data. */
export type SheetRequest<Kind extends keyof Bodies = keyof Bodies> = {
  readonly kind: Kind
  readonly format:
    | ({ readonly type: 'csv' } & CsvRequest)
    | { readonly type: 'ndjson' }
    /** The items of a list one after the other, and where each ends. */
    | { readonly type: 'json'; readonly ends: readonly number[] }
  /** The fields of every line that does not have them. */
  readonly forAll: Readonly<Record<string, string>>
  /** Whether wrong lines end the reading. Zero: never. */
  readonly errorsMax: number
  /** Also reads the lines of a file whose header is wrong, and keeps the cells of each line. */
  readonly isCheck: boolean
  /** Keeps what was read of lines with errors, and their cells. */
  readonly keepsInvalid?: boolean
}

/** A line as it was read. */
export type SheetLine<Body> = {
  readonly line: number
  /** Null if the line has errors. Names are not looked up yet: their ids are `unknownId`. */
  readonly body: Body | null
  /** Names that stand for ids. */
  readonly names?: readonly LineName[]
  readonly errors?: readonly SheetError[]
  /** What was read of a line with errors. Only if these are kept. */
  readonly understood?: Readonly<Record<string, unknown>>
  /** A row of totals, which is neither a line nor an error. It has no body. */
  readonly setAside?: SetAside
  /** Only for a CSV, in a check or of a line that is kept with its errors. */
  readonly cells?: readonly string[]
}

/** What a file says beside its lines. */
export type SheetEnd = {
  /** Null for JSON. */
  readonly header: ReadHeader | null
  /** The workspace that every line belongs to. Null if nothing names one. */
  readonly workspaceId: string | null
  readonly lines: number
}

/** Errors of a file after which each line keeps only its first ones: its columns are wrong. */
const describedMax = 2_000
const firstErrorsMax = 5

const sheets: Readonly<Record<keyof Bodies, Sheet>> = { batch: batchSheet, invoice: invoiceSheet }

/**
 * Reads a file or body, validates each line on its own, and calls the function for each. Throws a
 * Problem if the whole file cannot be read, possibly after some lines.
 */
export function readSheet<Kind extends keyof Bodies>(
  body: Buffer,
  request: SheetRequest<Kind>,
  take: (line: SheetLine<Bodies[Kind]>) => void,
): SheetEnd {
  const { kind, format, isCheck, keepsInvalid = false, errorsMax } = request
  const sheet = sheets[kind]
  let workspaceId = request.forAll.workspace_id ?? null
  let header: ReadHeader | null = null
  const currencies = new Set<string>()
  let wrong = 0
  let lines = 0
  const one = (raw: RawLine): boolean => {
    if (raw.totalText !== undefined) {
      take({ line: raw.line, body: null, setAside: setAsideOf(raw, raw.totalText) })
      return true
    }
    if (kind === 'batch') workspaceId ??= workspaceOf(raw)
    const known = workspaceId === null ? {} : { workspace_id: workspaceId }
    const atMost = wrong < describedMax ? errorsMaxOfLine : firstErrorsMax
    const read = readLine<Bodies[Kind]>(raw, sheet, { ...request.forAll, ...known }, atMost)
    const line = kind === 'invoice' ? ofKnownCurrency(read, currencies) : read
    lines += 1
    wrong += line.errors?.length ?? 0
    const { understood: _, ...needed } = line
    const isKept = isCheck || (keepsInvalid && line.errors !== undefined)
    take(isKept ? { ...line, ...(raw.cells && { cells: raw.cells }) } : needed)
    return errorsMax === 0 || wrong < errorsMax
  }
  if (format.type === 'ndjson') readNdjson(body, sheet, one)
  else if (format.type === 'json') readItems(body, format.ends, one)
  else {
    const takeHeader = (found: ReadHeader) => {
      header = found
      return isCheck || found.errors.length === 0
    }
    readCsv(body, sheet, format, { header: takeHeader, line: one })
  }
  return { header, workspaceId, lines }
}

function setAsideOf({ fields, errors }: RawLine, text: string): SetAside {
  const { amount, currency } = fields ?? {}
  const isRead = !errors.some(({ pointer: at }) => at === '/amount')
  return isRead && typeof amount === 'number' && typeof currency === 'string'
    ? { text, amount, currency }
    : { text, amount: null, currency: null }
}

function workspaceOf({ fields }: RawLine): string | null {
  const named = fields?.workspace_id
  return typeof named === 'string' ? named : null
}

/** Well-formed ids that belong to nothing. */
export const unknownIds: Readonly<Record<string, string>> = {
  agency_id: `agy_${'0'.repeat(22)}`,
  product_id: `pkg_${'0'.repeat(22)}`,
}

function readLine<Body>(
  { line, fields, errors: unreadable, names = [], missing, cells }: RawLine,
  sheet: Sheet,
  forAll: Readonly<Record<string, string>>,
  errorsAtMost: number,
): SheetLine<Body> {
  if (fields === null) return { line, body: null, errors: unreadable }
  const whole = withIds({ ...forAll, ...fields }, names)
  const ofNames = names.length === 0 ? {} : { names }
  const parsed = sheet.line.safeParse(whole)
  const found = parsed.success
    ? errorsOfSound(parsed.data, { isCsv: cells !== undefined, forAll })
    : fieldErrors(parsed.error.issues, '', whole, errorsAtMost)
  if (parsed.success && unreadable.length === 0 && found.length === 0) {
    return { line, body: parsed.data as Body, ...ofNames }
  }
  const known = new Set(unreadable.map(({ pointer: at }) => at))
  const errors = [
    ...unreadable,
    ...found.filter(({ pointer: at }) => !known.has(at) && !missing?.has(at)),
  ]
  return { line, body: null, ...ofNames, errors, understood: whole }
}

/** Refuses a good line of an invoice in one currency more than an invoice may have. */
function ofKnownCurrency<Body>(line: SheetLine<Body>, currencies: Set<string>): SheetLine<Body> {
  if (line.body === null) return line
  const fields = { ...(line.body as InvoiceLineBody) }
  const { currency } = fields
  if (!currencies.has(currency) && currencies.size === currenciesMax) {
    return { ...line, body: null, errors: [tooManyCurrencies], understood: fields }
  }
  currencies.add(currency)
  return line
}

/** Checks that the line's schema does not make. Cells of a CSV were checked when they were read. */
function errorsOfSound(
  body: unknown,
  of: { readonly isCsv: boolean; readonly forAll: Readonly<Record<string, string>> },
): readonly FieldError[] {
  const destroyed = of.isCsv ? [] : spreadsheetErrors(body, [])
  return [...destroyed, ...otherWorkspace(body, of.forAll)]
}

/** Puts an id in place of each name, so that the line can be validated. */
function withIds(fields: Record<string, unknown>, names: readonly LineName[]) {
  for (const { pointer: at } of names) {
    const [group = '', field = ''] = at.slice(1).split('/')
    fields[group] = { ...(fields[group] as object), [field]: unknownIds[field] }
  }
  return fields
}

/** JSON may have been made from a spreadsheet too. */
function spreadsheetErrors(value: unknown, path: readonly string[]): readonly FieldError[] {
  if (typeof value === 'string') {
    if (!isSpreadsheetError(value)) return []
    return [{ pointer: pointer(path), reason: 'spreadsheet_error', detail: spreadsheetErrorText }]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => spreadsheetErrors(each, [...path, name]))
}

function otherWorkspace(body: unknown, forAll: Readonly<Record<string, string>>): FieldError[] {
  const { workspace_id: own } = body as { readonly workspace_id?: string }
  if (own === forAll.workspace_id) return []
  const detail = 'Every line of a batch belongs to its workspace.'
  return [{ pointer: '/workspace_id', reason: 'other_workspace', detail }]
}
