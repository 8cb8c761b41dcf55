import { Signal } from '../../queue/signal.ts'
import type { Position, StoredEvent } from '../event-store.ts'
import type { AllStreamResolvedEvent, AllStreamSubscription } from './eventstoredb-client.ts'
import { positionOfLog } from './positions.ts'

type Mark =
  /** How far the server has searched without finding more. */
  { readonly kind: 'checkpoint'; readonly position: Position } | { readonly kind: 'caught_up' }

type FeedItem = { readonly kind: 'event'; readonly event: StoredEvent } | Mark

/**
 * One subscription of the client as a bounded queue. The client reports checkpoints and `caught_up`
 * separately from its stream, while earlier events may still be buffered in the stream. Each such mark
 * is held until the events before it have come out.
 */
export class Feed {
  readonly #subscription: AllStreamSubscription
  readonly #bufferMax: number
  readonly #decode: (event: AllStreamResolvedEvent) => StoredEvent | null
  readonly #items: FeedItem[] = []
  #marks: readonly { readonly after: number; readonly mark: Mark }[] = []
  #received = 0
  #isConfirmed = false
  #ended: { readonly error: unknown } | null = null
  readonly changed = new Signal()

  constructor(options: {
    readonly subscribe: (feed: Feed) => AllStreamSubscription
    /** The most events buffered. Above this the server has to wait. */
    readonly bufferMax: number
    readonly decode: (event: AllStreamResolvedEvent) => StoredEvent | null
  }) {
    this.#bufferMax = options.bufferMax
    this.#decode = options.decode
    this.#subscription = options.subscribe(this)
    this.#subscription
      .on('confirmation', () => this.#confirm())
      .on('data', (resolved: AllStreamResolvedEvent) => this.#take(resolved))
      .on('caughtUp', () => this.mark({ kind: 'caught_up' }))
      // The listener stays, because an unhandled error would end the process.
      .on('error', (error: unknown) => this.#end(error))
      .on('end', () => this.#end(null))
      .on('close', () => this.#end(null))
  }

  /** Whether the server has answered at least once. */
  get isConfirmed(): boolean {
    return this.#isConfirmed
  }

  /** Set when no more events will come than those buffered; with the error that ended it, if any. */
  get ended(): { readonly error: unknown } | null {
    return this.#items.length === 0 ? this.#ended : null
  }

  get next(): FeedItem | undefined {
    return this.#items[0]
  }

  /** Events at the front of the queue, before any mark. */
  eventsReady(limit: number): { readonly count: number; readonly isWhole: boolean } {
    let count = 0
    while (count < limit && this.#items[count]?.kind === 'event') count += 1
    const isWhole = count === limit || count < this.#items.length || this.#ended !== null
    return { count, isWhole }
  }

  shift(count: number): FeedItem[] {
    const taken = this.#items.splice(0, count)
    if (this.#items.length < this.#bufferMax / 2 && this.#subscription.isPaused()) {
      this.#subscription.resume()
    }
    return taken
  }

  mark(mark: Mark): void {
    const after = this.#received + this.#subscription.readableLength
    const others = this.#marks.filter(
      (kept) => kept.after !== after || kept.mark.kind !== mark.kind,
    )
    this.#marks = [...others, { after, mark }]
    this.#placeMarks()
  }

  async close(): Promise<void> {
    this.#end(null)
    this.#subscription.pause()
    await this.#subscription.unsubscribe().catch(() => undefined)
  }

  #confirm(): void {
    this.#isConfirmed = true
    this.changed.notify()
  }

  #take(resolved: AllStreamResolvedEvent): void {
    if (this.#ended !== null) return
    this.#received += 1
    try {
      const event = this.#decode(resolved)
      if (event !== null) this.#push(event)
    } catch (error) {
      this.#end(error)
    }
    this.#placeMarks()
    if (this.#items.length >= this.#bufferMax) this.#subscription.pause()
    this.changed.notify()
  }

  /** A checkpoint is useless once an event follows it, and would end a batch. */
  #push(event: StoredEvent): void {
    if (this.#items.at(-1)?.kind === 'checkpoint') this.#items.pop()
    this.#items.push({ kind: 'event', event })
  }

  #placeMarks(): void {
    const due = this.#marks.filter(({ after }) => after <= this.#received)
    this.#marks = this.#marks.slice(due.length)
    if (this.#ended === null) for (const { mark } of due) this.#place(mark)
    this.changed.notify()
  }

  /**
   * Keeps only the newest mark of each kind after an event, because marks keep coming while nothing is
   * taken.
   */
  #place(mark: Mark): void {
    for (let at = this.#items.length - 1; at >= 0; at--) {
      const item = this.#items[at]
      if (item === undefined || item.kind === 'event') break
      if (item.kind === mark.kind) this.#items.splice(at, 1)
    }
    this.#items.push(mark)
  }

  #end(error: unknown): void {
    this.#ended ??= { error }
    this.changed.notify()
  }
}

export function checkpointMark(position: Parameters<typeof positionOfLog>[0]): Mark {
  return { kind: 'checkpoint', position: positionOfLog(position) }
}
