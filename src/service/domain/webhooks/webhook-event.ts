import { type Instant, type JsonObject, rfc3339 } from '../decider.ts'
import { derivedValue } from '../ids.ts'
import type { WebhookType } from './webhook-types.ts'

/** A webhook event before it becomes text. */
export type WebhookEvent = {
  readonly id: string
  readonly type: WebhookType
  readonly at: Instant
  readonly livemode: boolean
  readonly workspaceId: string
  /** Counts a shipment's webhook events from 1; null for an event about no shipment. */
  readonly sequence: number | null
  readonly resource: {
    readonly type: string
    readonly id: string
    readonly version: number | null
  }
  readonly object: JsonObject
  /** The former values of the object's changed fields; null if the object did not exist before. */
  readonly previous: JsonObject | null
  readonly requestId: string | null
}

export const webhookApiVersion = 'v1'
/** Standard Webhooks recommends less than 20 KB, which most receivers accept. */
export const webhookBodyBytesMax = 20_000

/** The same change always gets the same id, so receivers recognize a repetition. */
export function webhookEventId(change: string, workspaceId: string, type: WebhookType): string {
  return `evt_${derivedValue('webhook event', change, workspaceId, type)}`
}

/** The body as stored and sent. The same event always gives the same bytes. */
export function webhookBody(event: WebhookEvent): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    timestamp: rfc3339(event.at),
    api_version: webhookApiVersion,
    livemode: event.livemode,
    workspace_id: event.workspaceId,
    sequence: event.sequence,
    resource: event.resource,
    data: { object: event.object },
    previous: event.previous,
    request_id: event.requestId,
  })
}

/** Fields that change with every event carry no information. */
const incidental = new Set(['updated_at', 'version'])

/** The former values of the fields that changed. */
export function previousOf(before: JsonObject | null, after: JsonObject): JsonObject | null {
  if (before === null) return null
  const changed = Object.keys(after).filter(
    (field) =>
      !incidental.has(field) && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return Object.fromEntries(changed.map((field) => [field, before[field] ?? null]))
}
