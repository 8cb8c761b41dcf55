import type { components, operations as Described } from './generated/api-types.ts'
import type { operations } from './generated/operations.ts'

export type Schemas = components['schemas']
export type Shipment = Schemas['Shipment']
export type Operation = Schemas['Operation']
export type Tracking = Schemas['Tracking']
/** An error's reason. The service may add others. */
export type Reason = Schemas['Problem']['reason'] | (string & {})

export type OperationName = keyof typeof operations

type Part<
  O extends OperationName,
  P extends 'path' | 'query',
> = Described[O]['parameters'] extends { readonly [K in P]?: infer V }
  ? [NonNullable<V>] extends [never]
    ? unknown
    : NonNullable<V>
  : unknown
type Body<O extends OperationName> = Described[O] extends {
  requestBody: { content: { 'application/json': infer B } }
}
  ? B
  : unknown

/** The path parameters, and the query or body fields, in one object. */
export type Input<O extends OperationName> = Part<O, 'path'> & Part<O, 'query'> & Body<O>

type Responses<O extends OperationName> = Described[O]['responses']
type Contents<R> = R extends { content: infer C } ? C : never
type Json<C> = C extends { 'application/json': infer J } ? J : never
export type Output<O extends OperationName> = (typeof operations)[O]['answers'] extends 'nothing'
  ? undefined
  : (typeof operations)[O]['answers'] extends 'bytes'
    ? Uint8Array
    : Json<Contents<Responses<O>[keyof Responses<O>]>>

/** Facts about the response, on the result as a non-enumerable property. */
export type AnswerInfo = {
  readonly status: number
  readonly requestId: string | null
  /** The idempotency key sent with the request: your own or a generated one. */
  readonly idempotencyKey: string | null
  /** An earlier request with the same key did the work. */
  readonly replayed: boolean
  readonly etag: string | null
  /** The media type of the body. */
  readonly contentType: string | null
  /** The name under which a document should be saved, without a folder; null if it is no file. */
  readonly fileName: string | null
  /** Milliseconds to wait before asking again; null if the service does not say. */
  readonly retryAfterMs: number | null
  /** The number of requests, including retries. */
  readonly requests: number
}
export type Answered<T> = T extends undefined ? undefined : T & { readonly lastAnswer: AnswerInfo }

/** How often and for how long a call is retried. */
export type RetryLimits = {
  /** Requests of one call, including the first. */
  readonly requestsMax: number
  /** From the first request to the last response. No request starts after this. */
  readonly totalMs: number
}

export type CallOptions = {
  /** Identifies the logical attempt. Random if absent and the call takes a key. */
  readonly idempotencyKey?: string
  /** An ETag: only this version is changed. */
  readonly ifMatch?: string
  /** A scenario from `GET /v1/sandbox/scenarios`, for test keys. */
  readonly scenario?: string
  /** Stops waiting. The request may have been executed; see the error's `outcome`. */
  readonly signal?: AbortSignal
  /**
   * With `false`, a label that is not ready fails immediately with `label_not_ready`. By default
   * the call waits for it up to 15 s, or as long as `retry.totalMs` says.
   */
  readonly wait?: boolean
  /** Replaces the client's limits for this call. `{ requestsMax: 1 }` never retries. */
  readonly retry?: Partial<RetryLimits>
  /** How long each request may take, in milliseconds. Default: 50 s. */
  readonly timeoutMs?: number
}

/** An earlier result of this read. While it is current, the call returns the same object. */
export type Known<T> = { readonly known?: T }

type Page<T> = { data: T[]; has_more: boolean; next_cursor: string | null }
type Item<O extends OperationName> = Output<O> extends Page<infer T> ? T : never
/** `await` gives a page; `for await` yields every item of every page. */
type Listed<O extends OperationName> = Promise<Answered<Output<O>>> & AsyncIterable<Item<O>>
type Result<O extends OperationName> = (typeof operations)[O]['answers'] extends 'list'
  ? Output<O> extends Page<unknown>
    ? Listed<O>
    : Promise<Answered<Output<O>>>
  : Promise<Answered<Output<O>>>

type Options<O extends OperationName> = (typeof operations)[O] extends {
  readonly method: 'GET'
  readonly answers: 'json' | 'list'
}
  ? CallOptions & Known<Answered<Output<O>>>
  : CallOptions

type Method<O extends OperationName> =
  Record<never, never> extends Input<O>
    ? (input?: Input<O>, options?: Options<O>) => Result<O>
    : (input: Input<O>, options?: Options<O>) => Result<O>

type Resource = (typeof operations)[OperationName]['resource']
type NamesIn<R extends Resource> = {
  [O in OperationName]: (typeof operations)[O]['resource'] extends R ? O : never
}[OperationName]
/** Every operation of the document, by resource and name. */
export type Methods = {
  readonly [R in Resource]: {
    readonly [O in NamesIn<R> as (typeof operations)[O]['name']]: Method<O>
  }
}
