import type pg from 'pg'
import { timelineSql } from '../../database/session.ts'
import { type EventPlace, EventStoreUnavailable, HistoryDiverged } from '../event-store.ts'

/** A server as a new session finds it. */
export type ServerState = {
  /** It replays another server's log: what it shows may be old, and it takes no appends. */
  readonly isStandby: boolean
  /** Another value: it was restarted, or another server answers at the address. */
  readonly startedAt: string
  /** Another value: a standby was promoted, or a backup was recovered. */
  readonly timeline: string
  /** It does not hold an event that this process knows. */
  readonly diverged: HistoryDiverged | null
  /** Some process has found that the ledger has lost events, and nobody has recovered it yet. */
  readonly isDamaged: boolean
}

const stateSql = `SELECT pg_is_in_recovery() AS standby, pg_postmaster_start_time()::text AS started,
    CASE WHEN pg_is_in_recovery() THEN '' ELSE ${timelineSql} END AS timeline,
    (SELECT event_id::text FROM ledger.event WHERE position = $1) AS found,
    EXISTS (SELECT FROM public.ledger_damages WHERE recovered_at IS NULL) AS damaged`

type Row = {
  readonly standby: boolean
  readonly started: string
  readonly timeline: string
  readonly found: string | null
  readonly damaged: boolean
}

/** Asked once by each new session, before anything else. `furthest`: what the server must hold. */
export async function readServerState(
  client: Pick<pg.ClientBase, 'query'>,
  furthest: EventPlace | null,
): Promise<ServerState> {
  const position = furthest === null ? null : String(BigInt(furthest.position))
  const { rows } = await client.query<Row>(stateSql, [position])
  const [row] = rows
  if (row === undefined) throw new Error('bug: the server did not answer a row')
  // A standby that is not promoted may still get the event.
  const isMissing = furthest !== null && !row.standby && row.found !== furthest.id
  return {
    isStandby: row.standby,
    startedAt: row.started,
    timeline: row.timeline,
    diverged: isMissing ? new HistoryDiverged(furthest, row.found) : null,
    isDamaged: row.damaged,
  }
}

/** Throws EventStoreUnavailable for a standby: it may be promoted, or the address may change. */
export function refuseStandby({ isStandby }: ServerState): void {
  if (isStandby) throw new EventStoreUnavailable('the server is a standby')
}
