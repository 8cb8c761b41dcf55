import type { World } from './virtual-time.ts'

/** How often each kind of failure happens in a run. */
export type Weather = {
  /** The probability of a crash at each step. */
  readonly crash: number
  /** The probability of a pause at each step, like a process that is stopped and continued. */
  readonly pause: number
  /** The probability, at each step, that a store answers late, not at all, or is unavailable. */
  readonly storeFault: number
}

export const calm: Weather = { crash: 0, pause: 0, storeFault: 0 }

/**
 * A process of the service. It accesses everything outside itself in steps, and may crash or pause
 * before or after any of them: no other process can observe what happens between two steps.
 */
export class VirtualProcess {
  readonly name: string
  readonly #world: World
  readonly #weather: () => Weather
  readonly #onCrash: () => void
  readonly #ended = new AbortController()
  #pausedUntil = 0
  #wasCutOff = false

  constructor(name: string, world: World, weather: () => Weather, onCrash: () => void) {
    this.name = name
    this.#world = world
    this.#weather = weather
    this.#onCrash = onCrash
  }

  get isDead(): boolean {
    return this.#ended.signal.aborted
  }

  /** Aborted when the process ends. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  get weather(): Weather {
    return this.#weather()
  }

  /** Whether it crashed, rather than ended after finishing its work. */
  get wasCutOff(): boolean {
    return this.#wasCutOff
  }

  crash(): void {
    if (this.isDead) return
    this.#wasCutOff = true
    this.#ended.abort()
    this.#onCrash()
  }

  end(): void {
    this.#ended.abort()
  }

  /** Resolves while the process runs; never if it has ended. */
  async alive(): Promise<void> {
    while (!this.isDead && this.#pausedUntil > this.#world.elapsed()) {
      await this.#world.sleep(this.#pausedUntil - this.#world.elapsed())
    }
    if (this.isDead) await new Promise<never>(() => {})
  }

  /**
   * Does something outside the process. The effect stays even if the process ends before it learns
   * of it.
   */
  async step<T>(effect: () => Promise<T>): Promise<T> {
    await this.#pass()
    try {
      return await effect()
    } finally {
      await this.#pass()
    }
  }

  async #pass(): Promise<void> {
    const { crash, pause } = this.#weather()
    await this.#world.sleep(this.#world.between(0.1, 4))
    if (this.#world.happens(crash)) this.crash()
    if (this.#world.happens(pause)) {
      this.#pausedUntil = this.#world.elapsed() + this.#world.between(200, 40_000)
    }
    await this.alive()
  }
}
