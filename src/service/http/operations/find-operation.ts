import { shipmentIdOfOperation } from '../../domain/ids.ts'
import { type Operation, operationStatusOf } from '../../domain/operation/operation.ts'
import { operationOf, type Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { loadShipment, type Snapshot } from '../../event-store/transact.ts'
import { actorOf, type Principal } from '../../security/api-keys.ts'
import { audit } from '../../security/audit.ts'
import { isInTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices } from '../api-services.ts'
import type { Caller } from '../audit-act.ts'

export type FoundOperation = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly state: Shipment
  readonly operation: Operation
  /** The platform reads another organization's operation: personal data stays masked. */
  readonly isMasked: boolean
}

/**
 * Returns an operation of one of the key's own shipments or, for the platform, an escalated one
 * that is not resolved; else 404.
 */
export async function findOperation(
  deps: ApiServices,
  principal: Principal,
  operationId: string,
): Promise<FoundOperation> {
  const shipmentId = shipmentIdOfOperation(operationId)
  await deps.owners.require(principal, shipmentId).catch(async (error: unknown) => {
    if (!isPlatform(principal) || !(await isEscalated(deps, principal, operationId))) throw error
  })
  const snapshot = await loadShipment(deps.store, shipmentId)
  const { state } = snapshot
  const operation = state === null ? null : operationOf(state, operationId)
  if (state === null || operation === null) throw new Problem('not_found')
  if (isInTenantScope(principal, state.request)) {
    return { shipmentId, snapshot, state, operation, isMasked: false }
  }
  const isOpen = operation.escalated && operationStatusOf(operation) !== 'resolved'
  const isSameMode = state.request.livemode === principal.livemode
  if (!isPlatform(principal) || !isOpen || !isSameMode) throw new Problem('not_found')
  return { shipmentId, snapshot, state, operation, isMasked: true }
}

/** Records in the audit stream of the owner that the platform sees the operation. */
export async function auditForeign(
  deps: Pick<ApiServices, 'store'>,
  caller: Caller,
  { isMasked, state, operation }: FoundOperation,
): Promise<void> {
  if (isMasked) await auditAccess(deps, caller, state.request, [operation.operationId])
}

/**
 * Asks the list of escalated operations first, so that the stream of no other operation is read.
 */
async function isEscalated(
  { db }: Pick<ApiServices, 'db'>,
  { livemode }: Principal,
  operationId: string,
): Promise<boolean> {
  const row = await db
    .withoutPlugins()
    .selectFrom('projections.operations')
    .select('operation_id')
    .where('operation_id', '=', operationId)
    .where('livemode', '=', livemode)
    .where('escalated', '=', true)
    .where('status', '<>', 'resolved')
    .executeTakeFirst()
  return row !== undefined
}

/** A key of the platform that is not restricted to one workspace. */
export function isPlatform(principal: Principal): boolean {
  return principal.organizationType === 'platform' && principal.workspaceId === null
}

export async function auditAccess(
  deps: Pick<ApiServices, 'store'>,
  caller: Caller,
  owner: { readonly organization_id: string; readonly workspace_id: string },
  operationIds: readonly string[],
): Promise<void> {
  await audit(deps.store, {
    type: 'OperationsSeenByPlatform',
    data: { operation_ids: [...operationIds] },
    organizationId: owner.organization_id,
    workspaceId: owner.workspace_id,
    livemode: caller.principal.livemode,
    actor: actorOf(caller.principal),
    requestId: caller.requestId,
  })
}
