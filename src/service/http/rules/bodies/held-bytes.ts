type HeldBytesLimits = {
  readonly bytesMax: number
  readonly ofOrganizationBytesMax: number
}

/** The bytes of one body. */
type Hold = {
  /** Counts bytes that have arrived. False: the body is refused, and its bytes are to be dropped. */
  add(bytes: number): boolean
  /** From now on the body is not refused for the sake of others. */
  keep(): void
  /** Its bytes are held no longer. Repeating it changes nothing. */
  end(): void
}

type Held = { bytes: number; isKept: boolean; readonly refuse: () => void }

/**
 * Counts the bytes of bodies in memory. Beyond what one organization may hold, the body that arrives is
 * refused; beyond what all may hold together, the newest of the organization that holds most.
 */
export class HeldBytes {
  readonly #limits: HeldBytesLimits
  /** By organization, oldest first. */
  readonly #held = new Map<string, Set<Held>>()
  #bytes = 0

  constructor(limits: HeldBytesLimits) {
    this.#limits = limits
  }

  /** `refuse` is called at most once, if the body has to give way. */
  begin(organizationId: string, refuse: () => void): Hold {
    const held: Held = { bytes: 0, isKept: false, refuse }
    const own = this.#held.get(organizationId) ?? new Set()
    own.add(held)
    this.#held.set(organizationId, own)
    return {
      add: (bytes) => {
        if (!own.has(held)) return false
        held.bytes += bytes
        this.#bytes += bytes
        if (bytesOf(own) > this.#limits.ofOrganizationBytesMax) this.#refuse(organizationId, held)
        while (this.#bytes > this.#limits.bytesMax && this.#refuseOneOfMost());
        return own.has(held)
      },
      keep: () => {
        held.isKept = true
      },
      end: () => this.#end(organizationId, held),
    }
  }

  #refuseOneOfMost(): boolean {
    const byBytes = [...this.#held].toSorted(([, a], [, b]) => bytesOf(b) - bytesOf(a))
    for (const [organizationId, all] of byBytes) {
      const newest = [...all].findLast(({ isKept, bytes }) => !isKept && bytes > 0)
      if (newest === undefined) continue
      this.#refuse(organizationId, newest)
      return true
    }
    return false
  }

  #refuse(organizationId: string, held: Held): void {
    this.#end(organizationId, held)
    held.refuse()
  }

  #end(organizationId: string, held: Held): void {
    const own = this.#held.get(organizationId)
    if (own?.delete(held) !== true) return
    this.#bytes -= held.bytes
    if (own.size === 0) this.#held.delete(organizationId)
  }
}

function bytesOf(all: ReadonlySet<Held>): number {
  let sum = 0
  for (const { bytes } of all) sum += bytes
  return sum
}
