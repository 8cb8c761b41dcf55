import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'
import type { TraceContext } from './trace-context.ts'

/** Random ids, except for the span of a request that begins a trace. */
export class RequestIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #next: Pick<TraceContext, 'traceId' | 'spanId'> | null = null

  /** Runs `begin`, which begins at most one span, at once: with these ids. */
  forNext(ids: Pick<TraceContext, 'traceId' | 'spanId'>, begin: () => void): void {
    this.#next = ids
    begin()
    this.#next = null
  }

  random(): Pick<TraceContext, 'traceId' | 'spanId'> {
    return {
      traceId: this.#random.generateTraceId(),
      spanId: this.#random.generateSpanId(),
    }
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
