import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { JsonObject } from '../../domain/decider.ts'
import { platform } from '../../domain/ids.ts'
import { createApiKey, defaultScopes } from '../../security/api-keys.ts'
import {
  createOrganization,
  listOrganizations,
  type Organization,
  organizationNameMax,
  organizationTypes,
  setPlan,
  suspend,
} from '../../security/organizations.ts'
import { defaultPlan, findPlan } from '../../security/plans.ts'
import { acting, asRecorded, by } from '../acting.ts'
import { type Command, CommandFailed, columns, rowsMax, UsageError } from '../command.ts'
import { requireOrganization } from '../known.ts'

export const orgCreate: Command = {
  name: 'org create',
  summary: 'Creates an organization and prints its first test key once.',
  flags: {
    name: { value: 'NAME', required: true, description: 'The displayed name.' },
    type: {
      value: 'TYPE',
      allowed: organizationTypes,
      description: `One of ${organizationTypes.join(', ')}. Default: external.`,
    },
    plan: { value: 'PLAN', description: `A plan from "plan list". Default: ${defaultPlan}.` },
    ...asRecorded,
  },
  examples: [
    "org create --name 'A shop'",
    "org create --name 'Our own shops' --type internal --json",
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const name = flags.get('name') ?? ''
    if (name.length > organizationNameMax) {
      throw new UsageError(`--name is longer than ${organizationNameMax} characters.`)
    }
    const type = organizationTypes.find((one) => one === flags.get('type')) ?? 'external'
    const plan = flags.get('plan') ?? defaultPlan
    const { db, store, pepper } = await open()
    await requirePlan(db, plan)
    const creator = await by(actorOn, platform)
    const organization = await createOrganization({ db, store }, { name, type, plan }, creator)
    const order = {
      organizationId: organization.id,
      workspaceId: null,
      livemode: false,
      scopes: defaultScopes,
      expiresAt: null,
    }
    const { id, key } = await createApiKey({ db, store, pepper }, order, creator)
    return {
      json: { organization: described(organization), api_key: { id, livemode: false, key } },
      text: `Organization ${organization.id} (${type})\nIts first test key, shown only now:\n${key}`,
    }
  },
}

export const orgList: Command = {
  name: 'org list',
  summary: `Lists the organizations, oldest first, at most ${rowsMax}.`,
  flags: {},
  examples: ['org list', 'org list --json'],
  run: async ({ open }) => {
    const { db } = await open()
    const organizations = await listOrganizations(db, rowsMax)
    const rows = organizations.map(({ id, type, plan, suspendedAt, createdAt, name }) => [
      id,
      type,
      plan,
      suspendedAt === null ? 'active' : 'suspended',
      createdAt.toISOString(),
      name,
    ])
    return {
      json: { data: organizations.map(described) },
      text: columns([['ID', 'TYPE', 'PLAN', 'STATUS', 'CREATED', 'NAME'], ...rows]),
    }
  },
}

const org = {
  value: 'ORG',
  id: 'org',
  required: true,
  description: 'The organization (org_…).',
} as const

export const orgSetPlan: Command = {
  name: 'org set-plan',
  summary: "Changes an organization's plan: the quota at once, the other limits within 5 s.",
  flags: {
    org,
    plan: { value: 'PLAN', required: true, description: 'A plan from "plan list".' },
    ...asRecorded,
  },
  examples: ['org set-plan --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --plan pilot'],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const [id = '', plan = ''] = [flags.get('org'), flags.get('plan')]
    const { db, store } = await open()
    await requirePlan(db, plan)
    await requireOrganization(db, id)
    await setPlan({ db, store }, id, plan, await by(actorOn, id))
    return { json: { id, object: 'organization', plan }, text: `${id} has the plan ${plan}.` }
  },
}

export const orgSuspend: Command = {
  name: 'org suspend',
  summary:
    'Suspends an organization: it cannot start new work. Work in progress is finished, and reads still work.',
  flags: { org, end: { description: 'Ends the suspension.' }, ...asRecorded },
  examples: [
    'org suspend --org org_4Zb1cD2eF3gH4iJ5kL6mN7',
    'org suspend --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --end',
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const id = flags.get('org') ?? ''
    const suspended = !flags.has('end')
    const { db, store } = await open()
    await requireOrganization(db, id)
    await suspend({ db, store }, id, suspended, await by(actorOn, id))
    const text = suspended ? `${id} is suspended.` : `${id} is no longer suspended.`
    return { json: { id, object: 'organization', suspended }, text }
  },
}

async function requirePlan(db: Kysely<Tables>, plan: string): Promise<void> {
  if ((await findPlan(db, plan)) === null) throw new CommandFailed(`There is no plan ${plan}.`)
}

function described({ suspendedAt, createdAt, ...organization }: Organization): JsonObject {
  return {
    ...organization,
    object: 'organization',
    suspended_at: suspendedAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  }
}
