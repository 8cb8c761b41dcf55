import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'

/**
 * What decides which line bills a guide first happens one at a time for a connection, until the end of
 * the transaction.
 */
export async function lockImports(tx: Kysely<ReadModels>, connectionId: string): Promise<void> {
  const key = `courier-invoices ${connectionId}`
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}
