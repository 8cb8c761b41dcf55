import { looksMax, reconciliationTimes } from '../../domain/operation/reconciliation.ts'
import { currentAttempt } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { existing, loadShipment, transact } from '../../event-store/transact.ts'
import { lookUp } from '../calls/reconcile.ts'
import { takeRateLimit } from '../due/take-rate-limit.ts'
import type { ProcessServices } from '../process-services.ts'
import { readClock } from '../sandbox/workspace-clock.ts'

export type LookUpDeps = Pick<ProcessServices, 'accounts' | 'couriers' | 'db' | 'store' | 'vault'>

/** An attempt concluded as having created nothing, which the courier nevertheless bills. */
type BilledAttempt = {
  readonly shipmentId: string
  /** The guide number on the invoice, for couriers that can be queried only by number. */
  readonly guideNumber: string
  /** The request id of the import or comparison. */
  readonly requestId: string | null
}

/**
 * Queries the courier about an attempt that is billed although it was concluded as having created
 * nothing. A guide contradicts the conclusion, like any late evidence. Does nothing if the attempt
 * was looked at a moment ago, its conclusion has changed, or the connection is parked.
 */
export async function lookUpBilled(deps: LookUpDeps, billed: BilledAttempt): Promise<void> {
  const { shipmentId, guideNumber, requestId } = billed
  const snapshot = await loadShipment(deps.store, shipmentId)
  const state = existing(snapshot)
  const operation = currentAttempt(state)
  const { operationId } = operation
  if (!madeNothing.has(operation.state) || operation.looks.length >= looksMax) return
  if (!(await reserveLook(deps, operationId))) return
  const { workspace_id: workspaceId, livemode } = state.request
  const { now: startedAt } = await readClock(deps.db, { workspaceId, livemode })
  const by = 'reconciliation' as const
  const made = { shipmentId, snapshot, operationId, guideNumber, by, startedAt, requestId }
  const looked = await lookUp(deps, made)
  if (looked === null) return
  const { report, stored } = looked
  const command = { do: 'record_look', operationId, ...report } as const
  await transact(deps.store, shipmentId, command, {
    actor: { type: 'reconciliation', keyId: null },
    requestId,
    now: startedAt,
    from: snapshot,
    append: { reserved: true },
    ...stored,
  })
}

const madeNothing: ReadonlySet<string> = new Set(['denied', 'refused', 'not_sent'])

/** Shares its rate limit with operators' looks. */
async function reserveLook({ db }: LookUpDeps, operationId: string): Promise<boolean> {
  try {
    await takeRateLimit(db, {
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
