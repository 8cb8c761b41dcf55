import type { Kysely } from 'kysely'
import type { Database } from '../../database/database.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { existing, loadShipment } from '../../event-store/transact.ts'
import { newRequestId } from '../../http/rules/request-id.ts'
import { holdAnyWorkspace } from '../../http/workspaces/workspace-hold.ts'
import { hasColumn } from '../../processes/has-column.ts'
import { type HoldAct, holdShipment } from '../../processes/holds/shipment-hold.ts'
import type { ProcessDeps } from '../../processes/process-deps.ts'
import { readClock } from '../../processes/sandbox/workspace-clock.ts'
import type { ActorOn, Held, HoldAdministration, HoldTarget } from '../administration.ts'
import { CommandFailed, rowsMax } from '../command.ts'

type Deps = {
  readonly processes: ProcessDeps
  readonly db: Kysely<Database>
}

type Order = { readonly act: HoldAct; readonly note: string; readonly actorOn: ActorOn }

/** Uses the same functions as the routes. */
export function holdAdministration(deps: Deps): HoldAdministration {
  const act =
    (what: HoldAct) =>
    ({ kind, id }: HoldTarget, note: string, actorOn: ActorOn) =>
      kind === 'shipment'
        ? actOnShipment(deps, id, { act: what, note, actorOn })
        : actOnWorkspace(deps, id, { act: what, note, actorOn })
  return { place: act('place_hold'), lift: act('lift_hold'), list: () => listed(deps) }
}

async function actOnShipment(
  { processes }: Deps,
  shipmentId: string,
  { act, note, actorOn }: Order,
): Promise<Held | null> {
  const snapshot = await loadShipment(processes.store, shipmentId)
  if (snapshot.state === null) return null
  const { organization_id, workspace_id: workspaceId, livemode } = snapshot.state.request
  const { now } = await readClock(processes.db, { workspaceId, livemode })
  const actor = await actorOn(organization_id)
  const order = { shipmentId, snapshot, act, note, now, actor }
  const held = await holdShipment(processes, { ...order, requestId: newRequestId() })
  const { legalHold } = existing(held)
  return { since: legalHold === null ? null : rfc3339(legalHold.since) }
}

async function actOnWorkspace(
  { processes: { store, vault }, db }: Deps,
  workspaceId: string,
  { act, note, actorOn }: Order,
): Promise<Held | null> {
  const owner = await db
    .selectFrom('workspaces')
    .select('organization_id')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (owner === undefined) return null
  const actor = await actorOn(owner.organization_id)
  const order = { act, note, actor, requestId: newRequestId() }
  const row = await holdAnyWorkspace({ db, store, vault }, workspaceId, order)
  return row === null ? null : { since: row.legal_hold_since?.toISOString() ?? null }
}

async function listed({ processes, db }: Deps): ReturnType<HoldAdministration['list']> {
  if (!(await hasColumn(processes.db, 'projections.shipments', 'held_since'))) {
    throw new CommandFailed('The read models are being rebuilt. Try again later.')
  }
  const workspaces = await db
    .selectFrom('workspaces')
    .select(['id', 'organization_id', 'legal_hold_since as since'])
    .where('legal_hold_since', 'is not', null)
    .orderBy('legal_hold_since')
    .limit(rowsMax)
    .execute()
  const shipments = await processes.db
    .selectFrom('projections.shipments')
    .select(['shipment_id as id', 'organization_id', 'held_since as since'])
    .where('held_since', 'is not', null)
    .orderBy('held_since')
    .limit(rowsMax)
    .execute()
  const all = [...workspaces, ...shipments].flatMap(({ id, organization_id, since }) =>
    since === null ? [] : [{ id, organization_id, since: new Date(since).toISOString() }],
  )
  return all.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since)).slice(0, rowsMax)
}
