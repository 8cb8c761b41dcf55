import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { TraceContext } from './trace-context.ts'
import type { TraceSettings } from './trace-settings.ts'

/** Whether a span would be recorded, known before it costs anything. */
export type Recording = {
  begins(traceId: string): boolean
  continues(parent: TraceContext): boolean
}

/** Decides as the sampler of these settings does: a root sampler looks at the trace's id only. */
export function recordingOf(settings: TraceSettings): Recording {
  const root = rootSampler(settings)
  const begins = (traceId: string) =>
    root.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.SERVER, {}, []).decision ===
    SamplingDecision.RECORD_AND_SAMPLED
  return {
    begins,
    continues: ({ traceId, isSampled }) => (isByParent(settings) ? isSampled : begins(traceId)),
  }
}

export function samplerOf(settings: TraceSettings): Sampler {
  const root = rootSampler(settings)
  return isByParent(settings) ? new ParentBasedSampler({ root }) : root
}

function isByParent({ sampler }: TraceSettings): boolean {
  return sampler.startsWith('parentbased_')
}

function rootSampler({ sampler, ratio }: TraceSettings): Sampler {
  if (sampler.endsWith('always_off')) return new AlwaysOffSampler()
  if (sampler.endsWith('traceidratio')) return new TraceIdRatioBasedSampler(ratio)
  return new AlwaysOnSampler()
}
