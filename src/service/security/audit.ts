import { setTimeout as pause } from 'node:timers/promises'
import { auditStream } from '../domain/ids.ts'
import { type AuditEvent, auditEventSchemas } from '../domain/ledger/audit-event.ts'
import type { SealedRow } from '../event-store/beside.ts'
import { type Actor, encodeEvents } from '../event-store/codec.ts'
import {
  type AppendOutcome,
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
  /** The mode of the act's subject. False for acts on a whole organization, which have no mode. */
  readonly livemode?: boolean
  /** A row of the vault that the event names, stored with it. */
  readonly row?: SealedRow
}

/**
 * Conflicts per append. Other processes may append to the same stream; each conflict means that one
 * of them has succeeded.
 */
const conflictsMax = 50
/** Repeats of an append, with the same event id, after its answer was lost. */
const unknownRepeatsMax = 3
const unknownPauseMs = 200
/** Appends that may wait for one organization's stream in this process. */
const waitingMax = 1_000
/** Streams whose end is cached. An evicted one costs one conflict. */
const endsMax = 1_000

/** The end of a stream, and the id of its first event, which all its events name. */
type End = { readonly revision: number; readonly correlationId: string }
type AppendQueue = { tail: Promise<unknown>; waiting: number }
type AppendQueues = { readonly ends: Map<string, End>; readonly queues: Map<string, AppendQueue> }
const queuesOf = new WeakMap<EventStore, AppendQueues>()

/**
 * Appends an administrative act to `audit-<organization>` and returns when the event is durable.
 * Call it before the act takes effect: if it throws EventStoreOverloaded, EventStoreUnavailable or
 * AppendUnknown, the act must not happen. Calling it twice appends two events.
 */
export async function audit(store: EventStore, entry: AuditEntry): Promise<void> {
  auditEventSchemas[entry.type].parse(entry.data)
  const stream = auditStream(entry.organizationId)
  const state = queuesOf.get(store) ?? { ends: new Map(), queues: new Map() }
  queuesOf.set(store, state)
  const queue = state.queues.get(stream) ?? { tail: Promise.resolve(), waiting: 0 }
  if (queue.waiting >= waitingMax) throw new EventStoreOverloaded('too many administrative acts')
  state.queues.set(stream, queue)
  queue.waiting++
  const append = queue.tail.then(() => appendAtEnd(store, state.ends, stream, entry))
  queue.tail = append.catch(() => undefined)
  try {
    await append
  } finally {
    queue.waiting--
    if (queue.waiting === 0) state.queues.delete(stream)
  }
}

async function appendAtEnd(
  store: EventStore,
  ends: Map<string, End>,
  stream: string,
  entry: AuditEntry,
): Promise<void> {
  let end = ends.get(stream) ?? null
  const options = entry.row === undefined ? {} : { beside: { row: entry.row } }
  for (let conflicts = 0; conflicts < conflictsMax; conflicts++) {
    const events = auditEvents(entry, end)
    const expected = end?.revision ?? 'no_stream'
    const append = () => store.append(stream, expected, events, options)
    const outcome = await appendSurely(append)
    if (outcome.kind === 'committed' || outcome.kind === 'duplicate') {
      if (ends.size >= endsMax) ends.clear()
      const correlationId = end?.correlationId ?? (events[0] as NewEvent).id
      ends.set(stream, { revision: outcome.revision, correlationId })
      return
    }
    if (outcome.kind !== 'conflict')
      throw new Error(`bug: an audit event without a deadline or items is ${outcome.kind}`)
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

async function appendSurely(append: () => Promise<AppendOutcome>): Promise<AppendOutcome> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await append()
    } catch (error) {
      if (!(error instanceof AppendUnknown) || repeats >= unknownRepeatsMax) throw error
      await pause(unknownPauseMs)
    }
  }
}

/**
 * Built again after a conflict, because the leaf covers the revision. The earlier event was not
 * stored.
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
