import { type CheckBatchText, type CreateBatchFromText, textTypes } from './batch-from-text.ts'
import { type EnsureShipped, ensureShipped } from './ensure-shipped.ts'
import { followBatch } from './follow-batch.ts'
import { type Followed, type FollowOptions, followOperation } from './follow-operation.ts'
import { operations } from './generated/operations.ts'
import type { CheckInvoiceCsv, CreateInvoiceFromCsv } from './invoice-from-csv.ts'
import type {
  Answered,
  AnswerInfo,
  CallOptions,
  Known,
  Methods,
  RetryLimits,
  Schemas,
} from './methods.ts'
import { retryDefaults } from './retry-delay.ts'
import { send, type Transport } from './transport.ts'

export type ClientSettings = {
  /** The service's address, without `/v1`. */
  readonly baseUrl: string
  /** `svc_test_…` or `svc_live_…`. It stays in this client and never appears in an error. */
  readonly apiKey: string
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof globalThis.fetch
  readonly retry?: Partial<RetryLimits>
}

export type Client = Omit<Methods, 'batches' | 'courierInvoices'> & {
  readonly batches: Methods['batches'] & {
    readonly createFromCsv: CreateBatchFromText<'csv'>
    readonly createFromNdjson: CreateBatchFromText<'ndjson'>
    readonly checkCsv: CheckBatchText<'csv'>
    readonly checkNdjson: CheckBatchText<'ndjson'>
  }
  readonly courierInvoices: Methods['courierInvoices'] & {
    readonly createFromCsv: CreateInvoiceFromCsv
    readonly checkCsv: CheckInvoiceCsv
  }
  readonly ensureShipped: EnsureShipped
  /** Follows an operation, also through `human_review`, until it ends or the timeout passes. */
  waitForOperation(operationId: string, options?: FollowOptions): Promise<Followed>
  /**
   * Follows a batch until every line was answered, and returns it with its counts. If the timeout
   * passes first, its `ended_at` is null: call again, or listen for the webhook `batch.completed`.
   */
  waitForBatch(batchId: string, options?: FollowOptions): Promise<Answered<Schemas['Batch']>>
}

/** A client for one API key. It is stateless, so concurrent calls can share it. */
export function createClient(settings: ClientSettings): Client {
  const transport: Transport = {
    baseUrl: checkedUrl(settings),
    apiKey: settings.apiKey,
    fetch: settings.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    limits: { ...retryDefaults, ...settings.retry },
  }
  const methods = methodsOf(transport)
  const createFromNdjson = createBatchFromText(transport, 'ndjson')
  return {
    ...methods,
    batches: {
      ...methods.batches,
      create: createBatch(methods.batches.create, createFromNdjson),
      createFromCsv: createBatchFromText(transport, 'csv'),
      createFromNdjson,
      checkCsv: checkBatchText(transport, 'csv'),
      checkNdjson: checkBatchText(transport, 'ndjson'),
    },
    courierInvoices: {
      ...methods.courierInvoices,
      createFromCsv: createInvoiceFromCsv(transport),
      checkCsv: checkInvoiceCsv(transport),
    },
    ensureShipped: ensureShipped(methods),
    waitForOperation: (operationId, options = {}) => {
      const { signal } = options
      const read = (id: string) =>
        methods.operations.get({ id }, signal === undefined ? {} : { signal })
      return followOperation(read, operationId, options)
    },
    waitForBatch: (batchId, options = {}) => {
      const { signal } = options
      const read = () =>
        methods.batches.get({ id: batchId }, signal === undefined ? {} : { signal })
      return followBatch(read, options)
    },
  }
}

/** A live key is never sent unencrypted to another machine. */
function checkedUrl({ baseUrl, apiKey }: ClientSettings): string {
  const url = new URL(baseUrl)
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  const isPlain = url.protocol !== 'https:'
  if (isPlain && (url.protocol !== 'http:' || (apiKey.startsWith('svc_live_') && !isLocal))) {
    throw new TypeError('baseUrl must be an https address.')
  }
  return url.href.replace(/\/+$/, '')
}

type Row = (typeof operations)[keyof typeof operations]
type Fields = Readonly<Record<string, unknown>>

/** Creates a method for each operation of the OpenAPI document. */
function methodsOf(transport: Transport): Methods {
  const resources: Record<string, Record<string, unknown>> = {}
  for (const row of Object.values(operations)) {
    const resource = resources[row.resource] ?? {}
    resources[row.resource] = resource
    resource[row.name] = (input: Fields = {}, options: CallOptions = {}) =>
      row.answers === 'list'
        ? listed(transport, row, input, options)
        : called(transport, row, input, options)
  }
  return resources as Methods
}

type Earlier = { readonly lastAnswer: AnswerInfo }

async function called(
  transport: Transport,
  row: Row,
  input: Fields,
  { known, ...options }: CallOptions & Known<Earlier>,
): Promise<unknown> {
  const { path, rest } = addressed(row.path, input)
  const inQuery: readonly string[] = 'inQuery' in row ? row.inQuery : []
  const isInQuery = ([name]: readonly [string, unknown]) => !row.hasBody || inQuery.includes(name)
  const [query, fields] = parted(rest, isInQuery)
  const { body, info } = await send(transport, {
    method: row.method,
    path: path + queryOf(query),
    body: row.hasBody ? fields : undefined,
    accept: row.answers === 'bytes' ? '*/*' : 'application/json',
    takesKey: row.takesKey,
    ifNoneMatch: row.method === 'GET' ? (known?.lastAnswer.etag ?? null) : null,
    options,
  })
  if (info.status === 304) return known
  return withAnswer(body, info)
}

/** The service's limit for JSON. Larger batches are sent as NDJSON. */
const jsonBatchBytesMax = 2 * 1024 * 1024

function createBatch(
  asJson: Methods['batches']['create'],
  asNdjson: CreateBatchFromText<'ndjson'>,
): Methods['batches']['create'] {
  return async (batch, options = {}) => {
    const bytes = new TextEncoder().encode(JSON.stringify(batch)).length
    if (bytes <= jsonBatchBytesMax) return await asJson(batch, options)
    const { items, ...forAll } = batch
    const ndjson = items.map((item) => JSON.stringify(item)).join('\n')
    return await asNdjson({ ...forAll, ndjson }, options)
  }
}

function createBatchFromText<Format extends keyof typeof textTypes>(
  transport: Transport,
  format: Format,
): CreateBatchFromText<Format> {
  return async (batch, options = {}) => {
    const made = await sendBatchText(transport, format, batch, options)
    return made as Awaited<ReturnType<CreateBatchFromText<Format>>>
  }
}

function checkBatchText<Format extends keyof typeof textTypes>(
  transport: Transport,
  format: Format,
): CheckBatchText<Format> {
  return async (batch, options = {}) => {
    const checked = await sendBatchText(transport, format, { ...batch, validate: true }, options)
    return checked as Awaited<ReturnType<CheckBatchText<Format>>>
  }
}

async function sendBatchText<Format extends keyof typeof textTypes>(
  transport: Transport,
  format: Format,
  { [format]: content, ...query }: Readonly<Record<Format, string | Uint8Array<ArrayBuffer>>>,
  options: CallOptions,
): Promise<unknown> {
  const path = operations.createBatch.path + queryOf(query)
  return await sendText(transport, path, { type: textTypes[format], content }, options)
}

function createInvoiceFromCsv(transport: Transport): CreateInvoiceFromCsv {
  return async (invoice, options = {}) => {
    const made = await sendInvoiceCsv(transport, invoice, options)
    return made as Awaited<ReturnType<CreateInvoiceFromCsv>>
  }
}

function checkInvoiceCsv(transport: Transport): CheckInvoiceCsv {
  return async (invoice, options = {}) => {
    const checked = await sendInvoiceCsv(transport, { ...invoice, validate: true }, options)
    return checked as Awaited<ReturnType<CheckInvoiceCsv>>
  }
}

async function sendInvoiceCsv(
  transport: Transport,
  {
    csv,
    period,
    ...about
  }: Parameters<CheckInvoiceCsv>[0] & {
    readonly validate?: boolean
    readonly skip_invalid?: boolean
  },
  options: CallOptions,
): Promise<unknown> {
  const days = { period_from: period?.from, period_to: period?.to }
  const path = operations.createCourierInvoice.path + queryOf({ ...about, ...days })
  return await sendText(transport, path, { type: textTypes.csv, content: csv }, options)
}

async function sendText(
  transport: Transport,
  path: string,
  text: { readonly type: string; readonly content: string | Uint8Array<ArrayBuffer> },
  options: CallOptions,
): Promise<unknown> {
  const { body, info } = await send(transport, {
    method: 'POST',
    path,
    text,
    accept: 'application/json',
    takesKey: true,
    ifNoneMatch: null,
    options,
  })
  return withAnswer(body, info)
}

function withAnswer(body: unknown, info: AnswerInfo): unknown {
  if (typeof body !== 'object' || body === null) return undefined
  return Object.defineProperty(body, 'lastAnswer', { value: info, enumerable: false })
}

function addressed(template: string, input: Fields): { path: string; rest: Fields } {
  const rest = { ...input }
  const path = template.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    // An empty id or a relative path segment would reach another route.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} is missing`)
    return encodeURIComponent(value)
  })
  return { path, rest }
}

/** The fields for which this holds, and the others. */
function parted(
  fields: Fields,
  holds: (field: readonly [string, unknown]) => boolean,
): readonly [Fields, Fields] {
  const all = Object.entries(fields)
  const rest = all.filter((field) => !holds(field))
  return [Object.fromEntries(all.filter(holds)), Object.fromEntries(rest)]
}

function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

type Page = { readonly data: readonly unknown[]; readonly next_cursor: string | null }

/** Requests the first page immediately and the others during iteration. */
function listed(transport: Transport, row: Row, input: Fields, all: CallOptions & Known<Earlier>) {
  const first = called(transport, row, input, all) as Promise<Page>
  // `known` is the first page, so it applies only there.
  const { known: _, ...options } = all
  async function* items(): AsyncGenerator<unknown> {
    let cursor: string | null = null
    for (let page = await first; ; ) {
      yield* page.data
      if (page.next_cursor === null || page.next_cursor === cursor) return
      cursor = page.next_cursor
      page = (await called(transport, row, { ...input, cursor }, options)) as Page
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items })
}
