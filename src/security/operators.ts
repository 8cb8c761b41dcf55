import { type Kysely, type QueryExecutorProvider, type Selectable, sql } from 'kysely'
import { customAlphabet } from 'nanoid'
import type { Database } from '../database/database.ts'
import { base62Alphabet, idValueLength } from '../domain/ids.ts'
import type { Actor } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { audit } from './audit.ts'

export type Operator = Selectable<Database['operators']>
export const operatorStatuses = ['active', 'disabled'] as const

/** Names of people are shorter; it is a column of the CLI's list. */
export const operatorNameMax = 100
/** The longest address that mail can be sent to. */
export const operatorEmailMax = 254

type Deps = { readonly db: Kysely<Database>; readonly store: EventStore }
type By = { readonly actor: Actor; readonly requestId: string | null }

export async function findOperator(db: Kysely<Database>, id: string): Promise<Operator | null> {
  const found = await db.selectFrom('operators').selectAll().where('id', '=', id).executeTakeFirst()
  return found ?? null
}

/** Newest first, at most `limit`; null = of every organization. */
export async function listOperators(
  db: Kysely<Database>,
  organizationId: string | null,
  limit: number,
): Promise<readonly Operator[]> {
  const all = db.selectFrom('operators').selectAll()
  const rows = organizationId === null ? all : all.where('organization_id', '=', organizationId)
  return await rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Creates an operator, audited first; the organization must exist. Calling twice creates two. */
export async function createOperator(
  { db, store }: Deps,
  order: { readonly organizationId: string; readonly name: string; readonly email: string },
  by: By,
): Promise<Operator> {
  const id = `opr_${customAlphabet(base62Alphabet, idValueLength)()}`
  const { organizationId, name, email } = order
  const data = { operator_id: id }
  await audit(store, { ...by, organizationId, type: 'OperatorCreated', data })
  const now = new Date()
  return await db
    .insertInto('operators')
    .values({ id, organization_id: organizationId, name, email, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Disables an operator, audited first. The operator's keys stop working everywhere within 5 s.
 * Repeating it changes nothing.
 */
export async function disableOperator({ db, store }: Deps, found: Operator, by: By): Promise<void> {
  if (found.status === 'disabled') return
  const { id, organization_id: organizationId } = found
  const data = { operator_id: id }
  await audit(store, { ...by, organizationId, type: 'OperatorDisabled', data })
  await db
    .updateTable('operators')
    .set((eb) => ({ status: 'disabled', updated_at: new Date(), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'active')
    .execute()
}

/** Whether it is an active operator of one of these organizations. */
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

/** The organization of an operator who exists. */
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

/** The names of these operators by their ids; with `organizationId`, only of its own operators. */
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
