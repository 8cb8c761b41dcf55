import { accessSync, constants, mkdirSync } from 'node:fs'
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
    const labels = labelsFolderOf(call)
    const settings = {
      client: clientOf(call),
      allowsWrite: call.flags.has('write'),
      labelsFolder: labels,
      followMs: waitSecondsOf(call) * 1_000,
    }
    // The other commands need none of its packages.
    const { serve } = await import('../mcp/serve.ts')
    await serve(settings, { input: process.stdin, output: process.stdout })
    return null
  },
}

function labelsFolderOf({ flags, pathOf }: Call): string | null {
  const folder = flags.get('labels')
  if (folder === undefined) return null
  try {
    mkdirSync(pathOf(folder), { recursive: true, mode: 0o700 })
    accessSync(pathOf(folder), constants.W_OK)
    return pathOf(folder)
  } catch (error) {
    throw new UsageError(`Nothing can be written into the folder ${folder}.`, { cause: error })
  }
}

function waitSecondsOf({ flags }: Call): number {
  const text = flags.get('wait') ?? String(waitSecondsDefault)
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (seconds >= 1 && seconds <= waitSecondsMax) return seconds
  throw new UsageError(`--wait must be a number of seconds from 1 to ${waitSecondsMax}.`)
}
