import { shipmentStream } from '../../domain/ids.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { existing, loadShipment, type Snapshot } from '../../event-store/transact.ts'
import type { ProcessDeps } from '../deps.ts'
import { readClock } from '../sandbox/workspace-clock.ts'

/** Nearly all calls have ended by then; for a longer wait it is worth reading the clock. */
const firstWaitMs = 1_000

/**
 * Waits for a call that another request makes to end, until a moment of `performance.now()`, and no
 * longer than the call may take: after its deadline no request is making it. Answers the newest
 * known state.
 */
export async function whenEnded(
  deps: ProcessDeps,
  shipmentId: string,
  found: Snapshot,
  callOf: (state: Shipment) => Operation | null,
  until: number,
): Promise<Snapshot> {
  if (callOf(existing(found))?.state !== 'calling') return found
  let snapshot = found
  const look = async () => {
    snapshot = await newest(deps, shipmentId, snapshot)
    return callOf(existing(snapshot))?.state === 'calling' ? null : snapshot
  }
  const waited = (endsAt: number) =>
    deps.watch.until(shipmentStream(shipmentId), endsAt - performance.now(), look)
  const ended = await waited(Math.min(until, performance.now() + firstWaitMs))
  if (ended !== null) return ended
  const call = callOf(existing(snapshot))
  if (call !== null) await waited(Math.min(until, await endOf(deps, existing(snapshot), call)))
  return snapshot
}

/** When the call's deadline is reached; never, if the workspace's clock cannot be read. */
async function endOf({ db }: ProcessDeps, { request }: Shipment, call: Operation): Promise<number> {
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  const clock = await readClock(db, workspace).catch(() => null)
  if (clock === null) return Number.POSITIVE_INFINITY
  return performance.now() + call.callDeadline - clock.now
}

/**
 * Known state stays true while the ledger is unreachable: the attempt began, and may have been
 * sent.
 */
async function newest(deps: ProcessDeps, shipmentId: string, known: Snapshot): Promise<Snapshot> {
  return await loadShipment(deps.store, shipmentId).catch((error: unknown) => {
    deps.log.warn({ err: error, shipmentId }, 'a waiting request cannot read the ledger')
    return known
  })
}
