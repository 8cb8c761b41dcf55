import { rfc3339 } from '../../domain/decider.ts'
import { existing, loadShipment } from '../../event-store/transact.ts'
import { newRequestId } from '../../http/rules/request-id.ts'
import { holdAnyWorkspace } from '../../http/workspaces/workspace-hold.ts'
import { hasColumn } from '../../processes/has-column.ts'
import { type HoldAct, holdShipment } from '../../processes/holds/shipment-hold.ts'
import { readClock } from '../../processes/sandbox/workspace-clock.ts'
import { type ActorOn, asRequired, operatorActing } from '../acting.ts'
import {
  type Call,
  type Command,
  CommandFailed,
  type CommandResult,
  columns,
  noteIn,
  rowsMax,
  UsageError,
} from '../command.ts'
import type { CommandServices } from '../open-services.ts'

const target = {
  shipment: { value: 'SHIPMENT', id: 'shp', description: 'A shipment (shp_…).' },
  workspace: {
    value: 'WORKSPACE',
    id: 'ws',
    description: 'Or a workspace (ws_…) with all its shipments, including later ones.',
  },
  note: { value: 'TEXT', required: true, description: 'The reason; stored encrypted.' },
  ...asRequired,
} as const

export const holdPlace: Command = {
  name: 'hold place',
  summary: 'Places a legal hold on a shipment or workspace: its personal data is not erased.',
  flags: target,
  examples: [
    "hold place --shipment shp_4Zb1cD2eF3gH4iJ5kL6mN7 --note 'claim 2026-114' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
    "hold place --workspace ws_4Zb1cD2eF3gH4iJ5kL6mN7 --note 'claim 2026-114' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
  ],
  run: (call) => hold(call, 'place_hold'),
}

export const holdLift: Command = {
  name: 'hold lift',
  summary: 'Lifts the legal hold on a shipment or workspace.',
  flags: target,
  examples: [
    "hold lift --shipment shp_4Zb1cD2eF3gH4iJ5kL6mN7 --note 'claim 2026-114 is settled' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
  ],
  run: (call) => hold(call, 'lift_hold'),
}

export const holdList: Command = {
  name: 'hold list',
  summary: 'Lists the legal holds of every organization, oldest first.',
  flags: {},
  examples: ['hold list', 'hold list --json'],
  run: async ({ open }) => {
    const { db } = await open()
    const data = await holdsOfAll(db)
    const rows = data.map((each) => [each.id, each.organization_id, each.since])
    return {
      json: { data: data.map((each) => ({ ...each })) },
      text: columns([['ID', 'ORGANIZATION', 'SINCE'], ...rows]),
    }
  },
}

async function hold(call: Call, act: HoldAct): Promise<CommandResult> {
  const { flags, open } = call
  const actorOn = operatorActing(call)
  const [shipment, workspace] = [flags.get('shipment'), flags.get('workspace')]
  if ((shipment === undefined) === (workspace === undefined)) {
    throw new UsageError('Give either --shipment or --workspace.')
  }
  const order = { act, note: noteIn(call), actorOn }
  const { db, store, vault } = await open()
  const since =
    shipment === undefined
      ? await holdWorkspace({ db, store, vault }, workspace ?? '', order)
      : await holdOneShipment({ db, store, vault }, shipment, order)
  const id = shipment ?? workspace ?? ''
  const object = shipment === undefined ? 'workspace' : 'shipment'
  return {
    json: { id, object, legal_hold: since && { since } },
    text: since === null ? `${id} has no legal hold.` : `${id} has been on hold since ${since}.`,
  }
}

type Deps = Pick<CommandServices, 'db' | 'store' | 'vault'>
type Order = { readonly act: HoldAct; readonly note: string; readonly actorOn: ActorOn }

/** Returns the time since when it is on hold; null if it is not. */
async function holdOneShipment(
  { db, store, vault }: Deps,
  shipmentId: string,
  { act, note, actorOn }: Order,
): Promise<string | null> {
  const snapshot = await loadShipment(store, shipmentId)
  if (snapshot.state === null) throw new CommandFailed(`There is no shipment ${shipmentId}.`)
  const { organization_id, workspace_id: workspaceId, livemode } = snapshot.state.request
  const { now } = await readClock(db, { workspaceId, livemode })
  const actor = await actorOn(organization_id)
  const order = { shipmentId, snapshot, act, note, now, actor, requestId: newRequestId() }
  const { legalHold } = existing(await holdShipment({ store, vault }, order))
  return legalHold === null ? null : rfc3339(legalHold.since)
}

/** Returns the time since when it is on hold; null if it is not. */
async function holdWorkspace(
  { db, store, vault }: Deps,
  workspaceId: string,
  { act, note, actorOn }: Order,
): Promise<string | null> {
  const owner = await db
    .selectFrom('workspaces')
    .select('organization_id')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  const missing = `There is no workspace ${workspaceId}.`
  if (owner === undefined) throw new CommandFailed(missing)
  const actor = await actorOn(owner.organization_id)
  const order = { act, note, actor, requestId: newRequestId() }
  const row = await holdAnyWorkspace({ db, store, vault }, workspaceId, order)
  if (row === null) throw new CommandFailed(missing)
  return row.legal_hold_since?.toISOString() ?? null
}

/** The legal holds of every organization, oldest first. */
async function holdsOfAll(db: CommandServices['db']) {
  if (!(await hasColumn(db, 'projections.shipments', 'held_since'))) {
    throw new CommandFailed('The read models are being rebuilt. Try again later.')
  }
  const workspaces = await db
    .selectFrom('workspaces')
    .select(['id', 'organization_id', 'legal_hold_since as since'])
    .where('legal_hold_since', 'is not', null)
    .orderBy('legal_hold_since')
    .limit(rowsMax)
    .execute()
  const shipments = await db
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
