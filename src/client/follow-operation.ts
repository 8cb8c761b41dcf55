import type { Answered, Operation } from './methods.ts'
import { pause } from './transport.ts'

/**
 * Looks are seconds apart at first and half a minute later; asking more often yields nothing new.
 */
const askApartMinMs = 1_000
const askApartMaxMs = 15_000
/** A loss without further trouble is resolved after about three and a half minutes. */
const followDefaultMs = 240_000

export type FollowOptions = {
  /** How long to follow, in milliseconds. Default: four minutes. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/**
 * Where an operation stands: its result, or `human_review` or `reconciling` when the time was up.
 * Neither is an end: a later look or a person ends it. Follow again, or listen for the webhook
 * `operation.resolved`.
 */
export type Followed = {
  readonly kind: NonNullable<Operation['result']> | 'reconciling'
  readonly operation: Operation
}

type Read = (id: string) => Promise<Answered<Operation>>

/**
 * Reads an operation until it has ended or the time is up, through `human_review` as well: a later
 * look may end it before a person does. It changes nothing.
 */
export async function followOperation(
  read: Read,
  id: string,
  { timeoutMs = followDefaultMs, signal }: FollowOptions = {},
): Promise<Followed> {
  const endsAt = performance.now() + timeoutMs
  for (;;) {
    signal?.throwIfAborted()
    const operation = await read(id)
    const kind = operation.result ?? 'reconciling'
    const isReviewed = kind === 'human_review'
    if (kind !== 'reconciling' && !isReviewed) return { kind, operation }
    const defaultMs = isReviewed ? askApartMaxMs : askApartMinMs
    const askedMs = operation.lastAnswer.retryAfterMs ?? defaultMs
    const waitMs = Math.min(askApartMaxMs, Math.max(askApartMinMs, askedMs))
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0) return { kind, operation }
    await pause(Math.min(waitMs, leftMs), signal)
  }
}
