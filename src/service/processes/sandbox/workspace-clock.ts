import { type QueryExecutorProvider, sql } from 'kysely'
import type { Instant } from '../../domain/decider.ts'

export type ClockReading = {
  readonly now: Instant
  /** The target of an advance under way; null = the clock runs with the wall clock. */
  readonly advancingTo: Instant | null
}

/** The time on a clock that is this far ahead of the wall clock. */
export function clockAt(offsetMs: number): Instant {
  return Date.now() + offsetMs
}

/** How far ahead of the wall clock a clock is that shows this moment now. */
export function offsetTo(moment: Instant): number {
  return moment - Date.now()
}

/** The workspace's clock: wall time in live mode, wall time plus an offset in test mode. */
export async function readClock(
  db: QueryExecutorProvider,
  workspace: { readonly workspaceId: string; readonly livemode: boolean },
): Promise<ClockReading> {
  if (workspace.livemode) return { now: clockAt(0), advancingTo: null }
  const { rows } = await sql<{ offset_ms: string; advancing_to: Date | null }>`
    SELECT offset_ms, advancing_to FROM sandbox_clocks
    WHERE workspace_id = ${workspace.workspaceId}`.execute(db)
  const [row] = rows
  return {
    now: clockAt(Number(row?.offset_ms ?? 0)),
    advancingTo: row?.advancing_to?.getTime() ?? null,
  }
}
