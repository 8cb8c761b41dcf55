import { z } from 'zod'
import { isScenarioName, scenarioNames, scenarios } from '../../couriers/simulator/scenarios.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { Problem } from '../../errors.ts'
import { advanceLimits } from '../../processes/sandbox/advance-limits.ts'
import { advanceEnded, startAdvance } from '../../processes/sandbox/sandbox-clock.ts'
import { type ClockReading, readClock } from '../../processes/sandbox/workspace-clock.ts'
import type { Principal } from '../../security/api-keys.ts'
import { parseDuration } from '../openapi/duration.ts'
import { idOf, openEnum, timestamp } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { reachableWorkspaces, workspaces } from '../workspaces/workspace-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'processes'>

const tags = ['Sandbox']

const answer = z.object({ status: z.int(), reason: z.string().nullable() })
const scenarioSchema = z
  .object({
    number: z.int(),
    name: z.enum(scenarioNames).meta({ 'x-extensible': true }),
    summary: z.string(),
    steps: z.array(z.string()),
    ends: z.string(),
    calls: z.array(
      z.object({
        method: z.string(),
        path: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
    expected: z.object({
      answer,
      repeated: answer,
      operation: z.string().nullable(),
      shipment: z.string(),
      tracking: z.string().nullable(),
      tracked: z.array(z.string()),
      webhooks: z.array(openEnum(webhookTypeNames)),
      after_seconds: z.int(),
    }),
  })
  .meta({ id: 'SandboxScenario' })

const clockSchema = z
  .object({
    object: z.literal('sandbox_clock'),
    workspace_id: idOf('ws'),
    livemode: z.literal(false),
    now: timestamp,
    advancing_to: timestamp.nullable(),
  })
  .meta({ id: 'SandboxClock' })

function clockObject(workspaceId: string, reading: ClockReading) {
  return {
    object: 'sandbox_clock' as const,
    workspace_id: workspaceId,
    livemode: false as const,
    now: rfc3339(reading.now),
    advancing_to: reading.advancingTo === null ? null : rfc3339(reading.advancingTo),
  }
}

function scenarioObject(name: string) {
  if (!isScenarioName(name)) throw new Error(`bug: no scenario ${name}`)
  const { number, summary, steps, ends, calls, expected } = scenarios[name]
  const { afterMs, ...end } = expected
  return {
    number,
    name,
    summary,
    steps: [...steps],
    ends,
    calls: calls.map((call) => ({ ...call, body: call.body === null ? null : { ...call.body } })),
    expected: {
      ...end,
      tracked: [...end.tracked],
      webhooks: [...end.webhooks],
      after_seconds: afterMs / 1_000,
    },
  }
}

function testOnly(principal: Principal): void {
  if (principal.livemode) throw new Problem('sandbox_only')
}

/** The named workspace, or the only one within the key's reach. */
async function workspaceOf(
  deps: Deps,
  principal: Principal,
  given: string | undefined,
  isChange: boolean,
): Promise<string> {
  if (given !== undefined) return (await workspaces.find(deps, principal, given)).id
  const rows = await reachableWorkspaces(deps.db, principal).limit(2).execute()
  const [only] = rows
  if (only !== undefined && rows.length === 1) return only.id
  const detail = 'The key reaches no workspace or more than one. Name one.'
  throw isChange
    ? new Problem('validation_failed', {
        errors: [{ pointer: '/workspace_id', reason: 'required', detail }],
      })
    : new Problem('invalid_filter', {
        errors: [{ pointer: '#/query/workspace_id', reason: 'required', detail }],
      })
}

export function sandboxRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/sandbox/scenarios',
    config: { collectionScope: null, problems: ['sandbox_only'] },
    schema: {
      operationId: 'listSandboxScenarios',
      summary: 'List the scenarios',
      tags,
      response: { 200: z.object({ data: z.array(scenarioSchema) }) },
    },
    handler: async (request) => {
      testOnly(authenticated(request).principal)
      return { data: scenarioNames.map(scenarioObject) }
    },
  })
  clockRoutes(app, deps)
}

function clockRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/sandbox/clock',
    config: { collectionScope: null, problems: ['sandbox_only', 'not_found', 'validation_failed'] },
    schema: {
      operationId: 'getSandboxClock',
      summary: "Read a test workspace's clock",
      tags,
      querystring: z.strictObject({ workspace_id: idOf('ws').optional() }),
      response: { 200: clockSchema },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      testOnly(principal)
      const workspaceId = await workspaceOf(deps, principal, request.query.workspace_id, false)
      return clockObject(
        workspaceId,
        await readClock(deps.processes.db, { workspaceId, livemode: false }),
      )
    },
  })
  app.route({
    method: 'POST',
    url: '/v1/sandbox/clock/advance',
    config: {
      collectionScope: 'shipments:write',
      problems: ['sandbox_only', 'not_found', 'clock_advancing'],
    },
    schema: {
      operationId: 'advanceSandboxClock',
      summary: "Advance a test workspace's clock; whatever falls due happens along the way",
      tags,
      body: z
        .strictObject({
          workspace_id: idOf('ws').optional(),
          by: z.string().max(40).meta({
            description: 'How far, at most 60 days: a duration of ISO 8601.',
          }),
        })
        .meta({ examples: [{ by: 'P2D' }] }),
      response: {
        200: clockSchema,
        202: clockSchema.meta({ description: 'The clock advances in the background' }),
      },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      testOnly(principal)
      const workspaceId = await workspaceOf(deps, principal, request.body.workspace_id, true)
      const byMs = parseDuration(request.body.by)
      if (byMs === null || byMs <= 0 || byMs > advanceLimits.byMsMax) {
        const detail =
          'It must be an ISO 8601 duration such as PT6H, longer than zero and at most P60D.'
        throw new Problem('validation_failed', {
          errors: [{ pointer: '/by', reason: 'invalid_duration', detail }],
        })
      }
      if (!(await startAdvance(deps.processes.db, workspaceId, byMs))) {
        throw new Problem('clock_advancing', { retryAfterSeconds: 1 })
      }
      deps.processes.dueBell.ring()
      const reading = await advanceEnded(deps.processes, workspaceId)
      return reply
        .code(reading.advancingTo === null ? 200 : 202)
        .send(clockObject(workspaceId, reading))
    },
  })
}
