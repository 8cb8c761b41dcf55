import { userInfo } from 'node:os'
import { isId } from '../domain/ids.ts'
import type { Actor, metadataOf } from '../event-store/codec.ts'
import type { OrganizationType } from '../security/api-keys.ts'
import { type ActorOn, byCli } from './administration.ts'
import { type Call, CommandFailed, type Flag, UsageError } from './command.ts'

const as = { value: 'OPERATOR', id: 'opr' } as const

/** The flag of commands that need a person: what they do is a decision. */
export const asRequired: Readonly<Record<string, Flag>> = {
  as: {
    ...as,
    description: 'The operator who acts (opr_…). Required unless LEDGER_OPERATOR is set.',
  },
}
/** The flag of the other commands that are audited. */
export const asRecorded: Readonly<Record<string, Flag>> = {
  as: { ...as, description: 'The operator who acts (opr_…). Default: LEDGER_OPERATOR.' },
}

/** Longer user names are cut in the audit. */
const systemUserMax = 32

/** The user of the operating system, as the audit names it; null if there is none. */
export function systemUser(read = () => userInfo().username): string | null {
  try {
    const name = read().replaceAll(/[^0-9A-Za-z._@-]/g, '_')
    return name === '' ? null : name.slice(0, systemUserMax)
  } catch {
    // A container may run as a user that no system file names.
    return null
  }
}

/** Who acts in a command that needs a person. Throws UsageError if the command line names none. */
export function operatorActing(call: Call): ActorOn {
  const id = operatorNamed(call)
  if (id === null) {
    throw new UsageError('--as is missing. Name the operator who acts, or set LEDGER_OPERATOR.')
  }
  return actorOf(call, id, openPool(call))
}

/**
 * Who acts in any other command that is audited: the operator that it names, else the system's
 * user. `reads` is for commands that open the database in their own way.
 */
export function acting(call: Call, reads: () => Promise<Reads> = openPool(call)): ActorOn {
  return actorOf(call, operatorNamed(call), reads)
}

function openPool({ open }: Call): () => Promise<Reads> {
  return async () => (await open()).pool
}

/** The actor as functions that audit take it. */
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

/** Who caused an event, in one word. */
export function shownActor(actor: ReturnType<typeof metadataOf>['actor']): string {
  const { type, key_id: keyId, operator_id: operatorId, system_user: user } = actor
  return operatorId ?? keyId ?? (user === undefined ? type : `${type}:${user}`)
}
