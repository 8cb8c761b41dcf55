import type { JsonObject } from '../../domain/decider.ts'
import { shipmentIdOfOperation } from '../../domain/ids.ts'
import type { AuditEvent } from '../../domain/ledger/audit-event.ts'
import type { Resolution } from '../../domain/operation/machine.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import {
  noOperatorNotes,
  type OperatorNotes,
  type WrittenNote,
} from '../../domain/operation/shown-operation.ts'
import { operationOf, type Shipment } from '../../domain/shipment/shipment.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, loadShipment, type Snapshot, withStates } from '../../event-store/transact.ts'
import { newCommentId } from '../../http/new-ids.ts'
import { operationObject } from '../../http/operations/operation-schema.ts'
import { namesIn, notesOf } from '../../http/operations/operator-notes.ts'
import { newRequestId } from '../../http/rules/request-id.ts'
import { lookNow, type OperatorAct, resolveOperation } from '../../processes/calls/operator-acts.ts'
import type { ProcessDeps } from '../../processes/process-deps.ts'
import { clockAt, offsetTo, readClock } from '../../processes/sandbox/workspace-clock.ts'
import {
  assignOperation,
  commentOnOperation,
  snoozeOperation,
} from '../../processes/work/operation-work.ts'
import { organizationOfOperator } from '../../security/operators.ts'
import type { ActorOn, OperationDecision, OperationsAdministration } from '../administration.ts'
import { auditReads } from '../audit-reads.ts'
import { CommandFailed, withheld } from '../command.ts'

/**
 * Operations of every organization, by the same functions as the routes. Personal data stays in the
 * vault: only the owner's key sees the note, and who decided if that was no operator.
 */
export function operationsAdministration(
  processes: ProcessDeps,
  simulatorIsKnown: boolean,
): OperationsAdministration {
  const act = async (operationId: string, actorOn: ActorOn, asksCourier: boolean) => {
    const snapshot = await loadShipment(processes.store, shipmentIdOfOperation(operationId))
    const { state } = snapshot
    if (state === null || operationOf(state, operationId) === null) return null
    if (asksCourier && !state.request.livemode && !simulatorIsKnown) {
      throw new CommandFailed(
        'The address of the simulated courier is not known here. Set SIMULATOR_URL to it.',
      )
    }
    const actor = await actorOn(state.request.organization_id)
    return await actOn(processes.db, operationId, { snapshot, state, actor })
  }
  return {
    list: (filter, actorOn) => listed(processes, filter, actorOn),
    show: async (operationId, actorOn) => {
      const found = await act(operationId, actorOn, false)
      const request = found?.snapshot.state?.request
      if (found === null || request === undefined) return null
      const { store } = processes
      const reads = [{ id: operationId, owner: ownerOf(request) }]
      await auditReads({ store, actorOn }, reads, seen)
      return await objectOf(processes.db, operationId, found.snapshot)
    },
    look: async (operationId, actorOn) => {
      await processes.guard.read()
      const found = await act(operationId, actorOn, true)
      if (found === null) return null
      return await objectOf(processes.db, operationId, await lookNow(processes, found))
    },
    resolve: async (operationId, order, actorOn) => {
      await processes.guard.read()
      const found = await act(operationId, actorOn, order.guideNumber !== null)
      if (found === null) return null
      const decided = { ...order, decidedBy: null }
      const snapshot = await resolveOperation(processes, found, decided)
      const note = await ownNote(processes.vault, found, snapshot, order)
      return await objectOf(processes.db, operationId, snapshot, note)
    },
    assign: async (operationId, operatorId, actorOn) => {
      const found = await act(operationId, actorOn, false)
      if (found === null) return null
      const organizationIds = await organizationsOf(processes.db, found)
      const order = { operatorId, organizationIds }
      const snapshot = await assignOperation(processes, found, order)
      return await objectOf(processes.db, operationId, snapshot)
    },
    comment: async (operationId, text, actorOn) => {
      const found = await act(operationId, actorOn, false)
      if (found === null) return null
      const order = { commentId: newCommentId(), text }
      const snapshot = await commentOnOperation(processes, found, order)
      const written = writtenNow(snapshot, operationId, order)
      return await objectOf(processes.db, operationId, snapshot, written)
    },
    snooze: async (operationId, until, actorOn) => {
      const found = await act(operationId, actorOn, false)
      if (found === null) return null
      const snapshot = await snoozeOperation(processes, found, until)
      return await objectOf(processes.db, operationId, snapshot)
    },
  }
}

function ownerOf(row: {
  readonly organization_id: string
  readonly workspace_id: string
  readonly livemode: boolean
}) {
  const { organization_id: organizationId, workspace_id: workspaceId, livemode } = row
  return { organizationId, workspaceId, livemode }
}

function seen(operation_ids: string[]): AuditEvent {
  return { type: 'OperationsSeenByPlatform', data: { operation_ids } }
}

async function actOn(
  db: ProcessDeps['db'],
  operationId: string,
  found: { readonly snapshot: Snapshot; readonly state: Shipment; readonly actor: Actor },
): Promise<OperatorAct> {
  const { snapshot, actor } = found
  const { request } = found.state
  const workspace = { workspaceId: request.workspace_id, livemode: request.livemode }
  const { now } = await readClock(db, workspace)
  const offsetMs = offsetTo(now)
  return {
    shipmentId: shipmentIdOfOperation(operationId),
    operationId,
    snapshot,
    actor,
    requestId: newRequestId(),
    now: () => clockAt(offsetMs),
  }
}

async function objectOf(
  db: ProcessDeps['db'],
  operationId: string,
  { state }: Snapshot,
  written: OperatorNotes['written'] = noOperatorNotes.written,
): Promise<JsonObject | null> {
  const operation = state === null ? null : operationOf(state, operationId)
  if (state === null || operation === null) return null
  const names = await namesIn(db, notesOf([{ operation_id: operationId, state }]), null)
  return withPlaceholders(state, operation, { written, names })
}

/** The operation, with a placeholder for each value that only its owner may see. */
function withPlaceholders(state: Shipment, operation: Operation, notes: OperatorNotes): JsonObject {
  const shipmentId = shipmentIdOfOperation(operation.operationId)
  const object = operationObject(shipmentId, state, operation, notes)
  const resolutions = object.resolutions.map((resolution, at) => {
    const kept = operation.resolutions[at]
    if (kept === undefined || !isNoteThere(state, kept) || resolution.note !== null) {
      return resolution
    }
    return { ...resolution, decided_by: resolution.decided_by ?? withheld, note: withheld }
  })
  const comments = object.comments.map((comment) =>
    state.areNotesErased || comment.text !== null ? comment : { ...comment, text: withheld },
  )
  return {
    ...object,
    comments,
    resolution: object.resolution && (resolutions.at(-1) ?? null),
    resolutions,
  }
}

/** Whether the vault has the note of a decision. Older notes were erased with the person. */
function isNoteThere(state: Shipment, { ref, hasOwnNote }: Resolution): boolean {
  if (ref === null) return false
  return hasOwnNote ? !state.areNotesErased : state.erasedAt === null
}

/** The current decision is shown only to the operator who has just made it. */
async function ownNote(
  vault: ProcessDeps['vault'],
  { operationId, actor }: OperatorAct,
  { state }: Snapshot,
  { note }: OperationDecision,
): Promise<OperatorNotes['written']> {
  const operation = state === null ? null : operationOf(state, operationId)
  const { ref = null, operatorId = null } = operation?.resolutions.at(-1) ?? {}
  const isByActor = actor.type === 'operator' && actor.operatorId === operatorId
  if (ref === null || !isByActor) return noOperatorNotes.written
  const kept = await vault.open(ref)
  return kept?.payload.note === note
    ? new Map<string, WrittenNote>([[ref, { note }]])
    : noOperatorNotes.written
}

/** The text of the new comment is shown to the operator who has just written it. */
function writtenNow(
  { state }: Snapshot,
  operationId: string,
  { commentId, text }: { readonly commentId: string; readonly text: string },
): OperatorNotes['written'] {
  const comments = state === null ? [] : (operationOf(state, operationId)?.comments ?? [])
  return new Map(comments.flatMap(({ id, ref }) => (id === commentId ? [[ref, { text }]] : [])))
}

/** The owner's operators, and the colleagues of the operator who acts. */
async function organizationsOf(
  db: ProcessDeps['db'],
  { actor, snapshot }: OperatorAct,
): Promise<readonly string[]> {
  const owner = existing(snapshot).request.organization_id
  if (actor.type !== 'operator') return [owner]
  return [owner, await organizationOfOperator(db, actor.operatorId)]
}

type Filter = Parameters<OperationsAdministration['list']>[0]
const filteredBy = {
  status: 'o.status',
  organizationId: 'o.organization_id',
} as const satisfies Record<Exclude<keyof Filter, 'limit'>, string>

async function listed(
  { db, store }: Pick<ProcessDeps, 'db' | 'store'>,
  filter: Filter,
  actorOn: ActorOn,
): Promise<readonly JsonObject[]> {
  let query = db
    .selectFrom('projections.operations as o')
    .innerJoin('projections.shipments as s', 's.shipment_id', 'o.shipment_id')
    .select(['o.operation_id', 'o.organization_id', 'o.workspace_id', 'o.livemode'])
    .select(['o.shipment_id', 's.version'])
  const { limit, ...values } = filter
  for (const name of Object.keys(filteredBy) as (keyof typeof filteredBy)[]) {
    const value = values[name]
    if (value !== null) query = query.where(filteredBy[name], '=', value)
  }
  const rows = await query.orderBy('o.created_at').orderBy('o.operation_id').limit(limit).execute()
  const reads = rows.map((row) => ({ id: row.operation_id, owner: ownerOf(row) }))
  await auditReads({ store, actorOn }, reads, seen)
  const shown = await withStates(store, rows)
  const names = await namesIn(db, notesOf(shown), null)
  const notes = { ...noOperatorNotes, names }
  return shown.flatMap(({ operation_id: operationId, organization_id, state }) => {
    const operation = operationOf(state, operationId)
    return operation === null
      ? []
      : [{ ...withPlaceholders(state, operation, notes), organization_id }]
  })
}
