import { CompiledQuery } from 'kysely'
import type { Tx } from '../../../projections/projection.ts'
import { addRowsSql } from '../../../projections/rollup.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import { bucketOf, latencyBoundsMs } from '../domain/statistics/histogram.ts'

/** The key and all columns of `webhook_statistics`. */
export const webhookStatistics = {
  key: ['endpoint_id', 'at', 'is_hour'],
  columns: [
    'endpoint_id',
    'organization_id',
    'workspace_id',
    'livemode',
    'at',
    'is_hour',
    'counts',
  ],
} as const

type Made = {
  readonly endpointId: string
  /** When it ended, on the workspace's clock. */
  readonly now: Instant
  readonly attempt: {
    readonly status_code: number | null
    readonly error: string | null
    readonly latency_ms: number
  }
}

const minuteMs = 60_000

const add = addRowsSql(
  'webhook_statistics',
  webhookStatistics,
  `SELECT e.id AS endpoint_id, e.organization_id, e.workspace_id, e.livemode, r.at,
    false AS is_hour, r.counts
  FROM json_to_recordset($1::json) AS r (endpoint_id text, at timestamptz, counts jsonb)
  JOIN webhook_endpoints e ON e.id = r.endpoint_id COLLATE "C"`,
)

/**
 * Adds attempts to the counts of their endpoints, in the transaction that records them. The counts are
 * `attempt.<outcome>`, where the outcome is `ok`, an error or a class of status such as `5xx`, and
 * `latency.<bucket>`.
 */
export async function addAttempts(tx: Tx, made: readonly Made[]): Promise<void> {
  if (made.length === 0) return
  const rows = Map.groupBy(made, ({ endpointId, now }) => `${endpointId} ${minuteOf(now)}`)
  const summed = [...rows.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [rowOf(first, others)],
  )
  await tx.executeQuery(CompiledQuery.raw(add, [JSON.stringify(summed)]))
}

function minuteOf(now: Instant): string {
  return rfc3339(now - (now % minuteMs))
}

function rowOf(first: Made, others: readonly Made[]) {
  const counts: Record<string, number> = {}
  for (const { attempt } of [first, ...others]) {
    const bucket = bucketOf(latencyBoundsMs, attempt.latency_ms)
    for (const name of [`attempt.${endOf(attempt)}`, `latency.${bucket}`]) {
      counts[name] = (counts[name] ?? 0) + 1
    }
  }
  return { endpoint_id: first.endpointId, at: minuteOf(first.now), counts }
}

function endOf({ error, status_code: status }: Made['attempt']): string {
  if (error !== null) return error
  const digit = Math.floor((status ?? 0) / 100)
  return digit === 2 ? 'ok' : `${digit}xx`
}
