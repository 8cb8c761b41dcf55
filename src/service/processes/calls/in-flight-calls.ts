import { Problem } from '../../errors.ts'

/** Attempts in flight in one process: each holds a socket to a courier and a decrypted body. */
const callsMax = 2_000

type CallOf = { readonly organizationId: string; readonly operationId: string }

type Attempt = { readonly organizationId: string; readonly ended: Promise<unknown> }

/** The courier calls in flight in this process, which must not exit before they end. */
export class InFlightCalls {
  /** By operation id. */
  readonly #attempts = new Map<string, Attempt>()
  /** First attempts of shipments, from before they are recorded; at most one per request. */
  readonly #firsts = new Map<string, Promise<unknown>>()

  /**
   * Whether an organization has its share of calls in flight. Under load, the slots are divided
   * evenly among the organizations that use them, so that one with few calls need not wait for
   * another's to end.
   */
  isFullFor(organizationId: string): boolean {
    const size = this.#attempts.size
    if (size < callsMax) return false
    const owners = [...this.#attempts.values()].map((attempt) => attempt.organizationId)
    const own = owners.filter((owner) => owner === organizationId).length
    const share = callsMax / new Set([...owners, organizationId]).size
    return own >= share || size >= 2 * callsMax
  }

  /** Throws a Problem if the organization has its share of calls in flight. */
  refuseIfFullFor(organizationId: string): void {
    if (this.isFullFor(organizationId)) throw new Problem('overloaded', { retryAfterSeconds: 1 })
  }

  has(operationId: string): boolean {
    return this.#attempts.has(operationId)
  }

  /**
   * Resolves when this process's first attempt for the shipment ends; null if there is no such
   * attempt. Never rejects.
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

  /** Registers a started first attempt, so that other requests in this process can wait for it. */
  trackFirst<T>(shipmentId: string, attempt: Promise<T>): Promise<T> {
    keepUntilEnded(this.#firsts, shipmentId, attempt, attempt)
    return attempt
  }

  /** Registers a started call until it ends; the caller need not wait for it. */
  trackCall<T>({ organizationId, operationId }: CallOf, attempt: Promise<T>): Promise<T> {
    keepUntilEnded(this.#attempts, operationId, { organizationId, ended: attempt }, attempt)
    return attempt
  }

  /** Resolves when no call is in flight. */
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
