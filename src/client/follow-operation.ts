import type { Answered, Operation } from './methods.ts'
import { pause } from './transport.ts'

/**
 * The service asks the courier every few seconds at first and every half minute later, so polling
 * more often yields nothing new.
 */
const askApartMinMs = 1_000
const askApartMaxMs = 15_000
/** A lost response without further trouble is resolved after about three and a half minutes. */
export const followDefaultMs = 240_000

export type FollowOptions = {
  /** How long to follow, in milliseconds. Default: four minutes. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * The result of an operation, or `human_review` or `reconciling` if the timeout passed. Neither of
 * these is final: the courier's answer or an operator resolves the operation later. Follow it
 * again, or listen for the webhook `operation.resolved`.
 */
export type Followed = {
  readonly kind: NonNullable<Operation['result']> | 'reconciling'
  readonly operation: Operation
}

type Read = (id: string) => Promise<Answered<Operation>>

/**
 * Polls an operation until it ends or the timeout passes. It continues through `human_review`,
 * because the courier's answer may resolve the operation before an operator does. It changes
 * nothing.
 */
export async function followOperation(
  read: Read,
  id: string,
  options?: FollowOptions,
): Promise<Followed> {
  const operation = await readUntil(() => read(id), waitMsOf, options)
  return { kind: operation.result ?? 'reconciling', operation }
}

/** Null if the operation has ended. */
function waitMsOf({ result, lastAnswer }: Answered<Operation>): number | null {
  const isReviewed = result === 'human_review'
  if ((result ?? null) !== null && !isReviewed) return null
  const askedMs = lastAnswer.retryAfterMs ?? (isReviewed ? askApartMaxMs : askApartMinMs)
  return Math.min(askApartMaxMs, Math.max(askApartMinMs, askedMs))
}

/** Reads until the function returns null instead of a wait, or the timeout passes. */
export async function readUntil<Found>(
  read: () => Promise<Found>,
  nextMs: (found: Found) => number | null,
  { timeoutMs = followDefaultMs, signal }: FollowOptions = {},
): Promise<Found> {
  const endsAt = performance.now() + timeoutMs
  for (;;) {
    signal?.throwIfAborted()
    const found = await read()
    const waitMs = nextMs(found)
    const leftMs = endsAt - performance.now()
    if (waitMs === null || leftMs <= 0) return found
    await pause(Math.min(waitMs, leftMs), signal)
  }
}
