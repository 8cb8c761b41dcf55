import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'
import { attributeNames } from './tracing.ts'

const allowed: ReadonlySet<string> = new Set(attributeNames)

/**
 * Exports spans without what is not in the list: addresses with their queries, messages of errors and
 * stack traces, which libraries add. Reports once that a collector fails, and again when it recovers.
 */
export function allowedSpansOnly(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) => {
      exporter.export(spans.map(allowedOf), (result) => {
        const failed = result.code !== 0
        if (failed !== isFailing) {
          if (failed) log.warn({ spanCount: spans.length }, 'spans could not be exported')
          else log.info('spans are exported again')
          isFailing = failed
        }
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

/** Copies only what needs it: most spans are our own. */
function allowedOf(span: ReadableSpan): ReadableSpan {
  if (span.kind !== SpanKind.SERVER && isAllowed(span)) return span
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => allowed.has(name)),
  )
  return {
    name: span.name,
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext === undefined ? {} : { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    status: { code: statusOf(span) },
    attributes,
    links: span.links,
    events: [],
    duration: span.duration,
    ended: span.ended,
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: span.droppedLinksCount,
  }
}

function isAllowed({ attributes, events, status }: ReadableSpan): boolean {
  for (const name in attributes) if (!allowed.has(name)) return false
  return events.length === 0 && status.message === undefined
}

const serverFault = 500

/** A refusal is an answer: a request failed only if the service did. */
function statusOf({ kind, status, attributes }: ReadableSpan): SpanStatusCode {
  if (kind !== SpanKind.SERVER) return status.code
  const isFault = Number(attributes['http.response.status_code']) >= serverFault
  return isFault ? SpanStatusCode.ERROR : SpanStatusCode.UNSET
}
