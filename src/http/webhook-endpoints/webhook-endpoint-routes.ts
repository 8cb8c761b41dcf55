import { z } from 'zod'
import { secretText } from '../../webhooks/sign.ts'
import type { App, HttpDeps } from '../deps.ts'
import { newWebhookEndpointId } from '../new-ids.ts'
import { listOf, listQuery, pathId, time, timeOrNull } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { answerRead } from '../rules/etag.ts'
import { equals, findNamed, matching, named, olderThan, parametersOf } from '../rules/filters.ts'
import { madeOnce, readMade } from '../rules/idempotent-answers.ts'
import { listPage } from '../rules/lists.ts'
import { webhookEndpointActs } from './webhook-endpoint-acts.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  rotateSecret,
} from './webhook-endpoint-changes.ts'
import {
  changeEndpointBody,
  createEndpointBody,
  endpointObject,
  endpointResource,
  endpointSchema,
  endpointStatuses,
  endpointWithSecretSchema,
  findEndpoint,
  reachableEndpoints,
} from './webhook-endpoints.ts'

const tags = ['Webhook endpoints']

const filters = {
  workspace_id: named.workspace_id,
  status: equals(z.enum(endpointStatuses), 'status'),
}

export function webhookEndpointRoutes(app: App, deps: HttpDeps): void {
  createRoute(app, deps)
  readRoutes(app, deps)
  changeRoutes(app, deps)
  rotateRoute(app, deps)
  webhookEndpointActs(app, deps)
}

function createRoute(app: App, deps: HttpDeps): void {
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
      response: { 201: endpointWithSecretSchema },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      let secret: Buffer | null = null
      const once = await madeOnce({
        deps,
        request,
        principal: caller.principal,
        route: 'POST /v1/webhook-endpoints',
        newId: newWebhookEndpointId,
        make: async (id) => {
          secret = await createEndpoint(deps, caller, request.body, id)
          return id
        },
      })
      const row = await readMade(once, (id) => findEndpoint(deps, caller.principal, id))
      if (once.replayed) reply.header('idempotent-replayed', 'true')
      reply.code(201).header('location', `/v1/webhook-endpoints/${row.id}`)
      return {
        ...endpointObject(row),
        secret: secret === null ? null : secretText(secret),
        previous_secret_expires_at: null,
      }
    },
  })
}

function readRoutes(app: App, deps: HttpDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/webhook-endpoints',
    config: { collectionScope: 'webhooks:read', problems: ['not_found'] },
    schema: {
      operationId: 'listWebhookEndpoints',
      summary: 'List webhook endpoints, newest first',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(endpointSchema) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await findNamed(filters, query, deps, principal)
      return listPage({
        deps,
        principal,
        route: '/v1/webhook-endpoints',
        query,
        read: (after, limit) =>
          reachableEndpoints(deps.db, principal)
            .where(matching(filters, query, after))
            .where(olderThan(after))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute(),
        sortKey: (row) => [time(row.created_at), row.id],
        item: endpointObject,
      })
    },
  })
  const endpoint = endpointResource(deps, 'webhooks:read')
  app.route({
    method: 'GET',
    url: '/v1/webhook-endpoints/:id',
    config: { resource: endpoint, headers: ['if-none-match'] },
    schema: {
      operationId: 'getWebhookEndpoint',
      summary: 'Read a webhook endpoint; its secret is not shown again',
      tags,
      params: pathId('whe'),
      response: { 200: endpointSchema },
    },
    handler: async (request, reply) => answerRead(reply, endpointObject(endpoint.of(request))),
  })
}

function changeRoutes(app: App, deps: HttpDeps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/webhook-endpoints/:id',
    config: {
      resource: endpointResource(deps, 'webhooks:write'),
      // What was begun is still reported and must reach its receiver.
      whileSuspended: true,
      headers: ['if-match'],
      problems: ['precondition_failed'],
    },
    schema: {
      operationId: 'updateWebhookEndpoint',
      summary: 'Change the URL or the subscription, disable or enable',
      description:
        'Disabling discards pending deliveries, and events that happen meanwhile are not sent either; `recover` sends them later. `status: enabled` and another `url` reset earlier failures.',
      tags,
      params: pathId('whe'),
      body: changeEndpointBody,
      response: { 200: endpointSchema },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const row = await changeEndpoint(deps, caller, request, request.body)
      return answerRead(reply, endpointObject(row))
    },
  })
  app.route({
    method: 'DELETE',
    url: '/v1/webhook-endpoints/:id',
    config: {
      resource: endpointResource(deps, 'webhooks:write'),
      headers: ['if-match'],
      problems: ['precondition_failed'],
    },
    schema: {
      operationId: 'deleteWebhookEndpoint',
      summary: 'Remove an endpoint and discard its pending deliveries',
      tags,
      params: pathId('whe'),
      response: { 204: z.null().meta({ description: 'The endpoint is gone' }) },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      await deleteEndpoint(deps, caller, request)
      return reply.code(204).send(null)
    },
  })
}

/** Noted for a key whose rotation is not done yet; replaced by the endpoint afterwards. */
const notRotated = 'not_rotated_yet'

function rotateRoute(app: App, deps: HttpDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/webhook-endpoints/:id/rotate-secret',
    config: {
      resource: endpointResource(deps, 'webhooks:write'),
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
      response: { 200: endpointWithSecretSchema },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { principal } = caller
      const { id } = request.params
      let secret: Buffer | null = null
      const once = await madeOnce({
        deps,
        request,
        principal,
        route: `POST /v1/webhook-endpoints/${id}/rotate-secret`,
        newId: () => notRotated,
        make: async (noted, settle) => {
          if (noted === notRotated) secret = await rotateSecret(deps, caller, id, settle)
          return id
        },
      })
      if (once.replayed) reply.header('idempotent-replayed', 'true')
      const row = await readMade(once, (rotated) => findEndpoint(deps, principal, rotated))
      return {
        ...endpointObject(row),
        secret: secret === null ? null : secretText(secret),
        previous_secret_expires_at: timeOrNull(row.previous_until),
      }
    },
  })
}
