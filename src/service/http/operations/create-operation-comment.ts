import { z } from 'zod'
import { type Comment, commentsMax } from '../../domain/operation/work.ts'
import { operationOf } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import { commentOnOperation } from '../../processes/work/operation-work.ts'
import type { App } from '../api-services.ts'
import { newCommentId } from '../new-ids.ts'
import { exampleComment } from '../openapi/operation-examples.ts'
import { noteLengthMax, pathId, proseText } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentCreate } from '../rules/idempotent-create.ts'
import { type FoundOperation, findOperation } from './find-operation.ts'
import { actOf, commentsToApi, type OperationDeps, operationResource } from './operation-act.ts'
import { commentSchema } from './operation-schema.ts'

export function createOperationCommentRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/comments',
    config: {
      resource: operation,
      whileSuspended: true,
      isIdempotent: true,
      problems: ['operation_full', 'personal_data_erased'],
    },
    schema: {
      operationId: 'createOperationComment',
      summary: 'Comment on an operation',
      description: `The text is stored encrypted outside the ledger. Erasing the shipment's personal data keeps it unless \`include_notes\` is \`true\`, so do not write more about the person than the work needs. An operation takes at most ${commentsMax} comments.`,
      tags: ['Operations'],
      params: pathId('op'),
      body: z
        .strictObject({
          text: proseText(noteLengthMax).meta({
            description: `The comment, in at most ${noteLengthMax} characters. Line breaks are kept.`,
          }),
        })
        .meta({ description: 'The comment.', examples: [{ text: exampleComment.text }] }),
      response: { 201: commentSchema.meta({ description: 'The new comment.' }) },
    },
    handler: async (request, reply) => {
      const found = operation.of(request)
      const caller = authenticated(request)
      const { text } = request.body
      let made: Snapshot | null = null
      const comment = await idempotentCreate(deps, {
        request,
        reply,
        newId: newCommentId,
        create: async (commentId) => {
          const act = await actOf(deps, caller, found)
          made = await commentOnOperation(deps, act, { commentId, text })
          return commentId
        },
        read: async (commentId) => {
          const now =
            made ?? (await findOperation(deps, caller.principal, request.params.id)).snapshot
          return commentIn(now, found, commentId)
        },
      })
      reply.code(201)
      const shown = await commentsToApi(deps, caller, found, [comment])
      return shown[0]!
    },
  })
}

function commentIn(
  snapshot: Snapshot,
  { operation: found }: FoundOperation,
  commentId: string,
): Comment {
  const operation = operationOf(existing(snapshot), found.operationId)
  const comment = operation?.comments.find(({ id }) => id === commentId)
  if (comment === undefined) throw new Problem('not_found')
  return comment
}
