import type { Json, JsonObject } from '../../domain/decider.ts'
import { guideNumberForm } from '../../domain/ids.ts'
import { operationStatuses } from '../../domain/operation/operation.ts'
import { decisions } from '../../domain/shipment/shipment-events.ts'
import { Problem } from '../../errors.ts'
import { acting, asRecorded, asRequired, operatorActing } from '../acting.ts'
import type { OperationsAdministration } from '../administration.ts'
import {
  type Call,
  type Command,
  CommandFailed,
  columns,
  type Said,
  UsageError,
} from '../command.ts'
import { requireOrganization } from '../known.ts'
import { noteIn } from '../written-text.ts'

const listed = 100
const listedMax = 1000

export const operationsList: Command = {
  name: 'operations list',
  summary: 'Lists operations, the oldest first.',
  flags: {
    status: {
      value: 'STATUS',
      allowed: operationStatuses,
      description: `One of ${operationStatuses.join(', ')}. Default: all.`,
    },
    org: { value: 'ORG', id: 'org', description: 'Only of this organization (org_…).' },
    limit: { value: 'N', description: `How many, up to ${listedMax}; ${listed} if left out.` },
    ...asRecorded,
  },
  examples: [
    'operations list --status needs_review',
    'operations list --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --limit 10 --json',
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const limit = Number(flags.get('limit') ?? listed)
    if (!Number.isInteger(limit) || limit < 1 || limit > listedMax) {
      throw new UsageError(`--limit must be a whole number from 1 to ${listedMax}.`)
    }
    const filter = {
      status: flags.get('status') ?? null,
      organizationId: flags.get('org') ?? null,
      limit,
    }
    const { operations, db } = await open()
    if (filter.organizationId !== null) await requireOrganization(db, filter.organizationId)
    const data = await operations.list(filter, actorOn)
    const names = ['id', 'type', 'status', 'result', 'cause', 'shipment_id', 'created_at']
    const rows = data.map((operation) => names.map((name) => cell(operation[name])))
    return { json: { data }, text: columns([names.map((name) => name.toUpperCase()), ...rows]) }
  },
}

export const operationsShow: Command = {
  name: 'operations show',
  summary: 'Shows an operation with its looks.',
  subject: 'operation id',
  subjectId: 'op',
  flags: asRecorded,
  examples: ['operations show op_4Zb1cD2eF3gH4iJ5kL6mN701'],
  run: async (call) => {
    const actorOn = acting(call)
    return await answer(call, (operations, id) => operations.show(id, actorOn))
  },
}

export const operationsLook: Command = {
  name: 'operations look',
  summary: 'Asks the courier now and shows the result.',
  subject: 'operation id',
  subjectId: 'op',
  flags: asRequired,
  examples: ['operations look op_4Zb1cD2eF3gH4iJ5kL6mN701 --as opr_4Zb1cD2eF3gH4iJ5kL6mN7'],
  run: async (call) => {
    const actorOn = operatorActing(call)
    return await answer(call, (operations, id) => operations.look(id, actorOn))
  },
}

export const operationsResolve: Command = {
  name: 'operations resolve',
  summary: 'Decides an operation.',
  subject: 'operation id',
  subjectId: 'op',
  flags: {
    decision: {
      value: 'DECISION',
      required: true,
      allowed: decisions,
      description: `Of a creation ${decisions.slice(0, 2).join(', ')}; of a cancellation ${decisions.slice(2).join(', ')}.`,
    },
    'guide-number': {
      value: 'NUMBER',
      description: 'Required for guide_exists. The courier is asked about it.',
    },
    'accept-unconfirmed': {
      description: 'Decide for the guide even if the courier cannot be asked now.',
    },
    note: { value: 'TEXT', required: true, description: 'Why; kept encrypted.' },
    ...asRequired,
  },
  examples: [
    "operations resolve op_4Zb1cD2eF3gH4iJ5kL6mN701 --decision guide_exists --guide-number G-123 --note 'the agency has it' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
    "operations resolve op_4Zb1cD2eF3gH4iJ5kL6mN701 --decision nothing_created --note 'asked them' --as opr_4Zb1cD2eF3gH4iJ5kL6mN7",
  ],
  run: async (call) => {
    const decision = decisions.find((one) => one === call.flags.get('decision')) ?? 'guide_exists'
    const guideNumber = call.flags.get('guide-number') ?? null
    if (decision === 'guide_exists' && guideNumber === null) {
      throw new UsageError('--guide-number is required for guide_exists.')
    }
    if (decision !== 'guide_exists' && guideNumber !== null) {
      throw new UsageError('--guide-number is allowed only with guide_exists.')
    }
    if (guideNumber !== null && !guideNumberForm.test(guideNumber)) {
      throw new UsageError('--guide-number must be 1 to 64 letters, digits and hyphens.')
    }
    const order = {
      decision,
      guideNumber,
      acceptUnconfirmed: call.flags.has('accept-unconfirmed'),
      note: noteIn(call),
    }
    const actorOn = operatorActing(call)
    return await answer(call, (operations, id) =>
      operations.resolve(id, order, actorOn).catch(explained),
    )
  },
}

function explained(error: unknown): never {
  if (!(error instanceof Problem) || error.reason !== 'guide_unconfirmed') throw error
  throw new CommandFailed(
    `${error.message}. Try again later, or decide anyway with --accept-unconfirmed.`,
  )
}

/** Shows the operation as an act leaves it. Throws CommandFailed if there is none. */
export async function answer(
  { subject, open }: Call,
  ask: (operations: OperationsAdministration, operationId: string) => Promise<JsonObject | null>,
): Promise<Said> {
  const { operations } = await open()
  const operation = await ask(operations, subject)
  if (operation === null) throw new CommandFailed(`There is no operation ${subject}.`)
  const rows = Object.entries(operation).flatMap(([name, value]) => linesOf(name, value))
  return { json: operation, text: columns(rows) }
}

/** A line for each entry of a list, such as the looks; one line for anything else. */
function linesOf(name: string, value: Json | undefined): readonly (readonly string[])[] {
  if (!Array.isArray(value) || value.length === 0) return [[name, cell(value)]]
  return value.map((entry: Json, index) => [index === 0 ? name : '', cell(entry)])
}

function cell(value: Json | undefined): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value, readable) : String(value)
}

function readable(_name: string, value: Json): Json {
  const isWithheld = typeof value === 'object' && value !== null && 'withheld' in value
  return isWithheld ? '(withheld)' : value
}
