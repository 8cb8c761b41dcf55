import { type Client, createClient } from '../../../client/create-client.ts'
import type { Schemas } from '../../../client/methods.ts'
import { ShippingLedgerError } from '../../../client/shipping-ledger-error.ts'
import {
  type Call,
  CommandFailed,
  type Flag,
  readAddress,
  Undecided,
  UsageError,
} from '../command.ts'

/** The flags of commands that are clients of the API, like a shop. They need no database. */
export const clientFlags = {
  key: { value: 'KEY', required: true, description: 'A test key (svc_test_…).' },
  url: { value: 'URL', description: 'The address of the API. Default: http://127.0.0.1:3000.' },
  workspace: { value: 'ID', id: 'ws', description: "Default: the key's only or newest workspace." },
} as const satisfies Readonly<Record<string, Flag>>

const urlDefault = 'http://127.0.0.1:3000'

/** A client of the given test key. Throws UsageError. */
export function testClient({ flags }: Pick<Call, 'flags'>): Client {
  const apiKey = flags.get('key') ?? ''
  if (!apiKey.startsWith('svc_test_'))
    throw new UsageError('--key must be a test key (svc_test_…).')
  const baseUrl = readAddress('url', flags.get('url') ?? urlDefault, urlDefault)
  return createClient({ baseUrl, apiKey })
}

/** The workspace of a command. Throws CommandFailed if the key has no workspace. */
export async function workspaceOf(client: Client, { flags }: Pick<Call, 'flags'>): Promise<string> {
  const given = flags.get('workspace')
  if (given !== undefined) return given
  const key: Schemas['ApiKey'] = await client.keys.get()
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
    if (error.status !== null) throw new CommandFailed(error.message, { cause: error })
    throw new Undecided(
      'The service does not answer. Is it running? Use --url for another address.',
      {
        cause: error,
      },
    )
  }
}
