import { extname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../create-client.ts'
import type { Output, Schemas } from '../methods.ts'
import {
  asCommand,
  clientFlags,
  clientOf,
  fieldSentence,
  readFile,
  refusalsTold,
  workspaceOf,
  workspaceOfConnectionFlag,
} from './client-flags.ts'
import {
  type Call,
  type Command,
  type CommandResult,
  columns,
  type Flag,
  UsageError,
} from './command-line.ts'

type Batch = Output<'getBatch'>
type Item = Schemas['BatchItem']

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

const progressFlag = {
  progress: {
    description:
      'Waits until the batch ends and reports progress, even if standard error is not a terminal.',
  },
} as const satisfies Readonly<Record<string, Flag>>

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
    ...clientFlags,
    ...workspaceOfConnectionFlag,
    connection: { value: 'ID', description: 'The connection of lines without one.' },
    check: { description: 'Only says what would be refused, and creates nothing.' },
    'skip-invalid': {
      description: 'Skips lines that are wrong: they stay in the batch as `invalid`.',
    },
    ...progressFlag,
  },
  examples: [
    'batch create monday.csv --reference monday --connection ccn_… --check',
    'batch create monday.csv --reference monday --connection ccn_… --progress',
  ],
  run: async (call) => {
    const client = clientOf(call)
    const format = formats[extname(call.subject).toLowerCase()]
    if (format === undefined) throw new UsageError('The file must end in .csv, .ndjson or .jsonl.')
    const content = readFile(call.pathOf(call.subject), fileBytesMax)
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
  flags: { ...clientFlags, ...progressFlag },
  examples: ['batch show bat_… --progress'],
  run: async (call) => {
    const client = clientOf(call)
    if (!/^bat_[0-9A-Za-z]+$/.test(call.subject)) {
      throw new UsageError('A batch must be given by its id (bat_…).')
    }
    return await asCommand(async () =>
      followBatch(client, call, await client.batches.get({ id: call.subject })),
    )
  },
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
  return { json: check, text, exit: errors.length > 0 || over > 0 ? 'found' : 'fine' }
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
    json: { ...batch, failed },
    text: textOf(batch, failed),
    exit: failed.length > 0 ? 'found' : 'fine',
  }
}

async function ended(client: Client, call: Call, first: Batch): Promise<Batch> {
  const { waiting = 0, creating = 0 } = first.counts
  const startedAt = performance.now()
  const left0 = waiting + creating
  let batch = first
  while (batch.ended_at === null) {
    await delay(askAgainMs)
    batch = await client.batches.get({ id: batch.id })
    const left = (batch.counts.waiting ?? 0) + (batch.counts.creating ?? 0)
    const rate = (left0 - left) / ((performance.now() - startedAt) / 1_000)
    const done = batch.total - left
    const time = rate > 0 ? `, ${Math.round(rate)}/s, ${Math.ceil(left / rate)} s left` : ''
    call.writeError(`batch: ${done} of ${batch.total} lines${time}`)
  }
  return batch
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
