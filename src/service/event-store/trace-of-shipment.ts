import { shipmentStream } from '../domain/ids.ts'
import type { TraceContext } from '../tracing/trace-context.ts'
import type { RequestKey, Tracing } from '../tracing/tracing.ts'
import type { EventStore, StoredEvent } from './event-store.ts'

/** The requests that caused these events. What a worker does on its own has no request. */
export function requestsOf(events: readonly StoredEvent[]): readonly RequestKey[] {
  return events.flatMap(({ metadata }) => {
    const { organization_id: organizationId, request_id: requestId } = metadata
    if (typeof organizationId !== 'string' || typeof requestId !== 'string') return []
    return [{ organizationId, requestId }]
  })
}

/** The span of the request that created a shipment; null if there is none. */
export async function traceOfShipment(
  store: Pick<EventStore, 'readStream'>,
  tracing: Tracing,
  shipmentId: string,
): Promise<TraceContext | null> {
  return await tracing.contextOfShipment(shipmentId, async () => {
    // Without the event store, the work itself reports it.
    const first = await store.readStream(shipmentStream(shipmentId), { limit: 1 }).catch(() => [])
    return requestsOf(first)
  })
}
