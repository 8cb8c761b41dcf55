import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { ofWorkspace } from '../due/claims-postgres.ts'
import { type ClockReading, clockAt } from './workspace-clock.ts'

export const stepKinds = ['reconciliation', 'tracking', 'label', 'erasure', 'webhook'] as const
export type StepKind = (typeof stepKinds)[number]

/**
 * Why a step was skipped. `deferred`: it cannot be done now, because the credentials of its
 * connection were refused or another request is doing it. `failed`: every try threw. `still_due`:
 * it is due even after every try.
 */
export const skipReasons = ['deferred', 'failed', 'still_due'] as const
export type SkipReason = (typeof skipReasons)[number]

/** A step that an advance could not perform. */
export type Skipped = {
  readonly shipment_id: string | null
  readonly what: StepKind
  readonly reason: SkipReason
}

/** The advance in progress, or else the last one. */
type AdvanceProgress = {
  readonly to: string
  readonly stepsDone: number
  /** As far as known: steps may plan more steps. */
  readonly stepsDue: number
  readonly skipped: readonly Skipped[]
  readonly skippedMore: number
}

/** The clock of a test workspace and its advance; null if it was never advanced. */
export type AdvanceReading = ClockReading & { readonly advance: AdvanceProgress | null }

/** The count of due steps stops here. */
export const stepsDueMax = 10_000

/** Reads more than `readClock`, which every request needs. */
export async function readAdvance(
  db: Kysely<Tables>,
  workspaceId: string,
): Promise<AdvanceReading> {
  const { rows } = await sql<{
    offset_ms: string
    advancing_to: Date | null
    advanced_to: Date | null
    steps_done: string
    steps_due: string
    skipped: readonly Skipped[]
    skipped_more: string
  }>`
    SELECT c.offset_ms, c.advancing_to, c.advanced_to, c.steps_done, c.skipped, c.skipped_more,
      CASE WHEN c.advancing_to IS NULL THEN 0 ELSE (SELECT count(*) FROM (
        SELECT FROM due d CROSS JOIN LATERAL (
          VALUES (d.reconcile_at), (d.check_at), (d.label_at), (d.erase_at)
        ) AS planned (due_at)
        WHERE ${ofWorkspace(sql`c.workspace_id`, sql`c.advancing_to`)}
          AND planned.due_at <= c.advancing_to
        LIMIT ${stepsDueMax}
      ) counted) END AS steps_due
    FROM sandbox_clocks c WHERE c.workspace_id = ${workspaceId}`.execute(db)
  const [row] = rows
  if (row === undefined) return { now: clockAt(0), advancingTo: null, advance: null }
  const advance = row.advanced_to && {
    to: rfc3339(row.advanced_to.getTime()),
    stepsDone: Number(row.steps_done),
    stepsDue: Number(row.steps_due),
    skipped: row.skipped,
    skippedMore: Number(row.skipped_more),
  }
  const now = clockAt(Number(row.offset_ms))
  return { now, advancingTo: row.advancing_to?.getTime() ?? null, advance }
}
