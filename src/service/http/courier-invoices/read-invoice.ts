import type { FastifyRequest } from 'fastify'
import type { LineKind } from '../../domain/invoices/line-kind.ts'
import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import { errorsMax } from '../../field-errors.ts'
import type { InvalidInvoiceLine } from '../../processes/invoices/invalid-lines.ts'
import type { InvoiceLines } from '../../processes/invoices/store-invoice.ts'
import type { NewInvoiceLine } from '../../processes/invoices/stored-invoice-line.ts'
import { refuseHeader } from '../../sheets/csv-lines.ts'
import { csvText } from '../../sheets/csv-text.ts'
import { invoiceSheet } from '../../sheets/invoice-columns.ts'
import { type InvoiceLineBody, invoiceLineBody } from '../../sheets/invoice-line-body.ts'
import type { SheetLine, SheetRequest } from '../../sheets/read-sheet.ts'
import { refusedFile, type SetAside } from '../../sheets/sheet-line.ts'
import type { SheetContent } from '../../sheets/sheet-thread.ts'
import type { ApiServices } from '../api-services.ts'
import { authenticated } from '../rules/authenticate.ts'
import { refuseCompressed } from '../rules/json-body.ts'
import { charsetOf } from '../rules/sheets/charset.ts'
import { itemsInOne } from '../rules/sheets/line-bodies.ts'
import { errorsOfLine, SheetCheck } from '../rules/sheets/sheet-check.ts'
import { columnChoicesOf, refuseQueryOfText, requiredField } from '../rules/sheets/sheet-query.ts'
import { setAsideMax } from './invoice-check-schema.ts'
import type { InvoiceQuery, invoiceBody } from './invoice-schema.ts'

/** As many wrong cells as a person corrects in one go. */
const cellErrorsMax = 20

/** The content of an invoice. */
export type InvoiceContent = InvoiceLines & {
  readonly reference: string
  readonly period: { readonly from: string; readonly to: string } | null
}

type Given = Omit<InvoiceContent, keyof InvoiceLines> & {
  readonly connectionId: string
  readonly isCsv: boolean
  readonly content: SheetContent<InvoiceLineBody>
  /** The line at this position as it was sent. */
  readonly textOf: (index: number, line: SheetLine<InvoiceLineBody>) => string
}

/** The invoice of a request in either format. Throws a Problem for what concerns the whole of it. */
export async function readInvoiceBody(
  { sheets }: Pick<ApiServices, 'sheets'>,
  request: FastifyRequest,
): Promise<Given> {
  const { principal } = authenticated(request)
  const query = request.query as InvoiceQuery
  const isCheck = query.validate === true
  const keepsInvalid = query.skip_invalid === true
  const read = (bytes: Buffer, format: SheetRequest['format'], errorsAtMost: number) =>
    sheets.read(principal.organizationId, bytes, {
      kind: 'invoice',
      format,
      forAll: {},
      errorsMax: isCheck || keepsInvalid ? 0 : errorsAtMost,
      isCheck,
      keepsInvalid,
    })
  const { body } = request
  if (Buffer.isBuffer(body)) {
    refuseCompressed(request)
    const format = { type: 'csv', charset: charsetOf(request), ...columnChoicesOf(query) } as const
    const about = aboutCsv(query)
    const content = await read(body, format, cellErrorsMax)
    const textOf: Given['textOf'] = (_index, { cells = [] }) => csvText([cells]).trimEnd()
    return { ...about, isCsv: true, content, textOf }
  }
  refuseQueryOfText(query)
  const {
    lines,
    courier_connection_id: connectionId,
    reference,
    period = null,
  } = body as ReturnType<typeof invoiceBody.parse>
  if (reference === undefined && !isCheck) throw requiredField('/reference')
  const { bytes, ends } = itemsInOne(lines)
  const content = await read(bytes, { type: 'json', ends }, errorsMax)
  const textOf = (index: number) => bytes.toString('utf8', ends[index - 1] ?? 0, ends[index])
  return { connectionId, reference: reference ?? '', period, isCsv: false, content, textOf }
}

/**
 * The lines of an invoice. Throws a Problem that names each invalid one, unless they are skipped:
 * the rest of the invoice would look like the whole. An invoice of which no line is good is refused
 * in any case: as its next version it would take back what the former one bills.
 */
export async function linesOfInvoice(
  { content, isCsv, textOf }: Pick<Given, 'content' | 'isCsv' | 'textOf'>,
  { skipsInvalid }: { readonly skipsInvalid: boolean },
): Promise<InvoiceLines> {
  const { header, lines: count } = content.end
  if (header !== null) refuseHeader(header)
  if (count === 0) throw noLines()
  const lines: NewInvoiceLine[] = []
  const invalid: InvalidInvoiceLine[] = []
  const wrong: FieldError[] = []
  const shownMax = isCsv ? cellErrorsMax : errorsMax
  let index = -1
  for await (const part of content.parts()) {
    for (const from of part) {
      const { line, body, setAside, errors = [] } = from
      if (setAside !== undefined) continue
      index += 1
      if (body !== null) lines.push(newLine(line, body))
      else if (skipsInvalid) {
        const told = errorsOfLine(header, from, errors)
        const guideNumber = guideNumberOf(from)
        invalid.push({ line, guideNumber, text: textOf(index, from), errors: told })
      }
      for (const { pointer, reason, detail } of errors.slice(0, shownMax - wrong.length)) {
        const where = isCsv ? `Row ${line}: ` : ''
        wrong.push({ pointer: `/lines/${index}${pointer}`, reason, detail: where + detail })
      }
    }
  }
  if (wrong.length === 0 || (skipsInvalid && lines.length > 0)) return { lines, invalid }
  throw new Problem('validation_failed', { errors: wrong })
}

const { guide_number: guideNumberSchema } = invoiceLineBody.shape

function guideNumberOf({ body, understood }: SheetLine<InvoiceLineBody>): string | null {
  return guideNumberSchema.safeParse((body ?? understood)?.guide_number).data ?? null
}

function noLines(): Problem {
  return refusedFile('too_small', 'An invoice has at least one line.')
}

function newLine(line: number, body: InvoiceLineBody): NewInvoiceLine {
  const { weight_kg: weightKg } = body
  return {
    line,
    kind: body.kind ?? 'charge',
    guideNumber: body.guide_number,
    amount: body.amount,
    currency: body.currency,
    weightGrams: weightKg == null ? null : Math.round(weightKg * 1_000),
    date: body.date ?? null,
    clientReference: body.client_reference ?? null,
  }
}

type Sum = {
  readonly kind: LineKind
  readonly currency: string
  readonly amount: number
  readonly lines: number
}

/** Checks all lines as `validate=true` answers. */
export async function checkInvoice({ content }: Pick<Given, 'content'>) {
  const { header, lines: count } = content.end
  if (count === 0) throw noLines()
  const sheet = new SheetCheck(invoiceSheet, header)
  const sums = new Map<string, Sum>()
  const setAside: (SetAside & { readonly line: number })[] = []
  let setAsideCount = 0
  for await (const part of content.parts()) {
    for (const from of part) {
      const { body, understood = null, errors = [] } = from
      if (from.setAside !== undefined) {
        setAsideCount += 1
        if (setAside.length < setAsideMax) setAside.push({ line: from.line, ...from.setAside })
        continue
      }
      sheet.addLine(from, body ?? understood, errors)
      if (body === null) continue
      const { currency, amount } = body
      const kind = body.kind ?? 'charge'
      const of = `${kind} ${currency}`
      const sum = sums.get(of) ?? { kind, currency, amount: 0, lines: 0 }
      sums.set(of, { ...sum, amount: sum.amount + amount, lines: sum.lines + 1 })
    }
  }
  return {
    object: 'courier_invoice_check' as const,
    ...sheet.result(),
    totals: { amounts: [...sums.values()] },
    set_aside: setAside,
    more_set_aside: setAsideCount - setAside.length,
  }
}

function aboutCsv(asked: InvoiceQuery): Omit<Given, 'content' | 'isCsv' | 'textOf'> {
  const { courier_connection_id: connectionId, period_from, period_to } = asked
  const reference = asked.reference ?? (asked.validate === true ? '' : undefined)
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

const needed = { reason: 'required', detail: 'CSV requires it in the query.' }
const half = { reason: 'required', detail: 'A period needs both ends.' }

function inQuery(name: string, error: Omit<FieldError, 'pointer'>): Problem {
  return new Problem('validation_failed', {
    errors: [{ pointer: `#/query/${name}`, ...error }],
  })
}
