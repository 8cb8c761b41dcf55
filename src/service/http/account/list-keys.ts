import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { App } from '../api-services.ts'
import { listOf, listQuery } from '../openapi/schemas.ts'
import { type ListDeps, listNewestFirst } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import { filter, parametersOf } from '../rules/filters.ts'
import { keyObject, keySchema, reachableKeys } from './key-schema.ts'

const filters = {
  from_sign_in: filter(
    z.enum(['true', 'false']).meta({
      description:
        '`true`: only keys that a sign-in to the console created. `false`: only the others.',
    }),
    (value) => sql<SqlBool>`from_sign_in = ${value === 'true'}`,
  ),
}

export function listKeysRoute(app: App, deps: ListDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/keys',
    config: { collectionScope: 'workspaces:read' },
    schema: {
      operationId: 'listKeys',
      summary: "List the organization's keys of this mode, newest first, without their secrets",
      description:
        'Revoked and expired keys are listed too. A key of one workspace sees only the keys of that workspace.',
      tags: ['Keys'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(keySchema, 'A page of keys, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      return listNewestFirst(deps, request, filters, {
        rows: reachableKeys(deps.db, principal),
        show: (rows) => rows.map((row) => keyObject(row, principal)),
      })
    },
  })
}
