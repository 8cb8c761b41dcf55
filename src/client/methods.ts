import type { components, operations as Described } from './generated/api-types.ts'
import type { operations } from './generated/operations.ts'

export type Schemas = components['schemas']
export type Shipment = Schemas['Shipment']
export type Operation = Schemas['Operation']
export type Tracking = Schemas['Tracking']
/** A reason that errors have; the service may add others. */
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

/** The parts of the path, and the query or the fields of the body, in one object. */
export type Input<O extends OperationName> = Part<O, 'path'> & Part<O, 'query'> & Body<O>

type Responses<O extends OperationName> = Described[O]['responses']
type Contents<R> = R extends { content: infer C } ? C : never
type Json<C> = C extends { 'application/json': infer J } ? J : never
export type Output<O extends OperationName> = (typeof operations)[O]['answers'] extends 'nothing'
  ? undefined
  : (typeof operations)[O]['answers'] extends 'bytes'
    ? Uint8Array
    : Json<Contents<Responses<O>[keyof Responses<O>]>>

/** What the answer said beside its body; on the result as a property that is not enumerated. */
export type AnswerInfo = {
  readonly status: number
  readonly requestId: string | null
  /** The key that the request was sent with, your own or the one that was made for it. */
  readonly idempotencyKey: string | null
  /** An earlier request with the key did it. */
  readonly replayed: boolean
  readonly etag: string | null
  /** Milliseconds after which the service asks to be asked again; null when it does not say. */
  readonly retryAfterMs: number | null
  /** Requests that it took, repetitions included. */
  readonly requests: number
}
export type Answered<T> = T extends undefined ? undefined : T & { readonly lastAnswer: AnswerInfo }

export type CallOptions = {
  /** Names the logical attempt. Made at random when it is not given and the call takes one. */
  readonly idempotencyKey?: string
  /** An ETag: the change is made only to this version. */
  readonly ifMatch?: string
  /** With a test key: one of the nineteen scenarios. */
  readonly scenario?: string
  /** Gives up waiting. What was sent may have been done: `outcome` of the error says so. */
  readonly signal?: AbortSignal
}

/** Of a read: what it answered before. While that is current it is answered itself, the very object. */
export type Known<T> = { readonly known?: T }

type Page<T> = { data: T[]; has_more: boolean; next_cursor: string | null }
type Item<O extends OperationName> = Output<O> extends Page<infer T> ? T : never
/** A page when awaited; with `for await` every item of every page. */
export type Listed<O extends OperationName> = Promise<Answered<Output<O>>> & AsyncIterable<Item<O>>
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

export type Method<O extends OperationName> =
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
