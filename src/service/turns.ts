export type TurnLimits = {
  /** Turns that run at once in this process. */
  readonly atOnceMax: number
  /** Turns of one organization that run at once. */
  readonly ofOrganizationMax: number
  /** Callers that wait, over all organizations. */
  readonly waitingMax: number
  /** Callers of one organization that wait. */
  readonly ofOrganizationWaitingMax: number
  /** How long a caller waits before it is refused. */
  readonly waitMs: number
}

type WaitOptions = {
  /** Ends the wait when it aborts. */
  readonly signal?: AbortSignal
  /** Default: that of the limits. */
  readonly waitMs?: number
}

type Waiting = { readonly begin: () => void; readonly refuse: () => void }
type Share = { running: number; readonly waiting: Waiting[] }

/**
 * Shares what a process has few of. A free turn goes to the organization that has waited longest since
 * its last one, so one organization delays another by a turn at most, however much it asks for. While
 * too many wait, a caller takes the place of the last one of the organization with most, if its own has
 * fewer.
 */
export class Turns {
  readonly #limits: TurnLimits
  readonly #refused: () => Error
  /** By organization, in the order of their next turns. */
  readonly #shares = new Map<string, Share>()
  #running = 0
  #waiting = 0

  /** `refused` makes the error of callers that get no turn. */
  constructor(limits: TurnLimits, refused: () => Error) {
    this.#limits = limits
    this.#refused = refused
  }

  /** Runs `work` in a turn of the organization. */
  async run<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const end = await this.take(organizationId)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Resolves when the turn begins, with what ends it. */
  async take(organizationId: string, wait: WaitOptions = {}): Promise<() => void> {
    const share = this.#shares.get(organizationId) ?? { running: 0, waiting: [] }
    const { atOnceMax, ofOrganizationMax } = this.#limits
    if (this.#running < atOnceMax && share.running < ofOrganizationMax) {
      this.#begin(organizationId, share)
    } else {
      await this.#wait(organizationId, share, wait)
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#running -= 1
      share.running -= 1
      this.#forgetIdle(organizationId, share)
      this.#next()
    }
  }

  #wait(
    organizationId: string,
    share: Share,
    { signal, waitMs = this.#limits.waitMs }: WaitOptions,
  ): Promise<void> {
    const isFull = share.waiting.length >= this.#limits.ofOrganizationWaitingMax
    if (signal?.aborted || isFull || !this.#hasRoomFor(share)) throw this.#refused()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      const at = share.waiting.indexOf(waiting)
      if (at < 0) return
      share.waiting.splice(at, 1)
      this.#waiting -= 1
      this.#forgetIdle(organizationId, share)
      reject(this.#refused())
    }
    const waiting = { begin: resolve, refuse: leave }
    share.waiting.push(waiting)
    this.#waiting += 1
    this.#shares.set(organizationId, share)
    const timer = setTimeout(leave, Math.max(0, waitMs))
    signal?.addEventListener('abort', leave)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    })
  }

  #hasRoomFor(share: Share): boolean {
    if (this.#waiting < this.#limits.waitingMax) return true
    const [most] = [...this.#shares.values()].sort((a, b) => b.waiting.length - a.waiting.length)
    if (most === undefined || most.waiting.length <= share.waiting.length + 1) return false
    most.waiting.at(-1)?.refuse()
    return true
  }

  /** A free turn is given away at once, so that no other caller comes between. */
  #next(): void {
    if (this.#running >= this.#limits.atOnceMax) return
    for (const [organizationId, share] of this.#shares) {
      if (share.running >= this.#limits.ofOrganizationMax) continue
      const next = share.waiting.shift()
      if (next === undefined) continue
      this.#waiting -= 1
      this.#begin(organizationId, share)
      next.begin()
      return
    }
  }

  #begin(organizationId: string, share: Share): void {
    this.#running += 1
    share.running += 1
    this.#shares.delete(organizationId)
    this.#shares.set(organizationId, share)
  }

  #forgetIdle(organizationId: string, share: Share): void {
    if (share.running === 0 && share.waiting.length === 0) this.#shares.delete(organizationId)
  }
}
