import type { JsonObject } from '../../domain/decider.ts'
import { platform } from '../../domain/ids.ts'
import {
  createPlan,
  isPlanName,
  limitsOf,
  listPlans,
  type Plan,
  type PlanLimit,
  type PlanLimits,
  planLimitMax,
  planLimits,
  updatePlan,
} from '../../security/plans.ts'
import { acting, asRecorded, by } from '../acting.ts'
import { type Command, CommandFailed, columns, type Flag, rowsMax, UsageError } from '../command.ts'

const unlimited = 'unlimited'

/** The flag of each limit. */
const flagOf: Readonly<Record<PlanLimit, string>> = {
  shipments_per_month: 'shipments',
  requests_per_minute: 'requests',
  workspaces: 'workspaces',
  courier_connections: 'connections',
  webhook_endpoints: 'endpoints',
}

const what: Readonly<Record<PlanLimit, string>> = {
  shipments_per_month: 'Shipments per calendar month (UTC) and mode',
  requests_per_minute: 'Requests per minute for each key, at least 1',
  workspaces: 'Workspaces per mode',
  courier_connections: 'Courier connections per mode',
  webhook_endpoints: 'Webhook endpoints per mode',
}

function limitFlags(whenOmitted: string): Readonly<Record<string, Flag>> {
  return Object.fromEntries(
    planLimits.map((limit) => [
      flagOf[limit],
      { value: 'N', description: `${what[limit]}, or ${unlimited}; ${whenOmitted} if left out.` },
    ]),
  )
}

/** The limits in the flags. Throws UsageError. */
function limitsGiven(flags: ReadonlyMap<string, string>): Partial<PlanLimits> {
  const given: Partial<Record<PlanLimit, number | null>> = {}
  for (const limit of planLimits) {
    const text = flags.get(flagOf[limit])
    if (text === undefined) continue
    const least = limit === 'requests_per_minute' ? 1 : 0
    const isNumber = /^\d{1,10}$/.test(text) && Number(text) >= least
    if (text !== unlimited && !(isNumber && Number(text) <= planLimitMax)) {
      throw new UsageError(
        `--${flagOf[limit]} must be a whole number from ${least} to ${planLimitMax}, or ${unlimited}.`,
      )
    }
    given[limit] = text === unlimited ? null : Number(text)
  }
  return given
}

const noLimits: PlanLimits = {
  shipments_per_month: null,
  requests_per_minute: null,
  workspaces: null,
  courier_connections: null,
  webhook_endpoints: null,
}

export const planList: Command = {
  name: 'plan list',
  summary: `Lists the plans by name, at most ${rowsMax}.`,
  flags: {},
  examples: ['plan list', 'plan list --json'],
  run: async ({ open }) => {
    const { db } = await open()
    const plans = await listPlans(db, rowsMax)
    return { json: { data: plans.map(described) }, text: table(plans) }
  },
}

export const planCreate: Command = {
  name: 'plan create',
  summary: 'Creates a plan. Assign it to organizations with "org set-plan".',
  flags: {
    name: {
      value: 'NAME',
      required: true,
      description: 'Lower-case letters, digits and hyphens. Organizations on the plan see it.',
    },
    ...limitFlags(unlimited),
    ...asRecorded,
  },
  examples: [
    'plan create --name pilot',
    'plan create --name pilot --workspaces 3 --shipments unlimited',
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const name = flags.get('name') ?? ''
    if (!isPlanName(name)) {
      throw new UsageError(
        '--name must be 1 to 40 lower-case letters, digits and hyphens, and must not begin with a hyphen.',
      )
    }
    const limits = { ...noLimits, ...limitsGiven(flags) }
    const creator = await by(actorOn, platform)
    const { db, store } = await open()
    const plan = await createPlan({ db, store }, { name, ...limits }, creator)
    if (plan === null) throw new CommandFailed(`There is already a plan ${name}.`)
    return { json: described(plan), text: table([plan]) }
  },
}

export const planUpdate: Command = {
  name: 'plan update',
  summary: 'Changes limits of a plan for every organization on it.',
  subject: 'plan name',
  flags: { ...limitFlags('unchanged'), ...asRecorded },
  examples: ['plan update pilot --workspaces 5'],
  run: async (call) => {
    const { flags, subject, open } = call
    const actorOn = acting(call)
    const change = limitsGiven(flags)
    if (Object.keys(change).length === 0) throw new UsageError('No limit is given.')
    const { db, store } = await open()
    const plan = await updatePlan({ db, store }, subject, change, await by(actorOn, platform))
    if (plan === null) throw new CommandFailed(`There is no plan ${subject}.`)
    return { json: described(plan), text: table([plan]) }
  },
}

function described(plan: Plan): JsonObject {
  return {
    object: 'plan',
    name: plan.name,
    ...limitsOf(plan),
    created_at: plan.created_at.toISOString(),
    updated_at: plan.updated_at.toISOString(),
  }
}

function table(plans: readonly Plan[]): string {
  const titles = ['NAME', 'SHIPMENTS', 'REQUESTS', 'WORKSPACES', 'CONNECTIONS', 'ENDPOINTS']
  const rows = plans.map((plan) => [
    plan.name,
    ...planLimits.map((limit) => String(plan[limit] ?? unlimited)),
  ])
  return columns([titles, ...rows])
}
