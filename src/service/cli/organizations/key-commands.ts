import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Actor } from '../../event-store/codec.ts'
import {
  createApiKey,
  defaultScopes,
  scopes as knownScopes,
  type NewKey,
  revokeApiKey,
  type Scope,
  scopesOnRequest,
} from '../../security/api-keys.ts'
import { findOperator } from '../../security/operators.ts'
import {
  isRollable,
  overlapHoursDefault,
  overlapHoursMax,
  rollApiKey,
  sameLifetime,
} from '../../security/rolled-keys.ts'
import { keyNameMax, keyRoles, namedRoles, scopesOfRole } from '../../security/scopes.ts'
import { acting, asRecorded, by } from '../acting.ts'
import { type Command, CommandFailed, columns, readTime, rowsMax, UsageError } from '../command.ts'
import { requireOperator, requireOrganization, requireWorkspace } from '../known.ts'

const org = {
  value: 'ORG',
  id: 'org',
  required: true,
  description: 'The organization (org_…).',
} as const

export const keyCreate: Command = {
  name: 'key create',
  summary: 'Creates an API key and prints it once.',
  flags: {
    org,
    mode: {
      value: 'MODE',
      required: true,
      allowed: ['test', 'live'],
      description: 'test (simulated courier only) or live.',
    },
    workspace: { value: 'WS', id: 'ws', description: 'Limits the key to this workspace (ws_…).' },
    name: { value: 'NAME', description: 'What people call it, like "Web shop".' },
    role: {
      value: 'ROLE',
      allowed: keyRoles,
      description: `What it is for, which says what it may do: ${keyRoles.join(', ')}. custom: see --scopes.`,
    },
    scopes: {
      value: 'LIST',
      description: `For a custom key, a comma-separated list from ${knownScopes.join(', ')}. Without --role the default is all but ${scopesOnRequest.join(', ')}.`,
    },
    expires: { value: 'TIME', description: 'When it expires, like 2027-01-31T00:00:00Z.' },
    operator: {
      value: 'OPERATOR',
      id: 'opr',
      description:
        'The operator who owns the key (opr_…), of the same organization. With --as, not a colleague of the acting operator.',
    },
    ...asRecorded,
  },
  examples: [
    'key create --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --mode test --name "Web shop" --role integration',
    'key create --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --mode live --scopes shipments:read,operations:review --expires 2027-01-31T00:00:00Z',
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const livemode = flags.get('mode') === 'live'
    const order = {
      organizationId: flags.get('org') ?? '',
      workspaceId: flags.get('workspace') ?? null,
      livemode,
      name: nameOf(flags.get('name')),
      ...grantOf(flags.get('role'), flags.get('scopes')),
      expiresAt: expiryOf(flags.get('expires')),
      operatorId: flags.get('operator') ?? null,
    }
    const { db, store, pepper } = await open()
    const { organizationId, workspaceId, operatorId } = order
    await requireOrganization(db, organizationId)
    if (workspaceId !== null) {
      await requireWorkspace(db, { organizationId, workspaceId, livemode })
    }
    if (operatorId !== null) await requireOperator(db, { organizationId, operatorId })
    const acts = await by(actorOn, organizationId)
    if (operatorId !== null) await requireOwnOperator(db, acts.actor, order)
    const { id, key } = await createApiKey({ db, store, pepper }, order, acts)
    return {
      json: {
        id,
        object: 'api_key',
        livemode,
        key,
        name: order.name,
        role: order.role,
        scopes: [...order.scopes],
        operator_id: operatorId,
      },
      text: `Key ${id}, shown only now:\n${key}`,
    }
  },
}

/** An operator must not create keys for colleagues, here as over the API. */
async function requireOwnOperator(
  db: Kysely<Tables>,
  actor: Actor,
  { organizationId, operatorId }: Pick<NewKey, 'organizationId' | 'operatorId'>,
): Promise<void> {
  if (actor.type !== 'operator' || actor.operatorId === operatorId) return
  const acting = await findOperator(db, actor.operatorId)
  if (acting?.organization_id !== organizationId) return
  throw new CommandFailed(
    `${actor.operatorId} cannot create a key of ${operatorId}: an operator creates only keys of their own. Leave out --as and LEDGER_OPERATOR.`,
  )
}

export const keyList: Command = {
  name: 'key list',
  summary: `Lists an organization's keys, newest first, at most ${rowsMax}. Does not show the keys themselves.`,
  flags: { org },
  examples: ['key list --org org_4Zb1cD2eF3gH4iJ5kL6mN7'],
  run: async ({ flags, open }) => {
    const organizationId = flags.get('org') ?? ''
    const { db } = await open()
    await requireOrganization(db, organizationId)
    const keys = await db
      .selectFrom('api_keys')
      .select(['id', 'livemode', 'workspace_id', 'operator_id', 'last4', 'name', 'role', 'scopes'])
      .select(['created_by_key_id', 'created_by_operator_id', 'from_sign_in', 'replaced_by_key_id'])
      .select(['created_at', 'expires_at', 'revoked_at', 'last_used_at'])
      .where('organization_id', '=', organizationId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(rowsMax)
      .execute()
    const data = keys.map((key) => ({
      ...key,
      object: 'api_key',
      created_at: key.created_at.toISOString(),
      expires_at: key.expires_at?.toISOString() ?? null,
      revoked_at: key.revoked_at?.toISOString() ?? null,
      last_used_at: key.last_used_at?.toISOString() ?? null,
    }))
    const rows = data.map((key) => [
      key.id,
      key.livemode ? 'live' : 'test',
      `…${key.last4}`,
      key.name ?? 'none',
      key.role,
      key.workspace_id ?? 'every workspace',
      key.operator_id ?? 'none',
      key.created_by_operator_id ?? key.created_by_key_id ?? 'command line',
      key.revoked_at !== null ? 'revoked' : (key.expires_at ?? 'never'),
      key.last_used_at ?? 'never',
    ])
    const titles = [
      ...['ID', 'MODE', 'ENDS IN', 'NAME', 'ROLE', 'WORKSPACE', 'OPERATOR'],
      ...['CREATED BY', 'EXPIRES', 'LAST USED'],
    ]
    return { json: { data }, text: columns([titles, ...rows]) }
  },
}

export const keyRoll: Command = {
  name: 'key roll',
  summary:
    'Creates the key that replaces a key and prints it once. The old one lives a while longer.',
  subject: 'key id',
  subjectId: 'key',
  flags: {
    overlap: {
      value: 'HOURS',
      description: `For how many hours the old key still works, 0 to ${overlapHoursMax}. Default: ${overlapHoursDefault}.`,
    },
    expires: {
      value: 'TIME',
      description:
        'When the next key expires, like 2027-01-31T00:00:00Z. Default: after as long a life as the old key was given.',
    },
    ...asRecorded,
  },
  examples: ['key roll key_4Zb1cD2eF3gH4iJ5kL6mN7 --overlap 72'],
  run: async (call) => {
    const { subject, flags, open } = call
    const actorOn = acting(call)
    const overlapHours = overlapOf(flags.get('overlap'))
    const expires = flags.get('expires')
    const { db, store, pepper } = await open()
    const old = await db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', subject)
      .executeTakeFirst()
    if (old === undefined) throw new CommandFailed(`There is no key ${subject}.`)
    if (!isRollable(old, new Date())) {
      throw new CommandFailed(`${subject} was revoked, has expired or was rolled already.`)
    }
    const acts = await by(actorOn, old.organization_id)
    if (old.operator_id !== null) {
      const owner = { organizationId: old.organization_id, operatorId: old.operator_id }
      await requireOwnOperator(db, acts.actor, owner)
    }
    const expiresAt = expires === undefined ? sameLifetime(old, new Date()) : expiryOf(expires)
    const made = await rollApiKey({ db, store, pepper }, old, { overlapHours, expiresAt }, acts)
    const oldEnd = made.oldEndsAt.toISOString()
    return {
      json: {
        id: made.id,
        object: 'api_key',
        key: made.key,
        expires_at: expiresAt?.toISOString() ?? null,
        replaces: { id: subject, expires_at: oldEnd },
      },
      text: `Key ${made.id}, shown only now:\n${made.key}\n${subject} works until ${oldEnd}.`,
    }
  },
}

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Revokes a key, everywhere within 5 s.',
  subject: 'key id',
  subjectId: 'key',
  flags: asRecorded,
  examples: ['key revoke key_4Zb1cD2eF3gH4iJ5kL6mN7'],
  run: async (call) => {
    const { subject, open } = call
    const actorOn = acting(call)
    const { db, store } = await open()
    const known = await db
      .selectFrom('api_keys')
      .select('organization_id')
      .where('id', '=', subject)
      .executeTakeFirst()
    if (known === undefined) throw new CommandFailed(`There is no key ${subject}.`)
    await revokeApiKey({ db, store }, subject, await by(actorOn, known.organization_id))
    return { json: { id: subject, revoked: true }, text: `${subject} is revoked.` }
  },
}

function overlapOf(given: string | undefined): number {
  if (given === undefined) return overlapHoursDefault
  if (/^\d{1,3}$/.test(given) && Number(given) <= overlapHoursMax) return Number(given)
  throw new UsageError(`--overlap must be a whole number of hours from 0 to ${overlapHoursMax}.`)
}

function nameOf(given: string | undefined): string | null {
  const name = given?.trim() ?? null
  if (name !== null && name.length > keyNameMax) {
    throw new UsageError(`--name is longer than ${keyNameMax} characters.`)
  }
  return name
}

function grantOf(
  given: string | undefined,
  list: string | undefined,
): Required<Pick<NewKey, 'role' | 'scopes'>> {
  const role = namedRoles.find((one) => one === given)
  if (role === undefined) {
    if (given === 'custom' && list === undefined) {
      throw new UsageError('A custom key needs --scopes.')
    }
    return { role: 'custom', scopes: scopesOf(list) }
  }
  if (list !== undefined) {
    throw new UsageError(`--scopes is for custom keys: the role ${role} has scopes of its own.`)
  }
  return { role, scopes: scopesOfRole(role) }
}

function scopesOf(list: string | undefined): readonly Scope[] {
  if (list === undefined) return defaultScopes
  return list.split(',').map((name) => {
    const scope = knownScopes.find((known) => known === name.trim())
    if (scope === undefined) {
      throw new UsageError(
        `"${name.trim()}" is not a scope. The scopes are ${knownScopes.join(', ')}.`,
      )
    }
    return scope
  })
}

function expiryOf(text: string | undefined): Date | null {
  if (text === undefined) return null
  const time = readTime('expires', text)
  if (time <= Date.now()) throw new UsageError('--expires is in the past.')
  return new Date(time)
}
