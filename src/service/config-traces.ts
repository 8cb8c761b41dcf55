import { oneOf, text, upTo } from './config-values.ts'
import { isUrl } from './is-url.ts'
import { samplers, type TraceSettings } from './tracing/trace-settings.ts'

/** Traces, by the standard names of OpenTelemetry. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    'an http or https address like http://127.0.0.1:4318',
    (value) => (isUrl(value, /^https?:$/) ? value.replace(/\/+$/, '') : undefined),
  )
    .optional()
    .describe(
      'The address of an OpenTelemetry collector that takes OTLP over HTTP; spans go to `/v1/traces` there. If absent, nothing is traced. [What the spans are](guides/operating.md#traces).',
    ),
  OTEL_EXPORTER_OTLP_HEADERS: text(
    'pairs like name=value, separated by commas, each value percent-encoded',
    headersOrUndefined,
  )
    .optional()
    .describe(
      'Headers for the collector, for example its key: `name=value` pairs, separated by commas, each value percent-encoded.',
    ),
  OTEL_SERVICE_NAME: text('1 to 255 characters', upTo(255))
    .prefault('shipping-ledger')
    .describe('The name of the service in its spans.'),
  OTEL_TRACES_SAMPLER: oneOf(samplers)
    .prefault('parentbased_always_on')
    .describe(
      `Which traces are recorded: ${samplers.map((each) => `\`${each}\``).join(', ')}. Those that begin with \`parentbased_\` follow the decision of a client that sends a \`traceparent\`.`,
    ),
  OTEL_TRACES_SAMPLER_ARG: text('a number from 0 to 1', (value) => {
    const ratio = /^\d(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
    return ratio <= 1 ? ratio : undefined
  })
    .prefault('1')
    .describe('The share of traces that is recorded, for the samplers with a ratio.'),
}

type TraceVariables = {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  readonly OTEL_EXPORTER_OTLP_HEADERS?: Readonly<Record<string, string>> | undefined
  readonly OTEL_SERVICE_NAME: string
  readonly OTEL_TRACES_SAMPLER: TraceSettings['sampler']
  readonly OTEL_TRACES_SAMPLER_ARG: number
  readonly ROLES: readonly string[]
}

/** Undefined if nothing is traced. */
export function tracesOf(value: TraceVariables): TraceSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = value
  if (endpoint === undefined) return undefined
  return {
    endpoint,
    headers: value.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: value.OTEL_SERVICE_NAME,
    sampler: value.OTEL_TRACES_SAMPLER,
    ratio: value.OTEL_TRACES_SAMPLER_ARG,
    roles: new Set(value.ROLES),
  }
}

function headersOrUndefined(value: string): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {}
  for (const pair of value.split(',')) {
    const [, name, text] = /^\s*([\w-]+)\s*=\s*(\S*)\s*$/.exec(pair) ?? []
    if (name === undefined || text === undefined) return undefined
    try {
      headers[name] = decodeURIComponent(text)
    } catch {
      return undefined
    }
  }
  return headers
}
