import { isSameFormat, type LabelFormat } from '../../domain/label-format.ts'
import type { TenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices } from '../api-services.ts'

type Db = ApiServices['db']
type Organization = Pick<TenantScope, 'organizationId'>

/** How this workspace prints its labels; null if it has saved nothing. */
export async function savedFormat(
  db: Db,
  { organizationId }: Organization,
  workspaceId: string,
): Promise<LabelFormat | null> {
  const row = await db
    .selectFrom('workspaces')
    .select('label_format')
    .where('organization_id', '=', organizationId)
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row?.label_format ?? null
}

/** How the workspaces of these shipments print their labels; null if they do not agree. */
export async function commonFormat(
  db: Db,
  { organizationId }: Organization,
  shipmentIds: readonly string[],
): Promise<LabelFormat | null> {
  const rows = await db
    .selectFrom('vault')
    .innerJoin('workspaces', 'workspaces.id', 'vault.workspace_id')
    .select('workspaces.label_format')
    .distinct()
    .where('workspaces.organization_id', '=', organizationId)
    .where('vault.organization_id', '=', organizationId)
    .where('vault.shipment_id', 'in', shipmentIds)
    .execute()
  const [first = null, ...others] = rows.map((row) => row.label_format)
  return others.every((other) => isSameFormat(first, other)) ? first : null
}
