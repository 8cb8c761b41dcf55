import type { App } from '../api-services.ts'
import { listOf, listQuery, pathId } from '../openapi/schemas.ts'
import { answerList } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import { commentsToApi, type OperationDeps, operationResource } from './operation-act.ts'
import { commentSchema } from './operation-schema.ts'

export function listOperationCommentsRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/operations/:id/comments',
    config: { resource: operation },
    schema: {
      operationId: 'listOperationComments',
      summary: 'List the comments on an operation, oldest first',
      description: 'Lists all comments; the operation itself shows only the newest.',
      tags: ['Operations'],
      params: pathId('op'),
      querystring: listQuery({}),
      response: { 200: listOf(commentSchema, 'A page of comments, oldest first.') },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const found = operation.of(request)
      const { comments } = found.operation
      return await answerList(request, deps, {
        read: async ({ after, limit }) => {
          const from = after === null ? 0 : Number(after[0]) + 1
          return [...comments.entries()].slice(from, from + limit)
        },
        sortKey: ([place]) => [String(place)],
        show: (rows) =>
          commentsToApi(
            deps,
            caller,
            found,
            rows.map(([, comment]) => comment),
          ),
      })
    },
  })
}
