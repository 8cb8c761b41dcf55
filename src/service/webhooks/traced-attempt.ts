import { isId, shipmentIdOfOwner } from '../domain/ids.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { traceOfShipment } from '../event-store/trace-of-shipment.ts'
import type { TraceContext } from '../tracing/trace-context.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Claimed } from './claim-deliveries.ts'
import type { Answer } from './send.ts'

type TracedDeps = { readonly store: EventStore; readonly tracing?: Tracing | undefined }

/** Makes a span of an attempt, which continues the trace of the request that caused the webhook. */
export async function tracedAttempt(
  { store, tracing }: TracedDeps,
  claimed: Claimed,
  send: () => Promise<Answer>,
): Promise<Answer> {
  if (tracing === undefined) return await send()
  const attributes = {
    'shipping.organization.id': claimed.organization_id,
    'shipping.livemode': claimed.livemode,
    'shipping.webhook.event_id': claimed.event_id,
    'shipping.webhook.event_type': claimed.event_type,
    'shipping.webhook.delivery_id': claimed.id,
    'shipping.webhook.endpoint_id': claimed.endpoint_id,
    'shipping.webhook.attempt': claimed.attempts_made + 1,
  }
  const { requestId, shipmentId } = causeOf(claimed)
  const about = {
    ...(requestId === null ? {} : { 'shipping.request.id': requestId }),
    ...(shipmentId === null ? {} : { 'shipping.shipment.id': shipmentId }),
  }
  const continues = await traceOf({ store, tracing }, claimed)
  const work = { kind: 'client', attributes: { ...attributes, ...about }, continues } as const
  return await tracing.traced('webhook', work, async (span) => {
    const answer = await send()
    const { statusCode, error } = answer
    span.add({
      'shipping.webhook.outcome': error ?? 'answered',
      ...(statusCode === null ? {} : { 'http.response.status_code': statusCode }),
    })
    return answer
  })
}

async function traceOf(
  { store, tracing }: { readonly store: EventStore; readonly tracing: Tracing },
  claimed: Claimed,
): Promise<TraceContext | null> {
  const { requestId, shipmentId } = causeOf(claimed)
  if (requestId !== null) {
    const { organization_id: organizationId } = claimed
    return (await tracing.contextsOf([{ organizationId, requestId }]))[0] ?? null
  }
  // Reconciliation and tracking have no request: the webhook follows from the shipment's.
  return shipmentId === null ? null : await traceOfShipment(store, tracing, shipmentId)
}

type Cause = { readonly requestId: string | null; readonly shipmentId: string | null }

/** What the body says. A body that is rendered late says nothing yet. */
function causeOf({ body }: Claimed): Cause {
  if (body === null) return { requestId: null, shipmentId: null }
  const { request_id: requestId, resource } = JSON.parse(body) as {
    readonly request_id: string | null
    readonly resource: { readonly id: string }
  }
  const isOfShipment = isId('shp', resource.id) || isId('op', resource.id)
  return { requestId, shipmentId: isOfShipment ? shipmentIdOfOwner(resource.id) : null }
}
