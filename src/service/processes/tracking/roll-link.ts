import type { Instant } from '../../domain/decider.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, type Snapshot, transact } from '../../event-store/transact.ts'
import type { ProcessServices } from '../process-services.ts'

type RequestedRoll = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly actor: Actor
  readonly requestId: string | null
  /** The workspace's clock. */
  readonly now: Instant
}

/**
 * Replaces the shipment's link to its recipient's page. Of two calls that began with the same link,
 * one replaces it. Throws a Problem for a shipment without a link.
 */
export async function rollLink(
  { store }: Pick<ProcessServices, 'store'>,
  { shipmentId, snapshot, actor, requestId, now }: RequestedRoll,
): Promise<Snapshot> {
  const number = existing(snapshot).linkNumber + 1
  const done = await transact(
    store,
    shipmentId,
    { do: 'roll_tracking_link', number },
    { actor, requestId, now, from: snapshot },
  )
  if (done.kind === 'expired') throw new Error('bug: an append without an end expired')
  if (done.kind === 'done') return done.snapshot
  const { version } = existing(done.snapshot)
  const shipment = { id: shipmentId, version }
  switch (done.reason) {
    case 'personal_data_erased':
    case 'shipment_has_no_guide':
      throw new Problem(done.reason, { shipment })
    case 'limit_reached':
      throw new Problem('limit_reached', {
        shipment,
        detail: 'The link of this shipment has been rolled too often.',
      })
    default:
      throw new Error(`bug: a link was not rolled because of ${done.reason}`)
  }
}
