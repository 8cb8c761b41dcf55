import { type QueryExecutorProvider, sql } from 'kysely'
import type { Instant } from '../domain/decider.ts'

export type ClockReading = {
  readonly now: Instant
  /** Where an advance that is under way goes; null = the clock runs with the wall clock. */
  readonly advancingTo: Instant | null
}

/** The workspace's clock: wall time in live mode, wall time plus an offset in test mode. */
export async function readClock(
  db: QueryExecutorProvider,
  workspace: { readonly workspaceId: string; readonly livemode: boolean },
): Promise<ClockReading> {
  if (workspace.livemode) return { now: Date.now(), advancingTo: null }
  const { rows } = await sql<{ offset_ms: string; advancing_to: Date | null }>`
    SELECT offset_ms, advancing_to FROM sandbox_clocks
    WHERE workspace_id = ${workspace.workspaceId}`.execute(db)
  const [row] = rows
  return {
    now: Date.now() + Number(row?.offset_ms ?? 0),
    advancingTo: row?.advancing_to?.getTime() ?? null,
  }
}
