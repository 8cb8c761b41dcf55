import { shipmentIdOfStream } from '../../src/service/domain/ids.ts'
import { evolve, type Shipment } from '../../src/service/domain/shipment/shipment.ts'
import { decodeEvent } from '../../src/service/event-store/codec.ts'
import type { EventStore, StoredEvent } from '../../src/service/event-store/event-store.ts'
import { withAppend } from '../../src/service/event-store/with-append.ts'
import type { CourierTruth } from './courier-truth.ts'
import { whenAppended } from './invariants.ts'
import type { MemoryVaultRows } from './ports/memory-vault-rows.ts'

/** Follows the ledger event by event, independently of the service. */
export type Observer = {
  /** The folded state of each stream, updated with each append. */
  readonly states: Map<string, Shipment>
  readonly truth: CourierTruth
  readonly violate: (what: string) => void
}

/** Checks every append as it is written, regardless of what its writer learns about it. */
export function observedStore(store: EventStore, observer: Observer): EventStore {
  return withAppend(store, async (stream, expected, events, options) => {
    const outcome = await store.append(stream, expected, events, options)
    if (outcome.kind !== 'committed') return outcome
    const first = outcome.revision - events.length + 1
    const written = await store.readStream(stream, { from: Math.max(0, first - 1) })
    look(observer, first === 0 ? null : (written[0] ?? null), written.slice(first === 0 ? 0 : 1))
    return outcome
  })
}

function look(
  { states, truth, violate }: Observer,
  before: StoredEvent | null,
  written: readonly StoredEvent[],
): void {
  for (const stored of written) {
    const event = decodeEvent(stored)
    const id = shipmentIdOfStream(stored.stream)
    const state = states.get(id) ?? null
    // An event's cause is the last event known when it was decided.
    const isNext = event.version === (state?.version ?? 0) + 1
    if (!isNext || event.metadata.causation_id !== (before?.id ?? null)) {
      violate(`${event.type} was decided on another state than it was appended to`)
      return
    }
    const wrong = whenAppended(id, event, state, truth)
    if (wrong !== null) violate(wrong)
    states.set(id, evolve(state, event) as Shipment)
  }
}

/** The vault, which must hold nothing of a person once the key is destroyed. */
export function observedRows(
  rows: MemoryVaultRows,
  { states, violate }: Pick<Observer, 'states' | 'violate'>,
): MemoryVaultRows {
  const destroyed = new Set<string>()
  const lookAgain = () => {
    const items = [...rows.items.values()]
    for (const ref of destroyed) {
      const isLeft = rows.rows.has(ref) || items.some(({ vaultRef }) => vaultRef === ref)
      if (isLeft) violate('an erased person is readable again')
    }
  }
  const looked = async <T>(done: Promise<T>): Promise<T> => {
    const answer = await done
    if (destroyed.size > 0) lookAgain()
    return answer
  }
  return {
    ...rows,
    storeFirst: (batch) => looked(rows.storeFirst(batch)),
    insertItems: (items) => looked(rows.insertItems(items)),
    async eraseRows(shipmentId) {
      const isErased = await rows.eraseRows(shipmentId)
      const state = states.get(shipmentId)
      if (state == null || state.erasedAt === null) violate('a person was erased without a request')
      else destroyed.add(state.request.vault_ref)
      lookAgain()
      return isErased
    },
    rewrap(ref, row) {
      rows.rewrap(ref, row)
      lookAgain()
    },
  }
}
