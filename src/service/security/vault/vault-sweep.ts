import type { Pool } from 'pg'
import type { JsonObject } from '../../domain/decider.ts'
import { auditStream, isId, shipmentIdOfOwner, shipmentStream } from '../../domain/ids.ts'

/** An append is abandoned 30 s after its vault row was written. A day is a wide margin. */
const orphanAgeMs = 24 * 60 * 60 * 1000
/** Rows per page. After a crash the page is checked again. */
const sweepMax = 200
/** Streams read at once: more would slow down requests, which read streams too. */
const readsAtOnce = 8
/** A stream's first events name its references. Rows of a longer stream are kept. */
const eventsMax = 10_000

/** Reads a stream. It must return every event acknowledged before the call. */
type StreamReader = {
  readStream(
    stream: string,
    options?: { readonly from?: number; readonly limit?: number },
  ): Promise<readonly { readonly data: JsonObject }[]>
}

/**
 * `createdAt` is PostgreSQL's text: a Date would lose the microseconds, and the cursor would never
 * advance.
 */
type Cursor = { readonly createdAt: string; readonly ref: string }
type Candidate = Cursor & { readonly organizationId: string; readonly shipmentId: string }

type Swept = {
  readonly looked: number
  readonly deleted: number
  /**
   * The page was full, and no other worker has checked it meanwhile: call again for the next one.
   */
  readonly goOn: boolean
}

/**
 * Checks the next page of vault rows older than a day, and deletes those that no event names: they
 * are from creations that lost a race or were never appended. Reads the streams first. Each row is
 * checked once, because a row that an event names stays named; the progress is stored in the
 * database. Erased rows are checked too: an index without them would cost every creation a write.
 * Safe to repeat and to run twice at once. If a stream cannot be read, it throws, and the page is
 * checked again.
 */
export async function sweepOrphans(pool: Pool, ledger: StreamReader): Promise<Swept> {
  const from = await readCursor(pool)
  const { rows } = await pool.query<Candidate>(
    `SELECT ref, organization_id AS "organizationId", shipment_id AS "shipmentId",
       created_at::text AS "createdAt" FROM vault
     WHERE created_at < clock_timestamp() - $1 * interval '1 millisecond'
       AND (created_at, ref) > ($2::timestamptz, $3::uuid)
     ORDER BY created_at, ref LIMIT $4`,
    [orphanAgeMs, from.createdAt, from.ref, sweepMax],
  )
  const last = rows.at(-1)
  if (last === undefined) return { looked: 0, deleted: 0, goOn: false }
  const orphans = await orphansAmong(ledger, rows)
  if (orphans.length > 0) {
    await pool.query('SELECT ledger.delete_vault_orphans($1::uuid[])', [orphans])
  }
  const isMoved = await moveCursor(pool, from, last)
  return {
    looked: rows.length,
    deleted: orphans.length,
    goOn: isMoved && rows.length === sweepMax,
  }
}

async function readCursor(pool: Pool): Promise<Cursor> {
  const { rows } = await pool.query<Cursor>(
    'SELECT swept_to::text AS "createdAt", ref FROM vault_sweep',
  )
  const [cursor] = rows
  if (cursor === undefined) throw new Error('bug: the vault has no row for its sweep')
  return cursor
}

/** False if another worker has moved the cursor and continues from there. */
async function moveCursor(pool: Pool, from: Cursor, to: Cursor): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE vault_sweep SET swept_to = $1::timestamptz, ref = $2::uuid
     WHERE (swept_to, ref) = ($3::timestamptz, $4::uuid)`,
    [to.createdAt, to.ref, from.createdAt, from.ref],
  )
  return rowCount === 1
}

async function orphansAmong(
  ledger: StreamReader,
  rows: readonly Candidate[],
): Promise<readonly string[]> {
  const orphans: string[] = []
  const left = rows.values()
  const check = async () => {
    for (const row of left) if (!(await isNamed(ledger, row))) orphans.push(row.ref)
  }
  await Promise.all(Array.from({ length: readsAtOnce }, check))
  return orphans
}

/** Any mention in an event counts, in any field: when in doubt, the row is kept. */
async function isNamed(ledger: StreamReader, row: Candidate): Promise<boolean> {
  const events = await ledger.readStream(streamOf(row), { limit: eventsMax })
  if (events.length >= eventsMax) return true
  return events.some((event) => JSON.stringify(event.data).includes(row.ref))
}

/** The note of a decision belongs to the operation, and that of a workspace's hold to the workspace. */
function streamOf({ organizationId, shipmentId: id }: Candidate): string {
  if (isId('ws', id)) return auditStream(organizationId)
  return shipmentStream(shipmentIdOfOwner(id))
}
