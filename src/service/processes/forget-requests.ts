import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'

/** How long requests are kept, in real time. */
const keptDays = 7
/** Rows of one organization and mode: what a busy shop makes in a day is enough to find a cause. */
const rowsMax = 200_000
/** Rows of one statement: short enough not to delay other work. */
const batchRows = 5_000
/** Statements of one turn for each reason to forget; the rest follows five minutes later. */
const batchesMax = 100
const modes = [false, true]

/** Deletes noted requests that are old, or too many. Returns how many; calling again is safe. */
export async function forgetRequests(
  db: Kysely<ReadModels>,
  limits: { readonly rows: number } = { rows: rowsMax },
): Promise<number> {
  let forgotten = await inBatches(() => forgetOld(db))
  const { rows: organizations } = await sql<{ id: string }>`SELECT id FROM organizations`.execute(
    db,
  )
  for (const { id } of organizations) {
    for (const livemode of modes) {
      forgotten += await inBatches(() => forgetBeyond(db, { id, livemode }, limits.rows))
    }
  }
  return forgotten
}

async function inBatches(forget: () => Promise<number>): Promise<number> {
  let all = 0
  for (let batch = 0; batch < batchesMax; batch++) {
    const forgotten = await forget()
    all += forgotten
    if (forgotten < batchRows) break
  }
  return all
}

async function forgetOld(db: Kysely<ReadModels>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM request_log WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM request_log WHERE created_at < now() - ${keptDays} * interval '1 day'
      ORDER BY created_at LIMIT ${batchRows}))`.execute(db)
  return Number(numAffectedRows)
}

async function forgetBeyond(
  db: Kysely<ReadModels>,
  { id, livemode }: { readonly id: string; readonly livemode: boolean },
  rows: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM request_log WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM request_log WHERE organization_id = ${id} AND livemode = ${livemode}
      ORDER BY created_at DESC, id DESC OFFSET ${rows} LIMIT ${batchRows}))`.execute(db)
  return Number(numAffectedRows)
}
