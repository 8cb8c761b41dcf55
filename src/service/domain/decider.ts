/** JSON as it is stored and hashed: no undefined, no bigint, no Date. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Milliseconds since 1970-01-01 UTC. Folded state keeps times this way, so that it is JSON. */
export type Instant = number

/** RFC 3339 in UTC with milliseconds, as the API, the events and the ledger write times. */
export function rfc3339(instant: Instant): string {
  return new Date(instant).toISOString()
}

export function instant(text: string): Instant {
  return Date.parse(text)
}

/** The ledger's events do not form a valid history: one is missing or out of place. */
export class LedgerDamaged extends Error {
  override readonly name: string = 'LedgerDamaged'
}

/** An event with its ledger metadata; `version` counts the stream's events from 1. */
export type Recorded<E> = E & {
  readonly version: number
  readonly occurredAt: Instant
  readonly recordedAt: Instant
  /** The operator who caused it; null or absent if no operator did. */
  readonly operatorId?: string | null
  /** The API key that was used; null or absent if none was used. */
  readonly keyId?: string | null
}

/** The domain refuses the command. A value, never thrown; `reason` is the API's reason. */
type Refusal<R extends string = string> = { readonly refused: R; readonly detail?: string }

export type Decision<E, R extends string = string> = readonly E[] | Refusal<R>

export function isRefusal<E, R extends string>(decision: Decision<E, R>): decision is Refusal<R> {
  return 'refused' in decision
}

export function unreachable(value: never): never {
  throw new Error(`bug: unexpected ${JSON.stringify(value)}`)
}
