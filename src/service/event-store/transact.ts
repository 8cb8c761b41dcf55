import { setTimeout as delay } from 'node:timers/promises'
import { type Instant, isRefusal, type Recorded } from '../domain/decider.ts'
import { shipmentStream } from '../domain/ids.ts'
import { evolve, initialState, type Shipment, type State } from '../domain/shipment/shipment.ts'
import { type Command, decide, type RefusalReason } from '../domain/shipment/shipment-decisions.ts'
import type { ShipmentEvent } from '../domain/shipment/shipment-events.ts'
import { type Beside, isWithheld, type Withheld } from './beside.ts'
import { type Actor, decodeEvent, encodeEvents } from './codec.ts'
import {
  type AppendOptions,
  type AppendOutcome,
  AppendUnknown,
  type EventStore,
  EventStoreOverloaded,
  type NewEvent,
  type Position,
} from './event-store.ts'

/** A stream's state as read: the basis of a decision. */
export type Snapshot = {
  readonly state: State
  /** Revision of the last event; null if there is no stream. */
  readonly revision: number | null
  readonly firstEventId: string | null
  readonly lastEventId: string | null
  /** Position of the last event; null if it was just appended and not read from the store. */
  readonly position: Position | null
}

/** The snapshot of a stream that does not exist. */
export const nothing: Snapshot = {
  state: initialState,
  revision: null,
  firstEventId: null,
  lastEventId: null,
  position: null,
}

/** Events of one shipment read at once; a stream has far fewer. */
const streamEventsMax = 10_000

/** Loads the shipment as it is now or, given a version, as it was at that version. */
export async function loadShipment(
  store: EventStore,
  shipmentId: string,
  version: number = streamEventsMax,
): Promise<Snapshot> {
  const events = await store.readStream(shipmentStream(shipmentId), { limit: version })
  let state: State = initialState
  for (const event of events) state = evolve(state, decodeEvent(event))
  const last = events.at(-1)
  if (last === undefined) return nothing
  return {
    state,
    revision: last.revision,
    firstEventId: events[0]?.id ?? null,
    lastEventId: last.id,
    position: last.position,
  }
}

/** Streams requested at once. */
const readTogetherMax = 100

/** Adds to each row of a list its state, folded from the stream up to the listed version. */
export async function withStates<
  Row extends { readonly shipment_id: string; readonly version: number },
>(
  store: EventStore,
  rows: readonly Row[],
): Promise<readonly (Row & { readonly state: Shipment })[]> {
  const found: (Row & { readonly state: Shipment })[] = []
  for (let at = 0; at < rows.length; at += readTogetherMax) {
    const loaded = await Promise.all(
      rows.slice(at, at + readTogetherMax).map(async (row) => {
        const { state } = await loadShipment(store, row.shipment_id, row.version)
        return state === null ? [] : [{ ...row, state }]
      }),
    )
    found.push(...loaded.flat())
  }
  return found
}

type TransactOptions = {
  readonly actor: Actor
  readonly requestId: string | null
  /** The workspace's time. It becomes `recorded_at`, unless the stream is already later. */
  readonly now: Instant
  /** The snapshot to start from, if the caller has one. After a conflict the stream is read again. */
  readonly from?: Snapshot
  readonly append?: Pick<AppendOptions, 'notAfter' | 'reserved'>
  /** Commitments to what the events refer to in the vault, by reference. */
  readonly commitments?: ReadonlyMap<string, string>
  /**
   * What is stored with the events. The command loses its references to items if their person is erased
   * meanwhile.
   */
  readonly beside?: Beside
}

export type Transacted =
  | { readonly kind: 'done'; readonly snapshot: Snapshot; readonly appended: boolean }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly snapshot: Snapshot }
  | { readonly kind: 'expired' }

/**
 * Writers that race on one shipment are few: its request, reconciliation, an operator, the poller. One
 * of them wins each round.
 */
const conflictsMax = 20

/**
 * Decides the command on the stream's newest state and appends the decided events. After a conflict it
 * decides again on the new state, so evidence is never dropped. Throws the store's errors; on
 * AppendUnknown it first tries to get an answer by appending the same ids again.
 */
export async function transact(
  store: EventStore,
  shipmentId: string,
  command: Command,
  options: TransactOptions & { readonly beside?: Omit<Beside, 'attempt'> },
): Promise<Transacted> {
  const done = await transactAttempt(store, shipmentId, command, options)
  if (isWithheld(done)) throw new Error(`bug: an append without an attempt is ${done.kind}`)
  return done
}

/** The same for a command that begins an attempt, which may be withheld. */
export async function transactAttempt(
  store: EventStore,
  shipmentId: string,
  command: Command,
  options: TransactOptions,
): Promise<Transacted | Withheld> {
  let snapshot = options.from ?? (await loadShipment(store, shipmentId))
  let { beside, commitments } = options
  let current = command
  for (let conflicts = 0; conflicts < conflictsMax; conflicts++) {
    const decision = decide(snapshot.state, current)
    if (isRefusal(decision)) return { kind: 'refused', reason: decision.refused, snapshot }
    if (decision.length === 0) return { kind: 'done', snapshot, appended: false }
    const request = command.do === 'request_shipment' ? command.request : snapshot.state?.request
    if (request === undefined) throw new Error('bug: events decided for a shipment never requested')
    const recordedAt = Math.max(options.now, snapshot.state?.updatedAt ?? 0)
    const events = encodeEvents(decision, (snapshot.revision ?? -1) + 1, {
      organizationId: request.organization_id,
      workspaceId: request.workspace_id,
      shipmentId,
      livemode: request.livemode,
      actor: options.actor,
      requestId: options.requestId,
      causationId: snapshot.lastEventId,
      correlationId: snapshot.firstEventId,
      recordedAt,
      ...(commitments === undefined ? {} : { commitments }),
    })
    const expected = snapshot.revision ?? 'no_stream'
    const outcome = await untilAnswered(() =>
      store.append(shipmentStream(shipmentId), expected, events, {
        ...options.append,
        ...(beside && { beside }),
      }),
    )
    if (outcome.kind === 'expired' || isWithheld(outcome)) return outcome
    if (outcome.kind === 'erased') {
      const { items = [], ...others }: Beside = beside ?? {}
      const refs = new Set(items.map(({ ref }) => ref))
      current = withoutRefs(command, refs)
      commitments = new Map([...(commitments ?? [])].filter(([ref]) => !refs.has(ref)))
      beside = others
      continue
    }
    if (outcome.kind === 'conflict') {
      snapshot = await loadShipment(store, shipmentId)
      continue
    }
    return {
      kind: 'done',
      snapshot: after(snapshot, events, recordedAt, outcome.position),
      appended: true,
    }
  }
  throw new EventStoreOverloaded(
    `shipment ${shipmentId} changed ${conflictsMax} times while one change was decided`,
  )
}

/** The command with null in place of references to items that cannot be stored any more. */
function withoutRefs(command: Command, refs: ReadonlySet<string>): Command {
  const text = JSON.stringify(command, (_, value) => (refs.has(value) ? null : value))
  return JSON.parse(text) as Command
}

/** How often an unanswered append is repeated here, after the store's own retries. */
const answerTriesMax = 3

async function untilAnswered(append: () => Promise<AppendOutcome>): Promise<AppendOutcome> {
  let unknown: AppendUnknown | null = null
  for (let tries = 1; ; tries++) {
    try {
      const outcome = await append()
      // An earlier try may have been written.
      const isOver = outcome.kind === 'expired' || isWithheld(outcome)
      if (isOver && unknown !== null) throw unknown
      return outcome
    } catch (error) {
      if (error instanceof AppendUnknown) unknown = error
      // Once it may have been written, a later "not sent" no longer proves that it was not.
      if (unknown === null) throw error
      if (tries >= answerTriesMax) throw unknown
      await delay(100 * tries)
    }
  }
}

function after(
  snapshot: Snapshot,
  events: readonly NewEvent[],
  recordedAt: Instant,
  position: Position,
): Snapshot {
  let { state } = snapshot
  let version = (snapshot.revision ?? -1) + 1
  for (const event of events) {
    version += 1
    const occurredAt = Date.parse(event.metadata.occurred_at as string)
    const { operator_id: operatorId = null, key_id: keyId } = event.metadata.actor as {
      operator_id?: string
      key_id: string | null
    }
    state = evolve(state, {
      ...event,
      version,
      occurredAt,
      recordedAt,
      operatorId,
      keyId,
    } as unknown as Recorded<ShipmentEvent>)
  }
  return {
    state,
    revision: version - 1,
    firstEventId: snapshot.firstEventId ?? events[0]?.id ?? null,
    lastEventId: events.at(-1)?.id ?? null,
    position,
  }
}

/** The shipment of a snapshot whose stream is known to exist. */
export function existing(snapshot: Snapshot): Shipment {
  if (snapshot.state === null) throw new Error('bug: a shipment that exists has no stream')
  return snapshot.state
}
