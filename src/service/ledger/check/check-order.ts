import type { Kysely } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { shipmentIdOfStream, shipmentStreamPrefix } from '../../domain/ids.ts'
import { hashBytes } from '../../domain/ledger/merkle.ts'
import type { StoredEvent } from '../../event-store/event-store.ts'
import { atPosition, type Findings } from '../findings.ts'
import { type Sealed, sealedFrom } from '../tree.ts'

/** Sealed places per read. */
const pageMax = 2_000

/** How an event compares with its seal. */
export type Placed = {
  /** The problem with its place; null if its place is right. */
  readonly problem: string | null
  /** The place where it was sealed; null = it is not sealed. */
  readonly sealedAs: Sealed | null
  /** It is out of order: its stream continues without it. */
  readonly isOutOfOrder: boolean
}

const notSealed: Placed = { problem: null, sealedAs: null, isOutOfOrder: false }

type OrderCheckOptions = {
  readonly db: Kysely<Tables>
  /** The size of the tree: later places are not compared. */
  readonly size: number
  readonly found: Findings
  /** Called for each sealed event that is missing. */
  readonly gone: (place: Sealed) => void
  /** Called with the number of events that are missing together with their seals. */
  readonly lost: (events: number) => void
}

/**
 * Compares the order of the ledger with the order in which its events were sealed, up to a size of
 * the tree. Events are matched by stream and revision, so that a removed, inserted or changed event
 * does not make later ones look wrong.
 */
export class OrderCheck {
  readonly #options: OrderCheckOptions
  readonly #ahead: PlacesAhead
  #passed: Sealed[] = []
  #count = 0
  /** The place of the last mismatch: if the next event belongs there, the last one was inserted. */
  #doubted: Sealed | null = null
  /** Events are at different positions from those at which they were sealed. */
  #isShifted = false
  /** A reported problem has shifted the positions of the events after it. */
  #isDisturbed = false

  constructor(options: OrderCheckOptions) {
    this.#options = options
    this.#ahead = new PlacesAhead(options)
  }

  /** Checks the next event of the ledger. */
  async event(event: StoredEvent): Promise<Placed> {
    const doubted = this.#doubted
    this.#doubted = null
    if (doubted !== null && isOf(event, doubted)) {
      this.#isDisturbed = true
      return { ...this.#matched(event, doubted), isOutOfOrder: true }
    }
    for (;;) {
      const place = await this.#ahead.peek(0)
      if (place === null) return notSealed
      if (isOf(event, place)) {
        this.#pass(place)
        return this.#matched(event, place)
      }
      const next = await this.#ahead.peek(1)
      const isGone = !this.#isShifted && place.position < event.position
      if (!isGone && (next === null || !isOf(event, next))) return this.#outOfSequence(event, place)
      this.#missing(place)
    }
  }

  /**
   * Call it after the last event until it returns true: reports the sealed events that did not
   * occur.
   */
  async end(): Promise<boolean> {
    let place = await this.#ahead.peek(0)
    for (let n = 0; place !== null && n < pageMax; n++) {
      this.#missing(place)
      place = await this.#ahead.peek(0)
    }
    return place === null
  }

  /** The sealed places that were passed since the last call, in the order of the tree. */
  passed(): readonly Sealed[] {
    const passed = this.#passed
    this.#passed = []
    return passed
  }

  #matched(event: StoredEvent, place: Sealed): Placed {
    const isElsewhere = event.position !== place.position
    const isUnexplained = isElsewhere && !this.#isShifted && !this.#isDisturbed
    this.#isShifted = isElsewhere
    if (!isElsewhere) this.#isDisturbed = false
    const problem =
      event.metadata.leaf !== place.leaf.toString('hex')
        ? 'its digest (leaf) differs from the sealed one'
        : isUnexplained
          ? `it was sealed at another position, ${place.position}`
          : null
    return { problem, sealedAs: place, isOutOfOrder: false }
  }

  /** Handles an event that is not the one sealed next. */
  #outOfSequence(event: StoredEvent, place: Sealed): Placed {
    if (!this.#isShifted && place.position > event.position) return this.#withoutSeal(event, place)
    this.#pass(place)
    this.#doubted = place
    const problem = `it is not the event that was sealed here, ${nameOf(place)}`
    return { problem, sealedAs: place, isOutOfOrder: false }
  }

  /** Handles an event without a seal: the seal was removed, or the event was inserted. */
  #withoutSeal({ position, stream, revision, metadata }: StoredEvent, next: Sealed): Placed {
    if (next.index === this.#count) {
      const problem = 'it was not there when the events after it were sealed'
      return { problem, sealedAs: null, isOutOfOrder: true }
    }
    const leaf = Buffer.from(String(metadata.leaf), 'hex')
    const place = { index: this.#count, position, stream, revision, leaf }
    this.#passed.push(place)
    this.#count++
    return { problem: 'its seal was removed', sealedAs: place, isOutOfOrder: false }
  }

  #missing(place: Sealed): void {
    const { found, gone } = this.#options
    found.add(
      atPosition(place.position, shipmentOf(place)),
      `the event that was sealed here, ${nameOf(place)}, is gone`,
    )
    gone(place)
    this.#pass(place)
    this.#isDisturbed = true
  }

  #pass(place: Sealed): void {
    if (place.index > this.#count) this.#removedWithSeals(place.index - this.#count, place)
    this.#ahead.next()
    this.#count = place.index + 1
    this.#passed.push(place)
  }

  /**
   * Reports events that were removed together with their seals. The tree still counts them, so it
   * does not match.
   */
  #removedWithSeals(events: number, { position, stream, revision }: Sealed): void {
    const what =
      events === 1 ? 'an event and its seal were' : `${events} events and their seals were`
    this.#options.found.add(null, `${what} removed just before position ${position}`)
    this.#options.lost(events)
    for (let lost = 0; lost < Math.min(events, pageMax); lost++) {
      const place = { index: this.#count + lost, position, stream, revision }
      this.#passed.push({ ...place, leaf: Buffer.alloc(hashBytes) })
    }
  }
}

/** Reads the sealed places page by page, in the order of the tree. */
class PlacesAhead {
  readonly #options: Pick<OrderCheckOptions, 'db' | 'size'>
  #page: readonly Sealed[] = []
  #at = 0
  #readTo = 0

  constructor(options: Pick<OrderCheckOptions, 'db' | 'size'>) {
    this.#options = options
  }

  /** The next place, or the one after it; null at the end. */
  async peek(further: 0 | 1): Promise<Sealed | null> {
    const { db, size } = this.#options
    if (this.#at + further >= this.#page.length && this.#readTo < size) {
      const more = await sealedFrom(db, this.#readTo, Math.min(pageMax, size - this.#readTo))
      this.#page = [...this.#page.slice(this.#at), ...more]
      this.#at = 0
      this.#readTo = (more.at(-1)?.index ?? size) + 1
    }
    return this.#page[this.#at + further] ?? null
  }

  next(): void {
    this.#at++
  }
}

function isOf(event: StoredEvent, place: Sealed): boolean {
  return event.stream === place.stream && event.revision === place.revision
}

function shipmentOf({ stream }: Sealed): string | null {
  return stream.startsWith(shipmentStreamPrefix) ? shipmentIdOfStream(stream) : null
}

function nameOf(place: Sealed): string {
  const shipment = shipmentOf(place)
  return shipment === null
    ? `revision ${place.revision} of the stream ${place.stream}`
    : `revision ${place.revision} of ${shipment}`
}
