import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../src/service/domain/decider.ts'
import { shipmentStream } from '../../../src/service/domain/ids.ts'
import { loadShipment, transact } from '../../../src/service/event-store/transact.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import type { Service } from '../../support/service.ts'

const minuteMs = 60_000

const appendedAtOnce = 200

/** Adds operations that need review, each a copy of the given one, with a stream of its own. */
export async function fillOperations(
  shop: Service,
  model: { readonly shipmentId: string; readonly operationId: string },
  rows: number,
): Promise<void> {
  const { store } = shop.parts
  const past = await store.readStream(shipmentStream(model.shipmentId))
  const copy = async (number: number) => {
    const shipmentId = `shp_${String(number).padStart(22, '0')}`
    // In an operation's id, the number of the attempt follows the shipment's own part.
    const own = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value).replaceAll(model.shipmentId.slice(4), shipmentId.slice(4)),
      ) as JsonObject
    const events = past.map(({ type, data, metadata }) => ({
      id: randomUUID(),
      type,
      data: own(data),
      metadata: own(metadata),
    }))
    await store.append(shipmentStream(shipmentId), 'no_stream', events)
  }
  for (let from = 1; from <= rows; from += appendedAtOnce) {
    const count = Math.min(appendedAtOnce, rows - from + 1)
    await Promise.all(Array.from({ length: count }, (_, n) => copy(from + n)))
  }
  await projectionsReached(shop.parts.db, await store.head(), filledWithinMs)
}

const filledWithinMs = 60_000

/** Extends a shipment's history to this many events, by the domain's own decisions. */
export async function growHistory(
  shop: Service,
  shipmentId: string,
  events: number,
): Promise<void> {
  const { store } = shop.parts
  let snapshot = await loadShipment(store, shipmentId)
  for (let n = 0; (snapshot.state?.version ?? 0) < events; n++) {
    const now = (snapshot.state?.updatedAt ?? 0) + minuteMs
    const done = await transact(
      store,
      shipmentId,
      {
        do: 'observe_tracking',
        events: [],
        eta: now + n * minuteMs,
        evidenceRef: null,
        monitoring: 'active',
      },
      { actor: { type: 'poller', keyId: null }, requestId: null, now, from: snapshot },
    )
    if (done.kind !== 'done' || !done.appended)
      throw new Error(`the history ended early: ${done.kind}`)
    snapshot = done.snapshot
  }
}
