import { z } from 'zod'
import { shownConnection } from '../../processes/connections/shown-connection.ts'
import { withinReach } from '../../security/reach.ts'
import { exampleConnection, exampleConnectionRequest } from '../openapi/examples.ts'
import {
  createdAt,
  describedLike,
  idOf,
  livemode,
  openEnum,
  ownId,
  providerCode,
  secretText,
  text,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  version,
  workspaceRef,
} from '../openapi/schemas.ts'
import { administered } from '../rules/resources/administered.ts'

const displayNameLengthMax = 200
export const providerCodeLengthMax = 64
/**
 * Longer than any courier's own limit. A password may hold any character but control characters.
 */
const credentialLengthMax = 500

const aboutDisplayName = {
  description: 'A name for people, such as that of the account at the courier.',
  example: exampleConnectionRequest().display_name,
}
const credentials = z
  .strictObject({
    username: text(credentialLengthMax).meta({ description: 'The name of the account.' }),
    password: secretText(credentialLengthMax).meta({ description: 'The password of the account.' }),
  })
  .meta({
    description:
      "The shop's account at the courier. Stored encrypted, and never returned or logged. The simulated courier accepts any.",
  })
export const createConnectionBody = z
  .strictObject({
    workspace_id: idOf('ws').meta({ description: 'The workspace that gets the connection.' }),
    provider_code: describedLike(providerCode, text(providerCodeLengthMax)),
    display_name: text(displayNameLengthMax).meta(aboutDisplayName),
    credentials,
  })
  .meta({
    description: 'The account to connect, and the workspace that may use it.',
    examples: [exampleConnectionRequest()],
  })
export const changeConnectionBody = z
  .strictObject({
    display_name: text(displayNameLengthMax).optional().meta(aboutDisplayName),
    credentials: credentials.optional().meta({
      description:
        'The new credentials, which replace the old ones. A connection that was `needs_reauth` becomes `active`.',
    }),
    status: z.enum(['active', 'disabled']).optional().meta({
      description:
        '`disabled`: no more creations or quotes; what was begun is finished. `active`: enables it again.',
    }),
  })
  .meta({
    description: 'What to change. A field that is absent stays as it is.',
    examples: [{ credentials: exampleConnectionRequest().credentials }],
  })
export type CreateConnection = z.infer<typeof createConnectionBody>
export type ChangeConnection = z.infer<typeof changeConnectionBody>

export const connectionStatuses = ['active', 'needs_reauth', 'disabled'] as const

export const connectionSchema = z
  .object({
    id: ownId('ccn'),
    object: typeOf('courier_connection'),
    livemode,
    workspace_id: workspaceRef,
    provider_code: providerCode,
    display_name: z.string().meta(aboutDisplayName),
    status: openEnum(connectionStatuses).meta({
      description: valuesText<(typeof connectionStatuses)[number]>(
        'Whether it can be used for creations and quotes.',
        {
          active: 'it can.',
          needs_reauth: 'the courier refused its credentials: replace them with PATCH.',
          disabled: 'you disabled it; PATCH enables it again.',
        },
      ),
    }),
    verified_at: timestamp.nullable().meta({
      description:
        'When the courier accepted the credentials, as `verify` found. `null`: it has not accepted the present ones.',
    }),
    created_at: createdAt,
    updated_at: updatedAt,
    version,
  })
  .meta({
    id: 'CourierConnection',
    examples: [exampleConnection],
    description: "A workspace's account at a courier.",
  })

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
  show: shownConnection,
})
