import type { Kysely } from 'kysely'
import { customAlphabet } from 'nanoid'
import type { Database } from '../database/database.ts'
import { base62Alphabet, idValueLength } from '../domain/ids.ts'
import type { Actor } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { OrganizationType } from './api-keys.ts'
import { audit } from './audit.ts'
import { defaultPlan } from './plans.ts'

export const organizationTypes: readonly OrganizationType[] = ['external', 'internal', 'platform']
/** Half of the API's limit for a workspace's name: it appears in a column of the CLI's lists. */
export const organizationNameMax = 100

export type Organization = {
  readonly id: string
  readonly name: string
  readonly type: OrganizationType
  readonly plan: string
  readonly suspendedAt: Date | null
  readonly createdAt: Date
}

type Deps = { readonly db: Kysely<Database>; readonly store: EventStore }
type By = { readonly actor: Actor; readonly requestId: string | null }

/**
 * Creates an organization. The audit event is appended first. The plan must exist. Calling it twice
 * creates two organizations.
 */
export async function createOrganization(
  deps: Deps,
  order: { readonly name: string; readonly type: OrganizationType; readonly plan?: string },
  by: By,
): Promise<Organization> {
  const id = `org_${customAlphabet(base62Alphabet, idValueLength)()}`
  const { name, type, plan = defaultPlan } = order
  const createdAt = new Date()
  await audit(deps.store, {
    ...by,
    organizationId: id,
    type: 'OrganizationCreated',
    data: { organization_id: id, type, plan },
  })
  await deps.db
    .insertInto('organizations')
    .values({ id, name, type, plan, created_at: createdAt })
    .execute()
  return { id, name, type, plan, suspendedAt: null, createdAt }
}

/**
 * Changes an organization's plan. The audit event is appended first. False if the organization does
 * not exist.
 */
export async function setPlan(
  deps: Deps,
  organizationId: string,
  plan: string,
  by: By,
): Promise<boolean> {
  const known = await findOrganization(deps.db, organizationId)
  if (known === null) return false
  if (known.plan === plan) return true
  await audit(deps.store, {
    ...by,
    organizationId,
    type: 'OrganizationPlanChanged',
    data: { organization_id: organizationId, plan, previous_plan: known.plan },
  })
  await deps.db
    .updateTable('organizations')
    .set({ plan })
    .where('id', '=', organizationId)
    .execute()
  return true
}

/**
 * Suspends an organization, so that it cannot start anything new, or ends the suspension. The audit
 * event is appended first. False if the organization does not exist. Calling it again changes
 * nothing. Quotas see the change at once, other requests within 5 s.
 */
export async function suspend(
  deps: Deps,
  organizationId: string,
  isSuspended: boolean,
  by: By,
): Promise<boolean> {
  const known = await findOrganization(deps.db, organizationId)
  if (known === null) return false
  if ((known.suspendedAt !== null) === isSuspended) return true
  await audit(deps.store, {
    ...by,
    organizationId,
    type: isSuspended ? 'OrganizationSuspended' : 'OrganizationResumed',
    data: { organization_id: organizationId },
  })
  await deps.db
    .updateTable('organizations')
    .set({ suspended_at: isSuspended ? new Date() : null })
    .where('id', '=', organizationId)
    .execute()
  return true
}

function organizations(db: Kysely<Database>) {
  return db
    .selectFrom('organizations')
    .select(['id', 'name', 'type', 'plan'])
    .select(['suspended_at as suspendedAt', 'created_at as createdAt'])
}

async function findOrganization(db: Kysely<Database>, id: string): Promise<Organization | null> {
  return (await organizations(db).where('id', '=', id).executeTakeFirst()) ?? null
}

/** The oldest first, at most `limit`. */
export async function listOrganizations(
  db: Kysely<Database>,
  limit: number,
): Promise<readonly Organization[]> {
  return await organizations(db).orderBy('created_at').orderBy('id').limit(limit).execute()
}
