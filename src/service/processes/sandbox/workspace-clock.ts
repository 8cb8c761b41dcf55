import { type QueryExecutorProvider, sql } from 'kysely'
import type { Instant } from '../../domain/decider.ts'

export type ClockReading = {
  readonly now: Instant
  /** The target of an advance in progress; null if the clock runs with the wall clock. */
  readonly advancingTo: Instant | null
}

/** The time on a clock that is this far ahead of the wall clock. */
export function clockAt(offsetMs: number): Instant {
  return Date.now() + offsetMs
}

/** The offset from the wall clock of a clock that shows this time now. */
export function offsetTo(moment: Instant): number {
  return moment - Date.now()
}

/** The workspace's clock: wall time in live mode, wall time plus an offset in test mode. */
export async function readClock(
  db: QueryExecutorProvider,
  workspace: { readonly workspaceId: string; readonly livemode: boolean },
): Promise<ClockReading & { readonly offsetMs: number }> {
  if (workspace.livemode) return { now: clockAt(0), offsetMs: 0, advancingTo: null }
  const { rows } = await sql<{ offset_ms: string; advancing_to: Date | null }>`
    SELECT offset_ms, advancing_to FROM sandbox_clocks
    WHERE workspace_id = ${workspace.workspaceId}`.execute(db)
  const [row] = rows
  const offsetMs = Number(row?.offset_ms ?? 0)
  return {
    now: clockAt(offsetMs),
    offsetMs,
    advancingTo: row?.advancing_to?.getTime() ?? null,
  }
}

/** The current time on the clock of a row's workspace. */
export async function workspaceNow(
  db: QueryExecutorProvider,
  row: { readonly workspace_id: string; readonly livemode: boolean },
): Promise<Date> {
  const { now } = await readClock(db, { workspaceId: row.workspace_id, livemode: row.livemode })
  return new Date(now)
}
