import type { Kysely } from 'kysely'
import type { Step } from '../../projections/fold-batch.ts'
import type { Projection } from '../../projections/projection.ts'
import { forgetOldest, recall, type StreamReader } from '../../projections/recall.ts'
import type { ReadModels } from '../../projections/tables.ts'
import { LedgerDamaged } from '../domain/decider.ts'
import { shipmentStream, shipmentStreamPrefix } from '../domain/ids.ts'
import { evolve, initialState, type State } from '../domain/shipment/shipment.ts'
import { webhookBody, webhookEventId } from '../domain/webhooks/webhook-event.ts'
import { renderedWebhooks } from '../domain/webhooks/webhook-render.ts'
import { decodeEvent } from '../event-store/codec.ts'
import type { StoredEvent } from '../event-store/event-store.ts'
import { type Told, tellingRows, tellingWrites } from './tell.ts'

export const outboxName = 'outbox'

/** Shipments whose count is kept between batches: those with concurrent activity. */
const countsMax = 2_000

/** How far a stream has been turned into webhook events. */
type Count = {
  readonly version: number
  /** Webhook events created so far. */
  readonly sequence: number
}

/**
 * The outbox: turns ledger events into webhook events and their deliveries, in the transaction of
 * its checkpoint. It is kept up to date like a read model, but always has one generation: a rebuild
 * would send everything again.
 */
export function outbox(db: Kysely<ReadModels>, store: StreamReader): Projection {
  const toldBy = teller(store)
  return {
    name: outboxName,
    version: 1,
    prefixes: [shipmentStreamPrefix],
    tables: {},
    writes: () => tellingWrites,
    rows: async ({ steps }) => await tellingRows(db, await toldBy(steps)),
  }
}

/**
 * The webhook events of a batch, in order; a batch may be repeated if it was not applied. Keeps the
 * counts of this many shipments between batches.
 */
export function teller(store: StreamReader, keptMax: number = countsMax) {
  const counts = new Map<string, Count | null>()
  return async (steps: readonly Step[]): Promise<readonly Told[]> => {
    const told: Told[] = []
    const events = steps.map(({ event }) => event)
    await recall(store, events, counts, (id, past) => ({
      version: past.length,
      sequence: toldIn(id, past).length,
    }))
    for (const step of steps) {
      const { shipmentId: id, event } = step
      const sequence = counts.get(id)?.sequence ?? 0
      const own = toldOf(step, sequence)
      // Moves it to the end of the map, because the beginning is forgotten first.
      counts.delete(id)
      counts.set(id, { version: event.version, sequence: sequence + own.length })
      told.push(...own)
    }
    forgetOldest(counts, keptMax)
    return told
  }
}

/** All webhook events from the beginning of a shipment's stream. */
function toldIn(shipmentId: string, past: readonly StoredEvent[]): readonly Told[] {
  const told: Told[] = []
  let before: State = initialState
  for (const stored of past) {
    const event = decodeEvent(stored)
    const after = evolve(before, event)
    if (after === null) throw new Error(`bug: the stream of ${shipmentId} folds to nothing`)
    told.push(...toldOf({ shipmentId, before, event, after }, told.length))
    before = after
  }
  return told
}

/** The body of a webhook event, rendered from the ledger if it is not stored. */
export async function bodyOf(
  store: StreamReader,
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
  const found = toldIn(shipmentId, past).find((each) => each.event.id === id)
  if (found === undefined)
    throw new LedgerDamaged(`The stream of ${shipmentId} does not tell ${id}.`)
  return webhookBody(found.event)
}

function toldOf({ shipmentId, before, event, after }: Step, told: number): readonly Told[] {
  const { request } = after
  return renderedWebhooks(shipmentId, before, event, after).map((each, index) => ({
    shipmentId,
    shipmentVersion: event.version,
    organizationId: request.organization_id,
    event: {
      ...each,
      id: webhookEventId(event.id, request.workspace_id, each.type),
      at: event.recordedAt,
      livemode: request.livemode,
      workspaceId: request.workspace_id,
      sequence: told + index + 1,
      requestId: event.metadata.request_id,
    },
  }))
}
