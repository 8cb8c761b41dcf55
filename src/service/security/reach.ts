import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Principal } from './api-keys.ts'

/** What a key reaches: its organization's data of its mode, of one workspace or of all (null). */
export type Reach = Pick<Principal, 'organizationId' | 'livemode' | 'workspaceId'>

/** The columns that say whose a row is. */
type OwnerColumns = Readonly<Record<keyof Reach, string>>

const ownerColumns: OwnerColumns = {
  organizationId: 'organization_id',
  livemode: 'livemode',
  workspaceId: 'workspace_id',
}

/** Of any table. */
type Rows = Readonly<Record<string, Readonly<Record<string, boolean | string>>>>

/** The rows within a key's reach; name the columns that a query calls otherwise. */
export function withinReach(
  { organizationId, livemode, workspaceId }: Reach,
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

/** Whose something is, as requests and the metadata of events name it. */
type Owned = {
  readonly organization_id: string
  readonly livemode: boolean | null
  readonly workspace_id: string | null
}

/** The same for something already read. */
export function isWithinReach(
  { organizationId, livemode, workspaceId }: Reach,
  of: Owned,
): boolean {
  return (
    of.organization_id === organizationId &&
    of.livemode === livemode &&
    (workspaceId === null || of.workspace_id === workspaceId)
  )
}
