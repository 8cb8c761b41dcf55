import { z } from 'zod'
import { shownConnection } from '../../processes/connections/shown-connection.ts'
import { named } from '../named-filters.ts'
import { newConnectionId } from '../new-ids.ts'
import { listOf, listQuery, pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { equals, type FindDeps, parametersOf } from '../rules/filters.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import {
  type ChangeDeps,
  changeConnection,
  createConnection,
  deleteConnection,
} from './connection-changes.ts'
import {
  changeConnectionBody,
  connectionSchema,
  connectionStatuses,
  connections,
  createConnectionBody,
  providerCodeLengthMax,
} from './connection-schema.ts'
import { type VerifyDeps, verifyConnection } from './verify-connection.ts'

type Deps = ChangeDeps & VerifyDeps & FindDeps & Pick<RouteDeps, 'secrets'>

const tags = ['Courier connections']

/** PostgreSQL text cannot hold a NUL; a query with one would fail. */
const providerCode = z
  .string()
  .max(providerCodeLengthMax)
  .refine((code) => !code.includes('\0'))
  .meta({ description: 'Only connections to this courier, by its code.', example: 'mock' })

const filters = {
  workspace_id: named.workspace_id,
  provider_code: equals(providerCode, 'provider_code'),
  status: equals(
    z.enum(connectionStatuses).meta({ description: 'Only connections in this status.' }),
    'status',
  ),
}

export function courierConnectionRoutes(app: App, deps: Deps): void {
  createRoute(app, deps)
  readRoutes(app, deps)
  changeRoutes(app, deps)
  verifyRoute(app, deps)
}

function createRoute(app: App, deps: Deps): void {
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
      description:
        'Call it once for each account of a shop. The credentials are checked at the first use; `verify` checks them now. 422 `courier_not_available`: no courier of this code for the mode of the key. 403 `plan_limit_reached`: the plan allows no more connections.',
      tags,
      body: createConnectionBody,
      response: { 201: connectionSchema.meta({ description: 'The new connection.' }) },
    },
    handler: async (request, reply) => {
      const row = await connections.create(deps, request, reply, {
        newId: newConnectionId,
        make: (id) => createConnection(deps, authenticated(request), request.body, id),
      })
      return shownConnection(row)
    },
  })
}

function readRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/courier-connections',
    config: { collectionScope: 'connections:read', problems: ['not_found'] },
    schema: {
      operationId: 'listCourierConnections',
      summary: 'List courier connections, newest first',
      description: 'Removed connections are not listed.',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(connectionSchema, 'A page of courier connections, newest first.') },
    },
    handler: (request) => connections.page(deps, request, filters, shownConnection),
  })
  const connection = connections.resource(deps, 'connections:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-connections/:id',
    config: { resource: connection, isVersioned: true },
    schema: {
      operationId: 'getCourierConnection',
      summary: 'Read a courier connection',
      description: 'Use it to see whether the courier still accepts the credentials.',
      tags,
      params: pathId('ccn'),
      response: { 200: connectionSchema.meta({ description: 'The connection.' }) },
    },
    handler: async (request) => shownConnection(connection.of(request)),
  })
}

function changeRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/courier-connections/:id',
    config: {
      resource: connections.resource(deps, 'connections:write'),
      // Without accepted credentials, the operations already begun cannot be reconciled.
      whileSuspended: true,
      isVersioned: true,
    },
    schema: {
      operationId: 'updateCourierConnection',
      summary: 'Rename, rotate the credentials, disable or enable',
      description:
        'After a 424 `connection_needs_reauth`, send new `credentials` here and repeat the creation with the same key. With `If-Match`, 412 `precondition_failed` if the connection has changed since you read it.',
      tags,
      params: pathId('ccn'),
      body: changeConnectionBody,
      response: { 200: connectionSchema.meta({ description: 'The connection after the change.' }) },
    },
    handler: (request) =>
      connections.change(deps, request, async (row) =>
        shownConnection(await changeConnection(deps, authenticated(request), row, request.body)),
      ),
  })
  app.route({
    method: 'DELETE',
    url: '/v1/courier-connections/:id',
    config: {
      resource: connections.resource(deps, 'connections:write'),
      isVersioned: true,
      problems: ['connection_in_use'],
    },
    schema: {
      operationId: 'deleteCourierConnection',
      summary: 'Remove a connection that has no unresolved operation',
      description:
        'Its shipments stay readable. 409 `connection_in_use`: an operation still needs the connection to ask the courier; wait until it is resolved. To stop creations at once, set `status` to `disabled` instead.',
      tags,
      params: pathId('ccn'),
      response: { 204: z.null().meta({ description: 'The connection is removed.' }) },
    },
    handler: async (request, reply) => {
      await connections.change(deps, request, (row) =>
        deleteConnection(deps, authenticated(request), row),
      )
      return reply.code(204).send(null)
    },
  })
}

function verifyRoute(app: App, deps: Deps): void {
  const connection = connections.resource(deps, 'connections:write')
  app.route({
    method: 'POST',
    url: '/v1/courier-connections/:id/verify',
    config: {
      resource: connection,
      isVersioned: true,
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
        'Use it after entering credentials. It answers 200 either way: `status` is `active` or, if the courier refuses the credentials, `needs_reauth`. Repeating it is safe. 503 `courier_unreachable` says nothing about the credentials.',
      tags,
      params: pathId('ccn'),
      response: {
        200: connectionSchema.meta({ description: 'The connection, with what the courier said.' }),
      },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const row = await verifyConnection(deps, caller, request, connection.of(request))
      return shownConnection(row)
    },
  })
}
