import { z } from 'zod'
import { instant, rfc3339 } from '../../domain/decider.ts'
import { type WebhookType, webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { Problem } from '../../errors.ts'
import { takeTurn } from '../../processes/due/turn.ts'
import { laneMax } from '../../webhooks/claim.ts'
import { sendExample } from '../../webhooks/example.ts'
import { countRecoverable, recover, recoveryLimits } from '../../webhooks/recovery.ts'
import { deliveryId } from '../../webhooks/store-webhooks.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { newWebhookEventId } from '../new-ids.ts'
import { idOf, pathId, timestamp, typeOf } from '../openapi/schemas.ts'
import { exampleEvent, exampleRecovery } from '../openapi/webhook-examples.ts'
import { authenticated } from '../rules/authenticate.ts'
import { once } from '../rules/once.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import {
  deliveryObject,
  deliverySchema,
  findDelivery,
} from '../webhook-deliveries/webhook-delivery-schema.ts'
import { workspaceNow } from './webhook-endpoint-changes.ts'
import { type EndpointRow, endpoints } from './webhook-endpoint-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'secrets' | 'store' | 'webhookSealer'>

const tags = ['Webhook endpoints']

/** At most one example per endpoint in this time: examples are sent by hand. */
const exampleApartMs = 1_000
/** The longest range that one call covers. */
const recoverDaysMax = 14
const dayMs = 24 * 60 * 60 * 1_000

export function webhookEndpointActs(app: App, deps: Deps): void {
  testRoute(app, deps)
  recoverRoute(app, deps)
  recoverableRoute(app, deps)
}

function testRoute(app: App, deps: Deps): void {
  const endpoint = endpoints.resource(deps, 'webhooks:write')
  app.route({
    method: 'POST',
    url: '/v1/webhook-endpoints/:id/test',
    config: {
      resource: endpoint,
      isOnce: true,
      problems: ['endpoint_disabled'],
    },
    schema: {
      operationId: 'testWebhookEndpoint',
      summary: 'Send an example event to this endpoint',
      description:
        'The type need not be subscribed to. At most one example a second. It is sent at once, even while the endpoint is paused, and signed and retried like any other event. `sequence` is null, and the ids in `data` belong to no real object.',
      tags,
      params: pathId('whe'),
      body: z
        .strictObject({
          type: z.enum(webhookTypeNames).meta({
            description: 'The type of the example. The endpoint need not subscribe to it.',
          }),
        })
        .meta({ description: 'Which example to send.', examples: [{ type: 'shipment.created' }] }),
      response: {
        202: deliverySchema.meta({
          description: 'The delivery of the example. Read it again to see how it ended.',
        }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const row = endpoint.of(request)
      const { type } = request.body
      const delivery = await once(deps, {
        request,
        reply,
        newId: newWebhookEventId,
        make: (eventId) => makeExample(deps, caller, row, { eventId, type }),
        read: (eventId) => findDelivery(deps, caller.principal, deliveryId(eventId, row.id)),
      })
      return reply.code(202).send(deliveryObject(delivery, deps.webhookSealer))
    },
  })
}

/** Sends the example unless an earlier try has. Returns the id of its event. */
async function makeExample(
  deps: Deps,
  { requestId }: Caller,
  row: EndpointRow,
  { eventId, type }: { readonly eventId: string; readonly type: WebhookType },
): Promise<string> {
  const made = await deps.db
    .selectFrom('webhook_events')
    .select('id')
    .where('id', '=', eventId)
    .where('organization_id', '=', row.organization_id)
    .executeTakeFirst()
  if (made !== undefined) return eventId
  if (row.status === 'disabled') throw new Problem('endpoint_disabled')
  await takeTurn(deps.db, {
    work: `webhook-example:${row.id}`,
    apartMs: exampleApartMs,
    detail: `An endpoint gets at most one example in ${exampleApartMs / 1_000} s.`,
  })
  const event = exampleEvent(type, {
    id: eventId,
    at: (await workspaceNow(deps, row)).getTime(),
    livemode: row.livemode,
    workspaceId: row.workspace_id,
    requestId,
  })
  const isSent = await sendExample(deps.db, row, event)
  if (!isSent) throw new Problem('endpoint_disabled')
  return eventId
}

const recoveryRange = z
  .strictObject({
    since: z.iso.datetime({ offset: true }).meta({
      description: 'The start of the period, inclusive: RFC 3339, with an offset or `Z`.',
      example: exampleRecovery.since,
    }),
    until: z.iso.datetime({ offset: true }).meta({
      description: `The end of the period, exclusive, at most ${recoverDaysMax} days after \`since\`: RFC 3339, with an offset or \`Z\`.`,
      example: exampleRecovery.until,
    }),
  })
  .superRefine(({ since, until }, context) => {
    const lengthMs = instant(until) - instant(since)
    if (lengthMs > 0 && lengthMs <= recoverDaysMax * dayMs) return
    const message =
      lengthMs > 0 ? `At most ${recoverDaysMax} days after since.` : 'It must be after since.'
    context.addIssue({
      code: 'custom',
      path: ['until'],
      message,
      params: { reason: 'invalid_range' },
    })
  })
  .meta({
    description: "The period, on the workspace's clock.",
    examples: [{ since: exampleRecovery.since, until: exampleRecovery.until }],
  })

/** The period that was asked for, as answers show it. */
const period = {
  endpoint_id: idOf('whe').meta({ description: 'The endpoint that missed events.' }),
  since: timestamp.meta({ description: 'The start of the period, inclusive.' }),
  until: timestamp.meta({ description: 'The end of the period, exclusive.' }),
}

const recoverySchema = z
  .object({
    object: typeOf('webhook_recovery'),
    ...period,
    recovered: z.int().meta({ description: 'How many deliveries this call made pending.' }),
    has_more: z
      .boolean()
      .meta({ description: 'Whether the call stopped before the end of the period.' }),
    next_since: timestamp.nullable().meta({
      description: 'The `since` to continue with. `null` unless `has_more`.',
    }),
  })
  .meta({
    id: 'WebhookRecovery',
    description: 'What a recovery sends again.',
    examples: [exampleRecovery],
  })

function recoverRoute(app: App, deps: Deps): void {
  const endpoint = endpoints.resource(deps, 'webhooks:write')
  app.route({
    method: 'POST',
    url: '/v1/webhook-endpoints/:id/recover',
    config: {
      resource: endpoint,
      whileSuspended: true,
      problems: ['endpoint_disabled'],
    },
    schema: {
      operationId: 'recoverWebhookEndpoint',
      summary: 'Resend the events of a period that an endpoint missed',
      description: `Resends every event of the workspace from \`since\` on and before \`until\`, on its clock, that the endpoint now subscribes to and that is neither delivered nor pending: dead and discarded deliveries as well as events never sent to it. Bytes and ids are the original ones. ${laneMax} of them are sent at once, even while the endpoint is paused; a success ends the pause and the rest follows. At most ${recoverDaysMax} days and ${recoveryLimits.recoveredMax} events a call, oldest first; while \`has_more\`, repeat with \`next_since\`. Repeating is safe.`,
      tags,
      params: pathId('whe'),
      body: recoveryRange,
      response: {
        202: recoverySchema.meta({ description: 'What is sent again, in the background.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const row = endpoint.of(request)
      if (row.status === 'disabled') throw new Problem('endpoint_disabled')
      const since = new Date(request.body.since)
      const until = new Date(request.body.until)
      const range = { since: rfc3339(since.getTime()), until: rfc3339(until.getTime()) }
      await auditAct(deps, caller, row.workspace_id, {
        type: 'WebhookPeriodRecovered',
        data: { webhook_endpoint_id: row.id, ...range },
      })
      const done = await recover(deps.db, {
        endpointId: row.id,
        workspaceId: row.workspace_id,
        since,
        until,
        now: await workspaceNow(deps, row),
      })
      if (done === 'endpoint_disabled') throw new Problem('endpoint_disabled')
      return reply.code(202).send({
        object: 'webhook_recovery',
        endpoint_id: row.id,
        ...range,
        recovered: done.recovered,
        has_more: done.nextSince !== null,
        next_since: done.nextSince === null ? null : rfc3339(done.nextSince.getTime()),
      })
    },
  })
}

const recoverableSchema = z
  .object({
    object: typeOf('webhook_recoverable'),
    ...period,
    count: z.int().meta({
      description: 'How many events a recovery of the period would send again now.',
    }),
    is_complete: z.boolean().meta({
      description: `\`false\` if the period has more than ${recoveryLimits.readMax} events: only the first ones were counted.`,
    }),
  })
  .meta({
    id: 'WebhookRecoverable',
    description: 'What a recovery would send again.',
  })

function recoverableRoute(app: App, deps: Deps): void {
  const endpoint = endpoints.resource(deps, 'webhooks:read')
  app.route({
    method: 'GET',
    url: '/v1/webhook-endpoints/:id/recoverable',
    config: { resource: endpoint },
    schema: {
      operationId: 'countRecoverableWebhookEndpoint',
      summary: 'Count the events of a period that an endpoint missed',
      description:
        'What `recover` with the same range would resend if it were called now. It changes nothing.',
      tags,
      params: pathId('whe'),
      querystring: recoveryRange,
      response: { 200: recoverableSchema.meta({ description: 'The count.' }) },
    },
    handler: async (request) => {
      const row = endpoint.of(request)
      const since = new Date(request.query.since)
      const until = new Date(request.query.until)
      const { count, isComplete } = await countRecoverable(deps.db, {
        endpointId: row.id,
        workspaceId: row.workspace_id,
        since,
        until,
        eventTypes: row.event_types,
      })
      return {
        object: 'webhook_recoverable' as const,
        endpoint_id: row.id,
        since: rfc3339(since.getTime()),
        until: rfc3339(until.getTime()),
        count,
        is_complete: isComplete,
      }
    },
  })
}
