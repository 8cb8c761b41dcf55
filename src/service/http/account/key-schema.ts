import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { Problem } from '../../errors.ts'
import { type OrganizationType, type Principal, scopes } from '../../security/api-keys.ts'
import { withinReach } from '../../security/reach.ts'
import { exampleKey, exampleKeyRequest } from '../openapi/examples.ts'
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
import type { RouteDeps } from '../server-deps.ts'

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
      description: 'The only workspace that it reaches. `null`: all of the organization.',
    }),
    operator_id: idOf('opr')
      .nullable()
      .meta({ description: 'The operator whose key it is. `null`: it belongs to none.' }),
    created_by_key_id: idOf('key').nullable().meta({
      description: 'The key that created it. `null`: the command line did.',
    }),
    created_by_operator_id: idOf('opr').nullable().meta({
      description:
        'The operator whose key created it, or whom the command line named. `null`: no operator.',
    }),
    scopes: z.array(openEnum(scopes)).meta({ description: 'What it may do.' }),
    last4: z.string().meta({
      description: 'The last four characters of the key, to recognize it by.',
      example: '9xQ2',
    }),
    expires_at: timestamp.nullable().meta({ description: 'When it ends. `null`: never.' }),
    revoked_at: timestamp
      .nullable()
      .meta({ description: 'When it was revoked. `null`: it was not.' }),
    last_used_at: timestamp.nullable().meta({
      description: 'When it was last used, to about a minute. `null`: never.',
    }),
    created_at: createdAt,
  })
  .meta({
    id: 'ApiKey',
    examples: [exampleKey],
    description: 'What is known of an API key. The key itself is shown once, when it is created.',
  })

export const keyWithSecretSchema = keySchema
  .extend({
    key: z.string().nullable().meta({
      description:
        'The key itself, shown only this once. `null` if an earlier request with the same Idempotency-Key created it; if that answer was lost, revoke the key and create another.',
    }),
  })
  .meta({ id: 'ApiKeyWithSecret', description: 'A new API key, with the key itself.' })

export const createKeyBody = z
  .strictObject({
    scopes: z
      .array(z.enum(scopes))
      .min(1)
      .max(scopes.length)
      .refine((named) => new Set(named).size === named.length, {
        error: 'Each scope may be named only once.',
        params: { reason: 'duplicate' },
      })
      .meta({
        description: 'What the new key may do: only scopes that the calling key has itself.',
      }),
    workspace_id: idOf('ws').nullable().optional().meta({
      description:
        'The only workspace that it reaches. Absent or `null`: as far as the calling key. A key of one workspace creates keys of that workspace only.',
    }),
    expires_at: z.iso.datetime({ offset: true }).nullable().optional().meta({
      description:
        'When it ends, not later than the calling key. Absent: when the calling key ends. `null`: never.',
    }),
    operator_id: idOf('opr').nullable().optional().meta({
      description:
        'The operator whose key it is: the operator of the calling key, or else 422 `operator_not_yours`. Absent or `null`: it belongs to none.',
    }),
  })
  .meta({ description: 'What the new key may do.', examples: [exampleKeyRequest()] })
export type CreateKey = z.infer<typeof createKeyBody>

type Row = Pick<
  Selectable<Database['api_keys']>,
  | 'id'
  | 'workspace_id'
  | 'operator_id'
  | 'created_by_key_id'
  | 'created_by_operator_id'
  | 'scopes'
  | 'last4'
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
    scopes: scopes.filter((scope) => row.scopes.includes(scope)),
    last4: row.last4,
    expires_at: timeOrNull(row.expires_at),
    revoked_at: timeOrNull(row.revoked_at),
    last_used_at: timeOrNull(row.last_used_at),
    created_at: time(row.created_at),
  }
}

/**
 * The keys that this key may list, without their digests. A key of one workspace sees only its
 * keys.
 */
export function reachableKeys(db: RouteDeps['db'], principal: Principal) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'workspace_id', 'operator_id', 'scopes', 'last4'])
    .select(['created_by_key_id', 'created_by_operator_id'])
    .select(['expires_at', 'revoked_at', 'last_used_at', 'created_at'])
    .where(withinReach(principal))
}

/** Throws `not_found`, as for an id that never existed. */
export async function findKey(db: RouteDeps['db'], principal: Principal, id: string): Promise<Row> {
  const row = await reachableKeys(db, principal).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}
