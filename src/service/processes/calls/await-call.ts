import { shipmentStream } from '../../domain/ids.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { existing, loadShipment, type Snapshot } from '../../event-store/transact.ts'
import type { ProcessServices } from '../process-services.ts'
import { readClock } from '../sandbox/workspace-clock.ts'

/** How long duplicate requests wait for the outcome of the first one. */
export const duplicatesWaitMs = 15_000
/** Nearly all calls end within this; only a longer wait is worth a query of the clock. */
const firstWaitMs = 1_000

/** A call made by another request: how to find it in the state of its shipment. */
type AwaitedCall = {
  readonly shipmentId: string
  readonly operationIn: (state: Shipment) => Operation | null
}

/**
 * Waits for the call to end, at most until `until` on `performance.now()` or the call's deadline,
 * after which no request is still making it. Returns the newest known state.
 */
export async function awaitCall(
  deps: Pick<ProcessServices, 'db' | 'log' | 'store' | 'watch'>,
  { shipmentId, operationIn }: AwaitedCall,
  found: Snapshot,
  until: number,
): Promise<Snapshot> {
  let snapshot = found
  const isCalling = () => operationIn(existing(snapshot))?.state === 'calling'
  if (!isCalling()) return found
  const readAgain = async () => {
    snapshot = await newest(deps, shipmentId, snapshot)
    return isCalling() ? null : snapshot
  }
  const waited = (endsAt: number) =>
    deps.watch.until(shipmentStream(shipmentId), endsAt - performance.now(), readAgain)
  const ended = await waited(Math.min(until, performance.now() + firstWaitMs))
  if (ended !== null) return ended
  const state = existing(snapshot)
  const call = operationIn(state)
  if (call !== null) await waited(Math.min(until, await deadlineOf(deps.db, state, call)))
  return snapshot
}

/** When the call's deadline is reached; `Infinity` if the workspace's clock cannot be read. */
async function deadlineOf(
  db: ProcessServices['db'],
  { request }: Shipment,
  call: Operation,
): Promise<number> {
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  const clock = await readClock(db, workspace).catch(() => null)
  if (clock === null) return Number.POSITIVE_INFINITY
  return performance.now() + call.callDeadline - clock.now
}

/**
 * Falls back to the known state while the ledger is unreachable: the attempt began and may have
 * been sent, so that state remains true.
 */
async function newest(
  { store, log }: Pick<ProcessServices, 'store' | 'log'>,
  shipmentId: string,
  known: Snapshot,
): Promise<Snapshot> {
  return await loadShipment(store, shipmentId).catch((error: unknown) => {
    log.warn({ err: error, shipmentId }, 'a waiting request cannot read the ledger')
    return known
  })
}
