import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '../../client/create-client.ts'
import type { Output, Schemas } from '../../client/methods.ts'
import {
  type Call,
  type Command,
  CommandFailed,
  columns,
  type Flag,
  readAddress,
  type Said,
  Undecided,
  UsageError,
} from '../command.ts'
import { countedProgress, progressFlag, progressWriter } from '../progress.ts'
import { asCommand, workspaceOf } from '../sandbox/test-client.ts'

type Batch = Output<'getBatch'>
type Item = Schemas['BatchItem']

const urlDefault = 'http://127.0.0.1:3000'
const types: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
}
/** As much as the API takes. */
const fileBytesMax = 8 * 1024 * 1024
const sendTriesMax = 5
const askAgainMs = 1_000
/** Lines shown with their errors; the API and the console have all. */
const shownMax = 20

const keyFlags = {
  key: { value: 'KEY', description: 'An API key with the scope shipments:write.' },
  'key-file': {
    value: 'FILE',
    description: 'A file with the key, which other users of the machine cannot read off.',
  },
  url: { value: 'URL', description: `Where the API answers. Default: ${urlDefault}.` },
} as const satisfies Readonly<Record<string, Flag>>

type Shop = { readonly client: Client; readonly baseUrl: string; readonly apiKey: string }

/** Throws UsageError. */
function shopOf({ flags, pathOf }: Pick<Call, 'flags' | 'pathOf'>): Shop {
  const file = flags.get('key-file')
  const apiKey = file === undefined ? flags.get('key') : read(pathOf(file)).toString('utf8').trim()
  if (apiKey === undefined) throw new UsageError('--key or --key-file is missing.')
  const baseUrl = readAddress('url', flags.get('url') ?? urlDefault, urlDefault)
  return { client: createClient({ baseUrl, apiKey }), baseUrl, apiKey }
}

function read(path: string): Buffer {
  try {
    if (statSync(path).size > fileBytesMax) throw new UsageError('The file is larger than 8 MiB.')
    return readFileSync(path)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`The file ${path} cannot be read.`, { cause: error })
  }
}

export const batchCreate: Command = {
  name: 'batch create',
  summary: 'Creates the shipments of a CSV or NDJSON file, over the API.',
  subject: 'file',
  flags: {
    reference: {
      value: 'TEXT',
      required: true,
      description:
        'Your name for the batch. The same file under the same name finds its shipments.',
    },
    ...keyFlags,
    workspace: {
      value: 'ID',
      id: 'ws',
      description: "Default: the key's only or newest workspace.",
    },
    connection: { value: 'ID', description: 'For lines that name none.' },
    ...progressFlag,
  },
  examples: [
    'batch create monday.csv --reference monday --connection ccn_… --key svc_test_… --progress',
  ],
  run: async (call) => {
    const shop = shopOf(call)
    const type = types[extname(call.subject).toLowerCase()]
    if (type === undefined) throw new UsageError('The file must end in .csv, .ndjson or .jsonl.')
    const content = read(call.pathOf(call.subject))
    return await asCommand(async () => {
      const batch = await send(shop, type, content, {
        external_reference: call.flags.get('reference') ?? '',
        workspace_id: await workspaceOf(shop.client, call),
        courier_connection_id: call.flags.get('connection'),
      })
      return await told(shop, call, batch)
    })
  },
}

export const batchShow: Command = {
  name: 'batch show',
  summary: 'Shows what came of a batch; with --progress, once it has ended.',
  subject: 'bat_…',
  subjectId: 'bat',
  flags: { ...keyFlags, ...progressFlag },
  examples: ['batch show bat_… --key svc_test_… --progress'],
  run: async (call) => {
    const shop = shopOf(call)
    return await asCommand(async () =>
      told(shop, call, await shop.client.batches.get({ id: call.subject })),
    )
  },
}

/** Sent again with the same key if no answer arrives, so that there is one batch. */
async function send(
  { baseUrl, apiKey }: Shop,
  type: string,
  content: Buffer,
  about: Readonly<Record<string, string | undefined>>,
): Promise<Batch> {
  const given = Object.entries(about).filter((pair): pair is [string, string] => Boolean(pair[1]))
  const address = `${baseUrl.replace(/\/+$/, '')}/v1/batches?${new URLSearchParams(given)}`
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': type,
    'idempotency-key': randomUUID(),
  }
  for (let tries = 1; ; tries++) {
    const answer = await fetch(address, { method: 'POST', headers, body: new Uint8Array(content) })
      .then(async (response) => ({
        isFine: response.ok,
        body: (await response.json()) as { readonly retryable?: boolean } & object,
      }))
      .catch((cause: unknown) => {
        if (tries < sendTriesMax) return null
        throw new Undecided(
          'The service does not answer. Is it running? --url names another address.',
          {
            cause,
          },
        )
      })
    if (answer?.isFine === true) return answer.body as Batch
    if (answer !== null && (answer.body.retryable !== true || tries === sendTriesMax)) {
      throw new CommandFailed(sentenceOf(answer.body))
    }
    await delay(askAgainMs * tries)
  }
}

function sentenceOf(problem: object): string {
  const { detail = 'The service refused it.', errors = [] } = problem as Partial<Schemas['Problem']>
  const more = errors.filter((each) => !detail.includes(each.detail))
  return [detail, ...more.map(fieldSentence)].join(' ')
}

function fieldSentence({ pointer, detail }: { readonly pointer: string; readonly detail: string }) {
  return pointer === '' ? detail : `${pointer}: ${detail}`
}

async function told({ client }: Shop, call: Call, first: Batch): Promise<Said> {
  const isFollowed = call.isWatched || call.flags.has('progress')
  const batch = isFollowed ? await ended(client, call, first) : first
  const { data } = await client.batches.listItems({
    id: batch.id,
    state: 'failed',
    limit: shownMax,
  })
  const failed: readonly Item[] = data
  return {
    json: { ...batch, failed: JSON.parse(JSON.stringify(failed)) },
    text: textOf(batch, failed),
    exit: failed.length > 0 ? 'found' : 'fine',
  }
}

async function ended(client: Client, call: Call, first: Batch): Promise<Batch> {
  const report = countedProgress({
    what: 'batch',
    total: first.total,
    unit: 'lines',
    write: progressWriter(call),
  })
  let batch = first
  let done = 0
  for (;;) {
    const left = (batch.counts.waiting ?? 0) + (batch.counts.creating ?? 0)
    report(batch.total - left - done)
    done = batch.total - left
    if (batch.ended_at !== null) return batch
    await delay(askAgainMs)
    batch = await client.batches.get({ id: batch.id })
  }
}

function textOf(batch: Batch, failed: readonly Item[]): string {
  const counts = Object.entries(batch.counts).map(([state, lines]) => `${lines} ${state}`)
  const rows = failed.map(({ line, error }) => [
    `  line ${line}`,
    [error?.detail ?? '', ...(error?.errors ?? []).map(fieldSentence)].join(' '),
  ])
  return [
    `${batch.id} is ${batch.status}: ${batch.total} lines, ${counts.join(', ')}.`,
    ...(rows.length === 0 ? [] : ['Refused:', columns(rows)]),
  ].join('\n')
}
