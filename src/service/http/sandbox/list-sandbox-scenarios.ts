import { z } from 'zod'
import { isScenarioName, scenarioNames, scenarios } from '../../couriers/scenarios/scenarios.ts'
import { findings } from '../../domain/invoices/finding.ts'
import { webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import type { App } from '../api-services.ts'
import { openEnum } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { requireTestMode } from './test-clock.ts'

const answer = z.object({
  status: z.int().meta({ description: 'The HTTP status.', example: 201 }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'The reason. `null` if the answer is no problem.' }),
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
    description: 'The body, with ids to fill in between `<` and `>`. `null` if there is none.',
  }),
})
const expectedSchema = z.object({
  answer: answer.meta({ description: 'The answer to the last call.' }),
  repeated: answer.meta({
    description: 'The answer to the same call once the scenario has ended.',
  }),
  operation: z.string().nullable().meta({
    description: 'The result of the operation. `null` if the outcome is never unknown.',
    example: 'guide_exists',
  }),
  shipment: z.string().meta({ description: 'The status of the shipment.', example: 'created' }),
  tracking: z.string().nullable().meta({
    description: 'The status of the tracking. `null` if there is no guide.',
  }),
  tracked: z.array(z.string()).meta({ description: 'The codes of the scans, in order.' }),
  webhooks: z.array(openEnum(webhookTypeNames)).meta({
    description: 'The types of the webhooks that are sent, in order, without alerts.',
  }),
  after_seconds: z.int().meta({
    description: "How far the workspace's clock must advance until all of this has happened.",
  }),
})
const billingSchema = z.object({
  how: z.string().meta({ description: 'How the invoice of the month bills it.' }),
  findings: z.array(openEnum(findings)).meta({
    description:
      'The findings of `POST /v1/courier-invoices/fetch`, line by line. Empty if it is not billed.',
  }),
})
const scenarioSchema = z
  .object({
    number: z.int().meta({ description: 'The number of the scenario in the list, from 1.' }),
    name: z.enum(scenarioNames).meta({
      'x-extensible': true,
      description: 'The name to send in `Sandbox-Scenario`.',
    }),
    summary: z.string().meta({ description: 'What it is for.' }),
    steps: z.array(z.string()).meta({ description: 'What happens, step by step.' }),
    ends: z.string().meta({ description: 'The end of the scenario.' }),
    calls: z.array(callSchema).meta({ description: 'The calls that play the scenario.' }),
    expected: expectedSchema.meta({ description: 'What the calls lead to.' }),
    billing: billingSchema.meta({ description: "What the courier's invoice says." }),
  })
  .meta({
    id: 'SandboxScenario',
    description: 'A scenario that the simulated courier can play.',
  })

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

export function listSandboxScenariosRoute(app: App): void {
  app.route({
    method: 'GET',
    url: '/v1/sandbox/scenarios',
    config: { collectionScope: null, problems: ['sandbox_only'] },
    schema: {
      operationId: 'listSandboxScenarios',
      summary: 'List the scenarios of the simulated courier',
      description:
        'Everything that you can try with a test key, such as a lost answer. Name a scenario in the header `Sandbox-Scenario` of a creation. A live key gets 400 `sandbox_only`.',
      tags: ['Sandbox'],
      response: {
        200: z
          .object({
            data: z.array(scenarioSchema).meta({ description: 'The scenarios, by number.' }),
          })
          .meta({ description: 'The scenarios, all on one page.' }),
      },
    },
    handler: async (request) => {
      requireTestMode(authenticated(request).principal)
      return { data: scenarioNames.map(scenarioObject) }
    },
  })
}
