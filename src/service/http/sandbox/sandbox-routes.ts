import { z } from 'zod'
import { isScenarioName, scenarioNames, scenarios } from '../../couriers/scenarios/scenarios.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { findings } from '../../domain/invoices/finding.ts'
import { webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { Problem } from '../../errors.ts'
import { advanceLimits } from '../../processes/sandbox/advance-limits.ts'
import {
  type AdvanceReading,
  readAdvance,
  skipReasons,
  stepKinds,
  stepsDueMax,
} from '../../processes/sandbox/advance-progress.ts'
import { advanceEnded, startAdvance } from '../../processes/sandbox/sandbox-clock.ts'
import type { Principal } from '../../security/api-keys.ts'
import { parseDuration } from '../openapi/duration.ts'
import { idOf, openEnum, timestamp, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { reachableWorkspaces, workspaces } from '../workspaces/workspace-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'processes'>

const tags = ['Sandbox']

const answer = z.object({
  status: z.int().meta({ description: 'The HTTP status.', example: 201 }),
  reason: z.string().nullable().meta({ description: 'The reason. `null`: it is no problem.' }),
})
const callSchema = z.object({
  method: z.string().meta({ description: 'The HTTP method.', example: 'POST' }),
  path: z.string().meta({
    description: 'The address, with ids to fill in between `<` and `>`.',
    example: '/v1/shipments',
  }),
  headers: z.record(z.string(), z.string()).meta({
    description: 'The headers to send.',
  }),
  body: z.record(z.string(), z.unknown()).nullable().meta({
    description: 'The body, with ids to fill in between `<` and `>`. `null`: there is none.',
  }),
})
const expectedSchema = z.object({
  answer: answer.meta({ description: 'What the last of the calls answers.' }),
  repeated: answer.meta({ description: 'What the same call answers once the scenario has ended.' }),
  operation: z.string().nullable().meta({
    description: 'The result of its operation. `null`: the outcome is never unknown.',
    example: 'guide_exists',
  }),
  shipment: z.string().meta({ description: 'The status of the shipment.', example: 'created' }),
  tracking: z.string().nullable().meta({
    description: 'The status of the tracking. `null`: there is no guide.',
  }),
  tracked: z.array(z.string()).meta({ description: 'The codes of the scans, in their order.' }),
  webhooks: z.array(openEnum(webhookTypeNames)).meta({
    description:
      'The types of the webhooks that are sent on the way, in their order, without alerts.',
  }),
  after_seconds: z.int().meta({
    description: "How far the workspace's clock must advance until all of that has happened.",
  }),
})
const billingSchema = z.object({
  how: z.string().meta({ description: "How the month's invoice bills it." }),
  findings: z.array(openEnum(findings)).meta({
    description:
      'What `POST /v1/courier-invoices/fetch` then finds, line by line. Empty: it is not billed.',
  }),
})
const scenarioSchema = z
  .object({
    number: z.int().meta({ description: 'Its place in the list, from 1.' }),
    name: z.enum(scenarioNames).meta({
      'x-extensible': true,
      description: 'What `Sandbox-Scenario` names it by.',
    }),
    summary: z.string().meta({ description: 'What it is for.' }),
    steps: z.array(z.string()).meta({ description: 'What happens, step by step.' }),
    ends: z.string().meta({ description: 'How it ends.' }),
    calls: z.array(callSchema).meta({ description: 'The calls that play it.' }),
    expected: expectedSchema.meta({ description: 'What comes of it.' }),
    billing: billingSchema.meta({ description: "What is on the courier's invoice." }),
  })
  .meta({
    id: 'SandboxScenario',
    description: 'Something that the simulated courier can be made to do.',
  })

const skippedSchema = z.object({
  shipment_id: idOf('shp').nullable().meta({
    description: 'The shipment. `null`: the webhook is about none.',
  }),
  what: openEnum(stepKinds).meta({ description: 'The kind of work.' }),
  reason: openEnum(skipReasons).meta({
    description:
      '`deferred`: it cannot be done now, for example because the credentials of the connection were refused. `failed`: it failed each time; the log of the service says why. `still_due`: it is due although it was done, or it is under way elsewhere.',
  }),
})
const advanceSchema = z.object({
  to: timestamp.meta({ description: 'The time that the clock is or was advanced to.' }),
  steps_done: z.int().meta({
    description: 'Pieces of work done so far, such as a read of the tracking of one shipment.',
  }),
  steps_due: z.int().meta({
    description: `Pieces of work of shipments that are still due by then, as far as is known: what is done may plan more. At most ${stepsDueMax} are counted. 0: it has arrived.`,
  }),
  skipped: z.array(skippedSchema).max(advanceLimits.skippedNamed).meta({
    description:
      'Work that fell due and could not be done. It stays due, and is tried again from then on. Empty while the clock advances.',
  }),
  skipped_more: z.int().meta({ description: 'How much more was skipped than is named.' }),
})

const clockSchema = z
  .object({
    object: typeOf('sandbox_clock'),
    workspace_id: idOf('ws').meta({ description: 'The workspace whose clock it is.' }),
    livemode: z.literal(false).meta({ description: 'Always `false`: only test mode has clocks.' }),
    now: timestamp.meta({ description: 'What the clock shows.' }),
    advancing_to: timestamp.nullable().meta({
      description: 'The time that it is being advanced to. `null`: it is not.',
    }),
    advance: advanceSchema.nullable().meta({
      description:
        'How far its advance is, or what came of the last one. `null`: it was never advanced.',
    }),
  })
  .meta({ id: 'SandboxClock', description: 'The clock of a test workspace.' })

function clockObject(workspaceId: string, reading: AdvanceReading) {
  const { advance } = reading
  return {
    object: 'sandbox_clock' as const,
    workspace_id: workspaceId,
    livemode: false as const,
    now: rfc3339(reading.now),
    advancing_to: reading.advancingTo === null ? null : rfc3339(reading.advancingTo),
    advance: advance && {
      to: advance.to,
      steps_done: advance.stepsDone,
      steps_due: advance.stepsDue,
      skipped: [...advance.skipped],
      skipped_more: advance.skippedMore,
    },
  }
}

function scenarioObject(name: string) {
  if (!isScenarioName(name)) throw new Error(`bug: no scenario ${name}`)
  const { number, summary, steps, ends, calls, expected, billing } = scenarios[name]
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
    billing: { how: billing.how, findings: [...billing.findings] },
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
      description:
        'Everything that can be tried with a test key, such as a lost answer. Name a scenario in the header `Sandbox-Scenario` of a creation. A live key gets 400 `sandbox_only`.',
      tags,
      response: {
        200: z
          .object({
            data: z.array(scenarioSchema).meta({ description: 'The scenarios, by number.' }),
          })
          .meta({ description: 'The scenarios. All of them are on one page.' }),
      },
    },
    handler: async (request) => {
      testOnly(authenticated(request).principal)
      return { data: scenarioNames.map(scenarioObject) }
    },
  })
  clockRoutes(app, deps)
}

const whichWorkspace = idOf('ws').optional().meta({
  description: 'The workspace. It may be left out if the key reaches only one.',
})

function clockRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/sandbox/clock',
    config: { collectionScope: null, problems: ['sandbox_only', 'not_found', 'validation_failed'] },
    schema: {
      operationId: 'getSandboxClock',
      summary: "Read a test workspace's clock",
      description:
        'Use it to wait until an advance has arrived: `advancing_to` is then `null`, and `advance.skipped` says what it could not do. A live key gets 400 `sandbox_only`.',
      tags,
      querystring: z.strictObject({ workspace_id: whichWorkspace }),
      response: { 200: clockSchema.meta({ description: 'The clock.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      testOnly(principal)
      const workspaceId = await workspaceOf(deps, principal, request.query.workspace_id, false)
      return clockObject(workspaceId, await readAdvance(deps.processes.db, workspaceId))
    },
  })
  advanceRoute(app, deps)
}

function advanceRoute(app: App, deps: Deps): void {
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
      description:
        'Use it to see in seconds what takes days: looks, tracking, retries of webhooks, retention. A clock never goes back. While it advances, another advance and creations in the workspace are 409 `clock_advancing`. Work of different shipments that falls due within minutes is done at once; the work of one shipment in order.',
      tags,
      body: z
        .strictObject({
          workspace_id: whichWorkspace,
          by: z.string().max(40).meta({
            description: 'How far, more than zero and at most 60 days: a duration of ISO 8601.',
            example: 'P2D',
          }),
        })
        .meta({ description: 'How far.', examples: [{ by: 'P2D' }] }),
      response: {
        200: clockSchema.meta({ description: 'The clock, which has arrived.' }),
        202: clockSchema.meta({
          description: 'The clock, which goes on advancing in the background.',
        }),
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
