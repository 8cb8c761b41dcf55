import { shipmentStream } from '../../domain/ids.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { existing, loadShipment, type Snapshot } from '../../event-store/transact.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { readClock } from '../sandbox/workspace-clock.ts'

/** How long duplicates wait for the outcome of the first request. */
export const duplicatesWaitMs = 15_000
/** Nearly all calls have ended by then; for a longer wait it is worth reading the clock. */
const firstWaitMs = 1_000

/** A call that another request makes: where it is in the state of its shipment. */
type AwaitedCall = {
  readonly shipmentId: string
  readonly operationIn: (state: Shipment) => Operation | null
}

/**
 * Waits for the call to end, until a moment of `performance.now()`, and no longer than the call may
 * take: after its deadline no request is making it. Returns the newest known state.
 */
export async function awaitCall(
  deps: Pick<ProcessDeps, 'db' | 'log' | 'store' | 'watch'>,
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

/** When the call's deadline is reached; never, if the workspace's clock cannot be read. */
async function deadlineOf(
  db: ProcessDeps['db'],
  { request }: Shipment,
  call: Operation,
): Promise<number> {
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  const clock = await readClock(db, workspace).catch(() => null)
  if (clock === null) return Number.POSITIVE_INFINITY
  return performance.now() + call.callDeadline - clock.now
}

/**
 * Known state stays true while the ledger is unreachable: the attempt began, and may have been
 * sent.
 */
async function newest(
  { store, log }: Pick<ProcessDeps, 'store' | 'log'>,
  shipmentId: string,
  known: Snapshot,
): Promise<Snapshot> {
  return await loadShipment(store, shipmentId).catch((error: unknown) => {
    log.warn({ err: error, shipmentId }, 'a waiting request cannot read the ledger')
    return known
  })
}
