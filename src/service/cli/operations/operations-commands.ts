import type { Json, JsonObject } from '../../domain/decider.ts'
import { guideNumberForm } from '../../domain/ids.ts'
import { operationStatuses } from '../../domain/operation/operation.ts'
import { decisions } from '../../domain/shipment/shipment-events.ts'
import { Problem } from '../../errors.ts'
import { existing } from '../../event-store/transact.ts'
import {
  lookUpNow,
  type OperatorAct,
  resolveOperation,
} from '../../processes/calls/operator-acts.ts'
import { acting, asRecorded, asRequired, operatorActing } from '../acting.ts'
import {
  type Command,
  CommandFailed,
  type CommandResult,
  columns,
  noteIn,
  UsageError,
} from '../command.ts'
import { requireOrganization } from '../known.ts'
import {
  auditRead,
  listOperations,
  operationJson,
  ownNote,
  startAct,
} from './platform-operations.ts'

const listed = 100
const listedMax = 1000

export const operationsList: Command = {
  name: 'operations list',
  summary: 'Lists operations, oldest first.',
  flags: {
    status: {
      value: 'STATUS',
      allowed: operationStatuses,
      description: `One of ${operationStatuses.join(', ')}. Default: all.`,
    },
    org: { value: 'ORG', id: 'org', description: 'Only those of this organization (org_…).' },
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
    const { db, store } = await open()
    if (filter.organizationId !== null) await requireOrganization(db, filter.organizationId)
    const data = await listOperations({ db, store }, filter, actorOn)
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
    const { db, store } = await call.open()
    const act = await startAct({ db, store }, call.subject, actorOn)
    await auditRead(store, act, actorOn)
    return result(await operationJson(db, act.operationId, act.snapshot))
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
    const services = await call.open()
    const { db, guard, simulatorIsKnown } = services
    await guard.read()
    const act = await startAct(services, call.subject, actorOn)
    requireSimulator(act, simulatorIsKnown)
    return result(await operationJson(db, act.operationId, await lookUpNow(services, act)))
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
      description: `For a creation ${decisions.slice(0, 2).join(', ')}; for a cancellation ${decisions.slice(2).join(', ')}.`,
    },
    'guide-number': {
      value: 'NUMBER',
      description: 'Required for guide_exists. The courier is asked about it.',
    },
    'accept-unconfirmed': {
      description: 'Accept the guide even if the courier cannot confirm it now.',
    },
    note: { value: 'TEXT', required: true, description: 'The reason; stored encrypted.' },
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
    const note = noteIn(call)
    const acceptUnconfirmed = call.flags.has('accept-unconfirmed')
    const actorOn = operatorActing(call)
    const services = await call.open()
    const { db, guard, vault, simulatorIsKnown } = services
    await guard.read()
    const act = await startAct(services, call.subject, actorOn)
    if (guideNumber !== null) requireSimulator(act, simulatorIsKnown)
    const order = { decision, guideNumber, acceptUnconfirmed, note, decidedBy: null }
    const snapshot = await resolveOperation(services, act, order).catch(explained)
    const written = await ownNote(vault, act, snapshot, note)
    return result(await operationJson(db, act.operationId, snapshot, written))
  },
}

function explained(error: unknown): never {
  if (!(error instanceof Problem) || error.reason !== 'guide_unconfirmed') throw error
  throw new CommandFailed(
    `${error.message}. Try again later, or decide anyway with --accept-unconfirmed.`,
  )
}

function requireSimulator({ snapshot }: OperatorAct, simulatorIsKnown: boolean): void {
  if (existing(snapshot).request.livemode || simulatorIsKnown) return
  throw new CommandFailed('The address of the simulated courier is unknown. Set SIMULATOR_URL.')
}

/** The result of a command about an operation. */
export function result(operation: JsonObject): CommandResult {
  const rows = Object.entries(operation).flatMap(([name, value]) => linesOf(name, value))
  return { json: operation, text: columns(rows) }
}

/** One line for each entry of a list, such as the looks; one line for any other value. */
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
