import { z } from 'zod'
import type { App, HttpDeps } from '../deps.ts'
import { newConnectionId } from '../new-ids.ts'
import { listOf, listQuery, pathId, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { answerRead } from '../rules/etag.ts'
import { equals, findNamed, matching, named, olderThan, parametersOf } from '../rules/filters.ts'
import { madeOnce, readMade } from '../rules/idempotent-answers.ts'
import { listPage } from '../rules/lists.ts'
import { changeConnection, createConnection, deleteConnection } from './connection-changes.ts'
import {
  changeConnectionBody,
  connectionObject,
  connectionResource,
  connectionSchema,
  connectionStatuses,
  createConnectionBody,
  findConnection,
  providerCodeLengthMax,
  reachableConnections,
} from './connections.ts'
import { verifyConnection } from './verify-connection.ts'

const tags = ['Courier connections']

/** PostgreSQL text cannot hold a NUL; a query with one would fail. */
const providerCode = z
  .string()
  .max(providerCodeLengthMax)
  .refine((code) => !code.includes('\0'))

const filters = {
  workspace_id: named.workspace_id,
  provider_code: equals(providerCode, 'provider_code'),
  status: equals(z.enum(connectionStatuses), 'status'),
}

export function courierConnectionRoutes(app: App, deps: HttpDeps): void {
  createRoute(app, deps)
  readRoutes(app, deps)
  changeRoutes(app, deps)
  verifyRoute(app, deps)
}

function createRoute(app: App, deps: HttpDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/courier-connections',
    config: {
      collectionScope: 'connections:write',
      isOnce: true,
      problems: ['not_found', 'courier_not_available', 'plan_limit_reached'],
    },
    schema: {
      operationId: 'createCourierConnection',
      summary: 'Connect a courier account to a workspace',
      tags,
      body: createConnectionBody,
      response: { 201: connectionSchema },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const once = await madeOnce({
        deps,
        request,
        principal: caller.principal,
        route: 'POST /v1/courier-connections',
        newId: newConnectionId,
        make: (id) => createConnection(deps, caller, request.body, id),
      })
      const row = await readMade(once, (id) => findConnection(deps, caller.principal, id))
      if (once.replayed) reply.header('idempotent-replayed', 'true')
      reply.header('location', `/v1/courier-connections/${row.id}`)
      return reply.code(201).send(connectionObject(row))
    },
  })
}

function readRoutes(app: App, deps: HttpDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/courier-connections',
    config: { collectionScope: 'connections:read', problems: ['not_found'] },
    schema: {
      operationId: 'listCourierConnections',
      summary: 'List courier connections, newest first',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(connectionSchema) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await findNamed(filters, query, deps, principal)
      return listPage({
        deps,
        principal,
        route: '/v1/courier-connections',
        query,
        read: (after, limit) =>
          reachableConnections(deps.db, principal)
            .where(matching(filters, query, after))
            .where(olderThan(after))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute(),
        sortKey: (row) => [time(row.created_at), row.id],
        item: connectionObject,
      })
    },
  })
  const connection = connectionResource(deps, 'connections:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-connections/:id',
    config: { resource: connection, headers: ['if-none-match'] },
    schema: {
      operationId: 'getCourierConnection',
      summary: 'Read a courier connection',
      tags,
      params: pathId('ccn'),
      response: { 200: connectionSchema },
    },
    handler: async (request, reply) => answerRead(reply, connectionObject(connection.of(request))),
  })
}

function changeRoutes(app: App, deps: HttpDeps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/courier-connections/:id',
    config: {
      resource: connectionResource(deps, 'connections:write'),
      // Without accepted credentials, the operations already begun cannot be reconciled.
      whileSuspended: true,
      headers: ['if-match'],
      problems: ['precondition_failed'],
    },
    schema: {
      operationId: 'updateCourierConnection',
      summary: 'Rename, rotate the credentials, disable or enable',
      tags,
      params: pathId('ccn'),
      body: changeConnectionBody,
      response: { 200: connectionSchema },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const row = await changeConnection(deps, caller, request, request.body)
      return answerRead(reply, connectionObject(row))
    },
  })
  app.route({
    method: 'DELETE',
    url: '/v1/courier-connections/:id',
    config: {
      resource: connectionResource(deps, 'connections:write'),
      headers: ['if-match'],
      problems: ['connection_in_use', 'precondition_failed'],
    },
    schema: {
      operationId: 'deleteCourierConnection',
      summary: 'Remove a connection that has no unresolved operation',
      tags,
      params: pathId('ccn'),
      response: { 204: z.null().meta({ description: 'The connection is gone' }) },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      await deleteConnection(deps, caller, request)
      return reply.code(204).send(null)
    },
  })
}

function verifyRoute(app: App, deps: HttpDeps): void {
  const connection = connectionResource(deps, 'connections:write')
  app.route({
    method: 'POST',
    url: '/v1/courier-connections/:id/verify',
    config: {
      resource: connection,
      headers: ['sandbox-scenario'],
      problems: [
        'courier_not_available',
        'courier_rejected',
        'courier_throttled',
        'courier_unreachable',
        'sandbox_only',
        'unknown_scenario',
      ],
    },
    schema: {
      operationId: 'verifyCourierConnection',
      summary: 'Ask the courier whether it accepts the credentials',
      description:
        'Answers 200 either way: `status` is `active` or, when the courier refuses the credentials, `needs_reauth`.',
      tags,
      params: pathId('ccn'),
      response: { 200: connectionSchema },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const row = await verifyConnection(deps, caller, request, connection.of(request))
      return answerRead(reply, connectionObject(row))
    },
  })
}
