import { readVerifier, type Verifier } from '../../ledger/signed-note.ts'
import { witnessText } from '../../ledger/witnesses/cosignature.ts'
import { witness as witnessOf } from '../../ledger/witnesses/witness.ts'
import { type WitnessServer, witnessServer } from '../../ledger/witnesses/witness-server.ts'
import { openWitnessState, type WitnessState } from '../../ledger/witnesses/witness-state.ts'
import { urlAt } from '../../url-at.ts'
import { type Call, type Command, CommandFailed, UsageError } from '../command.ts'

/** The name is part of every cosignature. */
const nameLengthMax = 200
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

export const witness: Command = {
  name: 'witness',
  summary: 'Runs a witness, which cosigns checkpoints of a ledger. Needs no database.',
  flags: {
    listen: {
      value: 'HOST:PORT',
      required: true,
      description: 'The host and port that serve POST /add-checkpoint; port 0 = any free port.',
    },
    state: {
      value: 'DIR',
      required: true,
      description:
        'The folder with its key and last checkpoints. Created if missing. Never restore it from a backup.',
    },
    'origin-key': {
      value: 'KEY',
      required: true,
      isList: true,
      description:
        'A key of a ledger, as shown by `GET /v1/ledger/keys`. Repeat the flag for each key.',
    },
    name: {
      value: 'NAME',
      description: 'The name of its new key, like auditor.example/w1. Default: a random name.',
    },
  },
  examples: [
    'witness --listen 0.0.0.0:8080 --state ./witness --origin-key shipping-ledger/…+…+…',
    'witness --listen 127.0.0.1:0 --state ./witness --origin-key KEY --origin-key NEXT --json',
  ],
  run: async (call) => {
    const { host, port } = listenOf(call.flags.get('listen') ?? '')
    const ledgers = keysOf(call.lists.get('origin-key') ?? [])
    const state = await openWitnessState({
      folder: call.pathOf(call.flags.get('state') ?? ''),
      origins: [...new Set(ledgers.map(({ name }) => name))],
      name: nameOf(call.flags.get('name')),
    })
    const server = await serve(call, { host, port, state, ledgers })
    stopOnSignal(server, state)
    // The server keeps the process alive after this answer.
    const key = witnessText(state.signer)
    const url = urlAt(host, server.port)
    return {
      json: { object: 'witness', key, url, ledgers: ledgers.map(({ name }) => name) },
      text: `This witness listens at ${url}. Its key is:\n${key}`,
    }
  },
}

type Serving = {
  readonly host: string
  readonly port: number
  readonly state: WitnessState
  readonly ledgers: readonly Verifier[]
}

async function serve(call: Call, { host, port, state, ledgers }: Serving): Promise<WitnessServer> {
  const { add } = witnessOf({ state, ledgers, now: () => new Date() })
  const failed = (error: unknown) => {
    const { code = 'unknown' } = error as { code?: string }
    call.writeError(`A checkpoint could not be stored, so it was not cosigned (${code}).`)
  }
  try {
    return await witnessServer({ host, port, add, failed })
  } catch (error) {
    state.close()
    const { code = 'unknown' } = error as { code?: string }
    throw new CommandFailed(`The witness cannot listen on ${host}:${port} (${code}).`, {
      cause: error,
    })
  }
}

function stopOnSignal(server: WitnessServer, state: WitnessState): void {
  let isStopping = false
  for (const signal of signals) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      server.close().then(() => {
        state.close()
        for (const one of signals) process.removeAllListeners(one)
      })
    })
  }
}

function listenOf(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9a-fA-F:]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(port) > 65_535) {
    throw new UsageError('--listen must be a host and a port, like 127.0.0.1:8080.')
  }
  return { host, port: Number(port) }
}

function keysOf(texts: readonly string[]): readonly Verifier[] {
  return texts.map((text) => {
    const key = readVerifier(text)
    if (key !== null) return key
    throw new UsageError(
      '--origin-key must be a key as shown by GET /v1/ledger/keys: name+id+base64.',
    )
  })
}

function nameOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  if (/[\s+,=]/.test(name) || name.length > nameLengthMax) {
    throw new UsageError(
      `--name must have at most ${nameLengthMax} characters, without spaces, commas, plus or equals signs.`,
    )
  }
  return name
}
