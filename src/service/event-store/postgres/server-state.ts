import type pg from 'pg'
import { type EventPlace, EventStoreUnavailable, HistoryDiverged } from '../event-store.ts'

/** The state of a server, as a new session finds it. */
export type ServerState = {
  /** It replays another server's log, so its data may be old and it accepts no appends. */
  readonly isStandby: boolean
  /** Changes when the server was restarted or another server answers at the address. */
  readonly startedAt: string
  /** The server's clock. */
  readonly now: Date
  /** Set if it does not hold an event that this process knows. */
  readonly diverged: HistoryDiverged | null
  /** Whether a process has found that the ledger has lost events, and it is not recovered yet. */
  readonly isDamaged: boolean
}

const stateSql = `SELECT pg_is_in_recovery() AS standby, pg_postmaster_start_time()::text AS started,
    clock_timestamp() AS now,
    (SELECT event_id::text FROM ledger.event WHERE position = $1) AS found,
    EXISTS (SELECT FROM public.ledger_damages WHERE recovered_at IS NULL) AS damaged`

type Row = {
  readonly standby: boolean
  readonly started: string
  readonly now: Date
  readonly found: string | null
  readonly damaged: boolean
}

/** Read once by each new session, before anything else. The server must hold the event `furthest`. */
export async function readServerState(
  client: Pick<pg.ClientBase, 'query'>,
  furthest: EventPlace | null,
): Promise<ServerState> {
  const position = furthest === null ? null : String(BigInt(furthest.position))
  const { rows } = await client.query<Row>(stateSql, [position])
  const [row] = rows
  if (row === undefined) throw new Error('bug: the server returned no row')
  // A standby that is not promoted may still get the event.
  const isMissing = furthest !== null && !row.standby && row.found !== furthest.id
  return {
    isStandby: row.standby,
    startedAt: row.started,
    now: row.now,
    diverged: isMissing ? new HistoryDiverged(furthest, row.found) : null,
    isDamaged: row.damaged,
  }
}

/** Throws EventStoreUnavailable for a standby: it may be promoted, or the address may change. */
export function refuseStandby({ isStandby }: ServerState): void {
  if (isStandby) throw new EventStoreUnavailable('the server is a standby')
}
