import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import type { Caller } from '../audit-act.ts'
import { withLock } from '../rules/with-lock.ts'

/** Active operators of an organization: far more than the people who decide in any. */
const activeOperatorsMax = 1_000

/**
 * Active operators are counted and added by one request at a time, so that their number stays
 * bounded.
 */
export function addingActive<T>(
  db: Kysely<Tables>,
  organizationId: string,
  work: () => Promise<T>,
): Promise<T> {
  return withLock(db, ['operators', organizationId], work)
}

/** Throws `limit_reached` if the organization may not have one more active operator. */
export async function requireRoom(db: Kysely<Tables>, organizationId: string): Promise<void> {
  const { count } = await db
    .selectFrom('operators')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where((eb) => eb.and({ organization_id: organizationId, status: 'active' }))
    .executeTakeFirstOrThrow()
  if (Number(count) < activeOperatorsMax) return
  throw new Problem('limit_reached', {
    detail: `The organization has ${activeOperatorsMax} active operators.`,
  })
}

/** Operators act on every workspace, so a key of one workspace cannot create or change them. */
export function requireWholeOrganization({ principal }: Caller): void {
  if (principal.workspaceId === null) return
  throw new Problem('forbidden_scope', {
    detail: 'A key that is restricted to a workspace cannot create or change operators.',
  })
}
