import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Principal } from './api-keys.ts'

/**
 * What a key may access: its organization's data in its mode, in one workspace or in all (null).
 */
export type TenantScope = Pick<Principal, 'organizationId' | 'livemode' | 'workspaceId'>

/** The columns that name a row's owner. */
type OwnerColumns = Readonly<Record<keyof TenantScope, string>>

const ownerColumns: OwnerColumns = {
  organizationId: 'organization_id',
  livemode: 'livemode',
  workspaceId: 'workspace_id',
}

/** The rows of any table. */
type Rows = Readonly<Record<string, Readonly<Record<string, boolean | string>>>>

/**
 * A condition for the rows that a key may access. Pass the columns that a query names differently.
 */
export function inTenantScope(
  { organizationId, livemode, workspaceId }: TenantScope,
  named: Partial<OwnerColumns> = {},
): Expression<SqlBool> {
  const columns = { ...ownerColumns, ...named }
  const eb = expressionBuilder<Rows, string>()
  const conditions = [
    eb(columns.organizationId, '=', organizationId),
    eb(columns.livemode, '=', livemode),
  ]
  if (workspaceId !== null) conditions.push(eb(columns.workspaceId, '=', workspaceId))
  return eb.and(conditions)
}

/** The owner of a resource, as requests and event metadata name it. */
type Owned = {
  readonly organization_id: string
  readonly livemode: boolean | null
  readonly workspace_id: string | null
}

/** Whether a key may access a resource that was already read. */
export function isInTenantScope(
  { organizationId, livemode, workspaceId }: TenantScope,
  of: Owned,
): boolean {
  return (
    of.organization_id === organizationId &&
    of.livemode === livemode &&
    (workspaceId === null || of.workspace_id === workspaceId)
  )
}
