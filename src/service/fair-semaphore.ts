export type FairSemaphoreLimits = {
  /** Most slots in use at once in this process. */
  readonly atOnceMax: number
  /** Most slots in use by one organization at once. */
  readonly ofOrganizationMax: number
  /** Most waiting callers of all organizations. */
  readonly waitingMax: number
  /** Most waiting callers of one organization. */
  readonly ofOrganizationWaitingMax: number
  /** How long a caller waits before it is refused. */
  readonly waitMs: number
}

type WaitOptions = {
  /** Aborting it ends the wait. */
  readonly signal?: AbortSignal
  /** Default: `waitMs` of the limits. */
  readonly waitMs?: number
}

type Waiting = { readonly begin: () => void; readonly refuse: () => void }
type Share = { running: number; readonly waiting: Waiting[] }

/**
 * Shares the slots of a scarce resource fairly between organizations. A free slot goes to the
 * organization that was served longest ago, so a busy organization delays another by at most one piece
 * of work. When the queue is full, a new caller replaces the last waiting caller of the organization
 * that has the most, if its own organization has fewer.
 */
export class FairSemaphore {
  readonly #limits: FairSemaphoreLimits
  readonly #refused: () => Error
  /** By organization, the one served longest ago first. */
  readonly #shares = new Map<string, Share>()
  #running = 0
  #waiting = 0

  /** `refused` creates the error for callers that get no slot. */
  constructor(limits: FairSemaphoreLimits, refused: () => Error) {
    this.#limits = limits
    this.#refused = refused
  }

  /** Runs `work` in a slot. Throws what `refused` returns if the organization gets none. */
  async run<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(organizationId)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Resolves with a function that releases the slot. Calling that twice is safe. */
  async acquire(organizationId: string, wait: WaitOptions = {}): Promise<() => void> {
    const share = this.#shares.get(organizationId) ?? { running: 0, waiting: [] }
    const { atOnceMax, ofOrganizationMax } = this.#limits
    if (this.#running < atOnceMax && share.running < ofOrganizationMax) {
      this.#begin(organizationId, share)
    } else {
      await this.#wait(organizationId, share, wait)
    }
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
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

  /** Assigns a free slot at once, so that no other caller can take it. */
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
