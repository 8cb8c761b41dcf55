import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { idValueLength } from '../../domain/ids.ts'
import { reasons } from '../../errors.ts'
import type { App } from '../api-services.ts'
import { filterText, idOf, listOf, listQuery } from '../openapi/schemas.ts'
import { type ListDeps, listNewestFirst } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import { createdRange, equals, filter, parametersOf } from '../rules/filters.ts'
import { beginsLoweredId, idBeginningMin } from '../search/id-beginning.ts'
import { outcomes, reachableRequests, requestObject, requestSchema } from './request-schema.ts'

const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const

const beginning = z
  .string()
  .regex(new RegExp(`^(req_)?[0-9A-Za-z]{${idBeginningMin},${idValueLength}}$`, 'i'), {
    error: `Expected the first ${idBeginningMin} to ${idValueLength} characters of an id.`,
  })
  .meta({
    description: `Only requests with this id: the whole id or at least its first ${idBeginningMin} characters, in upper or lower case, with or without \`req_\`.`,
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

export function listRequestsRoute(app: App, deps: ListDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/requests',
    config: { collectionScope: 'operations:read' },
    schema: {
      operationId: 'listRequests',
      summary: 'List the requests of the last seven days, newest first',
      description:
        'Use it to find out what a client did: route, status and time, but no bodies, queries or values in a path. For each organization and mode, each process records up to twenty successes, twenty 429 answers and twenty other errors a second, and `represents` says how many requests each stands for. A request appears about a second after its answer. The list is no evidence; the ledger is. It keeps at most the newest 200,000 requests per organization and mode. Requests without a valid key are not listed.',
      tags: ['Requests'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(requestSchema, 'A page of requests, newest first.') },
    },
    handler: async (request) =>
      listNewestFirst(deps, request, filters, {
        rows: reachableRequests(deps.db, authenticated(request).principal),
        show: (rows) => rows.map(requestObject),
      }),
  })
}
