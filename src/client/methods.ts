import type { components, operations as Described } from './generated/api-types.ts'
import type { operations } from './generated/operations.ts'

export type Schemas = components['schemas']
export type Shipment = Schemas['Shipment']
export type Operation = Schemas['Operation']
export type Tracking = Schemas['Tracking']
/** An error's reason. The service may add others. */
export type Reason = Schemas['Problem']['reason']

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

/** Facts about the answer beside its body, on the result as a non-enumerable property. */
export type AnswerInfo = {
  readonly status: number
  readonly requestId: string | null
  /** The key sent with the request: your own, or the generated one. */
  readonly idempotencyKey: string | null
  /** An earlier request with the same key did the work. */
  readonly replayed: boolean
  readonly etag: string | null
  /** Milliseconds after which to ask again; null when the service does not say. */
  readonly retryAfterMs: number | null
  /** Requests that the call took, including repeats. */
  readonly requests: number
}
export type Answered<T> = T extends undefined ? undefined : T & { readonly lastAnswer: AnswerInfo }

export type CallOptions = {
  /** Names the logical attempt. Generated at random if absent and the call takes one. */
  readonly idempotencyKey?: string
  /** An ETag: the change is made only to this version. */
  readonly ifMatch?: string
  /** With a test key: one of the scenarios that `GET /v1/sandbox/scenarios` lists. */
  readonly scenario?: string
  /** Stops waiting. What was sent may have been done; the error's `outcome` says so. */
  readonly signal?: AbortSignal
  /**
   * `false`: a label that the courier has not made yet is `label_not_ready` at once. By default the
   * call waits for it up to 15 s.
   */
  readonly wait?: boolean
}

/** An earlier answer of this read. While it is current, the call returns this same object. */
export type Known<T> = { readonly known?: T }

type Page<T> = { data: T[]; has_more: boolean; next_cursor: string | null }
type Item<O extends OperationName> = Output<O> extends Page<infer T> ? T : never
/** Awaited, it is a page; with `for await` it yields every item of every page. */
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
