import type { Pool } from 'pg'
import type { JsonObject } from '../domain/decider.ts'
import { shipmentStream } from '../domain/ids.ts'

/** An append is given up 30 s after its vault row was written; after a day there is no doubt. */
const orphanAgeMs = 24 * 60 * 60 * 1000
/** Rows checked in one run: each costs one read of a stream. */
const sweepMax = 200
/** The reference is in the first events of a stream; rows of a longer stream are kept. */
const eventsMax = 10_000

/** The sweeper's view of the ledger: it must see every event acknowledged before the call. */
type StreamReader = {
  readStream(
    stream: string,
    options?: { readonly from?: number; readonly limit?: number },
  ): Promise<readonly { readonly data: JsonObject }[]>
}

/** `createdAt` is PostgreSQL's own text: a Date would lose the microseconds and never advance. */
export type SweepCursor = { readonly createdAt: string; readonly ref: string }
type Swept = {
  readonly looked: number
  readonly deleted: number
  /** Where the next run continues; null when nothing older than a day is left to check. */
  readonly cursor: SweepCursor | null
}

type Candidate = SweepCursor & { readonly shipmentId: string }

/**
 * Deletes rows that no event names, from creations that lost a race or were never appended. Reads
 * the stream first, and only checks rows older than a day. Erased rows stay: the ledger names them.
 * Safe to repeat and to run twice at once.
 */
export async function sweepOrphans(
  pool: Pool,
  ledger: StreamReader,
  after: SweepCursor | null,
): Promise<Swept> {
  const { rows } = await pool.query<Candidate>(
    `SELECT ref, shipment_id AS "shipmentId", created_at::text AS "createdAt" FROM vault
     WHERE created_at < clock_timestamp() - $1 * interval '1 millisecond'
       AND (created_at, ref) > ($2::timestamptz, $3::uuid)
     ORDER BY created_at, ref LIMIT $4`,
    [orphanAgeMs, after?.createdAt ?? '-infinity', after?.ref ?? zeroRef, sweepMax],
  )
  const orphans: string[] = []
  for (const row of rows) if (!(await isNamed(ledger, row))) orphans.push(row.ref)
  if (orphans.length > 0) {
    await pool.query('DELETE FROM vault WHERE ref = ANY ($1::uuid[])', [orphans])
  }
  const last = rows.length === sweepMax ? rows.at(-1) : undefined
  return {
    looked: rows.length,
    deleted: orphans.length,
    cursor: last === undefined ? null : { createdAt: last.createdAt, ref: last.ref },
  }
}

const zeroRef = '00000000-0000-0000-0000-000000000000'

/** Any mention counts, wherever it is in the event: a doubt keeps the row. */
async function isNamed(ledger: StreamReader, row: Candidate): Promise<boolean> {
  const events = await ledger.readStream(shipmentStream(row.shipmentId), { limit: eventsMax })
  if (events.length >= eventsMax) return true
  return events.some((event) => JSON.stringify(event.data).includes(row.ref))
}
