import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Principal } from '../../security/api-keys.ts'
import { withinReach } from '../../security/reach.ts'
import { exampleWorkspace, exampleWorkspaceRequest } from '../openapi/examples.ts'
import {
  createdAt,
  legalHold,
  livemode,
  ownId,
  time,
  typeOf,
  updatedAt,
  version,
} from '../openapi/schemas.ts'
import { administered } from '../rules/resources/administered.ts'
import { reachCheck } from '../rules/resources/reach-check.ts'
import type { ReachCheck, RouteDeps } from '../server-deps.ts'

export const retentionDays = z.int().min(1).max(3650).nullable().meta({
  description:
    "How many days after its creation a shipment's personal data is erased. `null`: never by age.",
  example: 90,
})

/** What requests and answers say of the same fields. */
export const aboutWorkspace = {
  name: {
    description: 'A name for people. It need not be unique.',
    example: exampleWorkspaceRequest.name,
  },
  external_reference: {
    description:
      'Your own id of the shop, unique within your organization and mode. It never changes.',
    example: exampleWorkspaceRequest.external_reference,
  },
}

export const workspaceSchema = z
  .object({
    id: ownId('ws'),
    object: typeOf('workspace'),
    livemode,
    name: z.string().meta(aboutWorkspace.name),
    external_reference: z.string().meta(aboutWorkspace.external_reference),
    personal_data_retention_days: retentionDays,
    legal_hold: legalHold.meta({
      description:
        'While it stands, the personal data of none of its shipments is erased. `null`: there is none.',
    }),
    created_at: createdAt,
    updated_at: updatedAt,
    version,
  })
  .meta({
    id: 'Workspace',
    examples: [exampleWorkspace],
    description:
      'One shop of an organization. It contains courier connections, shipments and webhook endpoints.',
  })

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
    legal_hold: row.legal_hold_since === null ? null : { since: time(row.legal_hold_since) },
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    version: row.version,
  }
}

/** The workspaces within a key's reach. */
export function reachableWorkspaces(db: RouteDeps['db'], principal: Principal) {
  return db
    .selectFrom('workspaces')
    .selectAll()
    .where(withinReach(principal, { workspaceId: 'id' }))
}

export const workspaces = administered({
  name: 'workspace',
  reachable: reachableWorkspaces,
  show: workspaceObject,
})

/** The workspaces, as requests name them. */
export function knownWorkspaces(db: RouteDeps['db']): ReachCheck {
  return reachCheck(async (principal, id) => {
    const row = await reachableWorkspaces(db, principal).where('id', '=', id).executeTakeFirst()
    return row !== undefined
  })
}
