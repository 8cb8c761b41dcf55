import { type RawBuilder, sql } from 'kysely'
import type { exchangeFailures } from '../../domain/event-fields.ts'
import type { AlertSubject } from '../../domain/webhooks/alert.ts'
import { failingAfter } from '../../domain/webhooks/webhook-delivery.ts'
import type { AlertType } from '../../domain/webhooks/webhook-types.ts'

/** A condition that fires an alert of this type as long as it lasts. */
export type AlertCondition = {
  readonly type: AlertType
  readonly subject: AlertSubject['type']
  /**
   * Selects everything that the alert can be about in the workspaces of `subscriber`: `subject_id`,
   * `workspace_id`, `since` and `is_failing`. If `is_failing` is null, the alert stays as it is. The
   * alert of a missing subject is resolved.
   */
  readonly subjects: RawBuilder<unknown>
}

/** The endpoints that `GET /v1/health` counts as failing. */
const endpointFailing: AlertCondition = {
  type: 'alert.endpoint_failing',
  subject: 'webhook_endpoint',
  subjects: sql`
    SELECT e.id AS subject_id, e.workspace_id, coalesce(l.failing_since, e.updated_at) AS since,
      CASE WHEN e.status = 'enabled' THEN l.failures >= ${failingAfter}
        ELSE e.disabled_reason <> 'by_owner' END AS is_failing
    FROM webhook_endpoints e JOIN webhook_lanes l ON l.endpoint_id = e.id
    WHERE e.deleted_at IS NULL AND e.workspace_id IN (SELECT workspace_id FROM subscriber)`,
}

/** Calls to a courier are counted over this time. Even a shop with few orders makes enough looks in it. */
const courierWindowMinutes = 10
/** Fewer unanswered calls are not an outage. */
const unansweredMin = 3
/** The courier may be down. Other failures are answers, or the service gave up by itself. */
const unanswered = [
  'courier_unreachable',
  'response_lost',
  'response_unreadable',
  'courier_error',
  'deadline_passed',
] as const satisfies (typeof exchangeFailures)[number][]
const answered = [
  'ok',
  'courier_throttled',
  'connection_needs_reauth',
  'courier_rejected',
] as const satisfies ('ok' | (typeof exchangeFailures)[number])[]

function sumOf(outcomes: readonly string[]): RawBuilder<number> {
  return sql`coalesce(sum(value::int) FILTER (WHERE split_part(key, '.', 3) = ANY (${outcomes})), 0)`
}

/**
 * Counts the calls in the ledger: creations, cancellations and looks. If there was no call in the
 * window, it is unknown whether the courier can be reached again.
 */
const courierUnreachable: AlertCondition = {
  type: 'alert.courier_unreachable',
  subject: 'courier_connection',
  subjects: sql`
    SELECT c.id AS subject_id, c.workspace_id, called.since,
      CASE WHEN called.answered + called.unanswered > 0
        THEN called.unanswered >= ${unansweredMin} AND called.unanswered > called.answered
      END AS is_failing
    FROM courier_connections c
    LEFT JOIN sandbox_clocks o ON o.workspace_id = c.workspace_id AND NOT c.livemode
    CROSS JOIN LATERAL (
      SELECT min(s.at) AS since, ${sumOf(answered)} AS answered, ${sumOf(unanswered)} AS unanswered
      FROM projections.statistics s CROSS JOIN jsonb_each_text(s.counts)
      WHERE s.workspace_id = c.workspace_id AND s.provider_code = c.provider_code AND NOT s.is_hour
        AND key LIKE 'call.%' AND s.at > now() + coalesce(o.offset_ms, 0) * interval '1 millisecond'
          - ${courierWindowMinutes} * interval '1 minute'
    ) called
    WHERE c.deleted_at IS NULL AND c.status = 'active'
      AND c.workspace_id IN (SELECT workspace_id FROM subscriber)`,
}

/** A projection that recovers within this time does not count as stopped. */
const stoppedForSeconds = 60

const projectionStopped: AlertCondition = {
  type: 'alert.projection_stopped',
  subject: 'service',
  subjects: sql`
    SELECT '' AS subject_id, NULL AS workspace_id, min(coalesce(stopped_at, updated_at)) AS since,
      count(*) > 0 AS is_failing
    FROM projections
    WHERE active AND stopped_by IS NOT NULL
      AND coalesce(stopped_at, updated_at) <= now() - ${stoppedForSeconds} * interval '1 second'
    HAVING EXISTS (SELECT FROM subscriber)`,
}

const ledgerDamaged: AlertCondition = {
  type: 'alert.ledger_damaged',
  subject: 'service',
  subjects: sql`
    SELECT '' AS subject_id, NULL AS workspace_id, min(noticed_at) AS since,
      count(*) > 0 AS is_failing
    FROM ledger_damages WHERE recovered_at IS NULL HAVING EXISTS (SELECT FROM subscriber)`,
}

/** The conditions that any process can read from the database. */
export const storedConditions: readonly AlertCondition[] = [
  endpointFailing,
  courierUnreachable,
  projectionStopped,
  ledgerDamaged,
]

/** Longer than a witness takes to restart. The Prometheus rules use the same time. */
const silentForSeconds = 600

/** Only processes that submit checkpoints to the witnesses know them. */
export function witnessSilent(
  witnesses: readonly { readonly waitingSeconds: number }[],
): AlertCondition {
  const longest = Math.max(0, ...witnesses.map(({ waitingSeconds }) => waitingSeconds))
  return {
    type: 'alert.witness_silent',
    subject: 'service',
    subjects: sql`
      SELECT '' AS subject_id, NULL AS workspace_id,
        now() - ${longest}::float8 * interval '1 second' AS since,
        ${longest > silentForSeconds}::boolean AS is_failing
      WHERE EXISTS (SELECT FROM subscriber)`,
  }
}
