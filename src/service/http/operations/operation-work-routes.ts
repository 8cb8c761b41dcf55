import { z } from 'zod'
import { instant } from '../../domain/decider.ts'
import { shownComment } from '../../domain/operation/shown-operation.ts'
import { type Comment, commentsMax, snoozeDaysMax } from '../../domain/operation/work.ts'
import { operationOf } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import {
  assignOperation,
  commentOnOperation,
  snoozeOperation,
} from '../../processes/work/operation-work.ts'
import { newCommentId } from '../new-ids.ts'
import { exampleAssignment, exampleComment, exampleSnooze } from '../openapi/examples.ts'
import { idOf, listOf, listQuery, noteLengthMax, pathId, proseText } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { listPage } from '../rules/lists.ts'
import { once } from '../rules/once.ts'
import type { App } from '../server-deps.ts'
import { type FoundOperation, findOperation } from './find-operation.ts'
import { actOf, foundObject, type OperationDeps, operationResource } from './operation-act.ts'
import { commentSchema, operationSchema } from './operation-schema.ts'
import { notesInComments, ownerNotes, platformNotes } from './operator-notes.ts'

const tags = ['Operations']

/** How people share the work on operations: none of it changes reconciliation. */
export function operationWorkRoutes(app: App, deps: OperationDeps): void {
  assignRoute(app, deps)
  snoozeRoute(app, deps)
  commentRoute(app, deps)
  commentsRoute(app, deps)
}

function assignRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/assign',
    config: {
      resource: operation,
      whileSuspended: true,
      isVersioned: true,
      problems: ['operation_full'],
    },
    schema: {
      operationId: 'assignOperation',
      summary: 'Give an operation to an operator',
      description:
        "The operator must be an active one of the key's organization; `null` gives the operation back. Nothing else changes: anyone with the scope may still decide it. It keeps its operator when it is resolved. The same operator again changes nothing.",
      tags,
      params: pathId('op'),
      body: z
        .strictObject({
          operator_id: idOf('opr').nullable().meta({
            description: 'The operator to assign it to. `null` unassigns it.',
          }),
        })
        .meta({ description: 'The operator.', examples: [exampleAssignment] }),
      response: { 200: operationSchema.meta({ description: 'The operation with its operator.' }) },
    },
    handler: async (request) => {
      const found = operation.of(request)
      const caller = authenticated(request)
      const act = await actOf(deps, caller, found)
      const order = {
        operatorId: request.body.operator_id,
        organizationIds: [caller.principal.organizationId],
      }
      return await foundObject(
        deps,
        caller,
        found,
        await assignOperation(deps.processes, act, order),
      )
    },
  })
}

function snoozeRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/snooze',
    config: {
      resource: operation,
      whileSuspended: true,
      isVersioned: true,
      problems: ['operation_not_settled', 'operation_already_resolved', 'operation_full'],
    },
    schema: {
      operationId: 'snoozeOperation',
      summary: 'Put an operation off until a time',
      description: `Only lists change: until then the operation is in \`snoozed=true\` and not in \`snoozed=false\`. Reconciliation goes on, and anyone with the scope may decide it. It ends by itself at that time, and earlier if the operation comes into review, is contradicted or is resolved. At most ${snoozeDaysMax} days; \`null\` ends it now.`,
      tags,
      params: pathId('op'),
      body: z
        .strictObject({
          until: z.iso
            .datetime({ offset: true })
            .nullable()
            .meta({
              description: `Until when, on the workspace's clock, at most ${snoozeDaysMax} days ahead: RFC 3339, with an offset or \`Z\`. \`null\`: not any longer.`,
              example: exampleSnooze.until,
            }),
        })
        .meta({ description: 'Until when it is put off.', examples: [exampleSnooze] }),
      response: { 200: operationSchema.meta({ description: 'The operation, put off.' }) },
    },
    handler: async (request) => {
      const found = operation.of(request)
      const caller = authenticated(request)
      const act = await actOf(deps, caller, found)
      const { until } = request.body
      const at = until === null ? null : instant(until)
      return await foundObject(deps, caller, found, await snoozeOperation(deps.processes, act, at))
    },
  })
}

function commentRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/comments',
    config: {
      resource: operation,
      whileSuspended: true,
      isOnce: true,
      problems: ['operation_full', 'personal_data_erased'],
    },
    schema: {
      operationId: 'createOperationComment',
      summary: 'Comment on an operation',
      description: `The text is kept encrypted outside the ledger, and an erasure of the shipment's person keeps it, unless \`include_notes\` asks for that too: do not write more about the person than the work needs. An operation takes ${commentsMax} comments.`,
      tags,
      params: pathId('op'),
      body: z
        .strictObject({
          text: proseText(noteLengthMax).meta({
            description: `The remark, in at most ${noteLengthMax} characters; lines are kept.`,
          }),
        })
        .meta({ description: 'The remark.', examples: [{ text: exampleComment.text }] }),
      response: { 201: commentSchema.meta({ description: 'The new comment.' }) },
    },
    handler: async (request, reply) => {
      const found = operation.of(request)
      const caller = authenticated(request)
      const { text } = request.body
      let made: Snapshot | null = null
      const comment = await once(deps, {
        request,
        reply,
        newId: newCommentId,
        make: async (commentId) => {
          const act = await actOf(deps, caller, found)
          made = await commentOnOperation(deps.processes, act, { commentId, text })
          return commentId
        },
        read: async (commentId) => {
          const now =
            made ?? (await findOperation(deps, caller.principal, request.params.id)).snapshot
          return commentIn(now, found, commentId)
        },
      })
      reply.code(201)
      const shown = await shownComments(deps, caller, found, [comment])
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

async function shownComments(
  deps: OperationDeps,
  { principal }: ReturnType<typeof authenticated>,
  { operation, isMasked }: FoundOperation,
  comments: readonly Comment[],
) {
  const asked = notesInComments(comments)
  const notes = isMasked
    ? await platformNotes(deps, asked, principal.organizationId)
    : await ownerNotes(deps, asked)
  const of = { livemode: principal.livemode, operationId: operation.operationId }
  return comments.map((comment) => shownComment(comment, of, notes))
}

function commentsRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/operations/:id/comments',
    config: { resource: operation },
    schema: {
      operationId: 'listOperationComments',
      summary: 'List the comments on an operation, oldest first',
      description: 'All of them; the operation itself shows only the newest.',
      tags,
      params: pathId('op'),
      querystring: listQuery({}),
      response: { 200: listOf(commentSchema, 'A page of comments, oldest first.') },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const { id } = request.params
      const found = operation.of(request)
      const { comments } = found.operation
      const page = await listPage({
        deps,
        principal: caller.principal,
        route: `/v1/operations/${id}/comments`,
        query: request.query,
        read: async ({ after, limit }) => {
          const from = after === null ? 0 : Number(after[0]) + 1
          return [...comments.entries()].slice(from, from + limit)
        },
        sortKey: ([place]) => [String(place)],
        item: ([, comment]) => comment,
      })
      return { ...page, data: await shownComments(deps, caller, found, page.data) }
    },
  })
}
