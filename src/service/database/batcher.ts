import { setTimeout as delay } from 'node:timers/promises'

/** The queue is full. The item was not started, and retrying is safe. */
export class BatcherFull extends Error {
  override readonly name = 'BatcherFull'
}

type BatcherOptions<Item, Answer> = {
  /** Most items in one batch. */
  readonly batchMax: number
  /** Most items that wait, apart from the batches in flight. */
  readonly queueMax: number
  /** Batches in flight at once. Default: one. */
  readonly inFlightMax?: number
  /** How long the first item waits for others. Default: for those of the same turn of the event loop. */
  readonly gatherMs?: number
  /** Processes the items together and returns an answer for each, in their order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Answer[]>
}

type Waiting<Item, Answer> = {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Collects items while the previous batch is in flight, so that many items need few statements and a
 * single item does not wait. If a batch fails, each of its items fails.
 */
export class Batcher<Item, Answer> {
  readonly #options: BatcherOptions<Item, Answer>
  #queue: Waiting<Item, Answer>[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(options: BatcherOptions<Item, Answer>) {
    this.#options = options
  }

  /** Throws BatcherFull at once. Rejects with what `write` throws. */
  add(item: Item): Promise<Answer> {
    if (this.#queue.length >= this.#options.queueMax) return Promise.reject(new BatcherFull())
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject })
      if (this.#running.size >= (this.#options.inFlightMax ?? 1)) return
      const running = this.#drain().finally(() => this.#running.delete(running))
      this.#running.add(running)
    })
  }

  /** Resolves when nothing is waiting or in flight. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #drain(): Promise<void> {
    const { gatherMs } = this.#options
    await (gatherMs === undefined ? Promise.resolve() : delay(gatherMs))
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, this.#options.batchMax)
      try {
        const answers = await this.#options.write(batch.map((waiting) => waiting.item))
        for (const [index, waiting] of batch.entries()) waiting.resolve(answers[index] as Answer)
      } catch (error) {
        for (const waiting of batch) waiting.reject(error)
      }
    }
  }
}

/** Rows in one statement, and rows that wait for the next. */
const size = { batchMax: 500, queueMax: 10_000 }

/**
 * Turns a function for many items into one for a single item: items that arrive while a statement is in
 * flight go together into the next one. Each database has its own batcher.
 */
export function batched<Database extends object, Item, Answer>(
  write: (db: Database, items: readonly Item[]) => Promise<readonly Answer[]>,
  options: Pick<BatcherOptions<Item, Answer>, 'gatherMs'> = {},
): (db: Database, item: Item) => Promise<Answer> {
  const batchers = new WeakMap<Database, Batcher<Item, Answer>>()
  return (db, item) => {
    const known = batchers.get(db)
    if (known !== undefined) return known.add(item)
    const batcher = new Batcher<Item, Answer>({
      ...size,
      ...options,
      write: (items) => write(db, items),
    })
    batchers.set(db, batcher)
    return batcher.add(item)
  }
}
