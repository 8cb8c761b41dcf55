import type { Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { type ReadCache, readThrough } from '../../database/read-through.ts'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { KnownWorkspaces, RouteDeps } from '../deps.ts'
import { idOf, time, timestamp } from '../openapi/schemas.ts'
import { administered } from '../rules/administered.ts'

export const retentionDays = z.int().min(1).max(3650).nullable()

export const workspaceSchema = z
  .object({
    id: idOf('ws'),
    object: z.literal('workspace'),
    livemode: z.boolean(),
    name: z.string(),
    external_reference: z.string(),
    personal_data_retention_days: retentionDays,
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int(),
  })
  .meta({ id: 'Workspace' })

export type WorkspaceRow = Selectable<Database['workspaces']>
type Workspace = z.infer<typeof workspaceSchema>

export function workspaceObject(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    object: 'workspace',
    livemode: row.livemode,
    name: row.name,
    external_reference: row.external_reference,
    personal_data_retention_days: row.personal_data_retention_days,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    version: row.version,
  }
}

/** The workspaces within a key's reach. */
export function reachableWorkspaces(db: RouteDeps['db'], principal: Principal) {
  const own = db
    .selectFrom('workspaces')
    .selectAll()
    .where('organization_id', '=', principal.organizationId)
    .where('livemode', '=', principal.livemode)
  return principal.workspaceId === null ? own : own.where('id', '=', principal.workspaceId)
}

export const workspaces = administered({
  name: 'workspace',
  reachable: reachableWorkspaces,
  show: workspaceObject,
})

/** Workspaces remembered at once. Beyond that, the one that was asked for longest ago is forgotten. */
const knownMax = 10_000

/**
 * The workspaces that a key reaches, each read once. None is ever deleted or changes owner or mode.
 */
export function knownWorkspaces(db: RouteDeps['db']): KnownWorkspaces {
  const cache: ReadCache<true> = new LRUCache({ max: knownMax })
  const read = async (principal: Principal, id: string) => {
    const row = await reachableWorkspaces(db, principal).where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : true
  }
  return {
    async require(principal, id) {
      const { organizationId, livemode, workspaceId } = principal
      // The key includes the caller's reach: a caller never benefits from what another one looked
      // up.
      const key = [organizationId, livemode, workspaceId, id].join(' ')
      const isOwn = await readThrough(cache, key, () => read(principal, id))
      if (isOwn !== true) throw new Problem('not_found')
    },
  }
}
