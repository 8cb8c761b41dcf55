import { sql } from 'kysely'
import { z } from 'zod'
import type { Language } from '../../domain/language.ts'
import { Problem, type Reason } from '../../errors.ts'
import { type BatchRow, lineStateSql } from '../../processes/batches/batch-to-api.ts'
import {
  type DocumentKind,
  documentName,
  fileNames,
} from '../../processes/documents/document-name.ts'
import type { ExcludedShipment } from '../../processes/documents/print-messages.ts'
import type { ApiServices } from '../api-services.ts'
import { lineTexts } from './line-texts.ts'

const lineNumber = z
  .string()
  .regex(/^[1-9][0-9]{0,5}$/)
  .transform(Number)
  .optional()

/** The query parameters that choose lines of a batch to print. */
export const lineRange = {
  first_line: lineNumber.meta({
    type: 'integer',
    description: 'The first line to print. The default is the first line of the batch.',
    example: 1,
  }),
  last_line: lineNumber.meta({
    type: 'integer',
    description: 'The last line to print. The default is the last line of the batch.',
    example: 200,
  }),
}

type LineRange = {
  readonly first_line?: number | undefined
  readonly last_line?: number | undefined
}

type PrintedRange = LineRange & { readonly language: Language }

type Row = {
  readonly line: number
  readonly idempotency_key: string | null
  readonly shipment_id: string | null
  readonly state: string
  readonly reason: Reason | null
}

/** The shipments of these lines in order, and the lines that have none. */
export async function printedLines(
  { db }: Pick<ApiServices, 'db'>,
  { id, organization_id: organizationId }: BatchRow,
  { first_line: first = 1, last_line: last = 999_999, language }: PrintedRange,
) {
  const { rows } = await sql<Row>`
    SELECT l.line, l.idempotency_key, l.reason, ${lineStateSql} AS state,
      CASE WHEN l.state = 'answered' THEN l.shipment_id END AS shipment_id
    FROM batch_lines l
    LEFT JOIN projections.shipments s ON s.shipment_id = l.shipment_id AND l.state = 'answered'
    WHERE l.batch_id = ${id} AND l.organization_id = ${organizationId}
      AND l.line BETWEEN ${first} AND ${last}
    ORDER BY l.line`.execute(db)
  if (rows.length === 0) {
    const detail = 'The batch has no such line.'
    const errors = [{ pointer: '#/query/first_line', reason: 'no_such_line', detail }]
    throw new Problem('invalid_filter', { errors })
  }
  const texts = lineTexts[language]
  return {
    shipmentIds: rows.flatMap(({ shipment_id }) => shipment_id ?? []),
    withoutShipment: rows.flatMap((row): ExcludedShipment[] =>
      row.shipment_id === null
        ? [
            {
              shipmentId: row.idempotency_key ?? '',
              reference: texts.reference(row.line),
              why: whyOf(row, texts),
            },
          ]
        : [],
    ),
  }
}

/** The name of a file about these lines, without extension. */
export function nameOfBatch(
  { kind, language }: DocumentKind,
  { external_reference: reference }: Pick<BatchRow, 'external_reference'>,
  { first_line: first, last_line: last }: LineRange,
): string {
  const isRange = first !== undefined || last !== undefined
  const { kinds, lines } = fileNames[language]
  const range = isRange ? [lines(first ?? 1, last ?? null)] : []
  return documentName([kinds[kind], reference, ...range])
}

function whyOf({ state, reason }: Row, texts: (typeof lineTexts)[Language]): string {
  if (state === 'waiting') return texts.waiting
  if (state === 'creating') return texts.creating
  if (state === 'not_begun') return texts.notBegun
  return reason === null ? texts.refused : texts.refusedAs(reason)
}
