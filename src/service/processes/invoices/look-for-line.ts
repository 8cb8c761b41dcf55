import { looksMax, reconciliationTimes } from '../../domain/operation/reconciliation.ts'
import { currentAttempt } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { existing, loadShipment, transact } from '../../event-store/transact.ts'
import { look } from '../calls/reconcile.ts'
import { takeTurn } from '../due/turn.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { readClock } from '../sandbox/workspace-clock.ts'

export type LookDeps = Pick<ProcessDeps, 'accounts' | 'couriers' | 'db' | 'store' | 'vault'>

/** An attempt that was concluded to have made nothing, and that a courier bills. */
type BilledAttempt = {
  readonly shipmentId: string
  /** The guide on the invoice: for couriers that can only be asked by number. */
  readonly guideNumber: string
  /** Of the import or the request to compare. */
  readonly requestId: string | null
}

/**
 * Asks the courier about an attempt that it bills although nothing was created. A guide contradicts
 * the conclusion, like any late evidence. Nothing is asked if it was looked at a moment ago, if it
 * is concluded otherwise now, or if the connection is parked.
 */
export async function lookForBilled(deps: LookDeps, billed: BilledAttempt): Promise<void> {
  const { shipmentId, guideNumber, requestId } = billed
  const snapshot = await loadShipment(deps.store, shipmentId)
  const state = existing(snapshot)
  const operation = currentAttempt(state)
  const { operationId } = operation
  if (!madeNothing.has(operation.state) || operation.looks.length >= looksMax) return
  if (!(await isMyTurn(deps, operationId))) return
  const { workspace_id: workspaceId, livemode } = state.request
  const { now: startedAt } = await readClock(deps.db, { workspaceId, livemode })
  const by = 'reconciliation' as const
  const made = { shipmentId, snapshot, operationId, guideNumber, by, startedAt, requestId }
  const looked = await look(deps, made)
  if (looked === null) return
  const { report, commitments } = looked
  const command = { do: 'record_look', operationId, ...report } as const
  await transact(deps.store, shipmentId, command, {
    actor: { type: 'reconciliation', keyId: null },
    requestId,
    now: startedAt,
    from: snapshot,
    append: { reserved: true },
    commitments,
  })
}

const madeNothing: ReadonlySet<string> = new Set(['denied', 'refused', 'not_sent'])

/** The turn is the one that operators' looks take. */
async function isMyTurn({ db }: LookDeps, operationId: string): Promise<boolean> {
  try {
    await takeTurn(db, {
      work: `look-turn:${operationId}`,
      apartMs: reconciliationTimes.lookApartMs,
      detail: 'It was looked at a moment ago.',
    })
    return true
  } catch (error) {
    if (error instanceof Problem && error.reason === 'rate_limited') return false
    throw error
  }
}
