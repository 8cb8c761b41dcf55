import { type JsonObject, LedgerDamaged } from '../../domain/decider.ts'
import {
  HistoryDiverged,
  type Page,
  type Place,
  type Position,
  placeAt,
  type ReadAllOptions,
  type StoredEvent,
} from '../event-store.ts'
import { positionOf, positionValue } from '../position.ts'
import type { PreparedAppend } from '../prepared-append.ts'

/** A few seconds of a busy ledger: enough for readers at about the same position. */
const keptMax = 4_000

/** An append that was written. */
export type Committed = {
  readonly append: PreparedAppend
  /** Position of its last event; the append's positions are consecutive. */
  readonly position: Position
}

/**
 * A gapless cache of the latest events read or written by this process, for readers that follow them.
 */
export class RecentEvents {
  #events: StoredEvent[] = []

  /** Events after a place; null if the store must be asked. */
  after(place: Place | null, limit: number): readonly StoredEvent[] | null {
    const [first] = this.#events
    if (first === undefined || place === null) return null
    const from = Number(positionValue(place.position) - positionValue(first.position)) + 1
    if (from < 0 || from >= this.#events.length) return null
    const isOther = place.event !== null && this.#events[from - 1]?.id !== place.event.id
    if (from > 0 && isOther) return null
    return this.#events.slice(from, from + limit)
  }

  /** Whether no event is known after a place. */
  endsAt(place: Place | null): boolean {
    return place !== null && this.#events.at(-1)?.position === place.position
  }

  clear(): void {
    this.#events = []
  }

  /**
   * Adds this process's own writes, so that they need not be read. Returns false if they do not continue
   * the known events: positions have no gaps, so other processes' events are in between.
   */
  extend(committed: readonly Committed[]): boolean {
    const ordered = committed.toSorted((a, b) => (a.position < b.position ? -1 : 1))
    const [last, first] = [this.#events.at(-1), ordered[0]]
    if (last === undefined || first === undefined) return false
    if (beforeOf(first) !== positionValue(last.position)) return false
    this.add(ordered.flatMap(eventsOf))
    return true
  }

  /** Adds events read from the store, in order and without gaps. */
  add(events: readonly StoredEvent[]): void {
    const [first] = events
    if (first === undefined) return
    const last = this.#events.at(-1)
    const next = last === undefined ? null : positionValue(last.position) + 1n
    const at = positionValue(first.position)
    // Older events are of no further use; later ones start a new cache.
    if (next !== null && at <= next) this.#events.push(...events.slice(Number(next - at)))
    else this.#events = [...events]
    if (this.#events.length > keptMax) this.#events = this.#events.slice(-keptMax)
  }
}

/** The position before its first event. */
function beforeOf({ append, position }: Committed): bigint {
  return positionValue(position) - BigInt(append.events.length)
}

function eventsOf(committed: Committed): readonly StoredEvent[] {
  const { stream, expected, events } = committed.append
  const before = beforeOf(committed)
  return events.map(({ id, type, data, metadata }, index) => ({
    id,
    type,
    stream,
    data: JSON.parse(data) as JsonObject,
    metadata: JSON.parse(metadata) as JsonObject,
    revision: expected + 1 + index,
    position: positionOf(String(before + BigInt(index) + 1n)),
  }))
}

/** A page of those events after a place that were requested, and how far it goes. */
export function pageOf(
  after: Place | null,
  events: readonly StoredEvent[],
  { prefixes }: Pick<ReadAllOptions, 'prefixes'>,
): Page {
  const wanted = prefixes
    ? events.filter(({ stream }) => prefixes.some((prefix) => stream.startsWith(prefix)))
    : events
  const last = events.at(-1)
  const place = last === undefined ? after : placeAt(last)
  return { events: wanted, last: place?.position ?? null, place }
}

/**
 * Checks a page that starts with the event at the place itself, which proves that the place belongs to
 * this ledger. Positions have no gaps, so a gap means that an event was removed or a reader has a bug.
 */
export function assertContiguous(found: readonly StoredEvent[], from: Place | null): void {
  const start = positionValue(from?.position ?? null)
  const first = found[0]?.position === from?.position ? found[0] : undefined
  if (from?.event && first?.id !== from.event.id) {
    throw new HistoryDiverged(from.event, first?.id ?? null)
  }
  if (start !== 0n && found.length === 0) {
    throw new LedgerDamaged(
      `The ledger has no event at position ${start}: it has lost events, or the position is from another ledger.`,
    )
  }
  let expected = start === 0n ? 1n : start
  for (const { position } of found) {
    if (positionValue(position) !== expected) {
      throw new LedgerDamaged(
        `The ledger is damaged at position ${expected}: the event is missing.`,
      )
    }
    expected += 1n
  }
}
