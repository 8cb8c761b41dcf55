import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { Problem } from '../../errors.ts'
import { type OrganizationType, type Principal, scopes } from '../../security/api-keys.ts'
import { aboutRoles, keyRoles } from '../../security/scopes.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices } from '../api-services.ts'
import { exampleKey } from '../openapi/examples.ts'
import {
  createdAt,
  idOf,
  livemode,
  openEnum,
  ownId,
  time,
  timeOrNull,
  timestamp,
  typeOf,
  valuesText,
} from '../openapi/schemas.ts'

const aboutRole = valuesText(
  'What it is for. Each role but `custom` is a set of scopes (docs/scopes.md); `scopes` says what the key may do, also after the set of its role has changed.',
  aboutRoles,
)

export const keySchema = z
  .object({
    id: ownId('key'),
    object: typeOf('api_key'),
    livemode,
    organization_id: idOf('org').meta({ description: 'The organization that it belongs to.' }),
    organization_type: openEnum(['external', 'internal', 'platform']).meta({
      description: valuesText<OrganizationType>('What kind of organization that is.', {
        external: 'a customer of the service.',
        internal: "one of the service provider's own shops.",
        platform: 'the service provider.',
      }),
    }),
    workspace_id: idOf('ws').nullable().meta({
      description:
        'The only workspace that it reaches. `null` if it reaches all of the organization.',
    }),
    operator_id: idOf('opr')
      .nullable()
      .meta({ description: 'The operator that it belongs to. `null` if it belongs to none.' }),
    created_by_key_id: idOf('key').nullable().meta({
      description: 'The key that created it. `null` if the command line did.',
    }),
    created_by_operator_id: idOf('opr').nullable().meta({
      description:
        'The operator whose key created it, or that the command line named. `null` if there is none.',
    }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'What people call it. `null` if it has no name.', example: 'Web shop' }),
    role: openEnum(keyRoles).meta({ description: aboutRole }),
    scopes: z.array(openEnum(scopes)).meta({ description: 'What it may do.' }),
    last4: z.string().meta({
      description: 'The last four characters of the key, to recognize it by.',
      example: '9xQ2',
    }),
    from_sign_in: z.boolean().meta({
      description:
        'Whether a sign-in to the console created it. Such a key lasts for 8 hours and is not rolled.',
    }),
    replaced_by_key_id: idOf('key').nullable().meta({
      description: 'The key that replaces it. `null` unless it was rolled.',
    }),
    expires_at: timestamp
      .nullable()
      .meta({ description: 'When it expires. `null` if it does not.' }),
    revoked_at: timestamp
      .nullable()
      .meta({ description: 'When it was revoked. `null` if it was not.' }),
    last_used_at: timestamp.nullable().meta({
      description: 'When it was last used, to about a minute. `null` if it never was.',
    }),
    created_at: createdAt,
  })
  .meta({
    id: 'ApiKey',
    examples: [exampleKey],
    description: 'An API key, without the key itself, which is shown once, when it is created.',
  })

export const keyWithSecretSchema = keySchema
  .extend({
    key: z.string().nullable().meta({
      description:
        'The key itself, shown only this once. `null` if an earlier request with the same Idempotency-Key created it; if that answer was lost, revoke the key and create another.',
    }),
  })
  .meta({ id: 'ApiKeyWithSecret', description: 'A new API key, with the key itself.' })

type Row = Pick<
  Selectable<Database['api_keys']>,
  | 'id'
  | 'workspace_id'
  | 'operator_id'
  | 'created_by_key_id'
  | 'created_by_operator_id'
  | 'name'
  | 'role'
  | 'scopes'
  | 'last4'
  | 'replaced_by_key_id'
  | 'from_sign_in'
  | 'expires_at'
  | 'revoked_at'
  | 'last_used_at'
  | 'created_at'
>

export function keyObject(row: Row, principal: Principal): z.infer<typeof keySchema> {
  return {
    id: row.id,
    object: 'api_key',
    livemode: principal.livemode,
    organization_id: principal.organizationId,
    organization_type: principal.organizationType,
    workspace_id: row.workspace_id,
    operator_id: row.operator_id,
    created_by_key_id: row.created_by_key_id,
    created_by_operator_id: row.created_by_operator_id,
    name: row.name,
    role: row.role,
    scopes: scopes.filter((scope) => row.scopes.includes(scope)),
    last4: row.last4,
    from_sign_in: row.from_sign_in,
    replaced_by_key_id: row.replaced_by_key_id,
    expires_at: timeOrNull(row.expires_at),
    revoked_at: timeOrNull(row.revoked_at),
    last_used_at: timeOrNull(row.last_used_at),
    created_at: time(row.created_at),
  }
}

/**
 * The keys that this key may list, without their digests: a key of one workspace sees only its
 * keys.
 */
export function reachableKeys(db: ApiServices['db'], principal: Principal) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'workspace_id', 'operator_id', 'name', 'role', 'scopes', 'last4'])
    .select(['created_by_key_id', 'created_by_operator_id', 'from_sign_in'])
    .select(['replaced_by_key_id', 'expires_at', 'revoked_at', 'last_used_at', 'created_at'])
    .where(inTenantScope(principal))
}

/** Throws `not_found`, as for an id that never existed. */
export async function findKey(
  db: ApiServices['db'],
  principal: Principal,
  id: string,
): Promise<Row> {
  const row = await reachableKeys(db, principal).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}
