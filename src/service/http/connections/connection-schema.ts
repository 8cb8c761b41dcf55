import { z } from 'zod'
import { connectionToApi } from '../../processes/connections/connection-to-api.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import { exampleConnection, exampleConnectionRequest } from '../openapi/examples.ts'
import {
  createdAt,
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
/** Longer than any courier's own limit. */
export const credentialLengthMax = 500

const aboutDisplayName = {
  description: 'A name for people, such as the name of the account at the courier.',
  example: exampleConnectionRequest().display_name,
}
export const displayName = text(displayNameLengthMax).meta(aboutDisplayName)
/** The connector says which fields there are. */
export const credentials = z
  .object({
    username: text(credentialLengthMax).optional().meta({
      description: 'The user name of the account, for couriers that ask for one.',
    }),
    password: secretText(credentialLengthMax).optional().meta({
      description: 'The password of the account, for couriers that ask for one.',
    }),
  })
  .catchall(secretText(credentialLengthMax).meta({ description: 'The value of another field.' }))
  .meta({
    description:
      "The shop's account at the courier: the `credential_fields` of the courier in `GET /v1/couriers`, by name; for the simulated courier `username` and `password`. The credentials are stored encrypted and never returned or logged. The simulated courier accepts any.",
  })
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
          active: 'it can be used.',
          needs_reauth: 'the courier refused its credentials. Replace them with PATCH.',
          disabled: 'you disabled it. PATCH enables it again.',
        },
      ),
    }),
    verified_at: timestamp.nullable().meta({
      description:
        'When `verify` last found that the courier accepts the credentials. `null` if it never did for the current ones.',
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
  /** Without the deleted ones, whose rows are kept for looks that are still due. */
  reachable(db, principal) {
    return db
      .selectFrom('courier_connections')
      .selectAll()
      .where(inTenantScope(principal))
      .where('deleted_at', 'is', null)
  },
  show: connectionToApi,
})
