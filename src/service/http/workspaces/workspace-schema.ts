import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { defaultLabelFormat, type LabelFormat } from '../../domain/label-format.ts'
import type { Principal } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices, TenantScopeCheck } from '../api-services.ts'
import { labelFormatFields, savedFormatSchema } from '../documents/label-style.ts'
import { exampleWorkspace, exampleWorkspaceRequest } from '../openapi/examples.ts'
import {
  createdAt,
  legalHold,
  livemode,
  ownId,
  text,
  time,
  typeOf,
  updatedAt,
  version,
} from '../openapi/schemas.ts'
import { administered } from '../rules/resources/administered.ts'
import { tenantScopeCheck } from '../rules/resources/tenant-scope-check.ts'
import { trackingPageObject, trackingPageSchema } from './tracking-page.ts'

export const retentionDays = z.int().min(1).max(3650).nullable().meta({
  description:
    "How many days after its creation a shipment's personal data is erased. `null` if it is not erased by age.",
  example: 90,
})

const aboutLabelFormat =
  'How labels are printed if a request does not say, field by field. `null`: as a PDF in A6 without a caption.'

/** What a request sets. Absent fields have the values of a workspace without a format. */
export const labelFormat = z
  .strictObject(labelFormatFields)
  .nullable()
  .meta({
    description: `${aboutLabelFormat} An object replaces the former one as a whole.`,
    example: { format: 'zpl', size: '4x6', dpi: 203, caption: true },
  })

/** The format to store. */
export function storedFormat(given: z.infer<typeof labelFormat>): LabelFormat | null {
  if (given === null) return null
  const { format, size, dpi, caption } = defaultLabelFormat
  return {
    format: given.format ?? format,
    size: given.size ?? size,
    dpi: given.dpi ?? dpi,
    caption: given.caption ?? caption,
  }
}

/** The descriptions that requests and answers share. */
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

/** No shop has a longer name. */
const nameLengthMax = 200
export const referenceLengthMax = 255
export const workspaceName = text(nameLengthMax).meta(aboutWorkspace.name)

export const workspaceSchema = z
  .object({
    id: ownId('ws'),
    object: typeOf('workspace'),
    livemode,
    name: z.string().meta(aboutWorkspace.name),
    external_reference: z.string().meta(aboutWorkspace.external_reference),
    personal_data_retention_days: retentionDays,
    label_format: savedFormatSchema.nullable().meta({ description: aboutLabelFormat }),
    legal_hold: legalHold.meta({
      description:
        'The legal hold. Until it is lifted, no personal data of its shipments is erased. `null` if there is no hold.',
    }),
    tracking_page: trackingPageSchema,
    created_at: createdAt,
    updated_at: updatedAt,
    version,
  })
  .meta({
    id: 'Workspace',
    examples: [exampleWorkspace],
    description:
      'One shop of an organization, with its courier connections, shipments and webhook endpoints.',
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
    label_format: row.label_format,
    legal_hold: row.legal_hold_since === null ? null : { since: time(row.legal_hold_since) },
    tracking_page: trackingPageObject(row),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    version: row.version,
  }
}

/** The workspaces within a key's reach. */
export function reachableWorkspaces(db: ApiServices['db'], principal: Principal) {
  return db
    .selectFrom('workspaces')
    .selectAll()
    .where(inTenantScope(principal, { workspaceId: 'id' }))
}

export const workspaces = administered({
  name: 'workspace',
  reachable: reachableWorkspaces,
  show: workspaceObject,
})

/** Checks the workspaces that requests name. */
export function knownWorkspaces(db: ApiServices['db']): TenantScopeCheck {
  return tenantScopeCheck(async (principal, id) => {
    const row = await reachableWorkspaces(db, principal).where('id', '=', id).executeTakeFirst()
    return row !== undefined
  })
}
