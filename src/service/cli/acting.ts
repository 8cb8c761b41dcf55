import { userInfo } from 'node:os'
import { isId } from '../domain/ids.ts'
import type { Actor, metadataOf } from '../event-store/codec.ts'
import type { OrganizationType } from '../security/api-keys.ts'
import { type Call, CommandFailed, type Flag, UsageError } from './command.ts'

/**
 * The actor of a command on an organization, or on something that belongs to none (`platform`).
 * Throws CommandFailed unless the named operator may act there.
 */
export type ActorOn = (organizationId: string) => Promise<Actor>

/** The actor of a command without an operator and without a known system user. */
export const byCli = { actor: { type: 'cli', keyId: null }, requestId: null } as const

const as = { value: 'OPERATOR', id: 'opr' } as const

/** The flag of commands that need an operator, because they record a decision. */
export const asRequired: Readonly<Record<string, Flag>> = {
  as: {
    ...as,
    description: 'The operator who acts (opr_…). Required unless LEDGER_OPERATOR is set.',
  },
}
/** The flag of other audited commands. */
export const asRecorded: Readonly<Record<string, Flag>> = {
  as: { ...as, description: 'The operator who acts (opr_…). Default: LEDGER_OPERATOR.' },
}

/** Longer user names are truncated in the audit. */
const systemUserMax = 32

/** The name of the operating system's user for the audit; null if it has no name. */
export function systemUser(read = () => userInfo().username): string | null {
  try {
    const name = read().replaceAll(/[^0-9A-Za-z._@-]/g, '_')
    return name === '' ? null : name.slice(0, systemUserMax)
  } catch {
    // A container may run as a user without a name.
    return null
  }
}

/** The operator of a command that needs one. Throws UsageError if the command line names none. */
export function operatorActing(call: Call): ActorOn {
  const id = operatorNamed(call)
  if (id === null) {
    throw new UsageError('--as is missing. Name the operator who acts, or set LEDGER_OPERATOR.')
  }
  return actorOf(call, id, openPool(call))
}

/**
 * The actor of any other audited command: the operator that it names, else the system user.
 * Commands that open the database themselves pass `reads`.
 */
export function acting(call: Call, reads: () => Promise<Reads> = openPool(call)): ActorOn {
  return actorOf(call, operatorNamed(call), reads)
}

function openPool({ open }: Call): () => Promise<Reads> {
  return async () => (await open()).pool
}

/** The actor in the form that audited functions take. */
export async function by(actorOn: ActorOn, organizationId: string) {
  return { actor: await actorOn(organizationId), requestId: null } as const
}

function operatorNamed({ flags, operator }: Call): string | null {
  const id = flags.get('as') ?? operator() ?? null
  if (id === null || isId('opr', id)) return id
  throw new UsageError('LEDGER_OPERATOR must be the id of an operator (opr_…).')
}

/** The service's database, or a connection to it. */
type Reads = { query(text: string, values: unknown[]): Promise<{ readonly rows: unknown[] }> }

function actorOf(call: Call, operatorId: string | null, reads: () => Promise<Reads>): ActorOn {
  if (operatorId === null) {
    const { systemUser: user } = call
    const actor: Actor = user === null ? byCli.actor : { ...byCli.actor, systemUser: user }
    return async () => actor
  }
  let found: Promise<Found> | undefined
  return async (organizationId) => {
    found ??= reads().then((db) => activeOperator(db, operatorId))
    const operator = await found
    if (operator.type !== 'platform' && operator.organization_id !== organizationId) {
      throw new CommandFailed(
        `${operatorId} belongs to another organization. Only an operator of the platform may do this.`,
      )
    }
    return { type: 'operator', operatorId, keyId: null }
  }
}

type Found = {
  readonly organization_id: string
  readonly status: 'active' | 'disabled'
  readonly type: OrganizationType
}

async function activeOperator(db: Reads, id: string): Promise<Found> {
  const { rows } = await db.query(
    `SELECT p.organization_id, p.status, o.type
     FROM operators p JOIN organizations o ON o.id = p.organization_id WHERE p.id = $1`,
    [id],
  )
  const [found] = rows as Found[]
  if (found === undefined) throw new CommandFailed(`There is no operator ${id}.`)
  if (found.status !== 'active') throw new CommandFailed(`The operator ${id} is disabled.`)
  return found
}

/** The actor of an event in one word. */
export function formatActor(actor: ReturnType<typeof metadataOf>['actor']): string {
  const { type, key_id: keyId, operator_id: operatorId, system_user: user } = actor
  return operatorId ?? keyId ?? (user === undefined ? type : `${type}:${user}`)
}
