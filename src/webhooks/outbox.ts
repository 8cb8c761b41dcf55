import type { Kysely } from 'kysely'
import type { Projection, StreamReader } from '../../projections/projection.ts'
import { forgetOldest, recall } from '../../projections/recall.ts'
import type { ReadModels } from '../../projections/tables.ts'
import { shipmentIdOfStream, shipmentStreamPrefix } from '../domain/ids.ts'
import { evolve, initialState, type State } from '../domain/shipment.ts'
import { webhookEventId } from '../domain/webhook-event.ts'
import { renderedWebhooks } from '../domain/webhook-render.ts'
import { decodeEvent, type LedgerEvent } from '../event-store/codec.ts'
import type { StoredEvent } from '../event-store/event-store.ts'
import { type Told, tellingChanges } from './tell.ts'

export const outboxName = 'outbox'

/** Shipments whose state is kept between batches: those that something happens to at the same time. */
const statesMax = 2_000

/** A stream as far as it was told. */
type Folded = {
  readonly state: State
  readonly version: number
  /** Webhook events it has given so far. */
  readonly sequence: number
}

const unfolded: Folded = { state: initialState, version: 0, sequence: 0 }

/**
 * The outbox: what the ledger says becomes events for webhooks and their deliveries, in the
 * transaction of its checkpoint. It is kept up to date as a projection is, but has one generation for
 * ever: built anew, it would tell everything again. Events are made of their streams alone, so it
 * needs no tables of its own.
 */
export function outbox(db: Kysely<ReadModels>, store: StreamReader): Projection {
  const toldBy = teller(store)
  return {
    name: outboxName,
    version: 1,
    prefixes: [shipmentStreamPrefix],
    tables: [],
    ddl: () => [],
    indexes: () => [],
    changes: async (_store, _table, events) => await tellingChanges(db, await toldBy(events)),
  }
}

/**
 * What events tell, in order; batches may be given again after they were not carried out. Keeps the
 * states of so many shipments between batches.
 */
export function teller(store: StreamReader, keptMax: number = statesMax) {
  const kept = new Map<string, Folded>()
  return async (events: readonly LedgerEvent[]): Promise<readonly Told[]> => {
    const told: Told[] = []
    await recall(store, events, kept, folded)
    for (const event of events) {
      const id = shipmentIdOfStream(event.stored.stream)
      const before = kept.get(id) ?? unfolded
      const after = advanced(id, before, event)
      // Again at the end of the map, whose beginning is forgotten first.
      kept.delete(id)
      kept.set(id, after.folded)
      told.push(...after.told)
    }
    forgetOldest(kept, keptMax)
    return told
  }
}

function folded(id: string, past: readonly StoredEvent[]): Folded {
  let before = unfolded
  for (const event of past) before = advanced(id, before, decodeEvent(event)).folded
  return before
}

function advanced(
  shipmentId: string,
  before: Folded,
  event: LedgerEvent,
): { readonly folded: Folded; readonly told: readonly Told[] } {
  const { stream } = event.stored
  if (event.version !== before.version + 1) {
    const found = `version ${event.version} where ${before.version + 1} was expected`
    throw new Error(`Stream ${stream} continues with ${found}.`)
  }
  const state = evolve(before.state, event)
  if (state === null) throw new Error(`bug: ${stream} folds to nothing`)
  const { request } = state
  const rendered = renderedWebhooks(shipmentId, before.state, event, state)
  const told = rendered.map((each, index) => ({
    shipmentId,
    organizationId: request.organization_id,
    event: {
      ...each,
      id: webhookEventId(event.id, request.workspace_id, each.type),
      at: event.recordedAt,
      livemode: request.livemode,
      workspaceId: request.workspace_id,
      sequence: before.sequence + index + 1,
      requestId: event.metadata.request_id,
    },
  }))
  const sequence = before.sequence + rendered.length
  return { folded: { state, version: event.version, sequence }, told }
}
