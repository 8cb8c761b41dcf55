import { z } from 'zod'
import { secretText } from '../../webhooks/sign.ts'
import { named } from '../named-filters.ts'
import { newWebhookEndpointId } from '../new-ids.ts'
import { listOf, listQuery, pathId, timeOrNull } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { equals, type FindDeps, parametersOf } from '../rules/filters.ts'
import { type NoteMade, once } from '../rules/once.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { webhookEndpointActs } from './webhook-endpoint-acts.ts'
import {
  type ChangeDeps,
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  rotateSecret,
} from './webhook-endpoint-changes.ts'
import {
  changeEndpointBody,
  createEndpointBody,
  type EndpointRow,
  endpointObject,
  endpointSchema,
  endpointStatuses,
  endpoints,
  endpointWithSecretSchema,
} from './webhook-endpoint-schema.ts'

type Deps = ChangeDeps & FindDeps & Pick<RouteDeps, 'secrets'>

const tags = ['Webhook endpoints']

const filters = {
  workspace_id: named.workspace_id,
  status: equals(
    z.enum(endpointStatuses).meta({ description: 'Only endpoints in this status.' }),
    'status',
  ),
}

export function webhookEndpointRoutes(app: App, deps: Deps): void {
  createRoute(app, deps)
  readRoutes(app, deps)
  changeRoutes(app, deps)
  rotateRoute(app, deps)
  webhookEndpointActs(app, deps)
}

function createRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/webhook-endpoints',
    config: {
      collectionScope: 'webhooks:write',
      isOnce: true,
      problems: ['not_found', 'plan_limit_reached'],
    },
    schema: {
      operationId: 'createWebhookEndpoint',
      summary: "Have a workspace's events sent to a URL",
      description:
        'The answer shows the signing secret, only this once. A repeat with the same Idempotency-Key returns the endpoint with `secret: null`.',
      tags,
      body: createEndpointBody,
      response: {
        201: endpointWithSecretSchema.meta({ description: 'The new endpoint and its secret.' }),
      },
    },
    handler: async (request, reply) => {
      let secret: Buffer | null = null
      const row = await endpoints.create(deps, request, reply, {
        newId: newWebhookEndpointId,
        make: async (id) => {
          secret = await createEndpoint(deps, authenticated(request), request.body, id)
          return id
        },
      })
      return withSecret(row, secret, null)
    },
  })
}

function withSecret(row: EndpointRow, secret: Buffer | null, previousUntil: Date | null) {
  return {
    ...endpointObject(row),
    secret: secret === null ? null : secretText(secret),
    previous_secret_expires_at: timeOrNull(previousUntil),
  }
}

function readRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/webhook-endpoints',
    config: { collectionScope: 'webhooks:read', problems: ['not_found'] },
    schema: {
      operationId: 'listWebhookEndpoints',
      summary: 'List webhook endpoints, newest first',
      description: 'Removed endpoints are not listed.',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(endpointSchema, 'A page of webhook endpoints, newest first.') },
    },
    handler: (request) => endpoints.page(deps, request, filters, endpointObject),
  })
  const endpoint = endpoints.resource(deps, 'webhooks:read')
  app.route({
    method: 'GET',
    url: '/v1/webhook-endpoints/:id',
    config: { resource: endpoint, isVersioned: true },
    schema: {
      operationId: 'getWebhookEndpoint',
      summary: 'Read a webhook endpoint; its secret is not shown again',
      description: 'Use it to see its health, and why it is disabled.',
      tags,
      params: pathId('whe'),
      response: { 200: endpointSchema.meta({ description: 'The endpoint.' }) },
    },
    handler: async (request) => endpointObject(endpoint.of(request)),
  })
}

function changeRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/webhook-endpoints/:id',
    config: {
      resource: endpoints.resource(deps, 'webhooks:write'),
      // What was begun is still reported and must reach its receiver.
      whileSuspended: true,
      isVersioned: true,
    },
    schema: {
      operationId: 'updateWebhookEndpoint',
      summary: 'Change the URL or the subscription, disable or enable',
      description:
        'Disabling discards pending deliveries, and events that happen meanwhile are not sent either; `recover` sends them later. `status: enabled` and another `url` reset earlier failures.',
      tags,
      params: pathId('whe'),
      body: changeEndpointBody,
      response: { 200: endpointSchema.meta({ description: 'The endpoint after the change.' }) },
    },
    handler: (request) =>
      endpoints.change(deps, request, async (row) =>
        endpointObject(await changeEndpoint(deps, authenticated(request), row, request.body)),
      ),
  })
  app.route({
    method: 'DELETE',
    url: '/v1/webhook-endpoints/:id',
    config: {
      resource: endpoints.resource(deps, 'webhooks:write'),
      isVersioned: true,
    },
    schema: {
      operationId: 'deleteWebhookEndpoint',
      summary: 'Remove an endpoint and discard its pending deliveries',
      description:
        'Nothing is sent to it again. Its past deliveries stay readable. To stop for a while, set `status` to `disabled` instead: then `recover` can send later what was missed.',
      tags,
      params: pathId('whe'),
      response: { 204: z.null().meta({ description: 'The endpoint is removed.' }) },
    },
    handler: async (request, reply) => {
      await endpoints.change(deps, request, (row) =>
        deleteEndpoint(deps, authenticated(request), row),
      )
      return reply.code(204).send(null)
    },
  })
}

/** Noted for a key whose rotation is not done yet; replaced by the endpoint afterwards. */
const notRotated = 'not_rotated_yet'

function rotateRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/webhook-endpoints/:id/rotate-secret',
    config: {
      resource: endpoints.resource(deps, 'webhooks:write'),
      whileSuspended: true,
      isOnce: true,
    },
    schema: {
      operationId: 'rotateWebhookEndpointSecret',
      summary: 'Give an endpoint a new secret; the previous one also signs for 24 hours',
      description:
        'The answer shows the new secret, only this once. A repeat with the same Idempotency-Key rotates nothing and returns `secret: null`. Rotating again within the 24 hours ends the older of the two previous secrets.',
      tags,
      params: pathId('whe'),
      response: {
        200: endpointWithSecretSchema.meta({ description: 'The endpoint and its new secret.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      let secret: Buffer | null = null
      const rotate = (noteMade: NoteMade) =>
        endpoints.change(deps, request, (row) => rotateSecret(deps, caller, row, noteMade))
      const row = await once(deps, {
        request,
        reply,
        newId: () => notRotated,
        make: async (noted, noteMade) => {
          if (noted === notRotated) secret = await rotate(noteMade)
          return request.params.id
        },
        read: (id) => endpoints.find(deps, caller.principal, id),
      })
      return withSecret(row, secret, row.previous_until)
    },
  })
}
