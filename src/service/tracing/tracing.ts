import type { FastifyInstance } from 'fastify'
import type { TraceContext } from './trace-context.ts'

/**
 * Every attribute that a span may have. Anything else is removed before it is exported, also what
 * a library adds. None is personal or chosen freely by a client: they are ids, codes, counts and names.
 */
export const attributeNames = [
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'shipping.append.batch_size',
  'shipping.append.result',
  'shipping.courier.answer',
  'shipping.courier.attempt',
  'shipping.courier.call',
  'shipping.courier.code',
  'shipping.event.types',
  'shipping.job.name',
  'shipping.job.result',
  'shipping.livemode',
  'shipping.operation.id',
  'shipping.organization.id',
  'shipping.problem.reason',
  'shipping.projection.events',
  'shipping.request.id',
  'shipping.shipment.id',
  'shipping.webhook.attempt',
  'shipping.webhook.delivery_id',
  'shipping.webhook.endpoint_id',
  'shipping.webhook.event_id',
  'shipping.webhook.event_type',
  'shipping.webhook.outcome',
] as const
type AttributeName = (typeof attributeNames)[number]

export type Attributes = Readonly<
  Partial<Record<AttributeName, string | number | boolean | readonly string[]>>
>

/** The span of a piece of work, while it runs. */
export type Span = {
  /** Adds what is known only later. */
  add(attributes: Attributes): void
}

/** What a span says about its work from the beginning. */
export type Work = {
  /** `client`: a call of another system. Default: work inside this service. */
  readonly kind?: 'client'
  readonly attributes?: Attributes
  /** The span that it continues, in another process or time. Default: the one that is running, if any. */
  readonly continues?: TraceContext | null
  /** Spans that caused it, if there are several. */
  readonly links?: readonly TraceContext[]
}

/** A request whose trace is looked for. */
export type RequestKey = { readonly organizationId: string; readonly requestId: string }

/** The stored spans of requests whose ids do not tell them. */
export type RequestTraces = {
  /** Stores a request's span. Never rejects: without it, what follows has a trace of its own. */
  note(request: RequestKey, traceparent: string): Promise<void>
  /** The stored span; null if there is none. */
  find(request: RequestKey): Promise<TraceContext | null>
}

/** Traces of this process. Where there are none, services have `undefined` instead. */
export type Tracing = {
  /** Runs the work in a span. Rethrows what it throws, of which the span gets the name only. */
  traced<T>(name: string, work: Work, run: (span: Span) => Promise<T>): Promise<T>
  /** Says that the API request that is running, if any, is about this shipment. */
  addShipment(shipmentId: string, isCreated: boolean): void
  /** The running span's `traceparent`, for a request to another system; null without a span. */
  traceparent(): string | null
  /** The spans of these requests, in their order and each once. */
  contextsOf(requests: readonly RequestKey[]): Promise<readonly TraceContext[]>
  /** The span of the request that created a shipment; asks for that request only if it must. */
  contextOfShipment(
    shipmentId: string,
    requestOf: () => Promise<readonly RequestKey[]>,
  ): Promise<TraceContext | null>
  /** Resolves when other processes can find the running request's span. Never rejects. */
  noted(): Promise<void>
  /** Makes a span of every request to `/v1`. Call it before the first route. */
  instrument(app: FastifyInstance): void
}
