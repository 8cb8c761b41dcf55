import type { Json, JsonObject, Recorded } from '../decider.ts'
import { noOperatorNotes, operationToApi } from '../operation/operation-to-api.ts'
import { operationOf, type Shipment, type State } from '../shipment/shipment.ts'
import type { ShipmentEvent } from '../shipment/shipment-events.ts'
import { shipmentToApi } from '../shipment/shipment-to-api.ts'
import { noTrackingUrl, type TrackingUrlOf } from '../shipment/tracking-link.ts'
import { trackingToApi } from '../tracking/tracking-to-api.ts'
import { alertBefore, alertToApi } from './alert.ts'
import { previousOf, type WebhookEvent } from './webhook-event.ts'
import { type AlertDraft, type ResourceDraft, webhooksOf } from './webhook-types.ts'

/** A webhook includes the newest looks or scans that fit in this, so its body stays under 20 KB. */
const listBytesMax = 14_000
/** The part for resolutions. An operation has few, but nothing limits their number. */
const resolutionsBytesMax = 4_000
/** The part for comments, which are sent without their texts. */
const commentsBytesMax = 2_000

type Rendered = Pick<WebhookEvent, 'type' | 'resource' | 'object' | 'previous'>

/** An event of a shipment, and the shipment before and after it. */
type Step = {
  readonly shipmentId: string
  readonly before: State
  readonly event: Recorded<ShipmentEvent>
  readonly after: Shipment
}

/** The webhooks for one event of a shipment, each with its resource and object at that version. */
export function renderedWebhooks(
  { shipmentId, before, event, after }: Step,
  trackingUrl: TrackingUrlOf = noTrackingUrl,
): readonly Rendered[] {
  return webhooksOf(before, event, after).map((draft) => {
    if (draft.resource === 'alert') return renderedAlert(shipmentId, draft, before, after)
    const show = (state: Shipment) => objectOf(shipmentId, draft, { state, before, trackingUrl })
    const object = show(after)
    const was = before === null ? null : show(before)
    const { type, resource } = draft
    const id = draft.operationId ?? shipmentId
    const version = typeof object.version === 'number' ? object.version : null
    return {
      type,
      resource: { type: resource, id, version },
      object,
      previous: previous(was, object),
    }
  })
}

/** The alert that an operation has begun to wait for a person, or no longer waits. */
function renderedAlert(
  shipmentId: string,
  { type, operationId }: AlertDraft,
  before: State,
  after: Shipment,
): Rendered {
  const is = operationOf(after, operationId)
  const was = before === null ? null : operationOf(before, operationId)
  if (is === null) throw new Error(`bug: operation ${operationId} does not exist`)
  const isFiring = is.state === 'needs_review'
  const waiting = isFiring ? is : (was ?? is)
  const alert = {
    type,
    livemode: after.request.livemode,
    workspaceId: after.request.workspace_id,
    subject: { type: 'operation', id: operationId },
    shipmentId,
    reason: waiting.contradicted ? 'contradicted' : waiting.reviewReason,
    since: waiting.endedAt ?? waiting.updatedAt,
    resolvedAt: isFiring ? null : is.updatedAt,
    version: is.version,
  } as const
  const object = alertToApi(alert)
  const resource = { type: 'alert', id: object.id, version: alert.version }
  return { type, resource, object, previous: alertBefore(alert) }
}

/** Former values omit scans, looks, resolutions and comments, so that no growing list is sent twice. */
function previous(was: JsonObject | null, object: JsonObject): JsonObject | null {
  const changed = previousOf(was === null || Object.keys(was).length === 0 ? null : was, object)
  if (changed === null) return null
  const { events: _events, events_omitted: _omitted, ...more } = changed
  const { looks: _looks, resolutions: _resolutions, comments: _comments, ...rest } = more
  return rest
}

type Shown = {
  readonly state: Shipment
  readonly before: State
  readonly trackingUrl: TrackingUrlOf
}

function objectOf(
  shipmentId: string,
  { resource, operationId }: ResourceDraft,
  { state, before, trackingUrl }: Shown,
): JsonObject {
  switch (resource) {
    case 'shipment':
      return shipmentToApi(shipmentId, state, state.erasedAt !== null, { trackingUrl })
    case 'tracking': {
      const known = new Set(before?.tracking.events.map((scan) => scan.id))
      const fresh = state.tracking.events.filter((scan) => !known.has(scan.id))
      const object = trackingToApi(shipmentId, state, { scans: fresh, trackingUrl })
      const events = newest(object.events, listBytesMax)
      return { ...object, events, events_omitted: fresh.length - events.length }
    }
    case 'operation': {
      const operation = operationOf(state, operationId ?? '')
      if (operation === null) return {}
      const object = operationToApi(shipmentId, state, operation, noOperatorNotes)
      const resolutions = newest(object.resolutions, resolutionsBytesMax)
      const comments = newest(object.comments, commentsBytesMax)
      const others = [resolutions, comments, object.surplus_guide_numbers]
      const left = listBytesMax - Buffer.byteLength(JSON.stringify(others))
      return { ...object, resolutions, comments, looks: newest(object.looks, left) }
    }
  }
}

function newest<T extends Json>(items: readonly T[], bytesMax: number): readonly T[] {
  let bytes = 0
  const first = items.findLastIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    return bytes > bytesMax
  })
  return items.slice(first + 1)
}
