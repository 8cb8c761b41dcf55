import { type Instant, type JsonObject, rfc3339 } from '../decider.ts'
import { derivedValue } from '../ids.ts'
import type { AlertType } from './webhook-types.ts'

/** What an alert is about. A condition of the whole service has no `id`. */
export type AlertSubject = {
  readonly type: 'operation' | 'webhook_endpoint' | 'courier_connection' | 'service'
  readonly id: string | null
}

export type Alert = {
  readonly type: AlertType
  readonly livemode: boolean
  readonly workspaceId: string
  readonly subject: AlertSubject
  readonly shipmentId: string | null
  /** Why an operation needs review; null for other alerts. */
  readonly reason: string | null
  /** On the workspace's clock, like every time of a webhook. */
  readonly since: Instant
  /** Null while it is firing. */
  readonly resolvedAt: Instant | null
  /** Increases with each change of the alert. */
  readonly version: number
}

/** The API's alert object. The same alert about the same subject always has the same id. */
export function alertToApi(alert: Alert) {
  const { type, workspaceId, subject, resolvedAt } = alert
  return {
    id: `alr_${derivedValue('alert', workspaceId, type, subject.type, subject.id ?? '')}`,
    object: 'alert',
    livemode: alert.livemode,
    workspace_id: workspaceId,
    state: resolvedAt === null ? 'firing' : 'resolved',
    subject,
    shipment_id: alert.shipmentId,
    reason: alert.reason,
    since: rfc3339(alert.since),
    resolved_at: resolvedAt === null ? null : rfc3339(resolvedAt),
    version: alert.version,
  } satisfies JsonObject
}

/** The former values of the changed fields; null for an alert that begins. */
export function alertBefore({ resolvedAt }: Pick<Alert, 'resolvedAt'>): JsonObject | null {
  return resolvedAt === null ? null : { state: 'firing', resolved_at: null }
}

/** Whether the alert is about this endpoint. An endpoint is not notified of its own failures. */
export function isAboutEndpoint(type: string, subjectId: unknown, endpointId: string): boolean {
  return type === 'alert.endpoint_failing' && subjectId === endpointId
}
