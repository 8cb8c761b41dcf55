import type { Kysely } from 'kysely'
import type { Step } from '../../../projections/fold-batch.ts'
import { evictOldest, loadStates, type StreamReader } from '../../../projections/load-states.ts'
import type { Projection } from '../../../projections/projection.ts'
import type { Tables } from '../../../projections/tables.ts'
import { LedgerDamaged } from '../domain/decider.ts'
import { shipmentStream, shipmentStreamPrefix } from '../domain/ids.ts'
import { evolve, initialState, type State } from '../domain/shipment/shipment.ts'
import { noTrackingUrl, type TrackingUrlOf } from '../domain/shipment/tracking-link.ts'
import { webhookBody, webhookEventId } from '../domain/webhooks/webhook-event.ts'
import { renderedWebhooks } from '../domain/webhooks/webhook-render.ts'
import { decodeEvent } from '../event-store/codec.ts'
import type { StoredEvent } from '../event-store/event-store.ts'
import { type OutboxEvent, webhookRows, webhookWrites } from './store-webhooks.ts'

export const outboxName = 'outbox'

/** The links to recipients' pages of shipments in these workspaces. */
export type TrackingUrls = {
  readonly urlsFor: (workspaceIds: readonly string[]) => Promise<TrackingUrlOf>
}

/** For readers without the key of the links. */
export const noTrackingUrls: TrackingUrls = { urlsFor: async () => noTrackingUrl }

/** Shipments whose count is cached between batches: enough for those with concurrent activity. */
const countsMax = 2_000

/** How far a stream has been turned into webhook events. */
type Count = {
  readonly version: number
  /** Webhook events created so far, without alerts. */
  readonly sequence: number
}

/**
 * The outbox: turns ledger events into webhook events and their deliveries, in the transaction of
 * its checkpoint. It is kept up to date like a read model, but always has one generation: a rebuild
 * would send everything again.
 */
export function outbox(db: Kysely<Tables>, store: StreamReader, links: TrackingUrls): Projection {
  const eventsOf = outboxEventsOf(store, countsMax, links)
  return {
    name: outboxName,
    version: 1,
    prefixes: [shipmentStreamPrefix],
    tables: {},
    writes: () => webhookWrites,
    rows: async ({ steps }) => await webhookRows(db, await eventsOf(steps)),
  }
}

/**
 * Returns the webhook events of a batch, in order. A batch may be repeated if it was not applied. The
 * counts of at most `keptMax` shipments are cached between batches.
 */
export function outboxEventsOf(
  store: StreamReader,
  keptMax: number = countsMax,
  links: TrackingUrls = noTrackingUrls,
) {
  const counts = new Map<string, Count | null>()
  return async (steps: readonly Step[]): Promise<readonly OutboxEvent[]> => {
    const made: OutboxEvent[] = []
    const trackingUrl = await links.urlsFor(steps.map(({ after }) => after.request.workspace_id))
    const events = steps.map(({ event }) => event)
    await loadStates(store, events, counts, (id, past) => ({
      version: past.length,
      sequence: numberedOf(outboxEventsIn(id, past)),
    }))
    for (const step of steps) {
      const { shipmentId: id, event } = step
      const sequence = counts.get(id)?.sequence ?? 0
      const own = outboxEventsAt(step, sequence, trackingUrl)
      // Moves it to the end of the map, because the beginning is forgotten first.
      counts.delete(id)
      counts.set(id, { version: event.version, sequence: sequence + numberedOf(own) })
      made.push(...own)
    }
    evictOldest(counts, keptMax)
    return made
  }
}

/** All webhook events from the beginning of a shipment's stream. */
function outboxEventsIn(
  shipmentId: string,
  past: readonly StoredEvent[],
  trackingUrl: TrackingUrlOf = noTrackingUrl,
): readonly OutboxEvent[] {
  const made: OutboxEvent[] = []
  let before: State = initialState
  for (const stored of past) {
    const event = decodeEvent(stored)
    const after = evolve(before, event)
    if (after === null) throw new Error(`bug: the stream of ${shipmentId} folds to nothing`)
    const step = { shipmentId, before, event, after }
    made.push(...outboxEventsAt(step, numberedOf(made), trackingUrl))
    before = after
  }
  return made
}

/** Alerts have no sequence number, so that new types of alerts leave the numbers unchanged. */
function numberedOf(events: readonly OutboxEvent[]): number {
  return events.filter(({ event }) => event.sequence !== null).length
}

/** Returns the body of a webhook event, rendered from the ledger if it is not stored. */
export async function bodyOf(
  { store, links }: { readonly store: StreamReader; readonly links: TrackingUrls },
  event: {
    readonly id: string
    readonly body: string | null
    readonly shipment_id: string | null
    readonly shipment_version: number | null
  },
): Promise<string> {
  const { id, body, shipment_id: shipmentId, shipment_version: version } = event
  if (body !== null) return body
  if (shipmentId === null || version === null) throw new Error(`bug: ${id} has no body`)
  const past = await store.readStream(shipmentStream(shipmentId), { limit: version })
  const workspaces = past.slice(0, 1).map(({ metadata }) => String(metadata.workspace_id))
  const trackingUrl = await links.urlsFor(workspaces)
  const found = outboxEventsIn(shipmentId, past, trackingUrl).find((each) => each.event.id === id)
  if (found === undefined) {
    throw new LedgerDamaged(`The stream of ${shipmentId} no longer causes the webhook ${id}.`)
  }
  return webhookBody(found.event)
}

function outboxEventsAt(
  step: Step,
  sequence: number,
  trackingUrl: TrackingUrlOf,
): readonly OutboxEvent[] {
  const { shipmentId, event, after } = step
  const { request } = after
  return renderedWebhooks(step, trackingUrl).map((each, index) => ({
    shipmentId,
    shipmentVersion: event.version,
    organizationId: request.organization_id,
    event: {
      ...each,
      id: webhookEventId(event.id, request.workspace_id, each.type),
      at: event.recordedAt,
      livemode: request.livemode,
      workspaceId: request.workspace_id,
      // Alerts come last.
      sequence: each.resource.type === 'alert' ? null : sequence + index + 1,
      requestId: event.metadata.request_id,
    },
  }))
}
