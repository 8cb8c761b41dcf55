type BufferedBytesLimits = {
  readonly bytesMax: number
  readonly ofOrganizationBytesMax: number
}

/** The bytes of one body. */
type Hold = {
  /** Counts bytes that have arrived. False: the body is refused, so drop its bytes. */
  add(bytes: number): boolean
  /** From now on the body is not refused in favor of others. */
  keep(): void
  /** Releases its bytes. Calling it again changes nothing. */
  end(): void
}

type BufferedBody = { bytes: number; isKept: boolean; readonly refuse: () => void }

/**
 * Counts the bytes of bodies in memory. Above the limit of one organization, the arriving body is
 * refused; above the limit of all together, the newest body of the organization that holds most.
 */
export class BufferedBytes {
  readonly #limits: BufferedBytesLimits
  /** By organization, oldest first. */
  readonly #bodies = new Map<string, Set<BufferedBody>>()
  #bytes = 0

  constructor(limits: BufferedBytesLimits) {
    this.#limits = limits
  }

  /** `refuse` is called at most once, if the body must give way. */
  begin(organizationId: string, refuse: () => void): Hold {
    const body: BufferedBody = { bytes: 0, isKept: false, refuse }
    const own = this.#bodies.get(organizationId) ?? new Set()
    own.add(body)
    this.#bodies.set(organizationId, own)
    return {
      add: (bytes) => {
        if (!own.has(body)) return false
        body.bytes += bytes
        this.#bytes += bytes
        if (bytesOf(own) > this.#limits.ofOrganizationBytesMax) this.#refuse(organizationId, body)
        while (this.#bytes > this.#limits.bytesMax && this.#refuseOneOfMost());
        return own.has(body)
      },
      keep: () => {
        body.isKept = true
      },
      end: () => this.#end(organizationId, body),
    }
  }

  #refuseOneOfMost(): boolean {
    const byBytes = [...this.#bodies].toSorted(([, a], [, b]) => bytesOf(b) - bytesOf(a))
    for (const [organizationId, all] of byBytes) {
      const newest = [...all].findLast(({ isKept, bytes }) => !isKept && bytes > 0)
      if (newest === undefined) continue
      this.#refuse(organizationId, newest)
      return true
    }
    return false
  }

  #refuse(organizationId: string, body: BufferedBody): void {
    this.#end(organizationId, body)
    body.refuse()
  }

  #end(organizationId: string, body: BufferedBody): void {
    const own = this.#bodies.get(organizationId)
    if (own?.delete(body) !== true) return
    this.#bytes -= body.bytes
    if (own.size === 0) this.#bodies.delete(organizationId)
  }
}

function bytesOf(all: ReadonlySet<BufferedBody>): number {
  let sum = 0
  for (const { bytes } of all) sum += bytes
  return sum
}
