import { type Instant, isRefusal } from '../../domain/decider.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { decide } from '../../domain/shipment/shipment-decisions.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, type Snapshot, transact } from '../../event-store/transact.ts'
import type { ProcessServices } from '../process-services.ts'

export type HoldAct = 'place_hold' | 'lift_hold'

type RequestedShipmentHold = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly act: HoldAct
  readonly note: string
  readonly actor: Actor
  readonly requestId: string | null
  /** The workspace's clock. */
  readonly now: Instant
}

/**
 * Places or lifts the legal hold of a shipment; records nothing if that is its state already. The
 * note is first stored in the vault, unless the person is erased; then it is dropped. Throws a
 * Problem for a shipment with no data left to hold, and the errors of store and vault.
 */
export async function holdShipment(
  { store, vault }: Pick<ProcessServices, 'store' | 'vault'>,
  requested: RequestedShipmentHold,
): Promise<Snapshot> {
  const { shipmentId, snapshot, act, note, actor, requestId, now } = requested
  const state = existing(snapshot)
  const tried = decide(state, { do: act, noteRef: null })
  if (isRefusal(tried)) throw erased(shipmentId, state)
  if (tried.length === 0) return snapshot
  const writer = await vault.writer(state.request.vault_ref)
  const noteRef = writer.write({ note })
  const done = await transact(
    store,
    shipmentId,
    { do: act, noteRef },
    { actor, requestId, now, from: snapshot, append: { reserved: true }, ...writer },
  )
  // Only an erasure that was recorded first refuses it.
  if (done.kind === 'refused') throw erased(shipmentId, existing(done.snapshot))
  if (done.kind === 'expired') throw new Error('bug: an append without an end expired')
  return done.snapshot
}

function erased(shipmentId: string, { version }: Shipment): Problem {
  return new Problem('personal_data_erased', { shipment: { id: shipmentId, version } })
}
