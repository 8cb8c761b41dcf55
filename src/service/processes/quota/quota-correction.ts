import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { isCounted } from '../../domain/quota.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { hasColumn } from '../has-column.ts'
import type { ProcessServices } from '../process-services.ts'

/** Takes some milliseconds in one transaction, which locks the organizations concerned. */
const correctedMax = 200
/** Reservations checked in one page. The read model clears all but a few of them. */
export const sweptMax = 1_000
/** An append is given up 30 s after its reservation, so after a day the outcome is certain. */
const orphanAgeMs = 24 * 60 * 60_000

type Correction = {
  readonly shipment_id: string
  readonly version: number
  readonly position: string
  readonly is_counted: boolean
}

/**
 * Gives back the places in the quotas of shipments that ended without a guide, and takes them again
 * if that was contradicted, in the ledger's order. The correction and its progress are one
 * transaction: a restart, a second worker or a rebuilt read model corrects nothing twice. Returns
 * how many corrections were read.
 */
export async function correctQuotas({ db }: Pick<ProcessServices, 'db'>): Promise<number> {
  if (!(await hasColumn(db, 'projections.settlements', 'position'))) return 0
  // Without a lock at first: usually there is nothing.
  if ((await toCorrect(db, 1)).length === 0) return 0
  return await db.transaction().execute(async (tx) => {
    const { rows: mine } = await sql`SELECT FROM quota_progress FOR UPDATE SKIP LOCKED`.execute(tx)
    if (mine.length === 0) return 0
    const corrections = await toCorrect(tx, correctedMax)
    const last = corrections.at(-1)
    if (last === undefined) return 0
    await sql`
      SELECT quota_settle(${corrections.map((each) => each.shipment_id)}::text[],
        ${corrections.map((each) => each.version)}::int[],
        ${corrections.map((each) => each.is_counted)}::boolean[],
        ${corrections.map(() => null)}::timestamptz[])`.execute(tx)
    await sql`UPDATE quota_progress SET settled_to = ${last.position}`.execute(tx)
    return corrections.length
  })
}

async function toCorrect(db: Kysely<Tables>, limit: number): Promise<readonly Correction[]> {
  const { rows } = await sql<Correction>`
    SELECT shipment_id, version, position, is_counted FROM projections.settlements
    WHERE position > (SELECT settled_to FROM quota_progress)
    ORDER BY position LIMIT ${limit}`.execute(db)
  return rows
}

type Reserved = {
  readonly shipment_id: string
  readonly version: number
  readonly reserved_at: Date
  readonly is_doubtful: boolean
}

/**
 * Gives back places reserved a day ago for an attempt that was never recorded: the process died or
 * the ledger was unreachable in between. Reads the stream first. Safe to repeat and to run twice at
 * once. Returns how many reservations were checked; fewer than a page is the end for now.
 */
export async function sweepReservations(
  deps: Pick<ProcessServices, 'db' | 'store'>,
): Promise<number> {
  const { db, store } = deps
  if (!(await hasColumn(db, 'projections.settlements', 'position'))) return 0
  const { rows } = await sql<Reserved>`
    SELECT r.shipment_id, r.version, r.reserved_at,
      r.is_held AND (s.shipment_id IS NULL OR t.is_counted IS FALSE) AS is_doubtful
    FROM (
      SELECT * FROM quota_reservations
      WHERE reserved_at > (SELECT swept_to FROM quota_progress)
        AND reserved_at < clock_timestamp() - ${orphanAgeMs} * interval '1 millisecond'
      ORDER BY reserved_at FETCH FIRST ${sql.lit(sweptMax)} ROWS WITH TIES
    ) r
    LEFT JOIN projections.shipments s USING (shipment_id)
    LEFT JOIN projections.settlements t USING (shipment_id)
    ORDER BY r.reserved_at`.execute(db)
  const last = rows.at(-1)
  if (last === undefined) return 0
  const orphans: Reserved[] = []
  for (const row of rows.filter((each) => each.is_doubtful)) {
    const { state } = await loadShipment(store, row.shipment_id)
    if (state === null || !isCounted(state)) orphans.push(row)
  }
  await sql`
    SELECT quota_settle(${orphans.map((each) => each.shipment_id)}::text[],
      ${orphans.map((each) => each.version)}::int[],
      ${orphans.map(() => false)}::boolean[],
      ${orphans.map((each) => each.reserved_at)}::timestamptz[])`.execute(db)
  await sql`
    UPDATE quota_progress SET swept_to = greatest(swept_to, ${last.reserved_at})`.execute(db)
  return rows.length
}
