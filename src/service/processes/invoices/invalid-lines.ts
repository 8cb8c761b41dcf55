import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { InvoiceLineSealer } from '../../security/encryption/own-key.ts'

/** What is wrong with a cell or a field of a line. */
type InvalidLineError = {
  /** The header in the file. Null for JSON, and if the error is not about one cell. */
  readonly column: string | null
  /** The field in JSON; empty if the error is not about one field. */
  readonly pointer: string
  /** The text of the cell. */
  readonly value: string | null
  readonly reason: string
  readonly detail: string
}

type InvalidLineContent = {
  /** The line as it was sent: a row of a CSV, or JSON. */
  readonly text: string
  readonly errors: readonly InvalidLineError[]
}

/** A line that is kept although it is wrong: it bills nothing and is not compared. */
export type InvalidInvoiceLine = InvalidLineContent & {
  readonly line: number
  /** Null if it cannot be read either. */
  readonly guideNumber: string | null
}

type InvalidLinesAt = {
  readonly id: string
  readonly version: number
  readonly organizationId: string
  readonly connectionId: string
  readonly sealer: InvoiceLineSealer
}

export async function insertInvalidLines(
  tx: Kysely<Tables>,
  { id, version, organizationId, connectionId, sealer }: InvalidLinesAt,
  lines: readonly InvalidInvoiceLine[],
): Promise<void> {
  const contents = lines.map(({ line, text, errors }) =>
    sealer.seal({ version, line, what: 'invalid' }, { text, errors }),
  )
  await sql`
    INSERT INTO courier_invoice_invalid_lines (invoice_id, version, organization_id,
      courier_connection_id, line, guide_number, content)
    SELECT ${id}, ${version}, ${organizationId}, ${connectionId}, line, guide_number, content
    FROM unnest(${lines.map(({ line }) => line)}::int[],
        ${lines.map(({ guideNumber }) => guideNumber)}::text[], ${contents}::bytea[])
      AS of (line, guide_number, content)`.execute(tx)
}

/** Null without a sealer or content, because one of them was deleted. */
export function openInvalidLine(
  sealer: InvoiceLineSealer | null,
  { version, line, content }: { version: number; line: number; content: Buffer | null },
): InvalidLineContent | null {
  if (content === null || sealer === null) return null
  return sealer.open({ version, line, what: 'invalid' }, content) as unknown as InvalidLineContent
}

/** The guides of one shipment, by which invoices name it. */
export type BilledGuides = {
  readonly connectionId: string
  readonly guideNumbers: readonly string[]
}

/** Deletes what invalid lines say about the guides of a shipment whose person is erased. */
export async function eraseInvalidLinesOf(
  tx: Kysely<Tables>,
  { connectionId, guideNumbers }: BilledGuides,
): Promise<void> {
  await sql`
    UPDATE courier_invoice_invalid_lines SET content = NULL
    WHERE courier_connection_id = ${connectionId} AND guide_number = ANY (${guideNumbers})
      AND content IS NOT NULL`.execute(tx)
}

/** The same in an invoice that is imported after the erasure. */
export async function eraseInvalidLinesIn(
  tx: Kysely<Tables>,
  { id, version }: Pick<InvalidLinesAt, 'id' | 'version'>,
): Promise<void> {
  await sql`
    UPDATE courier_invoice_invalid_lines l SET content = NULL
    FROM projections.shipments s
    WHERE l.invoice_id = ${id} AND l.version = ${version} AND l.content IS NOT NULL
      AND s.courier_connection_id = l.courier_connection_id AND s.guide_number = l.guide_number
      AND s.erased_at IS NOT NULL`.execute(tx)
}
