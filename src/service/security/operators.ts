import { type Kysely, type QueryExecutorProvider, type Selectable, sql } from 'kysely'
import { customAlphabet } from 'nanoid'
import type { Database } from '../database/database.ts'
import { base62Alphabet, idValueLength } from '../domain/ids.ts'
import type { AuditEvent } from '../domain/ledger/audit-event.ts'
import type { Actor } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { audit } from './audit.ts'

export type Operator = Selectable<Database['operators']>
export const operatorStatuses = ['active', 'disabled'] as const

/** Longer than people's names. The name is a column of the CLI's list. */
export const operatorNameMax = 100
/** The longest address that mail can be sent to. */
export const operatorEmailMax = 254
/** Rejects texts that are not addresses. Only sending mail shows whether an address exists. */
export const operatorEmailForm = /^[^\s@]+@[^\s@]+$/

type Deps = { readonly db: Kysely<Database>; readonly store: EventStore }
type By = { readonly actor: Actor; readonly requestId: string | null }

export async function findOperator(db: Kysely<Database>, id: string): Promise<Operator | null> {
  const found = await db.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst()
  return found ?? null
}

/** Newest first, at most `limit`. `organizationId` null = the operators of every organization. */
export async function listOperators(
  db: Kysely<Database>,
  organizationId: string | null,
  limit: number,
): Promise<readonly Operator[]> {
  const all = db.selectFrom('operators').selectAll()
  const rows = organizationId === null ? all : all.where('organization_id', '=', organizationId)
  return await rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** The longest `sub` that OpenID Connect allows. */
export const subjectMax = 255

type NewOperator = {
  /** Default: a new id. */
  readonly id?: string
  readonly organizationId: string
  readonly name: string
  readonly email: string
  /** The person's id at the OpenID Connect issuer. Default: none. */
  readonly subject?: string | null
}

export function newOperatorId(): string {
  return `opr_${customAlphabet(base62Alphabet, idValueLength)()}`
}

/**
 * Creates an operator. The audit event is appended first. The organization must exist. Calling it
 * twice creates two operators.
 */
export async function createOperator(
  { db, store }: Deps,
  order: NewOperator,
  by: By,
): Promise<Operator> {
  const { id = newOperatorId(), organizationId, name, email, subject = null } = order
  const data = { operator_id: id }
  await audit(store, { ...by, organizationId, type: 'OperatorCreated', data })
  const now = new Date()
  return await db
    .insertInto('operators')
    .values({
      id,
      organization_id: organizationId,
      name,
      email,
      subject,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Disables an operator. The audit event is appended first. The operator's keys stop working
 * everywhere within 5 s; call `endMachineKeysOf` for the machine keys that they created. Returns
 * the updated operator. Calling it again changes nothing.
 */
export async function disableOperator(
  deps: Deps,
  found: Operator,
  by: By,
  revokeCreatedKeys = false,
): Promise<Operator> {
  const wanted = { status: 'disabled', revokeCreatedKeys } as const
  const written = await changeOperator(deps, found, wanted, by)
  if (written === undefined) throw new Error('the operator was changed meanwhile; try again')
  return written
}

type OperatorChanges = {
  readonly [Name in 'name' | 'email' | 'subject' | 'status']?: Operator[Name] | undefined
}
type WantedOperator = OperatorChanges & {
  /** Recorded in the audit event only: `endMachineKeysOf` revokes the keys. */
  readonly revokeCreatedKeys?: boolean | undefined
}

/**
 * Changes an operator. The audit event is appended first: `OperatorDisabled` if the operator's keys
 * end, `OperatorChanged` for anything else. Fields that already have the value are not changed.
 * Returns the updated operator, or undefined, without writing, if the operator was changed since it
 * was read.
 */
export async function changeOperator(
  { db, store }: Deps,
  found: Operator,
  { revokeCreatedKeys, ...wanted }: WantedOperator,
  by: By,
): Promise<Operator | undefined> {
  const changes = changesOf(found, wanted)
  if (Object.keys(changes).length === 0) return found
  const { id } = found
  for (const event of eventsOf(id, changes, revokeCreatedKeys)) {
    await audit(store, { ...by, organizationId: found.organization_id, ...event })
  }
  return await db
    .updateTable('operators')
    .set((eb) => ({ ...changes, updated_at: new Date(), version: eb('version', '+', 1) }))
    .where((eb) => eb.and({ id, version: found.version }))
    .returningAll()
    .executeTakeFirst()
}

function eventsOf(
  id: string,
  changes: OperatorChanges,
  revokeCreatedKeys: boolean | undefined,
): readonly AuditEvent[] {
  const revocation =
    revokeCreatedKeys === undefined ? {} : { revoke_created_keys: revokeCreatedKeys }
  const isEnabled = changes.status === 'active'
  const fields = Object.keys(changes).filter((name) => name !== 'status' || isEnabled)
  const status = { before: 'disabled', after: 'active' } as const
  const changed = {
    type: 'OperatorChanged',
    data: { operator_id: id, fields, ...(isEnabled ? { changes: { status } } : {}) },
  } as const
  return [
    ...(fields.length > 0 ? [changed] : []),
    ...(changes.status === 'disabled'
      ? [{ type: 'OperatorDisabled', data: { operator_id: id, ...revocation } } as const]
      : []),
  ]
}

function changesOf(found: Operator, wanted: OperatorChanges): OperatorChanges {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== found[name as keyof OperatorChanges],
  )
  return Object.fromEntries(changed)
}

/** Whether the id belongs to an active operator of one of these organizations. */
export async function activeOperatorOf(
  db: QueryExecutorProvider,
  id: string,
  organizationIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM operators
    WHERE id = ${id} AND status = 'active'
      AND organization_id = ANY (${organizationIds}::text[])`.execute(db)
  return rows.length > 0
}

/** The organization of an operator. Throws if there is no such operator. */
export async function organizationOfOperator(
  db: QueryExecutorProvider,
  id: string,
): Promise<string> {
  const { rows } = await sql<{ organization_id: string }>`
    SELECT organization_id FROM operators WHERE id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`bug: there is no operator ${id}`)
  return row.organization_id
}

/** The names of these operators by id; with `organizationId`, only those of its own operators. */
export async function operatorNames(
  db: QueryExecutorProvider,
  ids: readonly string[],
  organizationId: string | null,
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM operators
    WHERE id = ANY (${[...new Set(ids)]}::text[])
      AND (${organizationId}::text IS NULL OR organization_id = ${organizationId})`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
