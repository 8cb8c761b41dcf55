import { shipmentIdOfStream, shipmentStreamPrefix } from '../../domain/ids.ts'
import type { EventStore, Position } from '../../event-store/event-store.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { newRequestId } from '../../http/rules/request-id.ts'
import { erasePersonalData, erasureRefusal } from '../../processes/erasure/erasure.ts'
import { type ListedShipment, readErasureList } from '../../processes/erasure/erasure-list.ts'
import type { ProcessDeps } from '../../processes/process-deps.ts'
import { readClock } from '../../processes/sandbox/workspace-clock.ts'
import { audit } from '../../security/audit.ts'
import type { ActorOn, EraseAnswer, ErasureAdministration } from '../administration.ts'

/** Uses the same function as the route. The shipment's owner finds the erasure in the audit. */
export function erasureAdministration(processes: ProcessDeps): ErasureAdministration {
  return {
    erase: (shipmentId, actorOn, includeNotes) =>
      erase(processes, shipmentId, { actorOn, includeNotes }),
    erased: (read) => erasedIn(processes.store, read),
    listed: readErasureList,
  }
}

async function erase(
  processes: ProcessDeps,
  shipmentId: string,
  { actorOn, includeNotes }: { readonly actorOn: ActorOn; readonly includeNotes: boolean },
): Promise<EraseAnswer> {
  const { store, db } = processes
  const snapshot = await loadShipment(store, shipmentId)
  const { state } = snapshot
  if (state === null) return 'not_found'
  const { organization_id: organizationId, workspace_id: workspaceId, livemode } = state.request
  const actor = await actorOn(organizationId)
  const requestId = newRequestId()
  // A refused erasure is not recorded as ordered.
  const asked = { because: 'request', includeNotes } as const
  const refusal = await erasureRefusal(processes, state, asked)
  if (refusal !== null) return refusal.kind
  if (state.erasedAt === null || (includeNotes && !state.areNotesErased)) {
    await audit(store, {
      actor,
      requestId,
      organizationId,
      workspaceId,
      livemode,
      type: 'PersonalDataErasureOrdered',
      data: { shipment_id: shipmentId },
    })
  }
  const { now } = await readClock(db, { workspaceId, livemode })
  const erased = await erasePersonalData(processes, {
    shipmentId,
    snapshot,
    requestId,
    now,
    actor,
    ...asked,
    again: true,
  })
  if (erased.kind !== 'erased') return erased.kind
  return erased.isNew ? 'erased' : 'was_erased'
}

/** Events read at once: a few milliseconds of the store's time. */
const pageMax = 1_000

/** Every shipment that the ledger says was erased. */
async function* erasedIn(
  store: EventStore,
  read: (position: Position, events: number) => void,
): AsyncGenerator<ListedShipment> {
  let after: Position | null = null
  for (;;) {
    const options = { prefixes: [shipmentStreamPrefix], limit: pageMax }
    const { events, last } = await store.readAll(after, options)
    for (const event of events) {
      if (event.type !== 'PersonalDataErased') continue
      const includesNotes = event.data.includes_notes === true
      yield { shipmentId: shipmentIdOfStream(event.stream), includesNotes }
    }
    if (last === null || (events.length === 0 && last === after)) return
    read(last, events.length)
    after = last
  }
}
