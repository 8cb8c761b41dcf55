/**
 * Tells whoever waits that there may be something new. A hint: those who wait look for themselves,
 * and look anyway after a while.
 */
export class Wake {
  #count = 0
  readonly #waiting = new Set<() => void>()

  /** Take it before looking: `wait` then returns at once when it rang in between. */
  get count(): number {
    return this.#count
  }

  ring(): void {
    this.#count += 1
    for (const goOn of [...this.#waiting]) goOn()
  }

  /** Until it has rung since `seen`, or the time is over, or a signal says to stop. Never fails. */
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
