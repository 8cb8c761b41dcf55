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
  type CommandResult,
  columns,
  type Flag,
  readAddress,
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
/** The API's limit. */
const fileBytesMax = 8 * 1024 * 1024
const askAgainMs = 1_000
/** Failed lines that are shown. The API and the console show all of them. */
const shownMax = 20

const keyFlags = {
  key: { value: 'KEY', description: 'An API key with the scope shipments:write.' },
  'key-file': {
    value: 'FILE',
    description: 'A file with the key, so that it does not appear in the list of processes.',
  },
  url: { value: 'URL', description: `The address of the API. Default: ${urlDefault}.` },
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
    connection: { value: 'ID', description: 'The connection of lines without one.' },
    check: { description: 'Only says what would be refused, and creates nothing.' },
    'skip-invalid': {
      description: 'Skips lines that are wrong: they stay in the batch as `invalid`.',
    },
    ...progressFlag,
  },
  examples: [
    'batch create monday.csv --reference monday --connection ccn_… --key svc_test_… --check',
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
      if (call.flags.has('check')) {
        return checkResult(
          await refusalsTold(() =>
            format === 'csv'
              ? batches.checkCsv({ ...forAll, csv: content })
              : batches.checkNdjson({ ...forAll, ndjson: content }),
          ),
        )
      }
      const skips = call.flags.has('skip-invalid') ? { skip_invalid: true } : {}
      const batch = await refusalsTold(() =>
        format === 'csv'
          ? batches.createFromCsv({ ...forAll, ...skips, csv: content })
          : batches.createFromNdjson({ ...forAll, ...skips, ndjson: content }),
      )
      return await followBatch(client, call, batch)
    })
  },
}

export const batchShow: Command = {
  name: 'batch show',
  summary: 'Shows the results of a batch; with --progress, once it has ended.',
  subject: 'bat_…',
  subjectId: 'bat',
  flags: { ...keyFlags, ...progressFlag },
  examples: ['batch show bat_… --key svc_test_… --progress'],
  run: async (call) => {
    const client = clientOf(call)
    return await asCommand(async () =>
      followBatch(client, call, await client.batches.get({ id: call.subject })),
    )
  },
}

/** Converts a refusal of the API into an error that lists every rejected field. */
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

/** The result of a check: what would be refused, and how the columns were understood. */
function checkResult(check: Schemas['BatchCheck']): CommandResult {
  const { columns: found, lines, good, errors, more_errors: more, over_quota: over } = check
  const shown = errors.slice(0, shownMax)
  const left = errors.length - shown.length + more
  const rows = shown.map(({ line, column, detail, suggestions }) => [
    `  line ${line}`,
    column ?? '',
    [detail, ...(suggestions.length === 0 ? [] : [meantOf(suggestions)])].join(' '),
  ])
  const unread = found.filter(({ field }) => field === null).map(({ header }) => header)
  const text = [
    `${good} of ${lines} lines are good. Nothing was created.`,
    ...(over === 0
      ? []
      : [`${over} of them exceed what is left of the plan's shipments this month.`]),
    ...(unread.length === 0 ? [] : [`Columns that are not read: ${unread.join(', ')}.`]),
    ...(rows.length === 0 ? [] : ['Errors:', columns(rows)]),
    ...(left === 0 ? [] : [`  and ${left} more.`]),
  ].join('\n')
  const json = JSON.parse(JSON.stringify(check)) as CommandResult['json']
  return { json, text, exit: errors.length > 0 || over > 0 ? 'found' : 'fine' }
}

function meantOf(suggestions: Schemas['BatchCheck']['errors'][number]['suggestions']): string {
  return `Did you mean ${suggestions.map(({ label }) => label).join(' or ')}?`
}

async function followBatch(client: Client, call: Call, first: Batch): Promise<CommandResult> {
  const isFollowed = call.isWatched || call.flags.has('progress')
  const batch = isFollowed ? await ended(client, call, first) : first
  const refusedIn = async (state: 'failed' | 'invalid') =>
    (await client.batches.listItems({ id: batch.id, state, limit: shownMax })).data
  const failed: readonly Item[] = [...(await refusedIn('failed')), ...(await refusedIn('invalid'))]
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
