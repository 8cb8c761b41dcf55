import type { Selectable } from 'kysely'
import type { WebhookTables } from '../database/webhook-tables.ts'
import type { EndpointBreaker } from '../domain/webhooks/webhook-delivery.ts'

export type BreakerRow = Pick<
  Selectable<WebhookTables['webhook_lanes']>,
  | 'failures'
  | 'counted_failures'
  | 'counted_at'
  | 'trips'
  | 'open_until'
  | 'failing_since'
  | 'last_success_at'
>

export function breakerOf(row: BreakerRow): EndpointBreaker {
  return {
    failures: row.failures,
    countedFailures: row.counted_failures,
    countedAt: row.counted_at?.getTime() ?? null,
    trips: row.trips,
    openUntil: row.open_until?.getTime() ?? null,
    failingSince: row.failing_since?.getTime() ?? null,
    lastSuccessAt: row.last_success_at?.getTime() ?? null,
  }
}
