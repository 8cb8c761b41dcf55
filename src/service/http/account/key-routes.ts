import { Problem } from '../../errors.ts'
import { actorOf, newKeyId, revokeApiKey } from '../../security/api-keys.ts'
import { listOf, listQuery, pathId, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { olderThan } from '../rules/filters.ts'
import { listPage } from '../rules/lists.ts'
import { once } from '../rules/once.ts'
import { resource } from '../rules/resources/resource.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { createKey } from './create-key.ts'
import {
  createKeyBody,
  findKey,
  keyObject,
  keySchema,
  keyWithSecretSchema,
  reachableKeys,
} from './key-schema.ts'

type Deps = Pick<RouteDeps, 'clock' | 'db' | 'pepper' | 'secrets' | 'store' | 'workspaces'>

const tags = ['Keys']

export function keyRoutes(app: App, deps: Deps): void {
  ownRoute(app, deps)
  createRoute(app, deps)
  listRoute(app, deps)
  readRoute(app, deps)
  revokeRoute(app, deps)
}

function ownRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/key',
    config: { collectionScope: null, isVersioned: true },
    schema: {
      operationId: 'getKey',
      summary: 'Read this key and its scopes',
      description: 'Use it to find out what the key in use is and may do. Any key may call it.',
      tags,
      response: { 200: keySchema.meta({ description: 'The key that made the request.' }) },
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
}

function createRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/keys',
    config: {
      collectionScope: 'keys:write',
      isOnce: true,
      problems: ['not_found', 'limit_reached', 'operator_not_yours'],
    },
    schema: {
      operationId: 'createKey',
      summary: 'Create a key of this mode that may do no more than this one',
      description:
        'The answer shows the key itself, only this once. A repeat with the same Idempotency-Key returns `key: null`. The new key has no scope that the calling key does not have, reaches no other workspace, has the same mode and ends no later. It belongs to the operator of the calling key or to none, never to another operator.',
      tags,
      body: createKeyBody,
      response: {
        201: keyWithSecretSchema.meta({ description: 'The new key, with the key itself.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      let key: string | null = null
      const row = await once(deps, {
        request,
        reply,
        newId: newKeyId,
        make: async (id) => {
          key = await createKey(deps, caller, request.body, id)
          return id
        },
        read: (id) => findKey(deps.db, caller.principal, id),
      })
      reply.code(201).header('location', `/v1/keys/${row.id}`)
      return { ...keyObject(row, caller.principal), key }
    },
  })
}

function listRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/keys',
    config: { collectionScope: 'workspaces:read' },
    schema: {
      operationId: 'listKeys',
      summary: "List the organization's keys of this mode, newest first, without their secrets",
      description:
        'Revoked and expired keys are listed too. A key of one workspace sees only the keys of that workspace.',
      tags,
      querystring: listQuery({}),
      response: { 200: listOf(keySchema, 'A page of keys, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      return listPage({
        deps,
        principal,
        route: '/v1/keys',
        query: request.query,
        read: ({ after, limit }) =>
          reachableKeys(deps.db, principal)
            .where(olderThan(after))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute(),
        sortKey: (row) => [time(row.created_at), row.id],
        item: (row) => keyObject(row, principal),
      })
    },
  })
}

function readRoute(app: App, deps: Deps): void {
  const key = resource('workspaces:read', ({ principal }, id) => findKey(deps.db, principal, id))
  app.route({
    method: 'GET',
    url: '/v1/keys/:id',
    config: { resource: key, isVersioned: true },
    schema: {
      operationId: 'getKeyById',
      summary: "Read one of the organization's keys, without its secret",
      description: 'Use it to see whether a key is still in use before you revoke it.',
      tags,
      params: pathId('key'),
      response: { 200: keySchema.meta({ description: 'The key.' }) },
    },
    handler: async (request) => keyObject(key.of(request), authenticated(request).principal),
  })
}

function revokeRoute(app: App, deps: Deps): void {
  const key = resource('keys:write', ({ principal }, id) => findKey(deps.db, principal, id))
  app.route({
    method: 'DELETE',
    url: '/v1/keys/:id',
    // A leaked key must be revocable at any time.
    config: { resource: key, whileSuspended: true },
    schema: {
      operationId: 'revokeKey',
      summary: 'Revoke a key, everywhere within 5 seconds',
      description:
        'Revoking a revoked key changes nothing and answers the same. A key may revoke itself: it may keep working for up to 5 seconds. Keys that it created stay.',
      tags,
      params: pathId('key'),
      response: { 200: keySchema.meta({ description: 'The revoked key.' }) },
    },
    handler: async (request) => {
      const { principal, requestId } = authenticated(request)
      const { id } = request.params
      await revokeApiKey(deps, id, { actor: actorOf(principal), requestId })
      return keyObject(await findKey(deps.db, principal, id), principal)
    },
  })
}
