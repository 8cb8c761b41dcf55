import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { type WorkspaceHolds, workspaceHolds } from './workspace-holds.ts'

/** Why: by request, or because the workspace's retention is over. */
export type ErasureCause = 'request' | 'retention'

/** An erasure that is to be worked on from a moment on the workspace's clock. */
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

/** The notes of pending erasures; each call is safe to repeat. Throws what the database throws. */
export type ErasureRows = WorkspaceHolds & {
  /** The work left for a shipment; null = none. */
  read(shipmentId: string): Promise<ErasureRow | null>
  /** Work already done for the shipment is done again. */
  note(note: ErasureNote): Promise<void>
  postpone(shipmentId: string, dueAt: Instant, tries: number): Promise<void>
  markListed(shipmentId: string): Promise<void>
  end(shipmentId: string): Promise<void>
  /** Takes back a note this old that was not carried out after all; false: it was noted since. */
  withdraw(shipmentId: string, ageMs: number): Promise<boolean>
  /**
   * Forgets the receivers' answers to a shipment's webhooks, and what couriers' invoices say of it:
   * their text may contain anything.
   */
  forgetExcerpts(shipmentId: string): Promise<void>
}

export function erasureRows(db: Kysely<ReadModels>): ErasureRows {
  return {
    read: (shipmentId) => readErasure(db, shipmentId),
    note: (note) => noteErasure(db, note),
    postpone: (shipmentId, dueAt, tries) => postponeErasure(db, shipmentId, dueAt, tries),
    markListed: (shipmentId) => markListed(db, shipmentId),
    end: (shipmentId) => endErasure(db, shipmentId),
    ...workspaceHolds(db),
    withdraw: (shipmentId, ageMs) => withdrawErasure(db, shipmentId, ageMs),
    forgetExcerpts: (shipmentId) => forgetExcerpts(db, shipmentId),
  }
}

async function readErasure(db: Kysely<ReadModels>, shipmentId: string): Promise<ErasureRow | null> {
  const { rows } = await sql<{ because: ErasureCause; tries: number; is_listed: boolean }>`
    SELECT because, tries, listed_at IS NOT NULL AS is_listed FROM erasures WHERE shipment_id = ${shipmentId} AND ended_at IS NULL`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) return null
  return { because: row.because, tries: row.tries, isListed: row.is_listed }
}

export async function noteErasure(
  db: Kysely<ReadModels>,
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
  db: Kysely<ReadModels>,
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

async function markListed(db: Kysely<ReadModels>, shipmentId: string): Promise<void> {
  await sql`
    UPDATE erasures SET listed_at = clock_timestamp() WHERE shipment_id = ${shipmentId}`.execute(db)
}

async function endErasure(db: Kysely<ReadModels>, shipmentId: string): Promise<void> {
  await sql`
    WITH ended AS (
      UPDATE erasures SET ended_at = clock_timestamp() WHERE shipment_id = ${shipmentId}
    )
    UPDATE due SET erase_at = NULL WHERE shipment_id = ${shipmentId}`.execute(db)
}

async function withdrawErasure(
  db: Kysely<ReadModels>,
  shipmentId: string,
  ageMs: number,
): Promise<boolean> {
  const old = sql`AND created_at <= clock_timestamp() - ${ageMs} * interval '1 millisecond'`
  return await withdraw(db, shipmentId, old)
}

/** The same for an erasure that fell due by retention, unless it has been requested since. */
export async function withdrawRetention(db: Kysely<ReadModels>, shipmentId: string): Promise<void> {
  await withdraw(db, shipmentId, sql`AND because = 'retention'`)
}

async function withdraw(
  db: Kysely<ReadModels>,
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
 * Takes the locks under which attempts are recorded: an attempt recorded before is complete, and
 * one recorded afterwards sees the erasure.
 */
async function forgetExcerpts(db: Kysely<ReadModels>, shipmentId: string): Promise<void> {
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
    // Only the worker that compares invoices opens their details.
    await sql`
      UPDATE courier_invoice_lines SET erase_due = true
      WHERE shipment_id = ${shipmentId} AND details IS NOT NULL`.execute(tx)
  })
}

/** Well beyond any request that races with the erasure. The vault records permanently what is erased. */
const rememberedDays = 31
/** Rows of one statement: some milliseconds. */
const forgottenMax = 1_000

/** Deletes the notes of erasures finished long ago. Returns how many; calling again is safe. */
export async function forgetErasures(db: Kysely<ReadModels>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM erasures WHERE shipment_id = ANY (ARRAY(
      SELECT shipment_id FROM erasures
      WHERE ended_at < now() - ${rememberedDays} * interval '1 day'
      ORDER BY ended_at LIMIT ${forgottenMax}))`.execute(db)
  return Number(numAffectedRows)
}

/** A racer with the same key has stored its body by then, or never will: its request has ended. */
const racersHours = 1

/** Recently erased shipments for which a racer has stored a body since. */
export async function lateRows(db: Kysely<ReadModels>): Promise<readonly string[]> {
  const { rows } = await sql<{ shipment_id: string }>`
    SELECT DISTINCT e.shipment_id FROM erasures e JOIN vault v ON v.shipment_id = e.shipment_id
    WHERE e.ended_at > now() - ${racersHours} * interval '1 hour' AND v.wrapped_key IS NOT NULL
    LIMIT ${forgottenMax}`.execute(db)
  return rows.map((row) => row.shipment_id)
}

type ErasureFigures = { readonly pending: number; readonly oldestAgeSeconds: number }

/** The count stops here: an outage that leaves more is visible all the same. */
const countedMax = 10_000

/** How many erasures are not finished, and since when the oldest has been waiting. */
export async function erasureFigures(db: Kysely<ReadModels>): Promise<ErasureFigures> {
  const { rows } = await sql<{ pending: string; age: number | null }>`
    SELECT count(*) AS pending, extract(epoch FROM now() - min(created_at))::float8 AS age
    FROM (SELECT created_at FROM erasures WHERE ended_at IS NULL
          ORDER BY created_at LIMIT ${countedMax}) pending`.execute(db)
  return {
    pending: Number(rows[0]?.pending ?? 0),
    oldestAgeSeconds: Math.max(0, rows[0]?.age ?? 0),
  }
}
