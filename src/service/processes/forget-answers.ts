import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'

/** How long the optional keys of POSTs other than shipments are remembered, in real time. */
export const rememberedHours = 24
/** Rows of one statement: short enough not to delay other work. */
const batchRows = 1_000
/** Statements of one turn; the rest is forgotten in the next, five minutes later. */
const batchesMax = 100

/** Deletes expired keys. Returns how many; calling again is safe. */
export async function forgetAnswers(db: Kysely<ReadModels>): Promise<number> {
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
