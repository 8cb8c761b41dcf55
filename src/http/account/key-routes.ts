import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { Problem } from '../../errors.ts'
import { type Principal, scopes } from '../../security/api-keys.ts'
import { withinReach } from '../../security/reach.ts'
import type { App, RouteDeps } from '../deps.ts'
import {
  idOf,
  listOf,
  listQuery,
  openEnum,
  time,
  timeOrNull,
  timestamp,
} from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { listPage } from '../rules/lists.ts'

type Deps = Pick<RouteDeps, 'db' | 'secrets'>

const keySchema = z
  .object({
    id: idOf('key'),
    object: z.literal('api_key'),
    livemode: z.boolean(),
    organization_id: idOf('org'),
    organization_type: openEnum(['external', 'internal', 'platform']),
    workspace_id: idOf('ws').nullable(),
    operator_id: idOf('opr')
      .nullable()
      .meta({ description: 'The operator whose key it is; `null` if it belongs to none' }),
    scopes: z.array(openEnum(scopes)),
    last4: z.string(),
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ApiKey' })

type Row = Pick<
  Selectable<Database['api_keys']>,
  | 'id'
  | 'workspace_id'
  | 'operator_id'
  | 'scopes'
  | 'last4'
  | 'expires_at'
  | 'revoked_at'
  | 'last_used_at'
  | 'created_at'
>

function keyObject(row: Row, principal: Principal): z.infer<typeof keySchema> {
  return {
    id: row.id,
    object: 'api_key',
    livemode: principal.livemode,
    organization_id: principal.organizationId,
    organization_type: principal.organizationType,
    workspace_id: row.workspace_id,
    operator_id: row.operator_id,
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
function reachableKeys(db: RouteDeps['db'], principal: Principal) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'workspace_id', 'operator_id', 'scopes', 'last4'])
    .select(['expires_at', 'revoked_at', 'last_used_at', 'created_at'])
    .where(withinReach(principal))
}

export function keyRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/key',
    config: { collectionScope: null, isVersioned: true },
    schema: {
      operationId: 'getKey',
      summary: 'Read this key and its scopes',
      tags: ['Keys'],
      response: { 200: keySchema },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const row = await reachableKeys(deps.db, principal)
        .where('id', '=', principal.keyId)
        .executeTakeFirst()
      if (row === undefined) throw new Problem('unauthenticated')
      return keyObject(row, principal)
    },
  })
  listRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/keys',
    config: { collectionScope: 'workspaces:read' },
    schema: {
      operationId: 'listKeys',
      summary: "List the organization's keys of this mode, newest first, without their secrets",
      tags: ['Keys'],
      querystring: listQuery({}),
      response: { 200: listOf(keySchema) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      return listPage({
        deps,
        principal,
        route: '/v1/keys',
        query: request.query,
        read: ({ after, limit }) => {
          let rows = reachableKeys(deps.db, principal)
          if (after !== null) {
            const [at = '', id = ''] = after
            rows = rows.where((eb) =>
              eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(new Date(at), id)),
            )
          }
          return rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
        },
        sortKey: (row) => [time(row.created_at), row.id],
        item: (row) => keyObject(row, principal),
      })
    },
  })
}
