import { operationOf } from '../../domain/shipment/shipment.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import type { OperatorAct } from '../../processes/calls/operator-acts.ts'
import { clockAt, offsetTo } from '../../processes/sandbox/workspace-clock.ts'
import { actorOf, type Scope } from '../../security/api-keys.ts'
import type { Caller } from '../audit-act.ts'
import { type Resource, resource } from '../rules/resources/resource.ts'
import type { RouteDeps } from '../server-deps.ts'
import { clockOf } from '../shipments/shipment-clock.ts'
import { auditForeign, type FoundOperation, findOperation } from './find-operation.ts'
import { type OperationObject, operationObject } from './operation-schema.ts'
import { notesOf, ownerNotes, platformNotes } from './operator-notes.ts'

export type OperationDeps = Pick<
  RouteDeps,
  'db' | 'owners' | 'processes' | 'secrets' | 'store' | 'workspaces'
>

/** The operation in the route's path. */
export function operationResource(deps: OperationDeps, scope: Scope): Resource<FoundOperation> {
  return resource(
    scope,
    ({ principal }, id) => findOperation(deps, principal, id),
    (caller, found) => auditForeign(deps, caller, found),
  )
}

/** What a person does about the operation that was found, on its workspace's clock. */
export async function actOf(
  deps: OperationDeps,
  caller: Caller,
  found: FoundOperation,
): Promise<OperatorAct> {
  const offsetMs = offsetTo(await clockOf(deps, found.state))
  return {
    shipmentId: found.shipmentId,
    operationId: found.operation.operationId,
    snapshot: found.snapshot,
    actor: actorOf(caller.principal),
    requestId: caller.requestId,
    now: () => clockAt(offsetMs),
  }
}

/** The operation as the caller may see it: as found, or as an act has left it. */
export async function foundObject(
  deps: OperationDeps,
  { principal }: Caller,
  found: FoundOperation,
  now?: Snapshot,
): Promise<OperationObject> {
  const state = now === undefined ? found.state : existing(now)
  const { operationId } = found.operation
  const operation = operationOf(state, operationId) ?? found.operation
  const asked = notesOf([{ operation_id: operationId, state }])
  const notes = found.isMasked
    ? await platformNotes(deps, asked, principal.organizationId)
    : await ownerNotes(deps, asked)
  return operationObject(found.shipmentId, state, operation, notes)
}
