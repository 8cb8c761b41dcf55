import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'

/**
 * How long the optional idempotency keys of POSTs other than shipments are remembered, in real
 * time.
 */
export const rememberedHours = 24
/** Rows per statement: short enough not to delay other work. */
const batchRows = 1_000
/** Statements per run; the rest follows in the next, five minutes later. */
const batchesMax = 100

/** Deletes expired keys. Returns the number; safe to repeat. */
export async function forgetAnswers(db: Kysely<Tables>): Promise<number> {
  let forgotten = 0
  for (let batch = 0; batch < batchesMax; batch++) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM idempotent_answers WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM idempotent_answers
        WHERE created_at < now() - ${rememberedHours} * interval '1 hour'
        ORDER BY created_at LIMIT ${batchRows}))`.execute(db)
    forgotten += Number(numAffectedRows)
    if (numAffectedRows < BigInt(batchRows)) break
  }
  return forgotten
}
