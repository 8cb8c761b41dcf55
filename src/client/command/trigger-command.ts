import type { Client } from '../create-client.ts'
import { beginPlay, oldestActive, type Play, playCall } from '../play-scenario.ts'
import {
  asCommand,
  clientFlags,
  testClientOf,
  workspaceOf,
  workspaceOfConnectionFlag,
} from './client-flags.ts'
import { type Call, type Command, CommandFailed, UsageError } from './command-line.ts'

export const trigger: Command = {
  name: 'trigger',
  summary: 'Plays a scenario of the simulated courier with a test key, over the API.',
  subject: 'scenario',
  flags: {
    ...clientFlags,
    ...workspaceOfConnectionFlag,
    connection: { value: 'ID', description: "Default: the workspace's oldest active connection." },
    advance: {
      value: 'DURATION',
      description: "Then advances the workspace's clock by this duration, like PT1M or P2D.",
    },
  },
  examples: ['trigger lost_response_guide_created', 'trigger happy_path --advance P2D'],
  run: async (call) => {
    const client = testClientOf(call)
    return await asCommand(async () => {
      const play = await playScenario(client, call)
      const by = call.flags.get('advance')
      if (by !== undefined) {
        await client.sandbox.advanceClock({ workspace_id: play.workspaceId, by })
      }
      const answers = play.answers.map(({ call: made, status, error }) => ({
        call: made,
        status,
        reason: error?.reason ?? null,
      }))
      return {
        json: {
          object: 'play',
          scenario: play.scenario.name,
          workspace_id: play.workspaceId,
          idempotency_key: play.idempotencyKey,
          shipment_id: play.shipmentId,
          operation_id: play.operationId,
          answers,
        },
        text: linesOf(play).join('\n'),
        ...(wasRefused(play) ? { exit: 'found' as const } : {}),
      }
    })
  },
}

async function playScenario(client: Client, call: Call): Promise<Play> {
  const { data } = await client.sandbox.listScenarios()
  const scenario = data.find(({ name }) => name === call.subject)
  if (scenario === undefined) {
    const names = data.map(({ name }) => name).join(', ')
    throw new UsageError(`There is no scenario "${call.subject}". The scenarios are ${names}.`)
  }
  const workspaceId = await workspaceOf(client, call)
  const connectionId = call.flags.get('connection') ?? (await firstConnection(client, workspaceId))
  let play = await beginPlay(client, scenario, { workspaceId, connectionId })
  for (const each of scenario.calls) {
    play = await playCall(client, play, each)
    if (wasRefused(play)) break
  }
  return play
}

const connectionsMax = 100

async function firstConnection(client: Client, workspaceId: string): Promise<string> {
  const query = { workspace_id: workspaceId, limit: connectionsMax }
  const { data } = await client.courierConnections.list(query)
  const active = oldestActive(data)
  if (active === null) {
    throw new CommandFailed('This workspace has no active connection with a courier.')
  }
  return active.id
}

/** Whether something that the call names was not found. No scenario ends so. */
function wasRefused({ answers }: Play): boolean {
  return answers.some(({ error }) => error?.reason === 'not_found')
}

function linesOf({
  answers,
  shipmentId,
  operationId,
  idempotencyKey,
  scenario,
}: Play): readonly string[] {
  return [
    ...answers.map(({ call, status, error }) => {
      const answer = status === null ? 'no answer' : String(status)
      return error === null ? `${call}: ${answer}` : `${call}: ${answer} ${error.message}`
    }),
    ...(shipmentId === null ? [] : [`Shipment ${shipmentId}`]),
    ...(operationId === null ? [] : [`Operation ${operationId}`]),
    `Idempotency-Key ${idempotencyKey}`,
    `Expected: ${scenario.ends}.`,
  ]
}
