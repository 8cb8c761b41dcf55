type Kept<Value> = { readonly readAtMs: number; readonly value: Promise<Value | null> }

/**
 * Caches what was read for a short while. Concurrent callers share one read; missing values and
 * failures are read again.
 */
export class FreshCache<Value> {
  readonly #freshMs: number
  readonly #keptMax: number
  readonly #kept = new Map<string, Kept<Value>>()

  /** Entries older than `freshMs` are read again; beyond `keptMax` the oldest is dropped. */
  constructor(options: { readonly freshMs: number; readonly keptMax: number }) {
    this.#freshMs = options.freshMs
    this.#keptMax = options.keptMax
  }

  /** Throws what `read` throws. */
  get(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    const known = this.#kept.get(key)
    if (known !== undefined && performance.now() - known.readAtMs < this.#freshMs)
      return known.value
    this.#kept.delete(key)
    this.#makeRoom()
    const entry = { readAtMs: performance.now(), value: read() }
    this.#kept.set(key, entry)
    const settle = (found: Value | null): void => {
      if (found === null && this.#kept.get(key) === entry) this.#kept.delete(key)
    }
    entry.value.then(settle, () => settle(null))
    return entry.value
  }

  /** The entries are in the order in which they were read. */
  #makeRoom(): void {
    const freshFrom = performance.now() - this.#freshMs
    for (const [key, { readAtMs }] of this.#kept) {
      if (readAtMs > freshFrom && this.#kept.size < this.#keptMax) return
      this.#kept.delete(key)
    }
  }

  /** The value has changed: the next caller reads it. */
  forget(key: string): void {
    this.#kept.delete(key)
  }
}
