import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'
import { withLock } from './with-lock.ts'

/** Resources that are counted in their tables. */
type Limited = 'workspaces' | 'courier_connections' | 'webhook_endpoints'

/** The plan of an organization, and the shipments that it has used in this month and mode. */
export async function planOf(
  { db }: Pick<ApiServices, 'db'>,
  { organizationId, livemode }: Principal,
) {
  // The quota is counted by the database's clock.
  const month = sql<string>`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')`
  return await db
    .selectFrom('organizations')
    .innerJoin('plans', 'plans.name', 'organizations.plan')
    .leftJoin('quota_months', (join) =>
      join
        .onRef('quota_months.organization_id', '=', 'organizations.id')
        .on('quota_months.livemode', '=', livemode)
        .on(sql`to_char(quota_months.month, 'YYYY-MM')`, '=', month),
    )
    .selectAll('plans')
    .select([sql<number>`coalesce(quota_months.used, 0)`.as('used'), month.as('month')])
    .where('organizations.id', '=', organizationId)
    .executeTakeFirstOrThrow()
}

/** The resources of an organization and mode, without deleted ones. */
export async function countOf(
  { db }: Pick<ApiServices, 'db'>,
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
 * Creates one more if the plan allows it. Concurrent creations wait for each other, so that the limit
 * holds. Without a limit there is no wait.
 */
export async function withinPlan<T>(
  deps: Pick<ApiServices, 'db'>,
  principal: Principal,
  what: Limited,
  create: () => Promise<T>,
): Promise<T> {
  const { organizationId, livemode } = principal
  const plan = await deps.db
    .selectFrom('organizations')
    .innerJoin('plans', 'plans.name', 'organizations.plan')
    .select(`plans.${what} as limit`)
    .where('organizations.id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const { limit } = plan
  if (limit === null) return await create()
  return await withLock(deps.db, ['plan', what, organizationId, String(livemode)], async () => {
    if ((await countOf(deps, principal, what)) < limit) return await create()
    throw new Problem('plan_limit_reached')
  })
}
