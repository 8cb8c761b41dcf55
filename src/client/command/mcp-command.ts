import { clientFlags, clientOf } from './client-flags.ts'
import { type Call, type Command, UsageError } from './command-line.ts'

const waitSecondsDefault = 25
/** With the request before it, a call ends before a client's usual timeout of 60 s. */
const waitSecondsMax = 45

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serves the API to an agent: a Model Context Protocol server over stdin and stdout.',
  flags: {
    write: {
      description: 'Also offers the tools that create and cancel shipments. Default: read-only.',
    },
    ...clientFlags,
    labels: {
      value: 'FOLDER',
      description: 'Writes labels into this folder too. Default: they are only resources.',
    },
    wait: {
      value: 'SECONDS',
      description: `How long a creation is followed if its outcome is unknown. Default: ${waitSecondsDefault}, at most ${waitSecondsMax}.`,
    },
  },
  examples: ['mcp --key-file key.txt', 'mcp --key-file key.txt --write --labels ./labels'],
  run: async (call) => {
    const labels = call.flags.get('labels')
    const settings = {
      client: clientOf(call),
      allowsWrite: call.flags.has('write'),
      labelsFolder: labels === undefined ? null : call.pathOf(labels),
      followMs: waitSecondsOf(call) * 1_000,
    }
    // The other commands need none of its packages.
    const { serve } = await import('../mcp/serve.ts')
    await serve(settings, { input: process.stdin, output: process.stdout })
    return null
  },
}

function waitSecondsOf({ flags }: Call): number {
  const text = flags.get('wait') ?? String(waitSecondsDefault)
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (seconds >= 1 && seconds <= waitSecondsMax) return seconds
  throw new UsageError(`--wait must be a number of seconds from 1 to ${waitSecondsMax}.`)
}
