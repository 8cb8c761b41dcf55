import { Problem } from '../../errors.ts'
import { type BatchRow, batchesToApi } from '../../processes/batches/batch-to-api.ts'
import type { Principal } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices } from '../api-services.ts'
import { type Resource, resource } from '../rules/resources/resource.ts'

export function batchResource(
  deps: Pick<ApiServices, 'db'>,
  scope: 'shipments:read' | 'shipments:write',
): Resource<BatchRow> {
  return resource(scope, ({ principal }, id) => requireBatch(deps, principal, id))
}

export async function findBatch(
  { db }: Pick<ApiServices, 'db'>,
  principal: Principal,
  id: string,
): Promise<BatchRow | null> {
  const row = await db
    .selectFrom('batches')
    .selectAll()
    .where(inTenantScope(principal))
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function requireBatch(
  deps: Pick<ApiServices, 'db'>,
  principal: Principal,
  id: string,
): Promise<BatchRow> {
  const row = await findBatch(deps, principal, id)
  if (row === null) throw new Problem('not_found')
  return row
}

export async function batchObject({ db }: Pick<ApiServices, 'db'>, row: BatchRow) {
  const [shown] = await batchesToApi(db, [row])
  if (shown === undefined) throw new Error('bug: a batch is not shown')
  return shown
}
