/** Attempts made by one process at once: each holds a socket to a courier and a decrypted body. */
const callsMax = 2_000

/** The courier calls of this process: it may not end before they do. */
export class Underway {
  readonly #attempts = new Map<string, Promise<unknown>>()
  /** First attempts of shipments, from before they are recorded; at most one per request. */
  readonly #firsts = new Map<string, Promise<unknown>>()

  get isFull(): boolean {
    return this.#attempts.size >= callsMax
  }

  has(operationId: string): boolean {
    return this.#attempts.has(operationId)
  }

  /**
   * Resolves when this process's first attempt for the shipment ends; null = there is none. Never
   * fails.
   */
  firstAttempt(shipmentId: string): Promise<void> | null {
    const known = this.#firsts.get(shipmentId)
    return known === undefined
      ? null
      : known.then(
          () => undefined,
          () => undefined,
        )
  }

  /** Keeps a first attempt that has started, so that other requests of this process wait for it. */
  trackFirst<T>(shipmentId: string, attempt: Promise<T>): Promise<T> {
    return keptUntilEnded(this.#firsts, shipmentId, attempt)
  }

  /** Keeps a call that has started until it ends; the caller need not wait for it. */
  trackCall<T>(operationId: string, attempt: Promise<T>): Promise<T> {
    return keptUntilEnded(this.#attempts, operationId, attempt)
  }

  /** Resolves when no attempt is left. */
  async idle(): Promise<void> {
    while (this.#attempts.size > 0) await Promise.allSettled(this.#attempts.values())
  }
}

function keptUntilEnded<T>(
  all: Map<string, Promise<unknown>>,
  id: string,
  attempt: Promise<T>,
): Promise<T> {
  all.set(id, attempt)
  const done = () => {
    if (all.get(id) === attempt) all.delete(id)
  }
  attempt.then(done, done)
  return attempt
}
