import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { type BilledGuides, eraseInvalidLinesOf } from '../invoices/invalid-lines.ts'
import { type WorkspaceHolds, workspaceHolds } from './workspace-holds.ts'

/** By request, or because the workspace's retention period is over. */
export type ErasureCause = 'request' | 'retention'

/** An erasure to be performed from a time on the workspace's clock. */
type ErasureNote = {
  readonly shipmentId: string
  readonly workspaceId: string
  readonly livemode: boolean
  readonly because: ErasureCause
  readonly dueAt: Instant
}

export type ErasureRow = {
  readonly because: ErasureCause
  readonly tries: number
  readonly isListed: boolean
}

/** The pending erasures; each call is safe to repeat. Throws the database's errors. */
export type ErasureRows = WorkspaceHolds & {
  /** The pending erasure of a shipment; null if there is no such row. */
  read(shipmentId: string): Promise<ErasureRow | null>
  /** Plans an erasure. Steps already done for the shipment are done again. */
  note(note: ErasureNote): Promise<void>
  postpone(shipmentId: string, dueAt: Instant, tries: number): Promise<void>
  markListed(shipmentId: string): Promise<void>
  end(shipmentId: string): Promise<void>
  /**
   * Removes a note of at least this age whose erasure did not happen; false if it was noted again
   * since.
   */
  withdraw(shipmentId: string, ageMs: number): Promise<boolean>
  /**
   * Deletes the receivers' answers to a shipment's webhooks and the details in couriers' invoices,
   * whose text may contain anything.
   */
  forgetExcerpts(shipmentId: string, guides: BilledGuides): Promise<void>
}

export function erasureRows(db: Kysely<Tables>): ErasureRows {
  return {
    read: (shipmentId) => readErasure(db, shipmentId),
    note: (note) => noteErasure(db, note),
    postpone: (shipmentId, dueAt, tries) => postponeErasure(db, shipmentId, dueAt, tries),
    markListed: (shipmentId) => markListed(db, shipmentId),
    end: (shipmentId) => endErasure(db, shipmentId),
    ...workspaceHolds(db),
    withdraw: (shipmentId, ageMs) => withdrawErasure(db, shipmentId, ageMs),
    forgetExcerpts: (shipmentId, guides) => forgetExcerpts(db, shipmentId, guides),
  }
}

async function readErasure(db: Kysely<Tables>, shipmentId: string): Promise<ErasureRow | null> {
  const { rows } = await sql<{ because: ErasureCause; tries: number; is_listed: boolean }>`
    SELECT because, tries, listed_at IS NOT NULL AS is_listed FROM erasures WHERE shipment_id = ${shipmentId} AND ended_at IS NULL`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) return null
  return { because: row.because, tries: row.tries, isListed: row.is_listed }
}

export async function noteErasure(
  db: Kysely<Tables>,
  { shipmentId, workspaceId, livemode, because, dueAt }: ErasureNote,
): Promise<void> {
  await sql`
    WITH noted AS (
      INSERT INTO erasures AS e (shipment_id, workspace_id, livemode, because)
      VALUES (${shipmentId}, ${workspaceId}, ${livemode}, ${because})
      ON CONFLICT (shipment_id) DO UPDATE
        SET because = excluded.because, ended_at = NULL, tries = 0, created_at = excluded.created_at
    )
    INSERT INTO due (shipment_id, workspace_id, livemode, erase_at)
    VALUES (${shipmentId}, ${workspaceId}, ${livemode}, ${rfc3339(dueAt)})
    ON CONFLICT (shipment_id) DO UPDATE SET erase_at = excluded.erase_at`.execute(db)
}

async function postponeErasure(
  db: Kysely<Tables>,
  shipmentId: string,
  dueAt: Instant,
  tries: number,
): Promise<void> {
  await sql`
    WITH tried AS (
      UPDATE erasures SET tries = ${tries} WHERE shipment_id = ${shipmentId} AND ended_at IS NULL
      RETURNING shipment_id
    )
    UPDATE due SET erase_at = ${rfc3339(dueAt)}
    WHERE shipment_id IN (SELECT shipment_id FROM tried)`.execute(db)
}

async function markListed(db: Kysely<Tables>, shipmentId: string): Promise<void> {
  await sql`
    UPDATE erasures SET listed_at = clock_timestamp() WHERE shipment_id = ${shipmentId}`.execute(db)
}

async function endErasure(db: Kysely<Tables>, shipmentId: string): Promise<void> {
  await sql`
    WITH ended AS (
      UPDATE erasures SET ended_at = clock_timestamp() WHERE shipment_id = ${shipmentId}
    )
    UPDATE due SET erase_at = NULL WHERE shipment_id = ${shipmentId}`.execute(db)
}

async function withdrawErasure(
  db: Kysely<Tables>,
  shipmentId: string,
  ageMs: number,
): Promise<boolean> {
  const old = sql`AND created_at <= clock_timestamp() - ${ageMs} * interval '1 millisecond'`
  return await withdraw(db, shipmentId, old)
}

/** The same for an erasure due by retention, unless it has been requested since. */
export async function withdrawRetention(db: Kysely<Tables>, shipmentId: string): Promise<void> {
  await withdraw(db, shipmentId, sql`AND because = 'retention'`)
}

async function withdraw(
  db: Kysely<Tables>,
  shipmentId: string,
  condition: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql`
    WITH withdrawn AS (
      DELETE FROM erasures WHERE shipment_id = ${shipmentId} ${condition} RETURNING shipment_id
    ), planned AS (
      UPDATE due SET erase_at = NULL WHERE shipment_id IN (SELECT shipment_id FROM withdrawn)
    )
    SELECT FROM withdrawn`.execute(db)
  return rows.length > 0
}

/**
 * Takes the locks under which delivery attempts are recorded: an attempt recorded earlier is
 * complete, and a later one sees the erasure.
 */
async function forgetExcerpts(
  db: Kysely<Tables>,
  shipmentId: string,
  guides: BilledGuides,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      SELECT FROM webhook_lanes WHERE endpoint_id IN (
        SELECT endpoint_id FROM webhook_deliveries WHERE shipment_id = ${shipmentId})
      ORDER BY endpoint_id FOR UPDATE`.execute(tx)
    await sql`
      UPDATE webhook_deliveries d
      SET version = d.version + 1, attempts = (
        SELECT coalesce(jsonb_agg(one.attempt || '{"excerpt": null}' ORDER BY one.n), '[]')
        FROM jsonb_array_elements(d.attempts) WITH ORDINALITY AS one (attempt, n))
      WHERE d.shipment_id = ${shipmentId} AND d.attempts @? '$[*] ? (@.excerpt != null)'`.execute(
      tx,
    )
    // Only the worker that compares invoices can open their details.
    await sql`
      UPDATE courier_invoice_lines SET erase_due = true
      WHERE shipment_id = ${shipmentId} AND details IS NOT NULL`.execute(tx)
    await eraseInvalidLinesOf(tx, guides)
  })
}

/**
 * Far longer than any request that races with the erasure. The vault keeps what is erased for good.
 */
const rememberedDays = 31
/** Rows deleted by one statement: some milliseconds. */
const forgottenMax = 1_000

/** Deletes the rows of erasures finished long ago. Returns the number. Safe to repeat. */
export async function forgetErasures(db: Kysely<Tables>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM erasures WHERE shipment_id = ANY (ARRAY(
      SELECT shipment_id FROM erasures
      WHERE ended_at < now() - ${rememberedDays} * interval '1 day'
      ORDER BY ended_at LIMIT ${forgottenMax}))`.execute(db)
  return Number(numAffectedRows)
}

/**
 * By then a concurrent request with the same key has ended: it has stored its body or never will.
 */
const racersHours = 1

/** Recently erased shipments for which a concurrent request has stored a body since. */
export async function lateRows(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ shipment_id: string }>`
    SELECT DISTINCT e.shipment_id FROM erasures e JOIN vault v ON v.shipment_id = e.shipment_id
    WHERE e.ended_at > now() - ${racersHours} * interval '1 hour' AND v.wrapped_key IS NOT NULL
    LIMIT ${forgottenMax}`.execute(db)
  return rows.map((row) => row.shipment_id)
}

type ErasureFigures = { readonly pending: number; readonly oldestAgeSeconds: number }

/** An outage with more pending erasures is visible without an exact count. */
const countedMax = 10_000

/** The number of unfinished erasures, and since when the oldest has been waiting. */
export async function erasureMetrics(db: Kysely<Tables>): Promise<ErasureFigures> {
  const { rows } = await sql<{ pending: string; age: number | null }>`
    SELECT count(*) AS pending, extract(epoch FROM now() - min(created_at))::float8 AS age
    FROM (SELECT created_at FROM erasures WHERE ended_at IS NULL
          ORDER BY created_at LIMIT ${countedMax}) pending`.execute(db)
  return {
    pending: Number(rows[0]?.pending ?? 0),
    oldestAgeSeconds: Math.max(0, rows[0]?.age ?? 0),
  }
}
