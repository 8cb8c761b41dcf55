/**
 * Signals waiting readers that there may be something new. Only a hint: they check for themselves,
 * and check anyway after a while.
 */
export class Wake {
  #count = 0
  readonly #waiting = new Set<() => void>()

  /** Read it before checking: `wait` then returns at once if it rang in between. */
  get count(): number {
    return this.#count
  }

  ring(): void {
    this.#count += 1
    for (const goOn of [...this.#waiting]) goOn()
  }

  /** Waits until it has rung since `seen`, the time is over, or a signal aborts. Never fails. */
  async wait(seen: number, ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
    if (this.#count !== seen || signals.some((signal) => signal.aborted)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const goOn = () => resolve()
    const timer = setTimeout(goOn, ms)
    this.#waiting.add(goOn)
    for (const signal of signals) signal.addEventListener('abort', goOn)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(goOn)
      for (const signal of signals) signal.removeEventListener('abort', goOn)
    }
  }
}
