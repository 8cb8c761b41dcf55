import type { Page, Position, ReadAllOptions, StoredEvent } from './event-store.ts'
import { positionValue } from './position.ts'

/** A few seconds of a busy ledger: what readers that are about as far as each other ask for. */
const keptMax = 4_000

/** The latest events that somebody has read, without a gap between them, for those who read them next. */
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
    throw new Error(
      `The ledger has no event at position ${start}: it has lost events, or the position is from another ledger.`,
    )
  }
  let expected = start === 0n ? 1n : start
  for (const { position } of found) {
    if (positionValue(position) !== expected) {
      throw new Error(`The ledger is damaged at position ${expected}: the event is missing.`)
    }
    expected += 1n
  }
}
