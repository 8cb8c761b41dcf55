import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import {
  type Context,
  type Span as OtelSpan,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isId } from '../domain/ids.ts'
import type { Log } from '../log.ts'
import { allowedSpansOnly } from './allowed-spans.ts'
import { type Recording, recordingOf, samplerOf } from './recording.ts'
import { RequestIds } from './request-ids.ts'
import {
  idsOfRequest,
  parseTraceparent,
  type TraceContext,
  traceparentOf,
} from './trace-context.ts'
import type { TraceSettings } from './trace-settings.ts'
import type { Attributes, RequestKey, RequestTraces, Span, Tracing, Work } from './tracing.ts'

/** Finished spans that wait to be exported: more are dropped. About 2 MB. */
const queueMax = 4_096
/** Spans in one export. */
const batchMax = 512
/** How long a finished span waits for others. */
const exportEveryMs = 1_000
/** One export with its retries. A slower collector loses spans; requests never wait for it. */
const exportMaxMs = 5_000
/** A stop does not wait longer than this for a collector that does not answer. */
const closeMaxMs = 2_000
/** Links of one span: the requests of a busy tenth of a second. */
const linksMax = 128

/** Spans that are remembered, of shipments and of requests: those of the last minutes. About 4 MB. */
const rememberedMax = 10_000

/** The span in which something runs. */
type Running = {
  readonly context: TraceContext
  /** Undefined: its trace is not recorded. */
  readonly span: OtelSpan | undefined
  readonly request: RunningRequest | undefined
}

/** The API request in whose context something runs. */
type RunningRequest = Pick<Running, 'context' | 'span'> & {
  /** Resolves when other processes can find the span. Undefined: they compute it. */
  readonly noted: Promise<void> | undefined
}

/** The span of work whose trace is not recorded. */
const notRecorded: Span = { add: () => undefined }

/** Instead of OpenTelemetry's own context, which copies a map for each span. */
const running = new AsyncLocalStorage<Running>()

/** A request's span continues the client's. Nothing is given on with it, such as `tracestate`. */
const clientsSpans: TextMapPropagator = {
  extract(before, carrier) {
    const { traceparent } = carrier as FastifyRequest['headers']
    const parent = parseTraceparent(traceparent)
    return parent === null ? before : trace.setSpanContext(before, spanContextOf(parent))
  },
  inject: () => undefined,
  fields: () => ['traceparent'],
}

/** The OpenTelemetry SDK of this process. Loaded only if tracing is on. */
export class OpenTelemetry {
  readonly #ids = new RequestIds()
  readonly #provider: TracerProvider
  readonly #recording: Recording

  constructor(settings: TraceSettings, log: Log) {
    const { endpoint, headers, serviceName, roles } = settings
    const exporter = new OTLPTraceExporter({
      url: `${endpoint}/v1/traces`,
      headers: { ...headers },
      timeoutMillis: exportMaxMs,
    })
    this.#recording = recordingOf(settings)
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': serviceName,
        'shipping.roles': [...roles],
      }),
      sampler: samplerOf(settings),
      idGenerator: this.#ids,
      spanLimits: { linkCountLimit: linksMax },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: allowedSpansOnly(exporter, log),
          maxQueueSize: queueMax,
          maxExportBatchSize: batchMax,
          scheduledDelayMillis: exportEveryMs,
          exportTimeoutMillis: exportMaxMs,
        }),
      ],
    })
    propagation.setGlobalPropagator(clientsSpans)
  }

  tracing(requests: RequestTraces): Tracing {
    return new OpenTelemetryTracing({
      provider: this.#provider,
      ids: this.#ids,
      requests,
      recording: this.#recording,
    })
  }

  /** Exports what is finished, if the collector takes it in time. */
  async close(): Promise<void> {
    const closed = this.#provider.shutdown().catch(() => undefined)
    await Promise.race([closed, pause(closeMaxMs, undefined, { ref: false })])
    propagation.disable()
  }
}

type TracingDeps = {
  readonly provider: TracerProvider
  readonly ids: RequestIds
  readonly requests: RequestTraces
  readonly recording: Recording
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Its trace, if that is not recorded. */
    unrecorded: TraceContext | null
  }
}

class OpenTelemetryTracing implements Tracing {
  readonly #deps: TracingDeps
  readonly #tracer
  /** By shipment, the span of the request that created it. */
  readonly #ofShipments = new LRUCache<string, TraceContext>({ max: rememberedMax })
  /** By organization and request. A span is noted before anything asks for it, and never changes. */
  readonly #ofRequests = new LRUCache<string, TraceContext>({ max: rememberedMax })

  constructor(deps: TracingDeps) {
    this.#deps = deps
    this.#tracer = deps.provider.getTracer('shipping-ledger')
  }

  async traced<T>(name: string, work: Work, run: (span: Span) => Promise<T>): Promise<T> {
    const { kind, attributes = {}, continues, links = [] } = work
    const around = running.getStore()
    const parent = continues ?? around?.context
    if (parent !== undefined && !this.#deps.recording.continues(parent)) {
      if (parent === around?.context) return await run(notRecorded)
      const context = { ...parent, isSampled: false }
      return await running.run(
        { context, span: undefined, request: around?.request },
        run,
        notRecorded,
      )
    }
    const options = {
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: otelAttributes(attributes),
      links: links
        .filter(({ isSampled }) => isSampled)
        .slice(0, linksMax)
        .map((each) => ({ context: spanContextOf(each) })),
    }
    const span = this.#tracer.startSpan(name, options, parentOf(parent, continues != null))
    const context = traceContextOf(span.spanContext())
    const later = { add: (more: Attributes) => add(span, more) }
    try {
      return await running.run({ context, span, request: around?.request }, run, later)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  }

  addShipment(shipmentId: string, isCreated: boolean): void {
    const request = running.getStore()?.request
    if (request === undefined) return
    if (isCreated) this.#ofShipments.set(shipmentId, request.context)
    if (request.span !== undefined) add(request.span, { 'shipping.shipment.id': shipmentId })
  }

  traceparent(): string | null {
    const { context } = running.getStore() ?? {}
    return context === undefined ? null : traceparentOf(context)
  }

  async contextsOf(requests: readonly RequestKey[]): Promise<readonly TraceContext[]> {
    const distinct = new Map(
      requests.map((each) => [`${each.organizationId} ${each.requestId}`, each]),
    )
    return await Promise.all(
      [...distinct.values()].slice(0, linksMax).map((request) => this.#contextOf(request)),
    )
  }

  async contextOfShipment(
    shipmentId: string,
    requestOf: () => Promise<readonly RequestKey[]>,
  ): Promise<TraceContext | null> {
    const known = this.#ofShipments.get(shipmentId)
    if (known !== undefined) return known
    const [context = null] = await this.contextsOf(await requestOf())
    if (context !== null) this.#ofShipments.set(shipmentId, context)
    return context
  }

  async #contextOf(request: RequestKey): Promise<TraceContext> {
    const known = this.#ofRequests.get(keyOf(request))
    if (known !== undefined) return known
    try {
      const context =
        (await this.#deps.requests.find(request)) ?? this.#contextOfId(request.requestId)
      this.#ofRequests.set(keyOf(request), context)
      return context
    } catch {
      // Without the database, the work itself reports it.
      return this.#contextOfId(request.requestId)
    }
  }

  #contextOfId(requestId: string): TraceContext {
    const ids = idsOfRequest(requestId)
    return { ...ids, isSampled: this.#deps.recording.begins(ids.traceId) }
  }

  async noted(): Promise<void> {
    await running.getStore()?.request?.noted
  }

  instrument(app: FastifyInstance): void {
    let isRecorded = true
    app.decorateRequest('unrecorded', null)
    app.addHook('onRequest', (request, _reply, done) => {
      if (!isTraced(request)) return done()
      const parent = parseTraceparent(request.headers.traceparent)
      const ids = parent ?? (isOwnId(request) ? this.#deps.ids.random() : idsOfRequest(request.id))
      const { recording } = this.#deps
      isRecorded = parent === null ? recording.begins(ids.traceId) : recording.continues(parent)
      // The next hook begins the span.
      if (!isRecorded) {
        request.unrecorded = { traceId: ids.traceId, spanId: ids.spanId, isSampled: false }
        done()
        isRecorded = true
      } else if (parent === null) this.#deps.ids.forNext(ids, done)
      else done()
    })
    const instrumentation = new FastifyOtelInstrumentation({
      ignorePaths: (route) => !isRecorded || !isTraced(route),
      // The handler continues the request's own span: see the hook below.
      instrumentHandler: false,
      instrumentHooks: false,
      recordExceptions: false,
      requestHook: (span, request) => {
        span.updateName(`${request.method} ${request.routeOptions.url ?? 'unknown'}`)
        span.setAttribute('shipping.request.id', request.id)
      },
    })
    instrumentation.setTracerProvider(this.#deps.provider)
    instrumentation.plugin()(app, {}, () => undefined)
    app.addHook('preHandler', (request, _reply, done) => {
      const span = request.unrecorded === null ? request.opentelemetry().span : null
      const context = span == null ? request.unrecorded : traceContextOf(span.spanContext())
      if (context === null) return done()
      const recorded = { context, span: span ?? undefined }
      const noted = this.#note(request, context)
      span?.setAttributes(otelAttributes({ ...callerOf(request), ...idsIn(request.params) }))
      // Reading the body lost the context of earlier hooks.
      running.run({ ...recorded, request: { ...recorded, noted } }, done)
    })
    app.addHook('onSend', (request, _reply, payload, done) => {
      if (request.refusal !== null && request.unrecorded === null) {
        const { reason } = request.refusal
        request.opentelemetry().span?.setAttribute('shipping.problem.reason', reason)
      }
      done(null, payload)
    })
  }

  /** Only a request that changes something has consequences elsewhere. */
  #note(request: FastifyRequest, context: TraceContext): Promise<void> | undefined {
    const { principal, method } = request
    if (principal === null || method === 'GET' || method === 'HEAD') return undefined
    const { organizationId } = principal
    const key = { organizationId, requestId: request.id }
    if (isFoundByNote(request)) return this.#deps.requests.note(key, traceparentOf(context))
    this.#ofRequests.set(keyOf(key), context)
    return undefined
  }
}

function keyOf({ organizationId, requestId }: RequestKey): string {
  return `${organizationId} ${requestId}`
}

function isTraced({ url }: { readonly url: string }): boolean {
  return url.startsWith('/v1/')
}

/** Its span does not follow from its id: it continues another, or the id may be repeated. */
function isFoundByNote(request: FastifyRequest): boolean {
  return isOwnId(request) || parseTraceparent(request.headers.traceparent) !== null
}

function isOwnId({ headers, id }: FastifyRequest): boolean {
  return headers['x-request-id'] === id
}

function parentOf(parent: TraceContext | undefined, isRemote: boolean): Context {
  if (parent === undefined) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { ...spanContextOf(parent), isRemote })
}

function callerOf({ principal }: FastifyRequest): Attributes {
  if (principal === null) return {}
  const { organizationId, livemode } = principal
  return { 'shipping.organization.id': organizationId, 'shipping.livemode': livemode }
}

/** The ids in a path. A part that is not an id may be anything. */
function idsIn(params: unknown): Attributes {
  const parts = Object.values(params ?? {}).filter((part) => typeof part === 'string')
  const shipment = parts.find((part) => isId('shp', part))
  const operation = parts.find((part) => isId('op', part))
  return {
    ...(shipment === undefined ? {} : { 'shipping.shipment.id': shipment }),
    ...(operation === undefined ? {} : { 'shipping.operation.id': operation }),
  }
}

function add(span: OtelSpan, attributes: Attributes): void {
  span.setAttributes(otelAttributes(attributes))
}

/** OpenTelemetry's type has lists that may be changed. */
function otelAttributes(attributes: Attributes) {
  return attributes as Record<string, string | number | boolean | string[]>
}

function spanContextOf({ traceId, spanId, isSampled }: TraceContext): SpanContext {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
  return { traceId, spanId, traceFlags, isRemote: true }
}

function traceContextOf({ traceId, spanId, traceFlags }: SpanContext): TraceContext {
  return { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }
}
