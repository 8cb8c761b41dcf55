import type { Schemas } from '../methods.ts'
import { ShippingLedgerError } from '../shipping-ledger-error.ts'
import { pause } from '../transport.ts'
import { asCommand, clientFlags, testClientOf, workspaceFlag, workspaceOf } from './client-flags.ts'
import {
  type Call,
  type Command,
  counted,
  readAddress,
  readTime,
  UsageError,
} from './command-line.ts'
import {
  type Forwarding,
  forwardWebhook,
  newSecret,
  secretBytes,
  secretText,
} from './forward-webhook.ts'
import { newEvents } from './new-events.ts'

const everyMs = 1_000

export const listen: Command = {
  name: 'listen',
  summary: "Prints a test workspace's webhooks and forwards them to a local address.",
  flags: {
    ...clientFlags,
    ...workspaceFlag,
    forward: {
      value: 'URL',
      description: 'The address to forward them to. Default: only prints them.',
    },
    type: {
      value: 'TYPE',
      isList: true,
      description: 'Only these types, like shipment.created or tracking.*.',
    },
    replay: { value: 'TIME', description: 'Begins with the events since this time, oldest first.' },
    secret: { value: 'SECRET', description: 'The signing secret (whsec_…). Default: a new one.' },
  },
  examples: [
    'listen --forward http://127.0.0.1:4242/webhooks',
    'listen --type tracking.* --replay 2027-01-31',
  ],
  run: async (call) => {
    const client = testClientOf(call)
    const secret = secretOf(call)
    const url = addressOf(call)
    const replay = call.flags.get('replay')
    const since = replay === undefined ? null : readTime('replay', replay).toISOString()
    const to = url === null ? null : { url, secret }
    const say = (line: string) => call.asJson || call.write(line)
    return await asCommand(async () => {
      const workspaceId = await workspaceOf(client, call)
      const types = call.lists.get('type') ?? []
      const next = await newEvents(client, { workspaceId, types, since })
      say(`Listening to ${workspaceId}. The webhooks are signed with ${secretText(secret)}`)
      const { sent, failed } = await untilInterrupted((stopped) =>
        forwardEach(next, to, say, stopped),
      )
      return {
        json: { object: 'listened', workspace_id: workspaceId, events: sent, failed },
        text: `${counted(sent, 'event')}, ${failed} not accepted.`,
        ...(failed > 0 ? { exit: 'found' as const } : {}),
      }
    })
  },
}

async function forwardEach(
  next: () => Promise<readonly Schemas['WebhookEvent'][]>,
  to: Forwarding,
  say: (line: string) => void,
  stopped: AbortSignal,
) {
  let sent = 0
  let failed = 0
  while (!stopped.aborted) {
    for (const event of await next().catch(noneIfUnavailable)) {
      const { line, isTaken } = await forwardWebhook(event, to)
      say(line)
      sent++
      if (!isTaken) failed++
      if (stopped.aborted) break
    }
    await pause(everyMs, stopped).catch(() => undefined)
  }
  return { sent, failed }
}

function secretOf({ flags }: Call): Buffer {
  const given = flags.get('secret')
  if (given === undefined) return newSecret()
  const bytes = secretBytes(given)
  if (bytes !== null) return bytes
  throw new UsageError('--secret must be whsec_ and base64, as shown once by the endpoint.')
}

function addressOf({ flags }: Call): string | null {
  const address = flags.get('forward')
  if (address === undefined) return null
  return readAddress('forward', address, 'http://127.0.0.1:4242/webhooks')
}

/** Retries while the service restarts; no event is missed. */
function noneIfUnavailable(error: unknown): readonly [] {
  if (error instanceof ShippingLedgerError && error.retryable) return []
  throw error
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ctrl-C aborts the work, which then cleans up. A second Ctrl-C ends the process. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  for (const signal of signals) process.once(signal, interrupt)
  try {
    return await work(stop.signal)
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt)
  }
}
