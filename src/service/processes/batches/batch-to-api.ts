import { type QueryExecutorProvider, type Selectable, sql } from 'kysely'
import type { BatchTables } from '../../database/batch-tables.ts'
import { rfc3339 } from '../../domain/decider.ts'

export type BatchRow = Selectable<BatchTables['batches']>

export const batchStatuses = ['running', 'completed', 'cancelled'] as const
/** How many lines of an ended batch have a guide. */
export const batchResults = ['all', 'some', 'none'] as const

/** The states of a line itself. An answered line has the state of its shipment instead. */
export const lineStateTexts = {
  waiting: 'It has not begun.',
  failed: 'It was refused and nothing was created; `error` gives the reason.',
  invalid:
    'It was skipped because it is wrong (`skip_invalid`), and never begins; `error` gives the reason.',
  not_begun: 'The batch was cancelled before it began.',
} as const

/** SQL: the state of line `l` with its shipment `s`, whose read model may lag a moment. */
export const lineStateSql = sql<string>`
  CASE l.state WHEN 'waiting' THEN 'waiting' WHEN 'begun' THEN 'creating'
    WHEN 'cancelled' THEN 'not_begun' WHEN 'failed' THEN 'failed'
    WHEN 'invalid' THEN 'invalid'
    WHEN 'answered' THEN coalesce(nullif(s.status, 'creating'), l.status) END`

/** A refused line counts as created once its shipment has a guide. */
export function hasGuide(status: string | null): boolean {
  return status === 'created' || status === 'cancelling' || status === 'cancelled'
}

type BatchCounts = {
  /** Number of lines by state. */
  readonly counts: Readonly<Record<string, number>>
  /** Number of refused lines without a guide, by reason. */
  readonly reasons: Readonly<Record<string, number>>
}

/** Counts the lines of each batch in one statement. */
async function countLines(
  db: QueryExecutorProvider,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, BatchCounts>> {
  const { rows } = await sql<{
    batch_id: string
    state: string
    reason: string | null
    lines: number
  }>`
    SELECT l.batch_id, ${lineStateSql} AS state, l.reason, count(*)::int AS lines
    FROM batch_lines l
    LEFT JOIN projections.shipments s ON s.shipment_id = l.shipment_id AND l.state = 'answered'
    WHERE l.batch_id = ANY (${batchIds}) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`.execute(db)
  const found = new Map(
    batchIds.map((id) => [
      id,
      { counts: {} as Record<string, number>, reasons: {} as Record<string, number> },
    ]),
  )
  for (const { batch_id: id, state, reason, lines } of rows) {
    const { counts, reasons } = found.get(id) as NonNullable<ReturnType<typeof found.get>>
    counts[state] = (counts[state] ?? 0) + lines
    if (reason === null || state === 'waiting' || hasGuide(state)) continue
    reasons[reason] = (reasons[reason] ?? 0) + lines
  }
  return found
}

const noCounts: BatchCounts = { counts: {}, reasons: {} }

/** These batches as the API and the webhook show them. */
export async function batchesToApi(db: QueryExecutorProvider, batches: readonly BatchRow[]) {
  const counted = await countLines(
    db,
    batches.map(({ id }) => id),
  )
  return batches.map((row) => batchToApi(row, counted.get(row.id) ?? noCounts))
}

function batchToApi(row: BatchRow, { counts, reasons }: BatchCounts) {
  return {
    id: row.id,
    object: 'batch' as const,
    livemode: row.livemode,
    workspace_id: row.workspace_id,
    external_reference: row.external_reference,
    status: statusOf(row),
    result: row.ended_at === null ? null : resultOf(row, counts),
    total: row.total,
    counts,
    reasons,
    created_at: rfc3339(row.created_at.getTime()),
    cancelled_at: row.cancelled_at === null ? null : rfc3339(row.cancelled_at.getTime()),
    ended_at: row.ended_at === null ? null : rfc3339(row.ended_at.getTime()),
  }
}

function resultOf({ total }: BatchRow, counts: BatchCounts['counts']) {
  const withGuide = Object.entries(counts)
    .filter(([state]) => hasGuide(state))
    .reduce((sum, [, lines]) => sum + lines, 0)
  if (withGuide === 0) return 'none' as const
  return withGuide === total ? ('all' as const) : ('some' as const)
}

function statusOf(row: Pick<BatchRow, 'cancelled_at' | 'ended_at'>) {
  if (row.cancelled_at !== null) return 'cancelled' as const
  return row.ended_at === null ? ('running' as const) : ('completed' as const)
}
