import { commentToApi } from '../../domain/operation/operation-to-api.ts'
import type { Comment } from '../../domain/operation/work.ts'
import { operationOf } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import type { OperatorAct } from '../../processes/calls/operator-acts.ts'
import { clockAt, offsetTo } from '../../processes/sandbox/workspace-clock.ts'
import { actorOf, type Principal, type Scope } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'
import type { Caller } from '../audit-act.ts'
import type { authenticated } from '../rules/authenticate.ts'
import { type Resource, resource } from '../rules/resources/resource.ts'
import { clockOf } from '../shipments/find-shipment.ts'
import { auditForeign, type FoundOperation, findOperation } from './find-operation.ts'
import { type OperationObject, operationObject } from './operation-schema.ts'
import { notesInComments, notesOf, ownerNotes, platformNotes } from './operator-notes.ts'

export type OperationDeps = ApiServices

/** The operation in the route's path. */
export function operationResource(deps: OperationDeps, scope: Scope): Resource<FoundOperation> {
  return resource(
    scope,
    ({ principal }, id) => findOperation(deps, principal, id),
    (caller, found) => auditForeign(deps, caller, found),
  )
}

/** What an act of a person on this operation needs, on the clock of its workspace. */
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

/** The operation as the caller may see it: as it was found, or as an act has left it. */
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

export async function commentsToApi(
  deps: OperationDeps,
  { principal }: ReturnType<typeof authenticated>,
  { operation, isMasked }: FoundOperation,
  comments: readonly Comment[],
) {
  const asked = notesInComments(comments)
  const notes = isMasked
    ? await platformNotes(deps, asked, principal.organizationId)
    : await ownerNotes(deps, asked)
  const of = { livemode: principal.livemode, operationId: operation.operationId }
  return comments.map((comment) => commentToApi(comment, of, notes))
}

/**
 * The name of the person who decides with a key that belongs to no operator; null for an operator's
 * key. Throws `validation_failed`.
 */
export function decidedBy({ operatorId }: Principal, named: string | undefined): string | null {
  if (operatorId === null && named !== undefined) return named
  if (operatorId !== null && named === undefined) return null
  const error =
    operatorId === null
      ? { reason: 'required', detail: 'It is required from a key that belongs to no operator.' }
      : { reason: 'not_allowed', detail: "With an operator's key, the operator decides." }
  throw new Problem('validation_failed', { errors: [{ pointer: '/decided_by', ...error }] })
}
