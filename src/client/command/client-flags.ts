import { readFileSync, statSync } from 'node:fs'
import { type Client, createClient } from '../create-client.ts'
import { ShippingLedgerError } from '../shipping-ledger-error.ts'
import {
  type Call,
  CommandFailed,
  type Flag,
  readAddress,
  Undecided,
  UsageError,
} from './command-line.ts'

const urlDefault = 'http://127.0.0.1:3000'
/** Longer than any key. */
const keyFileBytesMax = 4_096

/** The flags of every command. */
export const clientFlags = {
  key: {
    value: 'KEY',
    description: 'The API key. It then appears in the list of processes: prefer the two others.',
  },
  'key-file': {
    value: 'FILE',
    description: 'A file with the key. Without it and --key: the variable SHIPPING_LEDGER_KEY.',
  },
  url: {
    value: 'URL',
    description: `The address of the API. Default: SHIPPING_LEDGER_URL, or ${urlDefault}.`,
  },
} as const satisfies Readonly<Record<string, Flag>>

export const workspaceFlag = {
  workspace: { value: 'ID', description: "Default: the key's only or newest workspace." },
} as const satisfies Readonly<Record<string, Flag>>

/** A client of the given key. Throws UsageError. */
export function clientOf(call: Call): Client {
  const { baseUrl, apiKey } = accessOf(call)
  try {
    return createClient({ baseUrl, apiKey })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError('A live key is only sent to an https address.', { cause: error })
  }
}

/** For a command that also takes a connection. */
export const workspaceOfConnectionFlag = {
  workspace: {
    value: 'ID',
    description: "Default: the connection's, or without one the key's only or newest workspace.",
  },
}

/** A client of a test key. Throws UsageError. */
export function testClientOf(call: Call): Client {
  if (accessOf(call).apiKey.startsWith('svc_test_')) return clientOf(call)
  throw new UsageError('--key must be a test key (svc_test_…).')
}

function accessOf(call: Call) {
  const { flags, variable } = call
  const address = flags.get('url') ?? variable('SHIPPING_LEDGER_URL') ?? urlDefault
  return { apiKey: keyOf(call), baseUrl: readAddress('url', address, urlDefault) }
}

function keyOf({ flags, pathOf, variable }: Call): string {
  const file = flags.get('key-file')
  const key = flags.get('key') ?? (file === undefined ? variable('SHIPPING_LEDGER_KEY') : undefined)
  if (key !== undefined && key !== '') return key
  if (file !== undefined) return readFile(pathOf(file), keyFileBytesMax).toString('utf8').trim()
  throw new UsageError('The key is missing: use --key-file, or set SHIPPING_LEDGER_KEY.')
}

/** Throws UsageError. */
export function readFile(path: string, bytesMax: number): Buffer<ArrayBuffer> {
  try {
    if (statSync(path).size <= bytesMax) return readFileSync(path)
  } catch (error) {
    throw new UsageError(`The file ${path} cannot be read.`, { cause: error })
  }
  throw new UsageError(`The file ${path} is larger than ${bytesMax} bytes.`)
}

/**
 * The workspace of a command: as given, or that of the given connection. Throws CommandFailed if the key
 * has no workspace.
 */
export async function workspaceOf(client: Client, { flags }: Pick<Call, 'flags'>): Promise<string> {
  const given = flags.get('workspace')
  if (given !== undefined) return given
  const connectionId = flags.get('connection')
  if (connectionId !== undefined) {
    return (await client.courierConnections.get({ id: connectionId })).workspace_id
  }
  const key = await client.keys.get()
  if (key.workspace_id !== null) return key.workspace_id
  const newest = (await client.workspaces.list({ limit: 1 })).data[0]
  if (newest === undefined) throw new CommandFailed('This key has no workspace yet.')
  return newest.id
}

/** Runs calls of the API. A refusal ends the command with its message. */
export async function asCommand<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ShippingLedgerError)) throw error
    if (error.status !== null) throw new CommandFailed(printed(error.message), { cause: error })
    throw new Undecided(
      'The service does not answer. Is it running? Use --url for another address.',
      { cause: error },
    )
  }
}

/** Converts a refusal of the API into an error that lists every rejected field. */
export async function refusalsTold<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ShippingLedgerError) || error.status === null) throw error
    const detail = error.message.replace(`${error.reason}: `, '')
    const more = error.errors.filter((each) => !detail.includes(each.detail))
    const sentence = [detail, ...more.map(fieldSentence)].join(' ')
    throw new CommandFailed(printed(sentence), { cause: error })
  }
}

export function fieldSentence({
  pointer,
  detail,
}: {
  readonly pointer: string
  readonly detail: string
}) {
  return pointer === '' ? detail : `${pointer}: ${detail}`
}

/** Replaces control characters, which a terminal would execute. */
export function printed(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
