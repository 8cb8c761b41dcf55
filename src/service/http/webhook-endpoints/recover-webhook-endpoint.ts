import { z } from 'zod'
import { rfc3339 } from '../../domain/decider.ts'
import { Problem } from '../../errors.ts'
import { workspaceNow } from '../../processes/sandbox/workspace-clock.ts'
import { inFlightPerEndpointMax } from '../../webhooks/claim-deliveries.ts'
import { recover, recoveryLimits } from '../../webhooks/recovery.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct } from '../audit-act.ts'
import { pathId, timestamp, typeOf } from '../openapi/schemas.ts'
import { exampleRecovery } from '../openapi/webhook-examples.ts'
import { authenticated } from '../rules/authenticate.ts'
import { answeredPeriod, recoverDaysMax, requestedPeriod } from './recovery-period.ts'
import { endpoints } from './webhook-endpoint-schema.ts'

type Deps = Pick<ApiServices, 'db' | 'store'>

const recoverySchema = z
  .object({
    object: typeOf('webhook_recovery'),
    ...answeredPeriod,
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

export function recoverWebhookEndpointRoute(app: App, deps: Deps): void {
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
      description: `Resends every event of the workspace from \`since\` on and before \`until\`, on its clock, that the endpoint now subscribes to and that is neither delivered nor pending. That includes dead and discarded deliveries and events that were never sent to it. The bodies and ids are the original ones. ${inFlightPerEndpointMax} of them are sent at once, even while the endpoint is paused; a success ends the pause, and the rest follows. At most ${recoverDaysMax} days and ${recoveryLimits.recoveredMax} events a call, oldest first; while \`has_more\`, repeat with \`next_since\`. Repeating is safe.`,
      tags: ['Webhook endpoints'],
      params: pathId('whe'),
      body: requestedPeriod,
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
        now: await workspaceNow(deps.db, row),
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
