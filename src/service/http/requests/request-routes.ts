import type { Selectable } from 'kysely'
import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { idValueLength } from '../../domain/ids.ts'
import { Problem, reasons } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import { withinReach } from '../../security/reach.ts'
import {
  filterText,
  idOf,
  knownValues,
  listOf,
  listQuery,
  livemode,
  openEnum,
  ownId,
  pathId,
  time,
  timestamp,
  typeOf,
} from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  createdRange,
  equals,
  filter,
  matching,
  olderThan,
  parametersOf,
} from '../rules/filters.ts'
import { listPage } from '../rules/lists.ts'
import { resource } from '../rules/resources/resource.ts'
import { beginsLoweredId, idBeginningMin } from '../search/id-beginning.ts'
import type { App, RouteDeps } from '../server-deps.ts'

type Deps = Pick<RouteDeps, 'db' | 'secrets'>

const tags = ['Requests']
const outcomes = ['not_executed', 'executed', 'unknown'] as const
const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const

const requestSchema = z
  .object({
    id: ownId('req').meta({ description: 'The `X-Request-Id` of its answer.' }),
    object: typeOf('request'),
    livemode,
    workspace_id: idOf('ws').nullable().meta({
      description: 'The workspace that the key is restricted to. `null`: the key reaches all.',
    }),
    key_id: idOf('key').meta({ description: 'The key that made it.' }),
    method: z.string().meta({ description: 'The HTTP method.', example: 'POST' }),
    route: z.string().meta({
      description: 'The pattern of the route, without the values in it.',
      example: '/v1/shipments',
    }),
    status: z.int().meta({ description: 'The HTTP status of the answer.', example: 409 }),
    reason: knownValues(reasons).nullable().meta({
      description: 'The reason of the problem that was answered. `null`: it was none.',
    }),
    outcome: openEnum(outcomes).nullable().meta({
      description: 'What a failed change did. `null`: it did not fail, or changes nothing.',
    }),
    duration_ms: z.int().meta({ description: 'How long it took, in milliseconds.' }),
    represents: z.number().meta({
      description:
        'How many requests this one stands for: 1, unless there were more than twenty of its kind in its second. The kinds are successes, answers 429 and other errors.',
    }),
    created_at: timestamp.meta({ description: 'When it was answered.' }),
  })
  .meta({
    id: 'Request',
    description: 'What is known of a request that a key made.',
    examples: [exampleRequest()],
  })

function exampleRequest() {
  const value = '0aB1cD2eF3gH4iJ5kL6mN7'
  return {
    id: `req_${value}`,
    object: 'request',
    livemode: false,
    workspace_id: null,
    key_id: `key_${value}`,
    method: 'POST',
    route: '/v1/shipments',
    status: 409,
    reason: 'unknown_outcome',
    outcome: 'unknown',
    duration_ms: 1_204,
    represents: 1,
    created_at: '2026-03-01T12:00:00.000Z',
  } as const
}

const beginning = z
  .string()
  .regex(new RegExp(`^(req_)?[0-9A-Za-z]{${idBeginningMin},${idValueLength}}$`, 'i'), {
    error: `Expected the first ${idBeginningMin} to ${idValueLength} characters of an id.`,
  })
  .meta({
    description: `Only requests with this id: the id or its beginning, at least ${idBeginningMin} characters, in any case, with or without req_.`,
  })

const filters = {
  id: filter(beginning, (text) => beginsLoweredId('id', 'req', text.replace(/^req_/i, ''))),
  key_id: equals(idOf('key').meta({ description: 'Only requests with this key.' }), 'key_id'),
  method: equals(
    z
      .enum(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])
      .meta({ description: 'Only requests with this method.' }),
    'method',
  ),
  route: equals(
    filterText(200).meta({
      description: 'Only requests to this route, by its pattern.',
      example: '/v1/shipments/{id}',
    }),
    'route',
  ),
  status: filter(
    z.enum(statusClasses).meta({ description: 'Only answers of this class.' }),
    (value) => {
      const from = Number(value[0]) * 100
      return sql<SqlBool>`(status >= ${from} AND status < ${from + 100})`
    },
  ),
  reason: equals(
    z
      .enum(reasons as [string, ...string[]])
      .meta({ description: 'Only requests that were answered with this reason.' }),
    'reason',
  ),
  outcome: equals(
    z.enum(outcomes).meta({ description: 'Only failed changes with this outcome.' }),
    'outcome',
  ),
  min_duration_ms: filter(
    z
      .string()
      .regex(/^[0-9]{1,6}$/)
      .meta({ description: 'Only requests that took at least this many milliseconds.' }),
    (value) => sql<SqlBool>`duration_ms >= ${Number(value)}`,
  ),
  ...createdRange,
}

export function requestRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/requests',
    config: { collectionScope: 'operations:read' },
    schema: {
      operationId: 'listRequests',
      summary: 'List the requests of the last seven days, newest first',
      description:
        'For finding out what a client did: route, status and time, never bodies, queries or the values in a path. Of an organization and mode, each process notes up to twenty successes, twenty answers 429 and twenty other errors of each second, and `represents` says how many each stands for. A request appears about a second after its answer. It is no evidence: the ledger is. At most the newest 200,000 requests are kept per organization and mode. Requests without a valid key are in no list.',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(requestSchema, 'A page of requests, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      return listPage({
        deps,
        principal,
        route: '/v1/requests',
        query,
        read: ({ after, limit }) =>
          reachable(deps, principal)
            .where(matching(filters, query, after))
            .where(olderThan(after))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute(),
        sortKey: (row) => [time(row.created_at), row.id],
        item: requestObject,
      })
    },
  })
  const noted = resource('operations:read', ({ principal }, id) => find(deps, principal, id))
  app.route({
    method: 'GET',
    url: '/v1/requests/:id',
    config: { resource: noted, isVersioned: true },
    schema: {
      operationId: 'getRequest',
      summary: 'Read a request of the last seven days, the newest with this id',
      description: 'Use it with the `request_id` of a problem, to see which call it was.',
      tags,
      params: pathId('req'),
      response: { 200: requestSchema.meta({ description: 'The request.' }) },
    },
    handler: async (request) => requestObject(noted.of(request)),
  })
}

type Row = Selectable<Database['request_log']>

function requestObject(row: Row): z.infer<typeof requestSchema> {
  return {
    id: row.id,
    object: 'request',
    livemode: row.livemode,
    workspace_id: row.workspace_id,
    key_id: row.key_id,
    method: row.method,
    route: row.route,
    status: row.status,
    reason: row.reason,
    outcome: row.outcome,
    duration_ms: row.duration_ms,
    represents: row.represents,
    created_at: time(row.created_at),
  }
}

function reachable({ db }: Pick<Deps, 'db'>, principal: Principal) {
  return db.selectFrom('request_log').selectAll().where(withinReach(principal))
}

/** The newest with this id: a client may repeat its own. */
async function find(deps: Deps, principal: Principal, id: string): Promise<Row> {
  const row = await reachable(deps, principal)
    .where(sql<SqlBool>`lower(id) = ${id.toLowerCase()}`)
    .where('id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}
