/** More is waiting than the queue holds: nothing of this was started. Asking again is safe. */
export class BatcherFull extends Error {
  override readonly name = 'BatcherFull'
}

export type BatcherOptions<Item, Answer> = {
  /** One statement's worth. */
  readonly batchMax: number
  /** What may wait beside the batches in flight. */
  readonly queueMax: number
  /** Batches in flight at once; one unless given. */
  readonly inFlightMax?: number
  /** Does the items together and answers each, in their order. */
  readonly write: (items: readonly Item[]) => Promise<readonly Answer[]>
}

type Waiting<Item, Answer> = {
  readonly item: Item
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Collects while the previous batch is in flight, so that a busy moment costs few statements and a
 * quiet one waits for nobody. A batch that fails fails for each of its items.
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
    // Whoever asks in the same turn shares the first batch.
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
