import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { JsonObject } from '../../domain/decider.ts'
import { shipmentIdOfOperation } from '../../domain/ids.ts'
import type { AuditEvent } from '../../domain/ledger/audit-event.ts'
import type { Resolution } from '../../domain/operation/machine.ts'
import type { Operation } from '../../domain/operation/operation.ts'
import {
  noOperatorNotes,
  type OperatorNotes,
  type WrittenNote,
} from '../../domain/operation/operation-to-api.ts'
import { operationOf, type Shipment } from '../../domain/shipment/shipment.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { existing, loadShipment, type Snapshot, withStates } from '../../event-store/transact.ts'
import { operationObject } from '../../http/operations/operation-schema.ts'
import { namesIn, notesOf } from '../../http/operations/operator-notes.ts'
import { newRequestId } from '../../http/rules/request-id.ts'
import type { OperatorAct } from '../../processes/calls/operator-acts.ts'
import { clockAt, offsetTo, readClock } from '../../processes/sandbox/workspace-clock.ts'
import { organizationOfOperator } from '../../security/operators.ts'
import type { Vault } from '../../security/vault/vault.ts'
import type { ActorOn } from '../acting.ts'
import { auditReads } from '../audit-reads.ts'
import { CommandFailed, withheld } from '../command.ts'

/*
 * Operations of every organization. Personal data is withheld: only the owner's key can read the
 * note, and who decided unless it was an operator.
 */

type Db = Kysely<Tables>
type Stores = { readonly db: Db; readonly store: EventStore }

/** An operator's act on an operation. Throws CommandFailed if there is no such operation. */
export async function startAct(
  { db, store }: Stores,
  operationId: string,
  actorOn: ActorOn,
): Promise<OperatorAct> {
  const shipmentId = shipmentIdOfOperation(operationId)
  const snapshot = await loadShipment(store, shipmentId)
  const { state } = snapshot
  if (state === null || operationOf(state, operationId) === null) {
    throw new CommandFailed(`There is no operation ${operationId}.`)
  }
  const { organization_id, workspace_id: workspaceId, livemode } = state.request
  const actor = await actorOn(organization_id)
  const { now } = await readClock(db, { workspaceId, livemode })
  const offsetMs = offsetTo(now)
  return {
    shipmentId,
    operationId,
    snapshot,
    actor,
    requestId: newRequestId(),
    now: () => clockAt(offsetMs),
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

function readByOperator(operation_ids: string[]): AuditEvent {
  return { type: 'OperationsSeenByPlatform', data: { operation_ids } }
}

/** Records in the owner's audit that an operation is about to be shown. */
export async function auditRead(
  store: EventStore,
  { operationId, snapshot }: OperatorAct,
  actorOn: ActorOn,
): Promise<void> {
  const reads = [{ id: operationId, owner: ownerOf(existing(snapshot).request) }]
  await auditReads({ store, actorOn }, reads, readByOperator)
}

/** The operation as the API returns it. */
export async function operationJson(
  db: Db,
  operationId: string,
  snapshot: Snapshot,
  written: OperatorNotes['written'] = noOperatorNotes.written,
): Promise<JsonObject> {
  const state = existing(snapshot)
  const operation = operationOf(state, operationId)
  if (operation === null) throw new Error(`bug: ${operationId} left its shipment`)
  const names = await namesIn(db, notesOf([{ operation_id: operationId, state }]), null)
  return withPlaceholders(state, operation, { written, names })
}

/** The operation, with a placeholder for each value that only its owner may read. */
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

/**
 * Whether the vault has the note of a decision. Older notes were erased together with the person's
 * data.
 */
function isNoteThere(state: Shipment, { ref, hasOwnNote }: Resolution): boolean {
  if (ref === null) return false
  return hasOwnNote ? !state.areNotesErased : state.erasedAt === null
}

/** The note of a decision is shown only to the operator who has just made it. */
export async function ownNote(
  vault: Pick<Vault, 'open'>,
  { operationId, actor }: OperatorAct,
  { state }: Snapshot,
  note: string,
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
export function newComment(
  { state }: Snapshot,
  operationId: string,
  { commentId, text }: { readonly commentId: string; readonly text: string },
): OperatorNotes['written'] {
  const comments = state === null ? [] : (operationOf(state, operationId)?.comments ?? [])
  return new Map(comments.flatMap(({ id, ref }) => (id === commentId ? [[ref, { text }]] : [])))
}

/** The organization of the owner, and that of the acting operator. */
export async function organizationsOf(
  db: Db,
  { actor, snapshot }: OperatorAct,
): Promise<readonly string[]> {
  const owner = existing(snapshot).request.organization_id
  if (actor.type !== 'operator') return [owner]
  return [owner, await organizationOfOperator(db, actor.operatorId)]
}

type Filter = {
  readonly status: string | null
  readonly organizationId: string | null
  readonly limit: number
}

const filteredBy = {
  status: 'o.status',
  organizationId: 'o.organization_id',
} as const satisfies Record<Exclude<keyof Filter, 'limit'>, string>

/** The oldest operations. Records in the owners' audit that they are about to be shown. */
export async function listOperations(
  { db, store }: Stores,
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
  await auditReads({ store, actorOn }, reads, readByOperator)
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
