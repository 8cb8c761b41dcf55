import { operationIdOf } from '../../domain/ids.ts'
import { currentAttempt, nextOrdinal, type Shipment } from '../../domain/shipment/shipment.ts'
import { personalPart } from '../../domain/shipment/shipment-payload.ts'
import { type Beside, isWithheld } from '../../event-store/beside.ts'
import { retryUntilStored } from '../../event-store/retry-until-stored.ts'
import { existing, loadShipment, transact, transactAttempt } from '../../event-store/transact.ts'
import type { ItemSealer } from '../../security/vault/vault.ts'
import type { ProcessServices } from '../process-services.ts'
import { creationAttempt } from '../quota/quota-place.ts'
import type { CreationCommand, KeyedRequest } from './creation-request.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { RecordedAgain } from './make-call.ts'

type LostCreation = {
  /** The state before the loss. */
  readonly lost: Shipment
  readonly command: CreationCommand
  readonly digestOf: (row: ItemSealer) => string
}

/**
 * Records the attempt again under the same key: every part of its vault row, request and intent
 * that was lost. If another request has recorded an attempt meanwhile, that one stands, and the
 * outcome belongs to it.
 */
export async function recordCreationAgain(
  deps: Pick<ProcessServices, 'log' | 'store' | 'vault'>,
  request: KeyedRequest,
  { lost, command, digestOf }: LostCreation,
): Promise<RecordedAgain> {
  const { shipmentId, actor, requestId } = request
  const { now, callDeadline, credentialsVersion } = command
  const times = { now, callDeadline, credentialsVersion, recovered: true } as const
  const recorded = async () => {
    const from = await loadShipment(deps.store, shipmentId)
    const options = { actor, requestId, now, from, append: { reserved: true } }
    if (from.state === null) {
      const { organizationId, workspaceId, body } = request
      const draft = deps.vault.prepare(
        { organizationId, workspaceId, shipmentId },
        personalPart(body),
      )
      const { commitments: _, ...first } = lost.request
      const record = (beside: Beside) =>
        transactAttempt(
          deps.store,
          shipmentId,
          {
            do: 'request_shipment',
            ...times,
            operationId: operationIdOf(shipmentId, 1),
            requestDigest: digestOf(draft),
            request: {
              ...first,
              vault_ref: draft.ref,
              fingerprint: fingerprintOf(request, draft.fingerprintKey),
              recovered: true,
            },
          },
          { ...options, beside, commitments: new Map([[draft.ref, draft.commitment]]) },
        )
      const assumed = { clockOffsetMs: 0, isUnread: false }
      const attempt = { ...creationAttempt(request, assumed), clock: null }
      const within = await record({ row: draft.row, attempt })
      // The guide exists, so it is counted even beyond the quota.
      const again = isWithheld(within) ? await record({ row: draft.row }) : within
      return { again, draft }
    }
    const row = await deps.vault.open(from.state.request.vault_ref)
    const again = await transact(
      deps.store,
      shipmentId,
      {
        do: 'request_guide',
        ...times,
        operationId: operationIdOf(shipmentId, nextOrdinal(from.state)),
        ...(row === null ? {} : { requestDigest: digestOf(row) }),
      },
      options,
    )
    return { again, draft: null }
  }
  const { again, draft } = await retryUntilStored('a lost attempt', deps.log, recorded)
  if (again.kind !== 'done') throw new Error(`bug: a lost attempt was ${again.kind}`)
  const { snapshot, appended } = again
  const state = existing(snapshot)
  return {
    snapshot,
    operationId: currentAttempt(state).operationId,
    vaultRow: appended && draft !== null ? draft : state.request.vault_ref,
  }
}
