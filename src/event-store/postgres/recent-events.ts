import { type JsonObject, LedgerDamaged } from '../../domain/decider.ts'
import type { Page, Position, ReadAllOptions, StoredEvent } from '../event-store.ts'
import { positionOf, positionValue } from '../position.ts'
import type { PreparedAppend } from '../prepared-append.ts'

/** A few seconds of a busy ledger: what readers that are about as far as each other ask for. */
const keptMax = 4_000

/** An append that was written. */
export type Committed = {
  readonly append: PreparedAppend
  /** Of its last event; they are next to each other. */
  readonly position: Position
}

/** The latest events that somebody has read or written, without a gap between them, for those who read them next. */
export class RecentEvents {
  #events: StoredEvent[] = []

  /** Events that follow a position; null when the store must be asked. */
  after(position: Position | null, limit: number): readonly StoredEvent[] | null {
    const [first] = this.#events
    if (first === undefined || position === null) return null
    const from = Number(positionValue(position) - positionValue(first.position)) + 1
    if (from < 0 || from >= this.#events.length) return null
    return this.#events.slice(from, from + limit)
  }

  /** Whether nothing is known after a position. */
  endsAt(position: Position | null): boolean {
    return position !== null && this.#events.at(-1)?.position === position
  }

  /**
   * What this process has written. It is kept, and need not be read, if it goes on from what is known:
   * positions have no gaps, so nothing of others is between. False = it does not.
   */
  extend(committed: readonly Committed[]): boolean {
    const ordered = committed.toSorted((a, b) => (a.position < b.position ? -1 : 1))
    const [last, first] = [this.#events.at(-1), ordered[0]]
    if (last === undefined || first === undefined) return false
    if (beforeOf(first) !== positionValue(last.position)) return false
    this.add(ordered.flatMap(eventsOf))
    return true
  }

  /** What the store has answered, in order and without a gap. */
  add(events: readonly StoredEvent[]): void {
    const [first] = events
    if (first === undefined) return
    const last = this.#events.at(-1)
    const next = last === undefined ? null : positionValue(last.position) + 1n
    const at = positionValue(first.position)
    // Older events are of no use to anybody else; later ones begin anew.
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

/** What of the events that follow a position somebody wants, and how far that is. */
export function pageOf(
  after: Position | null,
  events: readonly StoredEvent[],
  { prefixes }: Pick<ReadAllOptions, 'prefixes'>,
): Page {
  const wanted = prefixes
    ? events.filter(({ stream }) => prefixes.some((prefix) => stream.startsWith(prefix)))
    : events
  return { events: wanted, last: events.at(-1)?.position ?? after }
}

/** Positions have no gaps, so a gap is an event that somebody took away, or a reader's bug. */
export function assertContiguous(found: readonly StoredEvent[], start: bigint): void {
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
