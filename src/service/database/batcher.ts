/** The queue is full: this item was not started. Trying again is safe. */
export class BatcherFull extends Error {
  override readonly name = 'BatcherFull'
}

type BatcherOptions<Item, Answer> = {
  /** One statement's worth. */
  readonly batchMax: number
  /** Items that may wait besides the batches in flight. */
  readonly queueMax: number
  /** Batches in flight at once; one unless given. */
  readonly inFlightMax?: number
  /** Processes the items together and answers each, in their order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Answer[]>
}

type Waiting<Item, Answer> = {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Collects items while the previous batch is in flight: a busy moment costs few statements, and a
 * quiet one no waiting. If a batch fails, each of its items fails.
 */
export class Batcher<Item, Answer> {
  readonly #options: BatcherOptions<Item, Answer>
  #queue: Waiting<Item, Answer>[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(options: BatcherOptions<Item, Answer>) {
    this.#options = options
  }

  /** Throws BatcherFull at once, or whatever `write` threw. */
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
    // Callers of the same turn share the first batch.
    await Promise.resolve()
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
