import type { FastifyRequest } from 'fastify'
import { forEachInSlices, nextTurn } from '../../couriers/slices.ts'
import { invoiceLinesMax } from '../../domain/invoices/invoice-limits.ts'
import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import type { NewInvoiceLine } from '../../processes/invoices/invoice-line.ts'
import { type Charset, charsetOf } from '../batches/lines/charset.ts'
import type { CsvColumn, CsvFiles } from '../batches/lines/csv-columns.ts'
import { linesOfCsv } from '../batches/lines/lines-of-csv.ts'
import { refusedFile } from '../batches/lines/raw-line.ts'
import { refuseCompressed } from '../rules/json-body.ts'
import { errorsMax, fieldErrors } from '../rules/validation.ts'
import {
  type InvoiceLineBody,
  type InvoiceQuery,
  type invoiceBody,
  invoiceLine,
} from './invoice-schema.ts'

/** As many wrong cells as a person corrects in one go. */
const cellErrorsMax = 20

const types = {
  guide_number: 'text',
  amount: 'minor_units',
  currency: 'id',
  weight_kg: 'decimal',
  date: 'id',
  client_reference: 'text',
} as const satisfies Record<keyof InvoiceLineBody, CsvColumn['type']>

const invoiceFiles: CsvFiles = {
  columns: Object.entries(types).map(([name, type]): CsvColumn => {
    const schema = invoiceLine.shape[name as keyof InvoiceLineBody]
    const { description = '', example } = schema.meta() ?? {}
    return {
      name,
      pointer: `/${name}`,
      type,
      choices: [],
      isRequired: !schema.safeParse(undefined).success,
      description,
      example: (example as string | number | undefined) ?? null,
    }
  }),
  hasMetadata: false,
  file: 'An invoice',
  line: 'an invoice',
  linesMax: invoiceLinesMax,
}

/** What an invoice says. */
export type InvoiceContent = {
  readonly reference: string
  readonly period: { readonly from: string; readonly to: string } | null
  readonly lines: readonly NewInvoiceLine[]
}
type ReadInvoiceBody = InvoiceContent & { readonly connectionId: string }

/**
 * The invoice of a request in either form. JSON lines in its body are replaced by what was read of
 * them. Throws a Problem that names each wrong line.
 */
export async function readInvoiceBody(request: FastifyRequest): Promise<ReadInvoiceBody> {
  const { body } = request
  const asked = request.query as InvoiceQuery
  if (Buffer.isBuffer(body)) {
    refuseCompressed(request)
    const charset = charsetOf(request)
    return { ...aboutCsv(asked), lines: await readCsv(body, charset) }
  }
  refuseInQuery(asked)
  const given = body as ReturnType<typeof invoiceBody.parse>
  const lines = await readJson(given.lines)
  request.body = { ...given, lines }
  return {
    connectionId: given.courier_connection_id,
    reference: given.reference,
    period: given.period ?? null,
    lines: lines.map((line, at) => newLine(at + 1, line)),
  }
}

async function readJson(items: readonly unknown[]): Promise<readonly InvoiceLineBody[]> {
  const lines: InvoiceLineBody[] = []
  const wrong: FieldError[] = []
  const read = (item: unknown, index: number) => {
    if (wrong.length >= errorsMax) return
    const parsed = invoiceLine.safeParse(item)
    if (parsed.success) lines.push(parsed.data)
    else wrong.push(...fieldErrors(parsed.error.issues, `/lines/${index}`, item))
  }
  await forEachInSlices(items, read, nextTurn)
  if (wrong.length === 0) return lines
  throw new Problem('validation_failed', { errors: wrong.slice(0, errorsMax) })
}

function newLine(line: number, body: InvoiceLineBody): NewInvoiceLine {
  const { weight_kg: weightKg } = body
  return {
    line,
    guideNumber: body.guide_number,
    amount: body.amount,
    currency: body.currency,
    weightGrams: weightKg == null ? null : Math.round(weightKg * 1_000),
    date: body.date ?? null,
    clientReference: body.client_reference ?? null,
  }
}

function aboutCsv(asked: InvoiceQuery): Omit<ReadInvoiceBody, 'lines'> {
  const { courier_connection_id: connectionId, reference, period_from, period_to } = asked
  if (connectionId === undefined) throw inQuery('courier_connection_id', needed)
  if (reference === undefined) throw inQuery('reference', needed)
  if (period_from === undefined && period_to === undefined) {
    return { connectionId, reference, period: null }
  }
  if (period_from === undefined) throw inQuery('period_from', half)
  if (period_to === undefined) throw inQuery('period_to', half)
  if (Date.parse(period_from) > Date.parse(period_to)) {
    const detail = 'The period ends before it begins.'
    throw inQuery('period_to', { reason: 'invalid_period', detail })
  }
  return { connectionId, reference, period: { from: period_from, to: period_to } }
}

const needed = { reason: 'required', detail: 'CSV needs it in the query.' }
const half = { reason: 'required', detail: 'A period has both ends.' }

function inQuery(name: string, error: Omit<FieldError, 'pointer'>): Problem {
  return new Problem('validation_failed', {
    errors: [{ pointer: `#/query/${name}`, ...error }],
  })
}

function refuseInQuery(asked: InvoiceQuery): void {
  const given = Object.keys(asked)
  if (given.length === 0) return
  throw new Problem('validation_failed', {
    errors: given.map((name) => ({
      pointer: `#/query/${name}`,
      reason: 'unknown_field',
      detail: 'A JSON body has it among its fields.',
    })),
  })
}

/** An invoice with a wrong line is refused: a part of it would look like the whole. */
async function readCsv(body: Buffer, charset: Charset): Promise<readonly NewInvoiceLine[]> {
  const lines: NewInvoiceLine[] = []
  const wrong: FieldError[] = []
  let index = -1
  for await (const { line, fields, errors } of linesOfCsv(body, nextTurn, invoiceFiles, charset)) {
    index += 1
    const parsed = errors.length > 0 ? null : invoiceLine.safeParse(fields)
    if (parsed?.success) {
      if (wrong.length === 0) lines.push(newLine(line, parsed.data))
      continue
    }
    const found = parsed === null ? errors : fieldErrors(parsed.error.issues, '', fields)
    for (const { pointer, reason, detail } of found) {
      wrong.push({ pointer: `/lines/${index}${pointer}`, reason, detail: `Row ${line}: ${detail}` })
    }
    if (wrong.length >= cellErrorsMax) break
  }
  if (wrong.length > 0) {
    throw new Problem('validation_failed', { errors: wrong.slice(0, cellErrorsMax) })
  }
  if (lines.length === 0) throw refusedFile('too_small', 'An invoice has at least one line.')
  return lines
}
