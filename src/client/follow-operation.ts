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
 * Where an operation stands: its result, or `reconciling` when the time was up. `human_review`
 * waits for a person; follow again, or listen for the webhook `operation.resolved`.
 */
export type Followed = {
  readonly kind: NonNullable<Operation['result']> | 'reconciling'
  readonly operation: Operation
}

type Read = (id: string) => Promise<Answered<Operation>>

/** Reads an operation until it has a result or the time is up. It changes nothing. */
export async function followOperation(
  read: Read,
  id: string,
  { timeoutMs = followDefaultMs, signal }: FollowOptions = {},
): Promise<Followed> {
  const endsAt = performance.now() + timeoutMs
  for (;;) {
    signal?.throwIfAborted()
    const operation = await read(id)
    if (operation.result !== null) return { kind: operation.result, operation }
    const askedMs = operation.lastAnswer.retryAfterMs ?? askApartMinMs
    const waitMs = Math.min(askApartMaxMs, Math.max(askApartMinMs, askedMs))
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0) return { kind: 'reconciling', operation }
    await pause(Math.min(waitMs, leftMs), signal)
  }
}
