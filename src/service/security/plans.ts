import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import { platform } from '../domain/ids.ts'
import type { Actor } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { audit } from './audit.ts'

export type Plan = Selectable<Database['plans']>

/** The columns with a plan's limits; null = unlimited. */
export const planLimits = [
  'shipments_per_month',
  'requests_per_minute',
  'workspaces',
  'courier_connections',
  'webhook_endpoints',
] as const
export type PlanLimit = (typeof planLimits)[number]
export type PlanLimits = { readonly [L in PlanLimit]: number | null }

/** The plan of an organization that was not given another one. */
export const defaultPlan = 'default'
/** More than any organization ships or requests, well within a counter's range. */
export const planLimitMax = 1_000_000_000

/** A plan's name appears unquoted in URLs and responses. */
export function isPlanName(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,39}$/.test(text)
}

type Deps = { readonly db: Kysely<Database>; readonly store: EventStore }
type By = { readonly actor: Actor; readonly requestId: string | null }

export async function findPlan(db: Kysely<Database>, name: string): Promise<Plan | null> {
  const plan = await db.selectFrom('plans').selectAll().where('name', '=', name).executeTakeFirst()
  return plan ?? null
}

/** Ordered by name, at most `limit`. */
export async function listPlans(db: Kysely<Database>, limit: number): Promise<readonly Plan[]> {
  return await db.selectFrom('plans').selectAll().orderBy('name').limit(limit).execute()
}

/** Creates a plan. The audit event is appended first. Null if a plan of this name exists. */
export async function createPlan(
  deps: Deps,
  order: PlanLimits & { readonly name: string },
  by: By,
): Promise<Plan | null> {
  if ((await findPlan(deps.db, order.name)) !== null) return null
  const { name: plan, ...limits } = order
  const data = { plan, ...limits }
  await audit(deps.store, { ...by, organizationId: platform, type: 'PlanCreated', data })
  const made = await deps.db
    .insertInto('plans')
    .values(order)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return made ?? null
}

/**
 * Changes the limits of a plan, for every organization that has it. The audit event is appended
 * first. Null if there is no such plan. Quotas see the change at once, requests within 5 s.
 */
export async function updatePlan(
  deps: Deps,
  name: string,
  change: Partial<PlanLimits>,
  by: By,
): Promise<Plan | null> {
  const known = await findPlan(deps.db, name)
  if (known === null) return null
  if (planLimits.every((each) => change[each] === undefined || change[each] === known[each])) {
    return known
  }
  await audit(deps.store, {
    ...by,
    organizationId: platform,
    type: 'PlanChanged',
    data: { plan: name, ...limitsOf({ ...known, ...change }), before: limitsOf(known) },
  })
  return await deps.db
    .updateTable('plans')
    .set({ ...change, updated_at: new Date() })
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function limitsOf(plan: PlanLimits): PlanLimits {
  const { shipments_per_month, requests_per_minute } = plan
  const { workspaces, courier_connections, webhook_endpoints } = plan
  return {
    shipments_per_month,
    requests_per_minute,
    workspaces,
    courier_connections,
    webhook_endpoints,
  }
}
