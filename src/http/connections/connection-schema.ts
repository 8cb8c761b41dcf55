import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { withinReach } from '../../security/reach.ts'
import { exampleConnectionRequest } from '../openapi/examples.ts'
import {
  idOf,
  openEnum,
  secretText,
  text,
  time,
  timeOrNull,
  timestamp,
} from '../openapi/schemas.ts'
import { administered } from '../rules/resources/administered.ts'

const displayNameLengthMax = 200
export const providerCodeLengthMax = 64
/**
 * Longer than any courier's own limit. A password may hold any character but control characters.
 */
const credentialLengthMax = 500

const credentials = z.strictObject({
  username: text(credentialLengthMax),
  password: secretText(credentialLengthMax),
})
export const createConnectionBody = z
  .strictObject({
    workspace_id: idOf('ws'),
    provider_code: text(providerCodeLengthMax),
    display_name: text(displayNameLengthMax),
    credentials,
  })
  .meta({ examples: [exampleConnectionRequest()] })
export const changeConnectionBody = z
  .strictObject({
    display_name: text(displayNameLengthMax).optional(),
    credentials: credentials.optional(),
    status: z.enum(['active', 'disabled']).optional(),
  })
  .meta({ examples: [{ credentials: exampleConnectionRequest().credentials }] })
export type CreateConnection = z.infer<typeof createConnectionBody>
export type ChangeConnection = z.infer<typeof changeConnectionBody>

export const connectionStatuses = ['active', 'needs_reauth', 'disabled'] as const

export const connectionSchema = z
  .object({
    id: idOf('ccn'),
    object: z.literal('courier_connection'),
    livemode: z.boolean(),
    workspace_id: idOf('ws'),
    provider_code: z.string(),
    display_name: z.string(),
    status: openEnum(connectionStatuses),
    verified_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int(),
  })
  .meta({ id: 'CourierConnection' })

export type ConnectionRow = Selectable<Database['courier_connections']>

export function connectionObject(
  row: Omit<ConnectionRow, 'credentials'>,
): z.infer<typeof connectionSchema> {
  return {
    id: row.id,
    object: 'courier_connection',
    livemode: row.livemode,
    workspace_id: row.workspace_id,
    provider_code: row.provider_code,
    display_name: row.display_name,
    status: row.status,
    verified_at: timeOrNull(row.verified_at),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    version: row.version,
  }
}

export const connections = administered({
  name: 'courier-connection',
  /** Deleted ones are kept for looks that are still due. */
  reachable(db, principal) {
    return db
      .selectFrom('courier_connections')
      .selectAll()
      .where(withinReach(principal))
      .where('deleted_at', 'is', null)
  },
  show: connectionObject,
})
