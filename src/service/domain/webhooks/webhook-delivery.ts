import { type Instant, rfc3339 } from '../decider.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The waits between attempts: 75 h 42 min in all. */
export const ladderMs: readonly number[] = [
  5_000,
  30_000,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]
/**
 * A delivery ends this long after its retry schedule began, however few attempts the breaker allowed.
 */
const ladderTimeMs = ladderMs.reduce((sum, wait) => sum + wait, 0)
/** Live waits vary by up to this share, so that deliveries that failed together do not retry together. */
const jitter = 0.2
/** A receiver's `Retry-After` is honored up to this, or up to twice the scheduled wait if that is more. */
const retryAfterMsMax = hourMs
/** Attempts of one delivery, redeliveries included. */
export const deliveryAttemptsMax = 100

export const breaker = {
  /** After this many failures in a row, the endpoint gets only one attempt at the end of each pause. */
  failures: 10,
  /** Failures within this time count once, because they have one cause. */
  apartMs: 1_000,
  /** Failures must last this long to open the breaker: longer than a deployment of a receiver takes. */
  spanMs: 20_000,
  pauseMs: 5_000,
  /** Pauses double up to this. */
  pauseMsMax: 30 * minuteMs,
} as const

/** The delivery rules. They are data, so that a proof can run through them in a minute. */
export type DeliveryRules = {
  /** The waits between attempts. */
  readonly ladderMs: readonly number[]
  /** Time from the start of the retry schedule to the last moment at which an attempt is due. */
  readonly ladderTimeMs: number
  readonly breaker: {
    readonly failures: number
    readonly apartMs: number
    readonly spanMs: number
    readonly pauseMs: number
    readonly pauseMsMax: number
  }
  /** Longer than a whole attempt. If a worker is killed, another takes over after this time. */
  readonly leaseMs: number
}

export const deliveryRules: DeliveryRules = {
  ladderMs,
  ladderTimeMs,
  breaker,
  leaseMs: 30_000,
}

/** An endpoint that failed at every attempt for this long is disabled. */
export const disabledAfterMs = 5 * 24 * hourMs

export type Answered = {
  /** Null if there was no response. */
  readonly statusCode: number | null
  readonly retryAfterMs: number | null
}

/**
 * `expired`: the retry schedule ended before every attempt was made. `unsendable`: this service could
 * not make the request at the last attempt.
 */
type DeadReason = 'attempts_exhausted' | 'expired' | 'endpoint_gone' | 'unsendable'

export type AfterAttempt =
  | { readonly state: 'delivered' }
  | { readonly state: 'pending'; readonly nextAttemptAt: Instant }
  | { readonly state: 'dead'; readonly reason: DeadReason }

type Tried = {
  /** Attempts of this retry schedule before this one. */
  readonly tries: number
  /** All attempts ever made, redeliveries included. */
  readonly attemptsMade: number
  readonly livemode: boolean
  /** When the attempt ended. */
  readonly now: Instant
  /** A random number from 0 to 1. */
  readonly chance: number
  readonly rules: Pick<DeliveryRules, 'ladderMs' | 'ladderTimeMs'>
  readonly ladderBeganAt: Instant
}

function isDelivered({ statusCode }: Pick<Answered, 'statusCode'>): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300
}

/** Whether the receiver says that the address is gone for good. */
export function isGone({ statusCode }: Answered): boolean {
  return statusCode === 410
}

export function afterAttempt(answer: Answered, tried: Tried): AfterAttempt {
  if (isDelivered(answer)) return { state: 'delivered' }
  if (isGone(answer)) return { state: 'dead', reason: 'endpoint_gone' }
  const { ladderMs: ladder, ladderTimeMs } = tried.rules
  const base = ladder[tried.tries]
  if (base === undefined || tried.attemptsMade + 1 >= deliveryAttemptsMax) {
    return { state: 'dead', reason: 'attempts_exhausted' }
  }
  const endsAt = tried.ladderBeganAt + ladderTimeMs
  if (tried.now >= endsAt) return { state: 'dead', reason: 'expired' }
  const wait = tried.livemode ? base * (1 - jitter + 2 * jitter * tried.chance) : base
  const asked = Math.min(answer.retryAfterMs ?? 0, Math.max(2 * base, retryAfterMsMax))
  const nextAttemptAt = tried.now + Math.round(Math.max(wait, asked))
  return { state: 'pending', nextAttemptAt: Math.min(nextAttemptAt, endsAt) }
}

/**
 * The state after this service could not make the request. It uses up a step of the retry schedule, so
 * an operator has three days to fix the cause while other deliveries go on.
 */
export function afterUnsent(tried: Tried): AfterAttempt {
  const after = afterAttempt({ statusCode: null, retryAfterMs: null }, tried)
  return after.state === 'dead' ? { state: 'dead', reason: 'unsendable' } : after
}

/** The health of an endpoint. */
export type EndpointBreaker = {
  /** Since the last success. */
  readonly failures: number
  /** Failures that count for the breaker, and when the last one counted. */
  readonly countedFailures: number
  readonly countedAt: Instant | null
  readonly trips: number
  readonly openUntil: Instant | null
  readonly failingSince: Instant | null
  readonly lastSuccessAt: Instant | null
}

export const closedBreaker: EndpointBreaker = {
  failures: 0,
  countedFailures: 0,
  countedAt: null,
  trips: 0,
  openUntil: null,
  failingSince: null,
  lastSuccessAt: null,
}

export function breakerAfter(
  current: EndpointBreaker,
  answer: Answered,
  { beganAt, now }: { readonly beganAt: Instant; readonly now: Instant },
  rules: DeliveryRules['breaker'] = breaker,
): EndpointBreaker {
  if (isDelivered(answer)) {
    return { ...closedBreaker, lastSuccessAt: Math.max(now, current.lastSuccessAt ?? now) }
  }
  const isCounted = current.countedAt === null || now - current.countedAt >= rules.apartMs
  const failingSince = current.failingSince ?? now
  const countedFailures = current.countedFailures + (isCounted ? 1 : 0)
  const countedAt = isCounted ? now : current.countedAt
  const failed = {
    ...current,
    failures: current.failures + 1,
    countedFailures,
    countedAt,
    failingSince,
  }
  const isLasting = countedFailures >= rules.failures && now - failingSince >= rules.spanMs
  // An attempt that began before the last pause ended does not open the breaker again.
  const isOpen = current.openUntil !== null && beganAt < current.openUntil
  if (!isLasting || isOpen) return failed
  const openUntil = now + Math.min(rules.pauseMs * 2 ** current.trips, rules.pauseMsMax)
  return { ...failed, trips: current.trips + 1, openUntil }
}

export function isHopeless({ failingSince }: EndpointBreaker, now: Instant): boolean {
  return failingSince !== null && now - failingSince >= disabledAfterMs
}

/** An endpoint with this many failures in a row is shown as failing. */
export const failingAfter = 3

/** An endpoint's health in the API. */
export type EndpointHealth = {
  readonly state: 'ok' | 'failing'
  readonly failing_since: string | null
  readonly last_success_at: string | null
  readonly next_probe_at: string | null
}

/** `isEnabled`: a disabled endpoint is not probed. */
export function endpointHealth(
  { failures, failingSince, lastSuccessAt, openUntil }: EndpointBreaker,
  { isEnabled, now }: { readonly isEnabled: boolean; readonly now: Instant },
): EndpointHealth {
  const isFailing = failures >= failingAfter
  const isPaused = isEnabled && openUntil !== null && openUntil > now
  return {
    state: isFailing ? 'failing' : 'ok',
    failing_since: isFailing && failingSince !== null ? rfc3339(failingSince) : null,
    last_success_at: lastSuccessAt === null ? null : rfc3339(lastSuccessAt),
    next_probe_at: isPaused ? rfc3339(openUntil) : null,
  }
}
