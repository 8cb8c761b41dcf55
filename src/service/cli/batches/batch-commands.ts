import { readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '../../../client/create-client.ts'
import type { Output, Schemas } from '../../../client/methods.ts'
import { ShippingLedgerError } from '../../../client/shipping-ledger-error.ts'
import {
  type Call,
  type Command,
  CommandFailed,
  columns,
  type Flag,
  readAddress,
  type Said,
  UsageError,
} from '../command.ts'
import { countedProgress, progressFlag, progressWriter } from '../progress.ts'
import { asCommand, workspaceOf } from '../sandbox/test-client.ts'

type Batch = Output<'getBatch'>
type Item = Schemas['BatchItem']

const urlDefault = 'http://127.0.0.1:3000'
const formats: Readonly<Record<string, 'csv' | 'ndjson'>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
}
/** As much as the API takes. */
const fileBytesMax = 8 * 1024 * 1024
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

/** Throws UsageError. */
function clientOf({ flags, pathOf }: Pick<Call, 'flags' | 'pathOf'>): Client {
  const file = flags.get('key-file')
  const apiKey = file === undefined ? flags.get('key') : read(pathOf(file)).toString('utf8').trim()
  if (apiKey === undefined) throw new UsageError('--key or --key-file is missing.')
  const baseUrl = readAddress('url', flags.get('url') ?? urlDefault, urlDefault)
  return createClient({ baseUrl, apiKey })
}

function read(path: string): Buffer<ArrayBuffer> {
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
    const client = clientOf(call)
    const format = formats[extname(call.subject).toLowerCase()]
    if (format === undefined) throw new UsageError('The file must end in .csv, .ndjson or .jsonl.')
    const content = read(call.pathOf(call.subject))
    return await asCommand(async () => {
      const connectionId = call.flags.get('connection')
      const forAll = {
        external_reference: call.flags.get('reference') ?? '',
        workspace_id: await workspaceOf(client, call),
        ...(connectionId === undefined ? {} : { courier_connection_id: connectionId }),
      }
      const { batches } = client
      const batch = await refusalsTold(() =>
        format === 'csv'
          ? batches.createFromCsv({ ...forAll, csv: content })
          : batches.createFromNdjson({ ...forAll, ndjson: content }),
      )
      return await told(client, call, batch)
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
    const client = clientOf(call)
    return await asCommand(async () =>
      told(client, call, await client.batches.get({ id: call.subject })),
    )
  },
}

/** What the API refuses is told with every field that it names. */
async function refusalsTold<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ShippingLedgerError) || error.status === null) throw error
    const detail = error.message.replace(`${error.reason}: `, '')
    const more = error.errors.filter((each) => !detail.includes(each.detail))
    const sentence = [detail, ...more.map(fieldSentence)].join(' ')
    throw new CommandFailed(sentence, { cause: error })
  }
}

function fieldSentence({ pointer, detail }: { readonly pointer: string; readonly detail: string }) {
  return pointer === '' ? detail : `${pointer}: ${detail}`
}

async function told(client: Client, call: Call, first: Batch): Promise<Said> {
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
