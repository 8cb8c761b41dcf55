import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { chargesMax } from '../../domain/invoices/charges.ts'
import type { LineKind } from '../../domain/invoices/line-kind.ts'
import type { InvoiceRow } from './store-invoice.ts'

/** A line to compare, as stored. */
export type StoredLine = {
  readonly line: number
  readonly kind: LineKind
  readonly guide_number: string
  readonly amount: string
  readonly currency: string
  readonly details: Buffer | null
  readonly billed_at: string
  readonly shipment_id: string | null
}

/**
 * A guide with the sequence of the version that billed it first in its invoice, which is unique to
 * that invoice.
 */
type Billed = Pick<StoredLine, 'guide_number' | 'billed_at'>

function billedOnce(lines: readonly Billed[]) {
  const guides = [...new Map(lines.map((row) => [row.guide_number, row.billed_at]))]
  return sql`unnest(
      ${guides.map(([guide]) => guide)}::text[], ${guides.map(([, at]) => at)}::bigint[]
    ) AS asked (guide_number, billed_at)`
}

/**
 * The lines of an invoice that bill the same guides as these, in order: at most a hundred per
 * guide.
 */
export async function readCharges(
  db: Kysely<Tables>,
  { version, courier_connection_id: connection }: InvoiceRow,
  lines: readonly Billed[],
): Promise<readonly StoredLine[]> {
  // The query does not filter by invoice: a planner without statistics would expect as few lines in
  // the invoice as for the guide.
  const { rows } = await sql<StoredLine>`
    SELECT own.* FROM ${billedOnce(lines)}
    CROSS JOIN LATERAL (
      SELECT l.line, l.kind, l.guide_number, l.amount, l.currency, l.details, l.billed_at,
        l.shipment_id
      FROM courier_invoice_lines l
      WHERE l.courier_connection_id = ${connection}
        AND l.guide_number = asked.guide_number COLLATE "C"
        AND l.billed_at = asked.billed_at AND l.version = ${version}
      ORDER BY l.line LIMIT ${chargesMax}
    ) own ORDER BY own.line`.execute(db)
  return rows
}

/** A line of an earlier invoice. */
export type EarlierLine = {
  readonly kind: LineKind
  readonly guide_number: string
  readonly courier_invoice_id: string
  readonly version: number
  readonly line: number
  readonly amount: number
  readonly currency: string
  /** Null if it is not compared yet or belongs to no shipment. */
  readonly shipment_id: string | null
}

/** What earlier invoices bill for the guides of these lines, earliest first. */
export async function readEarlier(
  db: Kysely<Tables>,
  { id, courier_connection_id: connection }: InvoiceRow,
  charges: readonly StoredLine[],
): Promise<ReadonlyMap<string, readonly EarlierLine[]>> {
  const { rows } = await sql<EarlierLine>`
    SELECT before.* FROM ${billedOnce(charges)}
    CROSS JOIN LATERAL (
      SELECT l.kind, l.guide_number, l.invoice_id AS courier_invoice_id, l.version, l.line,
        l.amount::float8 AS amount, l.currency, l.shipment_id
      FROM courier_invoice_lines l
      JOIN courier_invoices i ON i.id = l.invoice_id AND i.version = l.version
        AND i.state <> 'withdrawn'
      WHERE l.courier_connection_id = ${connection}
        AND l.guide_number = asked.guide_number COLLATE "C" AND l.invoice_id <> ${id}
        AND l.billed_at < asked.billed_at
      ORDER BY l.billed_at, l.line LIMIT ${chargesMax}
    ) before`.execute(db)
  return Map.groupBy(rows, (row) => row.guide_number)
}
