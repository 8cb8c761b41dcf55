import type { World } from './virtual-time.ts'

/** What a run is like: how often what goes wrong. */
export type Weather = {
  /** Of a crash at each step. */
  readonly crash: number
  /** Of a pause at each step, as of a process that was stopped and goes on. */
  readonly pause: number
  /** Of a store that answers late, not at all or that it is away, at each step. */
  readonly storeFault: number
}

export const calm: Weather = { crash: 0, pause: 0, storeFault: 0 }

/**
 * A process of the service. It reaches everything outside itself by steps, and may end or be held up
 * before or after any of them: no other process can see what happens between two of its steps.
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

  /** Aborted when it ends. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  get weather(): Weather {
    return this.#weather()
  }

  /** Whether it was cut off, and did not end when everything it had begun was done. */
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

  /** Returns when the process runs; never, when it has ended. */
  async alive(): Promise<void> {
    while (!this.isDead && this.#pausedUntil > this.#world.elapsed()) {
      await this.#world.sleep(this.#pausedUntil - this.#world.elapsed())
    }
    if (this.isDead) await new Promise<never>(() => {})
  }

  /** Does something outside the process. What it did stays done if the process ends before it hears. */
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
