import type { Kysely } from 'kysely'
import { customAlphabet } from 'nanoid'
import type { Database } from '../database/database.ts'
import { base62Alphabet, idValueLength } from '../domain/ids.ts'
import type { Actor } from '../event-store/codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { OrganizationType } from './api-keys.ts'
import { audit } from './audit.ts'

export const organizationTypes: readonly OrganizationType[] = ['external', 'internal', 'platform']
/** As long as the API lets a workspace's name be. */
export const organizationNameMax = 100

export type Organization = {
  readonly id: string
  readonly name: string
  readonly type: OrganizationType
  readonly createdAt: Date
}

type Deps = { readonly db: Kysely<Database>; readonly store: EventStore }

/** Onboards an organization, audited first. Calling twice makes two. */
export async function createOrganization(
  deps: Deps,
  order: { readonly name: string; readonly type: OrganizationType },
  by: { readonly actor: Actor; readonly requestId: string | null },
): Promise<Organization> {
  const id = `org_${customAlphabet(base62Alphabet, idValueLength)()}`
  const organization = { id, ...order, createdAt: new Date() }
  await audit(deps.store, {
    ...by,
    organizationId: id,
    type: 'OrganizationCreated',
    data: { organization_id: id, type: order.type },
  })
  await deps.db
    .insertInto('organizations')
    .values({ id, name: order.name, type: order.type, created_at: organization.createdAt })
    .execute()
  return organization
}

/** The oldest first, at most `limit`. */
export async function listOrganizations(
  db: Kysely<Database>,
  limit: number,
): Promise<readonly Organization[]> {
  return await db
    .selectFrom('organizations')
    .select(['id', 'name', 'type', 'created_at as createdAt'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}
