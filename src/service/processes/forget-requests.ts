import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'

/** How long requests are kept, in real time. */
const keptDays = 7
/** Rows of one organization and mode: enough of a busy shop's day to find a cause. */
const rowsMax = 200_000
/** Rows per statement: short enough not to delay other work. */
const batchRows = 5_000
/** Statements per run and reason to delete; the rest follows five minutes later. */
const batchesMax = 100
const modes = [false, true]

/** Deletes logged requests that are too old or too many. Returns the number; safe to repeat. */
export async function forgetRequests(
  db: Kysely<Tables>,
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

async function forgetOld(db: Kysely<Tables>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM request_log WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM request_log WHERE created_at < now() - ${keptDays} * interval '1 day'
      ORDER BY created_at LIMIT ${batchRows}))`.execute(db)
  return Number(numAffectedRows)
}

async function forgetBeyond(
  db: Kysely<Tables>,
  { id, livemode }: { readonly id: string; readonly livemode: boolean },
  rows: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM request_log WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM request_log WHERE organization_id = ${id} AND livemode = ${livemode}
      ORDER BY created_at DESC, id DESC OFFSET ${rows} LIMIT ${batchRows}))`.execute(db)
  return Number(numAffectedRows)
}
