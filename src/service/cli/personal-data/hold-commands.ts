import { asRequired, operatorActing } from '../acting.ts'
import type { HoldAdministration, HoldTarget } from '../administration.ts'
import {
  type Call,
  type Command,
  CommandFailed,
  columns,
  type Said,
  UsageError,
} from '../command.ts'
import { noteIn } from '../written-text.ts'

const target = {
  shipment: { value: 'SHIPMENT', id: 'shp', description: 'A shipment (shp_…).' },
  workspace: {
    value: 'WORKSPACE',
    id: 'ws',
    description: 'Or a workspace (ws_…) with all its shipments, later ones included.',
  },
  note: { value: 'TEXT', required: true, description: 'Why; kept encrypted.' },
  ...asRequired,
} as const

export const holdPlace: Command = {
  name: 'hold place',
  summary: 'Puts a legal hold on a shipment or workspace: personal data is not erased.',
  flags: target,
  examples: [
    "hold place --shipment shp_4Zb1cD2eF3gH4iJ5kL6mN7 --note 'claim 2026-114' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
    "hold place --workspace ws_4Zb1cD2eF3gH4iJ5kL6mN7 --note 'claim 2026-114' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
  ],
  run: (call) => hold(call, 'place'),
}

export const holdLift: Command = {
  name: 'hold lift',
  summary: 'Lifts the legal hold on a shipment or workspace.',
  flags: target,
  examples: [
    "hold lift --shipment shp_4Zb1cD2eF3gH4iJ5kL6mN7 --note 'claim 2026-114 is settled' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
  ],
  run: (call) => hold(call, 'lift'),
}

export const holdList: Command = {
  name: 'hold list',
  summary: 'Lists the legal holds of every organization, the oldest first.',
  flags: {},
  examples: ['hold list', 'hold list --json'],
  run: async ({ open }) => {
    const { holds } = await open()
    const data = await holds.list()
    const rows = data.map((each) => [each.id, each.organization_id, each.since])
    return {
      json: { data: data.map((each) => ({ ...each })) },
      text: columns([['ID', 'ORGANIZATION', 'SINCE'], ...rows]),
    }
  },
}

async function hold(call: Call, act: keyof Acts): Promise<Said> {
  const { flags, open } = call
  const actorOn = operatorActing(call)
  const [shipment, workspace] = [flags.get('shipment'), flags.get('workspace')]
  if ((shipment === undefined) === (workspace === undefined)) {
    throw new UsageError('Give either --shipment or --workspace.')
  }
  const note = noteIn(call)
  const id = shipment ?? workspace ?? ''
  const on: HoldTarget = { kind: shipment === undefined ? 'workspace' : 'shipment', id }
  const { holds } = await open()
  const held = await holds[act](on, note, actorOn)
  if (held === null) throw new CommandFailed(`There is no ${on.kind} ${id}.`)
  const text =
    held.since === null ? `${id} has no legal hold.` : `${id} is held since ${held.since}.`
  return { json: { id, object: on.kind, legal_hold: held.since && { since: held.since } }, text }
}

type Acts = Pick<HoldAdministration, 'place' | 'lift'>
