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
 * A delivery this long after its ladder began is over, however many attempts the breaker let
 * through.
 */
const ladderTimeMs = ladderMs.reduce((sum, wait) => sum + wait, 0)
/** Live waits vary by up to this share, so that failures do not retry in step. */
const jitter = 0.2
/** A receiver that asks for more time gets at most this, or twice the ladder's wait if that is more. */
const retryAfterMsMax = hourMs
/** Attempts that one delivery keeps, redeliveries included. */
export const deliveryAttemptsMax = 100

export const breaker = {
  /** Failures in a row; after them the endpoint gets only one attempt at the end of each pause. */
  failures: 10,
  /** Failures within this time count once: they have one cause. */
  apartMs: 1_000,
  /** A receiver that is deployed again is back sooner than this. */
  spanMs: 20_000,
  pauseMs: 5_000,
  /** Pauses double up to this. */
  pauseMsMax: 30 * minuteMs,
} as const

/** The rules of deliveries. They are data, so that a proof can run through them in a minute. */
export type DeliveryRules = {
  /** The waits between attempts. */
  readonly ladderMs: readonly number[]
  /** From the start of the ladder to the last moment at which an attempt is due. */
  readonly ladderTimeMs: number
  readonly breaker: {
    readonly failures: number
    readonly apartMs: number
    readonly spanMs: number
    readonly pauseMs: number
    readonly pauseMsMax: number
  }
  /** Longer than a whole attempt: if a worker is killed, another takes over after this. */
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
  /** Null: no answer came. */
  readonly statusCode: number | null
  readonly retryAfterMs: number | null
}

/**
 * `expired`: the ladder's time was over before every attempt was made. `unsendable`: at its last
 * turn this service could not make the request.
 */
type DeadReason = 'attempts_exhausted' | 'expired' | 'endpoint_gone' | 'unsendable'

export type AfterAttempt =
  | { readonly state: 'delivered' }
  | { readonly state: 'pending'; readonly nextAttemptAt: Instant }
  | { readonly state: 'dead'; readonly reason: DeadReason }

type Tried = {
  /** Attempts on the ladder before this one, and all attempts ever made. */
  readonly tries: number
  readonly attemptsMade: number
  readonly livemode: boolean
  /** When the attempt ended. */
  readonly now: Instant
  /** From 0 to 1. */
  readonly chance: number
  readonly rules: Pick<DeliveryRules, 'ladderMs' | 'ladderTimeMs'>
  readonly ladderBeganAt: Instant
}

export function isDelivered({ statusCode }: Pick<Answered, 'statusCode'>): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300
}

/** The receiver says that the address is gone for good. */
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
 * After a turn at which this service could not make the request. It uses up a step of the ladder:
 * an operator has three days to mend the cause, and meanwhile other deliveries have their turn.
 */
export function afterUnsent(tried: Tried): AfterAttempt {
  const after = afterAttempt({ statusCode: null, retryAfterMs: null }, tried)
  return after.state === 'dead' ? { state: 'dead', reason: 'unsendable' } : after
}

/** How an endpoint has been doing. */
export type Lane = {
  /** Since the last success. */
  readonly failures: number
  /** Those that count for the breaker, and when the last of them did. */
  readonly countedFailures: number
  readonly countedAt: Instant | null
  readonly trips: number
  readonly openUntil: Instant | null
  readonly failingSince: Instant | null
  readonly lastSuccessAt: Instant | null
}

export const healthyLane: Lane = {
  failures: 0,
  countedFailures: 0,
  countedAt: null,
  trips: 0,
  openUntil: null,
  failingSince: null,
  lastSuccessAt: null,
}

export function laneAfter(
  lane: Lane,
  answer: Answered,
  { beganAt, now }: { readonly beganAt: Instant; readonly now: Instant },
  rules: DeliveryRules['breaker'] = breaker,
): Lane {
  if (isDelivered(answer)) {
    return { ...healthyLane, lastSuccessAt: Math.max(now, lane.lastSuccessAt ?? now) }
  }
  const isCounted = lane.countedAt === null || now - lane.countedAt >= rules.apartMs
  const failingSince = lane.failingSince ?? now
  const countedFailures = lane.countedFailures + (isCounted ? 1 : 0)
  const countedAt = isCounted ? now : lane.countedAt
  const failed = { ...lane, failures: lane.failures + 1, countedFailures, countedAt, failingSince }
  const isLasting = countedFailures >= rules.failures && now - failingSince >= rules.spanMs
  // Attempts that began before the end of the last pause are no new reason.
  const isOpen = lane.openUntil !== null && beganAt < lane.openUntil
  if (!isLasting || isOpen) return failed
  const openUntil = now + Math.min(rules.pauseMs * 2 ** lane.trips, rules.pauseMsMax)
  return { ...failed, trips: lane.trips + 1, openUntil }
}

export function isHopeless({ failingSince }: Lane, now: Instant): boolean {
  return failingSince !== null && now - failingSince >= disabledAfterMs
}

/** An endpoint with this many failures in a row is shown as failing. */
export const failingAfter = 3

/** The API's view of how an endpoint has been doing. */
export type EndpointHealth = {
  readonly state: 'ok' | 'failing'
  readonly failing_since: string | null
  readonly last_success_at: string | null
  readonly next_probe_at: string | null
}

/** `isEnabled`: a disabled endpoint is not probed. */
export function endpointHealth(
  { failures, failingSince, lastSuccessAt, openUntil }: Lane,
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
