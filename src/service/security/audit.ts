import { setTimeout as pause } from 'node:timers/promises'
import { auditStream } from '../domain/ids.ts'
import { type AuditEvent, auditEventSchemas } from '../domain/ledger/audit-event.ts'
import { type Actor, encodeEvents } from '../event-store/codec.ts'
import {
  AppendUnknown,
  type EventStore,
  EventStoreOverloaded,
  type NewEvent,
} from '../event-store/event-store.ts'

export type AuditEntry = AuditEvent & {
  readonly organizationId: string
  readonly actor: Actor
  readonly requestId: string | null
  readonly workspaceId?: string | null
  /** The mode of the act's subject; acts on an organization as a whole have none and say false. */
  readonly livemode?: boolean
}

/**
 * Other processes may append to the same stream in between; each lost race means progress for one
 * of them.
 */
const conflictsMax = 50
/** How often an append is repeated with the same id after its answer was lost. */
const unknownRepeatsMax = 3
const unknownPauseMs = 200
/** Administrative acts that may wait for one organization's stream in this process. */
const waitingMax = 1_000
/** Streams with a remembered end; forgetting one costs a conflict. */
const endsMax = 1_000

/** The end of a stream, and the id of its first event, which all its events name. */
type End = { readonly revision: number; readonly correlationId: string }
type Lane = { tail: Promise<unknown>; waiting: number }
type Lanes = { readonly ends: Map<string, End>; readonly lanes: Map<string, Lane> }
const lanesOf = new WeakMap<EventStore, Lanes>()

/**
 * Appends an administrative act to `audit-<organization>`. Call it before the act takes effect: it
 * answers when the event is durable. If it throws EventStoreOverloaded, EventStoreUnavailable or
 * AppendUnknown, the act must not happen. Calling twice makes two events.
 */
export async function audit(store: EventStore, entry: AuditEntry): Promise<void> {
  auditEventSchemas[entry.type].parse(entry.data)
  const stream = auditStream(entry.organizationId)
  const state = lanesOf.get(store) ?? { ends: new Map(), lanes: new Map() }
  lanesOf.set(store, state)
  const lane = state.lanes.get(stream) ?? { tail: Promise.resolve(), waiting: 0 }
  if (lane.waiting >= waitingMax) throw new EventStoreOverloaded('too many administrative acts')
  state.lanes.set(stream, lane)
  lane.waiting++
  const turn = lane.tail.then(() => appendAtEnd(store, state.ends, stream, entry))
  lane.tail = turn.catch(() => undefined)
  try {
    await turn
  } finally {
    lane.waiting--
    if (lane.waiting === 0) state.lanes.delete(stream)
  }
}

async function appendAtEnd(
  store: EventStore,
  ends: Map<string, End>,
  stream: string,
  entry: AuditEntry,
): Promise<void> {
  let end = ends.get(stream) ?? null
  for (let conflicts = 0; conflicts < conflictsMax; conflicts++) {
    const events = auditEvents(entry, end)
    const outcome = await appendSurely(store, stream, end?.revision ?? 'no_stream', events)
    if (outcome.kind === 'committed' || outcome.kind === 'duplicate') {
      if (ends.size >= endsMax) ends.clear()
      const correlationId = end?.correlationId ?? (events[0] as NewEvent).id
      ends.set(stream, { revision: outcome.revision, correlationId })
      return
    }
    if (outcome.kind === 'expired') throw new Error('bug: an audit event has no deadline')
    end = outcome.actual === null ? null : await endOf(store, stream, outcome.actual, end)
  }
  throw new EventStoreOverloaded('the audit stream has too many writers')
}

async function endOf(
  store: EventStore,
  stream: string,
  revision: number,
  known: End | null,
): Promise<End> {
  if (known !== null) return { ...known, revision }
  const [first] = await store.readStream(stream, { limit: 1 })
  if (first === undefined) throw new Error(`bug: ${stream} has ${revision + 1} events and no first`)
  return { revision, correlationId: first.id }
}

async function appendSurely(
  store: EventStore,
  stream: string,
  expected: 'no_stream' | number,
  events: readonly NewEvent[],
) {
  for (let repeats = 0; ; repeats++) {
    try {
      return await store.append(stream, expected, events)
    } catch (error) {
      if (!(error instanceof AppendUnknown) || repeats >= unknownRepeatsMax) throw error
      await pause(unknownPauseMs)
    }
  }
}

/**
 * The leaf covers the revision, so a lost race makes the event again: the lost one is stored
 * nowhere.
 */
function auditEvents(entry: AuditEntry, end: End | null): readonly NewEvent[] {
  const event = { type: entry.type, data: entry.data } as AuditEvent
  return encodeEvents([event], end === null ? 0 : end.revision + 1, {
    organizationId: entry.organizationId,
    workspaceId: entry.workspaceId ?? null,
    shipmentId: null,
    livemode: entry.livemode ?? false,
    actor: entry.actor,
    requestId: entry.requestId,
    causationId: null,
    correlationId: end?.correlationId ?? null,
    recordedAt: Date.now(),
  })
}
