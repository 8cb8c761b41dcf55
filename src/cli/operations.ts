import type { Json, JsonObject } from '../domain/decider.ts'
import { isId } from '../domain/ids.ts'
import { operationStatuses } from '../domain/operation.ts'
import { decisions } from '../domain/shipment-events.ts'
import type { Administration } from './administration.ts'
import {
  type Call,
  type Command,
  CommandFailed,
  columns,
  type Said,
  UsageError,
} from './command.ts'

const listed = 100
const listedMax = 1000

export const operationsList: Command = {
  name: 'operations list',
  summary: 'Lists operations, the oldest first.',
  flags: {
    status: {
      value: 'STATUS',
      allowed: operationStatuses,
      description: `One of ${operationStatuses.join(', ')}; all if left out.`,
    },
    org: { value: 'ORG', description: 'Only of this organization (org_…).' },
    limit: { value: 'N', description: `How many, up to ${listedMax}; ${listed} if left out.` },
  },
  examples: [
    'operations list --status needs_review',
    'operations list --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --limit 10 --json',
  ],
  run: async ({ flags, open }) => {
    const limit = Number(flags.get('limit') ?? listed)
    if (!Number.isInteger(limit) || limit < 1 || limit > listedMax) {
      throw new UsageError(`--limit must be a whole number from 1 to ${listedMax}.`)
    }
    const filter = {
      status: flags.get('status') ?? null,
      organizationId: flags.get('org') ?? null,
      limit,
    }
    const { operations } = await open()
    const data = await operations.list(filter)
    const names = ['id', 'type', 'status', 'result', 'cause', 'shipment_id', 'created_at']
    const rows = data.map((operation) => names.map((name) => cell(operation[name])))
    return { json: { data }, text: columns([names.map((name) => name.toUpperCase()), ...rows]) }
  },
}

export const operationsShow: Command = {
  name: 'operations show',
  summary: 'Shows an operation with its looks.',
  subject: 'operation id',
  flags: {},
  examples: ['operations show op_4Zb1cD2eF3gH4iJ5kL6mN701'],
  run: (call) => answer(call, ({ operations }, id) => operations.show(id)),
}

export const operationsLook: Command = {
  name: 'operations look',
  summary: 'Asks the courier now and shows what was found.',
  subject: 'operation id',
  flags: {},
  examples: ['operations look op_4Zb1cD2eF3gH4iJ5kL6mN701'],
  run: (call) => answer(call, ({ operations }, id) => operations.look(id)),
}

export const operationsResolve: Command = {
  name: 'operations resolve',
  summary: 'Decides an operation.',
  subject: 'operation id',
  flags: {
    decision: {
      value: 'DECISION',
      required: true,
      allowed: decisions,
      description: `Of a creation ${decisions.slice(0, 2).join(', ')}; of a cancellation ${decisions.slice(2).join(', ')}.`,
    },
    'guide-number': { value: 'NUMBER', description: 'Needed for guide_exists.' },
    note: { value: 'TEXT', required: true, description: 'Why; kept encrypted.' },
    'decided-by': { value: 'HANDLE', required: true, description: 'Who, up to 64 characters.' },
  },
  examples: [
    "operations resolve op_4Zb1cD2eF3gH4iJ5kL6mN701 --decision guide_exists --guide-number G-123 --note 'the agency has it' --decided-by maria",
    "operations resolve op_4Zb1cD2eF3gH4iJ5kL6mN701 --decision nothing_created --note 'asked them' --decided-by maria",
  ],
  run: (call) => {
    const decision = decisions.find((one) => one === call.flags.get('decision')) ?? 'guide_exists'
    const guideNumber = call.flags.get('guide-number') ?? null
    const decidedBy = call.flags.get('decided-by') ?? ''
    if (decision === 'guide_exists' && guideNumber === null) {
      throw new UsageError('--guide-number is needed for guide_exists.')
    }
    if (decision !== 'guide_exists' && guideNumber !== null) {
      throw new UsageError('--guide-number belongs to guide_exists only.')
    }
    if (decidedBy.length > 64) throw new UsageError('--decided-by is longer than 64 characters.')
    const order = { decision, guideNumber, note: call.flags.get('note') ?? '', decidedBy }
    return answer(call, ({ operations }, id) => operations.resolve(id, order))
  },
}

async function answer(
  { subject, open }: Call,
  ask: (administration: Administration, operationId: string) => Promise<JsonObject | null>,
): Promise<Said> {
  if (!isId('op', subject)) throw new UsageError('An operation is named by its id (op_…).')
  const operation = await ask(await open(), subject)
  if (operation === null) throw new CommandFailed(`There is no operation ${subject}.`)
  const rows = Object.entries(operation).map(([name, value]) => [name, cell(value)])
  return { json: operation, text: columns(rows) }
}

function cell(value: Json | undefined): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
