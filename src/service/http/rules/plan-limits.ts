import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { RouteDeps } from '../server-deps.ts'
import { exclusively } from './exclusive.ts'

/** Resources that are counted by querying their tables. */
type Limited = 'workspaces' | 'courier_connections' | 'webhook_endpoints'

/** The rows of an organization and mode that count. Deleted ones do not. */
export async function countOf(
  { db }: Pick<RouteDeps, 'db'>,
  { organizationId, livemode }: Principal,
  what: Limited,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) AS count FROM ${sql.table(what)}
    WHERE organization_id = ${organizationId} AND livemode = ${livemode}
      AND ${what === 'workspaces' ? sql`true` : sql`deleted_at IS NULL`}`.execute(db)
  return Number(rows[0]?.count)
}

/**
 * Creates one more if the plan has room for it. Concurrent creations wait for each other, so that
 * the last place is given once. Without a plan limit there is no wait.
 */
export async function withinPlan<T>(
  deps: Pick<RouteDeps, 'db'>,
  principal: Principal,
  what: Limited,
  make: () => Promise<T>,
): Promise<T> {
  const { organizationId, livemode } = principal
  const plan = await deps.db
    .selectFrom('organizations')
    .innerJoin('plans', 'plans.name', 'organizations.plan')
    .select(`plans.${what} as limit`)
    .where('organizations.id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const { limit } = plan
  if (limit === null) return await make()
  return await exclusively(deps.db, ['plan', what, organizationId, String(livemode)], async () => {
    if ((await countOf(deps, principal, what)) < limit) return await make()
    throw new Problem('plan_limit_reached')
  })
}
