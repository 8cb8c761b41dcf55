import { type CreateBatchFromText, textTypes } from './batch-from-text.ts'
import { type Followed, type FollowOptions, followOperation } from './follow-operation.ts'
import { operations } from './generated/operations.ts'
import type { CreateInvoiceFromCsv } from './invoice-from-csv.ts'
import type { AnswerInfo, CallOptions, Known, Methods } from './methods.ts'
import { type RetryLimits, retryDefaults } from './retry-delay.ts'
import { type CreateShipment, createShipment } from './settled-creation.ts'
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

export type Client = Omit<Methods, 'shipments' | 'batches' | 'courierInvoices'> & {
  readonly shipments: Omit<Methods['shipments'], 'create'> & { readonly create: CreateShipment }
  readonly batches: Methods['batches'] & {
    readonly createFromCsv: CreateBatchFromText<'csv'>
    readonly createFromNdjson: CreateBatchFromText<'ndjson'>
  }
  readonly courierInvoices: Methods['courierInvoices'] & {
    readonly createFromCsv: CreateInvoiceFromCsv
  }
  /** Follows an operation until it has ended, through `human_review` as well, or the time is up. */
  waitForOperation(operationId: string, options?: FollowOptions): Promise<Followed>
}

/** A client of one API key. It keeps nothing between calls, and concurrent calls may share it. */
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
    shipments: { ...methods.shipments, create: createShipment(methods) },
    batches: {
      ...methods.batches,
      create: createBatch(methods.batches.create, createFromNdjson),
      createFromCsv: createBatchFromText(transport, 'csv'),
      createFromNdjson,
    },
    courierInvoices: {
      ...methods.courierInvoices,
      createFromCsv: createInvoiceFromCsv(transport),
    },
    waitForOperation: (operationId, options = {}) => {
      const { signal } = options
      const read = (id: string) =>
        methods.operations.get({ id }, signal === undefined ? {} : { signal })
      return followOperation(read, operationId, options)
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

/** Makes one function for each operation of the document, at the place its row gives. */
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
  const { body, info } = await send(transport, {
    method: row.method,
    path: row.hasBody ? path : path + queryOf(rest),
    body: row.hasBody ? rest : undefined,
    accept:
      row.answers === 'bytes' ? 'application/pdf, application/zip, text/csv' : 'application/json',
    takesKey: row.takesKey,
    ifNoneMatch: row.method === 'GET' ? (known?.lastAnswer.etag ?? null) : null,
    options,
  })
  if (info.status === 304) return known
  return withAnswer(body, info)
}

/** As much as the service takes as JSON; it takes more as NDJSON. */
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
    const { [format]: content, ...forAll } = batch
    const path = operations.createBatch.path + queryOf(forAll)
    const made = await sendText(transport, path, { type: textTypes[format], content }, options)
    return made as Awaited<ReturnType<CreateBatchFromText<Format>>>
  }
}

function createInvoiceFromCsv(transport: Transport): CreateInvoiceFromCsv {
  return async ({ csv, period, ...about }, options = {}) => {
    const days = { period_from: period?.from, period_to: period?.to }
    const path = operations.createCourierInvoice.path + queryOf({ ...about, ...days })
    const made = await sendText(transport, path, { type: textTypes.csv, content: csv }, options)
    return made as Awaited<ReturnType<CreateInvoiceFromCsv>>
  }
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
    // An empty id or a step in the path would reach another route.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} is missing`)
    return encodeURIComponent(value)
  })
  return { path, rest }
}

function queryOf(fields: Fields): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? '' : `?${query}`
}

type Page = { readonly data: readonly unknown[]; readonly next_cursor: string | null }

/** The first page is requested at once, the others as they are reached. */
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
