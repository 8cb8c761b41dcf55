import type { z } from 'zod'
import type { CourierFailure, FoundGuide, Guide, TrackAnswer } from './courier.ts'
import { shortened } from './courier-text.ts'
import type { Answered, ExchangeResult } from './exchange.ts'
import { tolerantAnswers, tolerantTrackingEvent } from './protocol.ts'
import { connectorLimits, priceChangedCode } from './protocol-codes.ts'
import { type JsonList, type ReadList, readJsonList } from './read-json-list.ts'

/** Parses a successful answer, or returns the failure that the answer stands for. */
export function read<S extends z.ZodType, A>(
  sent: ExchangeResult,
  schema: S,
  success: (value: z.infer<S>) => A,
): A | CourierFailure {
  if (sent.kind === 'answered' && sent.status >= 200 && sent.status < 300) {
    const parsed = schema.safeParse(jsonOf(sent))
    if (parsed.success) return success(parsed.data)
  }
  return failureOf(sent)
}

/** Like `read`, for an answer that consists of one long list. */
export async function readList<Item extends z.ZodType, Envelope extends z.ZodType, A>(
  sent: ExchangeResult,
  list: JsonList<Item, Envelope>,
  success: (read: ReadList<Item, Envelope>) => A,
): Promise<A | CourierFailure> {
  if (sent.kind !== 'answered') return failureOf(sent)
  if (sent.status >= 200 && sent.status < 300 && sent.body !== null && isJson(sent)) {
    const read = await readJsonList(sent.body, list)
    if (read !== null) return success(read)
  }
  const isShort = (sent.body?.length ?? 0) <= connectorLimits.bodyBytesMax
  return failureOf(isShort ? sent : { ...sent, body: null })
}

const unreadable: CourierFailure = { kind: 'unknown', cause: 'response_unreadable' }

export function failureOf(sent: ExchangeResult): CourierFailure {
  if (sent.kind === 'not_sent') return { kind: 'not_sent', cause: sent.cause }
  if (sent.kind === 'lost') return { kind: 'unknown', cause: sent.cause }
  if (sent.status >= 500) return { kind: 'unknown', cause: 'courier_error' }
  if (sent.status === 401) return { kind: 'unauthorized' }
  if (sent.status === 429) {
    return { kind: 'throttled', retryAfterMs: retryAfterMs(sent.retryAfter) }
  }
  if (sent.status >= 300 && sent.status < 400) return unreadable
  const refusal = tolerantAnswers.refusal.safeParse(jsonOf(sent))
  if (!refusal.success) return unreadable
  if (sent.status === 412 && refusal.data.executed === false && refusal.data.code === 'too_late') {
    return { kind: 'not_sent', cause: 'too_late' }
  }
  const { code, message, price } = refusal.data
  const newPrice = code === priceChangedCode ? price : null
  return { kind: 'rejected', code, text: shortened(message), newPrice }
}

/** Reads `Retry-After` in seconds only: a date would depend on the courier's clock. */
function retryAfterMs(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null
}

/** The body as JSON; undefined when it is not UTF-8 JSON or is not declared as such. */
function jsonOf(answer: Answered): unknown {
  if (answer.body === null || !isJson(answer)) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer.body))
  } catch {
    return undefined
  }
}

function isJson({ contentType }: Answered): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType)
}

export function isPdf(answer: Answered): boolean {
  return (
    /^application\/pdf\s*(;|$)/i.test(answer.contentType) &&
    answer.body?.subarray(0, 5).toString('latin1') === '%PDF-'
  )
}

type WireGuide = z.infer<typeof tolerantAnswers.createGuide>['guide']

export function guideOf(guide: WireGuide): Guide {
  return { guideNumber: guide.guide_number, pickupCode: guide.pickup_code, price: guide.price }
}

/** Returns the status unless it is `active`; an unreadable one becomes `unclear`. */
export function foundGuideOf(guide: WireGuide & { readonly status?: unknown }): FoundGuide {
  const { status = 'active' } = guide
  if (status === 'active') return guideOf(guide)
  return { ...guideOf(guide), status: status === 'cancelled' ? status : 'unclear' }
}

export function trackedOf(answer: z.infer<typeof tolerantAnswers.track>): TrackAnswer {
  const parsed = answer.events.map((event) => tolerantTrackingEvent.safeParse(event))
  const events = parsed.flatMap((event) => (event.success ? [event.data] : []))
  return {
    kind: 'tracked',
    events: events.map((event) => ({
      id: event.id,
      code: event.code,
      occurredAt: new Date(event.occurred_at),
      agencyCode: event.agency_code,
      text: shortened(event.text),
      actionRequired: event.action_required,
    })),
    malformed: parsed.length - events.length,
    eta: answer.eta === null ? null : new Date(answer.eta),
  }
}
