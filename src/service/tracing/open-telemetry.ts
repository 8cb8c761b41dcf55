import { setTimeout as pause } from 'node:timers/promises'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import {
  type Context,
  context,
  createContextKey,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
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
import {
  type Attributes,
  keyText,
  type RequestKey,
  type RequestTraces,
  type Span,
  type Tracing,
  type Work,
} from './tracing.ts'

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

/** The API request in whose context something runs. */
type RunningRequest = {
  readonly span: OtelSpan
  /** Resolves when other processes can find the span. Undefined: they compute it. */
  readonly noted: Promise<void> | undefined
}
const runningRequest = createContextKey('the API request')

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
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
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
    context.disable()
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

  constructor(deps: TracingDeps) {
    this.#deps = deps
    this.#tracer = deps.provider.getTracer('shipping-ledger')
  }

  async traced<T>(name: string, work: Work, run: (span: Span) => Promise<T>): Promise<T> {
    const { kind, attributes = {}, continues, links = [] } = work
    const parent =
      continues == null
        ? context.active()
        : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(continues))
    const options = {
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: otelAttributes(attributes),
      links: links.slice(0, linksMax).map((each) => ({ context: spanContextOf(each) })),
    }
    const span = this.#tracer.startSpan(name, options, parent)
    const running = { add: (more: Attributes) => add(span, more) }
    try {
      return await context.with(trace.setSpan(parent, span), () => run(running))
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  }

  addToRequest(attributes: Attributes): void {
    const span = requestIn(context.active())?.span
    if (span?.isRecording()) add(span, attributes)
  }

  traceparent(): string | null {
    const span = trace.getSpanContext(context.active())
    return span === undefined ? null : traceparentOf(traceContextOf(span))
  }

  async contextsOf(requests: readonly RequestKey[]): Promise<readonly TraceContext[]> {
    const all = new Map(requests.map((each) => [keyText(each), each]))
    const distinct = [...all].slice(0, linksMax)
    if (distinct.length === 0) return []
    // Without the database, the work itself reports it.
    const stored = await this.#deps.requests
      .find(distinct.map(([, request]) => request))
      .catch(() => new Map<string, TraceContext>())
    return distinct.map(([key, { requestId }]) => {
      const ids = idsOfRequest(requestId)
      return stored.get(key) ?? { ...ids, isSampled: this.#deps.isSampled(ids.traceId) }
    })
  }

  async noted(): Promise<void> {
    await requestIn(context.active())?.noted
  }

  instrument(app: FastifyInstance): void {
    app.addHook('onRequest', (request, _reply, done) => {
      if (isTraced(request)) this.#beforeRequest(request, done)
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
      const { span, context: of } = request.opentelemetry()
      if (span == null || of == null) return done()
      const running: RunningRequest = { span, noted: this.#note(request, span.spanContext()) }
      span.setAttributes(otelAttributes({ ...callerOf(request), ...idsIn(request.params) }))
      // Reading the body lost the context of earlier hooks.
      context.with(of.setValue(runningRequest, running), done)
    })
    app.addHook('onSend', (request, _reply, payload, done) => {
      const { span } = request.opentelemetry()
      if (span != null && request.refusal != null) {
        span.setAttribute('shipping.problem.reason', request.refusal.reason)
      }
      done(null, payload)
    })
  }

  /** Continues the client's trace, or begins one. */
  #beforeRequest(request: FastifyRequest, done: () => void): void {
    const parent = parseTraceparent(request.headers.traceparent)
    if (parent !== null) {
      context.with(trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)), done)
      return
    }
    const begin = () => context.with(ROOT_CONTEXT, done)
    if (isClientsId(request)) begin()
    else this.#deps.ids.forNext(idsOfRequest(request.id), begin)
  }

  /** Only a request that changes something has consequences elsewhere. */
  #note(request: FastifyRequest, span: SpanContext): Promise<void> | undefined {
    const { principal, method } = request
    if (principal === null || method === 'GET' || method === 'HEAD') return undefined
    if (parseTraceparent(request.headers.traceparent) === null && !isClientsId(request)) return
    const traceparent = traceparentOf(traceContextOf(span))
    const { organizationId } = principal
    return this.#deps.requests.note({ organizationId, requestId: request.id }, traceparent)
  }
}

function isTraced({ url }: { readonly url: string }): boolean {
  return url.startsWith('/v1/')
}

/** A client may repeat its own id, so its spans cannot be derived from it. */
function isClientsId(request: FastifyRequest): boolean {
  return request.headers['x-request-id'] === request.id
}

function requestIn(running: Context): RunningRequest | undefined {
  return running.getValue(runningRequest) as RunningRequest | undefined
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
