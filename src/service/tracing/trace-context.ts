import { hash } from 'node:crypto'

/** The place of a span in a trace, as W3C Trace Context transmits it. */
export type TraceContext = {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string
  /** 16 lower-case hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const noTrace = '0'.repeat(32)
const noSpan = '0'.repeat(16)
const sampledFlag = 1

/** Reads a `traceparent` header. Null for one that is not valid, which counts as absent. */
export function parseTraceparent(header: unknown): TraceContext | null {
  if (typeof header !== 'string') return null
  const [, version, traceId, spanId, flags, more] = form.exec(header) ?? []
  if (version === undefined || traceId === undefined || spanId === undefined) return null
  // A later version may add fields at the end.
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (traceId === noTrace || spanId === noSpan) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags ?? '', 16) & sampledFlag) !== 0 }
}

export function traceparentOf({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/**
 * The ids of the span of a request that begins a trace. Every event, webhook and courier call has the
 * request's id, so each process finds the trace from what is stored already.
 */
export function idsOfRequest(requestId: string): Pick<TraceContext, 'traceId' | 'spanId'> {
  const digest = hash('sha256', `trace of ${requestId}`, 'hex')
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
}
