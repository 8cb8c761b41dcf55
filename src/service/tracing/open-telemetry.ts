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
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isId } from '../domain/ids.ts'
import type { Log } from '../log.ts'
import { allowedSpansOnly } from './allowed-spans.ts'
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

/** The API request in whose context something runs. */
type RunningRequest = {
  readonly span: OtelSpan
  /** Resolves when other processes can find the span. Undefined: they compute it. */
  readonly noted: Promise<void> | undefined
}

/** The span in which something runs. */
type Running = { readonly span: OtelSpan; readonly request: RunningRequest | undefined }

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

/** Random ids, except for a request that begins a trace. */
class RequestIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #next: Pick<TraceContext, 'traceId' | 'spanId'> | null = null

  /** Runs `begin`, which begins at most one span, at once: with these ids. */
  forNext(ids: Pick<TraceContext, 'traceId' | 'spanId'>, begin: () => void): void {
    this.#next = ids
    begin()
    this.#next = null
  }

  generateSpanId(): string {
    return this.#next?.spanId ?? this.#random.generateSpanId()
  }

  generateTraceId(): string {
    // The SDK asks for the span's id first. The next span is another one.
    const { traceId = this.#random.generateTraceId() } = this.#next ?? {}
    this.#next = null
    return traceId
  }
}

function rootSampler({ sampler, ratio }: TraceSettings): Sampler {
  if (sampler.endsWith('always_off')) return new AlwaysOffSampler()
  if (sampler.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(ratio)
  return new AlwaysOnSampler()
}

/** The OpenTelemetry SDK of this process. Loaded only if tracing is on. */
export class OpenTelemetry {
  readonly #ids = new RequestIds()
  readonly #provider: TracerProvider
  readonly #root: Sampler

  constructor(settings: TraceSettings, log: Log) {
    const { endpoint, headers, serviceName, sampler, roles } = settings
    const exporter = new OTLPTraceExporter({
      url: `${endpoint}/v1/traces`,
      headers: { ...headers },
      timeoutMillis: exportMaxMs,
    })
    this.#root = rootSampler(settings)
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({
        'service.name': serviceName,
        'shipping.roles': [...roles],
      }),
      sampler: sampler.startsWith('parentbased_')
        ? new ParentBasedSampler({ root: this.#root })
        : this.#root,
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
      isSampled: (traceId) => this.#isSampled(traceId),
    })
  }

  /** Exports what is finished, if the collector takes it in time. */
  async close(): Promise<void> {
    const closed = this.#provider.shutdown().catch(() => undefined)
    await Promise.race([closed, pause(closeMaxMs, undefined, { ref: false })])
    propagation.disable()
  }

  /** What was decided for the request that began this trace: the decision depends on its id alone. */
  #isSampled(traceId: string): boolean {
    const { decision } = this.#root.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.SERVER, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }
}

type TracingDeps = {
  readonly provider: TracerProvider
  readonly ids: RequestIds
  readonly requests: RequestTraces
  /** Whether the trace of a request that began one is recorded. */
  readonly isSampled: (traceId: string) => boolean
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
    const options = {
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: otelAttributes(attributes),
      links: links.slice(0, linksMax).map((each) => ({ context: spanContextOf(each) })),
    }
    const span = this.#tracer.startSpan(name, options, parentOf(around, continues))
    const later = { add: (more: Attributes) => add(span, more) }
    try {
      return await running.run({ span, request: around?.request }, run, later)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  }

  addShipment(shipmentId: string, isCreated: boolean): void {
    const span = running.getStore()?.request?.span
    if (span === undefined) return
    if (isCreated) this.#ofShipments.set(shipmentId, traceContextOf(span.spanContext()))
    if (span.isRecording()) add(span, { 'shipping.shipment.id': shipmentId })
  }

  traceparent(): string | null {
    const { span } = running.getStore() ?? {}
    return span === undefined ? null : traceparentOf(traceContextOf(span.spanContext()))
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
    return { ...ids, isSampled: this.#deps.isSampled(ids.traceId) }
  }

  async noted(): Promise<void> {
    await running.getStore()?.request?.noted
  }

  instrument(app: FastifyInstance): void {
    app.addHook('onRequest', (request, _reply, done) => {
      // A request that continues another trace, or repeats its id, gets random ids.
      const begins = isTraced(request) && !isFoundByNote(request)
      if (begins) this.#deps.ids.forNext(idsOfRequest(request.id), done)
      else done()
    })
    const instrumentation = new FastifyOtelInstrumentation({
      ignorePaths: (route) => !isTraced(route),
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
      const { span } = request.opentelemetry()
      if (span == null) return done()
      const noted = this.#note(request, span.spanContext())
      span.setAttributes(otelAttributes({ ...callerOf(request), ...idsIn(request.params) }))
      // Reading the body lost the context of earlier hooks.
      running.run({ span, request: { span, noted } }, done)
    })
    app.addHook('onSend', (request, _reply, payload, done) => {
      const { span } = request.opentelemetry()
      if (span != null && request.refusal != null) {
        span.setAttribute('shipping.problem.reason', request.refusal.reason)
      }
      done(null, payload)
    })
  }

  /** Only a request that changes something has consequences elsewhere. */
  #note(request: FastifyRequest, span: SpanContext): Promise<void> | undefined {
    const { principal, method } = request
    if (principal === null || method === 'GET' || method === 'HEAD') return undefined
    const { organizationId } = principal
    const key = { organizationId, requestId: request.id }
    const context = traceContextOf(span)
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
function isFoundByNote({ headers, id }: FastifyRequest): boolean {
  return headers['x-request-id'] === id || parseTraceparent(headers.traceparent) !== null
}

function parentOf(around: Running | undefined, continues: Work['continues']): Context {
  if (continues != null) return trace.setSpanContext(ROOT_CONTEXT, spanContextOf(continues))
  return around === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, around.span)
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
