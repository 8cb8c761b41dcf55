import { Problem } from '../../errors.ts'

/** Attempts made by one process at once: each holds a socket to a courier and a decrypted body. */
const callsMax = 2_000

/** Which call it is, and for whom. */
type CallOf = { readonly organizationId: string; readonly operationId: string }

type Attempt = { readonly organizationId: string; readonly ended: Promise<unknown> }

/** The courier calls of this process: it may not end before they do. */
export class Underway {
  /** By operation. */
  readonly #attempts = new Map<string, Attempt>()
  /** First attempts of shipments, from before they are recorded; at most one per request. */
  readonly #firsts = new Map<string, Promise<unknown>>()

  /**
   * Whether an organization may begin no more for now. While there are many calls, it may have as many
   * as if all that have some shared them evenly: one with few need not wait for another's to end.
   */
  isFullFor(organizationId: string): boolean {
    const size = this.#attempts.size
    if (size < callsMax) return false
    const owners = [...this.#attempts.values()].map((attempt) => attempt.organizationId)
    const own = owners.filter((owner) => owner === organizationId).length
    const share = callsMax / new Set([...owners, organizationId]).size
    return own >= share || size >= 2 * callsMax
  }

  /** Throws a Problem if the organization may begin no more for now. */
  refuseIfFullFor(organizationId: string): void {
    if (this.isFullFor(organizationId)) throw new Problem('overloaded', { retryAfterSeconds: 1 })
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
    keepUntilEnded(this.#firsts, shipmentId, attempt, attempt)
    return attempt
  }

  /** Keeps a call that has started until it ends; the caller need not wait for it. */
  trackCall<T>({ organizationId, operationId }: CallOf, attempt: Promise<T>): Promise<T> {
    keepUntilEnded(this.#attempts, operationId, { organizationId, ended: attempt }, attempt)
    return attempt
  }

  /** Resolves when no attempt is left. */
  async idle(): Promise<void> {
    while (this.#attempts.size > 0) {
      await Promise.allSettled([...this.#attempts.values()].map(({ ended }) => ended))
    }
  }
}

function keepUntilEnded<Kept>(
  all: Map<string, Kept>,
  id: string,
  kept: Kept,
  attempt: Promise<unknown>,
): void {
  all.set(id, kept)
  const done = () => {
    if (all.get(id) === kept) all.delete(id)
  }
  attempt.then(done, done)
}
