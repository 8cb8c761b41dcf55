import type { JsonObject } from '../../domain/decider.ts'
import { endMachineKeysOf, type MachineKey } from '../../security/machine-keys.ts'
import {
  createOperator,
  disableOperator,
  findOperator,
  listOperators,
  type Operator,
  operatorEmailForm,
  operatorEmailMax,
  operatorNameMax,
  subjectMax,
} from '../../security/operators.ts'
import { acting, asRecorded, by } from '../acting.ts'
import { type Command, CommandFailed, columns, rowsMax, UsageError } from '../command.ts'
import { requireOrganization } from '../known.ts'

export const operatorCreate: Command = {
  name: 'operator create',
  summary:
    'Creates an operator: a person who makes decisions and whose id is recorded in the events.',
  flags: {
    org: {
      value: 'ORG',
      id: 'org',
      required: true,
      description:
        'The organization (org_…). Operators of an organization of type platform may act on all.',
    },
    name: { value: 'NAME', required: true, description: 'The name that is shown with decisions.' },
    email: { value: 'EMAIL', required: true, description: 'The address of the person.' },
    subject: {
      value: 'SUBJECT',
      description:
        'The id of the person at the OpenID Connect issuer (sub). Default: the verified address is enough to sign in.',
    },
    ...asRecorded,
  },
  examples: [
    "operator create --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --name 'Ana Torres' --email ana@shop.example",
  ],
  run: async (call) => {
    const { flags, open } = call
    const actorOn = acting(call)
    const [organizationId = '', name = ''] = [flags.get('org'), flags.get('name')]
    const email = emailOf(flags.get('email') ?? '')
    if (name.length > operatorNameMax) {
      throw new UsageError(`--name is longer than ${operatorNameMax} characters.`)
    }
    const { db, store } = await open()
    await requireOrganization(db, organizationId)
    const subject = subjectOf(flags.get('subject'))
    const order = { organizationId, name, email, subject }
    const made = await createOperator({ db, store }, order, await by(actorOn, organizationId))
    return {
      json: described(made),
      text: `Operator ${made.id}. A key for this person: key create --org ${organizationId} --operator ${made.id} --mode test`,
    }
  },
}

export const operatorList: Command = {
  name: 'operator list',
  summary: `Lists operators, newest first, at most ${rowsMax}.`,
  flags: {
    org: { value: 'ORG', id: 'org', description: 'Only those of this organization (org_…).' },
  },
  examples: ['operator list', 'operator list --org org_4Zb1cD2eF3gH4iJ5kL6mN7 --json'],
  run: async ({ flags, open }) => {
    const org = flags.get('org') ?? null
    const { db } = await open()
    if (org !== null) await requireOrganization(db, org)
    const found = await listOperators(db, org, rowsMax)
    const rows = found.map((one) => [
      one.id,
      one.organization_id,
      one.status,
      one.created_at.toISOString(),
      one.name,
      one.email,
    ])
    const titles = ['ID', 'ORGANIZATION', 'STATUS', 'CREATED', 'NAME', 'EMAIL']
    return { json: { data: found.map(described) }, text: columns([titles, ...rows]) }
  },
}

export const operatorDisable: Command = {
  name: 'operator disable',
  summary:
    "Disables an operator, and the operator's keys everywhere within 5 s. Lists the keys without an operator that the operator created, directly or through such keys.",
  subject: 'operator id',
  subjectId: 'opr',
  flags: {
    'revoke-created-keys': {
      value: 'true|false',
      required: true,
      allowed: ['true', 'false'],
      description: 'Whether the listed keys without an operator are revoked too.',
    },
    ...asRecorded,
  },
  examples: ['operator disable opr_4Zb1cD2eF3gH4iJ5kL6mN7 --revoke-created-keys true'],
  run: async (call) => {
    const { flags, subject, open } = call
    const actorOn = acting(call)
    const revoke = flags.get('revoke-created-keys') === 'true'
    const { db, store } = await open()
    const found = await findOperator(db, subject)
    if (found === null) throw new CommandFailed(`There is no operator ${subject}.`)
    const acts = await by(actorOn, found.organization_id)
    const disabled = await disableOperator({ db, store }, found, acts, revoke)
    const keys = await endMachineKeysOf({ db, store }, disabled, { revoke, by: acts })
    const created_keys = keys.map((key) => ({
      ...key,
      revoked_at: key.revoked_at?.toISOString() ?? null,
    }))
    return {
      json: { id: subject, status: 'disabled', created_keys },
      text: [`${subject} is disabled.`, ...createdKeysText(keys)].join('\n'),
    }
  },
}

function createdKeysText(keys: readonly MachineKey[]): readonly string[] {
  if (keys.length === 0) return []
  const rows = keys.map(({ id, livemode, last4, revoked_at: revokedAt }) => [
    id,
    livemode ? 'live' : 'test',
    `…${last4}`,
    revokedAt === null ? 'still works' : 'revoked',
  ])
  return ['Keys without an operator that this operator created:', columns(rows)]
}

function subjectOf(given: string | undefined): string | null {
  if (given !== undefined && given.length > subjectMax) {
    throw new UsageError(`--subject is longer than ${subjectMax} characters.`)
  }
  return given ?? null
}

function emailOf(text: string): string {
  if (text.length <= operatorEmailMax && operatorEmailForm.test(text)) return text
  throw new UsageError(
    `--email must be an address like ana@shop.example, up to ${operatorEmailMax} characters.`,
  )
}

function described(operator: Operator): JsonObject {
  const { created_at, updated_at, ...rest } = operator
  return {
    ...rest,
    object: 'operator',
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
