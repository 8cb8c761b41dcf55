import { type Instant, isRefusal } from '../../src/service/domain/decider.ts'
import { operationIdOf, shipmentIdOf, shipmentStream } from '../../src/service/domain/ids.ts'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import { evolve, initialState, type State } from '../../src/service/domain/shipment/shipment.ts'
import { type Command, decide } from '../../src/service/domain/shipment/shipment-decisions.ts'
import { type Envelope, encodeEvents } from '../../src/service/event-store/codec.ts'
import type { EventStore, NewEvent } from '../../src/service/event-store/event-store.ts'
import { request, seconds, start, uuid } from './given.ts'

/** Concurrent appends: one full batch of the store. */
const atOnce = 256

const guide = (n: number) => ({
  guideNumber: `G-${n}`,
  price: { amount: 1_250, currency: 'PEN' },
  pickupCodeRef: uuid(2),
})

/** The outcomes of calls in rotation: most succeed. */
function outcomeOf(n: number): CallOutcome {
  if (n % 20 === 3) return { kind: 'rejected', detailRef: null }
  if (n % 20 === 7) return { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true }
  if (n % 20 === 11)
    return { kind: 'not_sent', reason: 'courier_unreachable', retryAfterSeconds: 1 }
  return { kind: 'issued', guide: guide(n) }
}

/** What happens to a shipment after its intent, as one append each. */
function storyOf(n: number, operationId: string): readonly Command[] {
  const ends: Command = { do: 'record_outcome', operationId, outcome: outcomeOf(n) }
  if (outcomeOf(n).kind === 'unknown') {
    const look = { startedAt: start + seconds(4), by: 'reconciliation' } as const
    const result = { kind: 'guides', guides: [guide(n)] } as const
    const found: Command = { do: 'record_look', operationId, ...look, result }
    return [ends, found]
  }
  if (outcomeOf(n).kind !== 'issued') return [ends]
  const label = {
    label_ref: uuid(3),
    a4_ref: null,
    content_type: 'application/pdf',
    size_bytes: 9_000,
  }
  const scan = {
    id: `scan-${n}`,
    code: 'in_transit',
    mapped: true,
    agency_id: null,
    occurred_at: '2026-03-01T14:00:00.000Z',
    received_at: '2026-03-01T14:05:00.000Z',
    action_required: false,
  }
  return [
    ends,
    { do: 'record_label', label },
    {
      do: 'observe_tracking',
      events: [scan],
      eta: null,
      evidenceRef: uuid(4),
      monitoring: 'active',
    },
  ]
}

/**
 * Appends the histories of `count` shipments, decided by the domain, as fast as the store accepts
 * them. They are interleaved: all intents of a block first, then the next events of each shipment,
 * and so on.
 */
export async function fillLedger(
  store: EventStore,
  shipments: number,
  where: Where,
): Promise<number> {
  let count = 0
  for (let from = 0; from < shipments; from += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, shipments - from) }, (_, n) => from + n)
    const stories = numbers.map((n) => appendsOf(n, where))
    for (let step = 0; ; step++) {
      const appends = stories.flatMap(({ stream, appends }) => {
        const events = appends[step]
        const before = appends.slice(0, step).flat().length
        return events === undefined ? [] : [{ stream, events, before }]
      })
      if (appends.length === 0) break
      await Promise.all(
        appends.map(async ({ stream, events, before }) => {
          const outcome = await store.append(
            stream,
            before === 0 ? 'no_stream' : before - 1,
            events,
          )
          if (outcome.kind !== 'committed') throw new Error(`the append ended ${outcome.kind}`)
          count += events.length
        }),
      )
    }
  }
  return count
}

type Where = { readonly organizationId: string; readonly workspaceId: string }

function keyOf(n: number): string {
  return `bulk-${n}`
}

/** The id of the n-th shipment that `fillLedger` has appended, from 0. */
export function bulkShipmentId(n: number, { organizationId, workspaceId }: Where): string {
  return shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey: keyOf(n) })
}

function appendsOf(n: number, where: Where) {
  const { organizationId, workspaceId } = where
  const idempotencyKey = keyOf(n)
  const shipmentId = bulkShipmentId(n, where)
  const operationId = operationIdOf(shipmentId, 1)
  const asked: Command = {
    do: 'request_shipment',
    now: start,
    callDeadline: start + seconds(20),
    operationId,
    credentialsVersion: 1,
    request: {
      ...request,
      organization_id: organizationId,
      workspace_id: workspaceId,
      idempotency_key: idempotencyKey,
      external_reference: `ORDER-${n}`,
    },
  }
  const appends: (readonly NewEvent[])[] = []
  let state: State = initialState
  for (const [index, command] of [asked, ...storyOf(n, operationId)].entries()) {
    const decided = decide(state, command)
    if (isRefusal(decided)) throw new Error(`${command.do} was refused: ${decided.refused}`)
    const recordedAt: Instant = start + seconds(index)
    const envelope: Envelope = {
      organizationId,
      workspaceId,
      shipmentId,
      livemode: false,
      recordedAt,
      actor: { type: 'system', keyId: null },
      requestId: null,
      causationId: appends.at(-1)?.at(-1)?.id ?? null,
      correlationId: appends[0]?.[0]?.id ?? null,
    }
    const before = appends.flat().length
    for (const [at, event] of decided.entries()) {
      const version = before + at + 1
      state = evolve(state, { ...event, version, occurredAt: recordedAt, recordedAt })
    }
    appends.push(encodeEvents(decided, before, envelope))
  }
  return { stream: shipmentStream(shipmentId), appends: appends.filter((one) => one.length > 0) }
}
