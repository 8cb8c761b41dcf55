import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import { afterAttempt, type DeliveryRules } from '../domain/webhook-delivery.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { Log } from '../log.ts'
import { persist } from '../processes/persist.ts'
import type { WebhookSealer } from '../security/webhook-secrets.ts'
import { type Claimed, claimDeliveries, laneMax, release } from './claim.ts'
import { type Attempted, recordAttempts } from './record.ts'
import type { Answer, WebhookSender } from './send.ts'
import { webhookHeaders } from './sign.ts'

export type DeliverDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  readonly sender: WebhookSender
  readonly sealer: WebhookSealer
  /** Whether test mode may reach private addresses; live mode never does. */
  readonly allowPrivate: boolean
  readonly rules: DeliveryRules
  readonly log: Log
  /** Told of each attempt, for the metrics. */
  readonly attempted?: (attempt: { readonly outcome: string; readonly seconds: number }) => void
}

/** Attempts that one process has under way: sockets, and rows that a crash leaves to their leases. */
const underwayMax = 256
/** Of one organization: its receivers that hang leave the others three quarters. */
const organizationMax = 64
/** Between two looks at what is due when nothing was; the most that a first attempt waits for. */
const idleMs = 150
/** After a claim that found something, so that the next finds more than one. */
const claimApartMs = 4
const failedMs = 1_000
/** What is under way at the end may take so long; what is cut then is sent again by another. */
const graceMs = 5_000

/** Sends what is due until the signal; what is under way then is finished and recorded. */
export async function runDeliveries(deps: DeliverDeps, signal: AbortSignal): Promise<void> {
  const busy = new Map<string, number>()
  const recorder = new Recorder(deps)
  let underway = 0
  const begin = (lease: string, claimed: Claimed) => {
    const { organization_id: organization } = claimed
    underway += 1
    busy.set(organization, (busy.get(organization) ?? 0) + 1)
    void attempt(deps, recorder, lease, claimed, offsetClock(claimed)).finally(() => {
      underway -= 1
      const left = (busy.get(organization) ?? 1) - 1
      if (left === 0) busy.delete(organization)
      else busy.set(organization, left)
    })
  }
  while (!signal.aborted) {
    let restMs = idleMs
    const lanes = Math.floor((underwayMax - underway) / laneMax)
    try {
      if (lanes > 0) {
        const { lease, deliveries } = await claimDeliveries(deps.db, deps.rules, {
          lanes,
          organizationMax,
          busy,
        })
        for (const claimed of deliveries) begin(lease, claimed)
        if (deliveries.length > 0) restMs = claimApartMs
      } else {
        restMs = claimApartMs
      }
    } catch (error) {
      if (!signal.aborted) deps.log.error({ err: error }, 'deliveries could not be claimed')
      restMs = failedMs
    }
    await delay(restMs, undefined, { signal }).catch(() => undefined)
  }
  const cutAt = Date.now() + graceMs
  while (underway > 0 && Date.now() < cutAt) await delay(claimApartMs)
  await deps.sender.close()
  while (underway > 0) await delay(claimApartMs)
}

function offsetClock({ clock_offset_ms: offsetMs }: Claimed): () => Instant {
  return () => Date.now() + Number(offsetMs)
}

/**
 * Makes one attempt and records it; never throws. What was not sent for a reason of ours counts as
 * none.
 */
export async function attempt(
  deps: DeliverDeps,
  recorder: Pick<Recorder, 'record'>,
  lease: string,
  claimed: Claimed,
  clock: () => Instant,
): Promise<void> {
  try {
    const at = clock()
    const answer = await send(deps, claimed)
    if (answer.error === 'overloaded' || answer.error === 'closed') {
      await release(deps.db, lease, [claimed.id])
      return
    }
    const made = attemptedOf(deps, lease, claimed, answer, at, clock())
    deps.attempted?.({ outcome: outcomeOf(answer), seconds: answer.latencyMs / 1_000 })
    await recorder.record(made)
  } catch (error) {
    deps.log.error({ err: error, deliveryId: claimed.id }, 'an attempt failed; its lease ends it')
  }
}

async function send(deps: DeliverDeps, claimed: Claimed): Promise<Answer> {
  const { organization_id: organizationId, endpoint_id: endpointId } = claimed
  const place = { organizationId, endpointId }
  const sealed = [claimed.secret, claimed.previous_secret].filter((one) => one !== null)
  const secrets = sealed.map((one) => deps.sealer.openSecret(place, one))
  const body = Buffer.from(claimed.body)
  // Always the real time: a receiver compares it with its own clock.
  const seconds = Math.floor(Date.now() / 1_000)
  return await deps.sender.send({
    url: claimed.url,
    headers: webhookHeaders(secrets, claimed.event_id, seconds, body),
    body,
    livemode: claimed.livemode,
    allowPrivate: deps.allowPrivate,
  })
}

function outcomeOf({ statusCode, error }: Answer): string {
  return error ?? `${Math.floor((statusCode ?? 0) / 100)}xx`
}

function attemptedOf(
  deps: DeliverDeps,
  lease: string,
  claimed: Claimed,
  answer: Answer,
  at: Instant,
  now: Instant,
): Attempted {
  const { excerpt } = answer
  return {
    deliveryId: claimed.id,
    endpointId: claimed.endpoint_id,
    lease,
    tries: claimed.tries,
    attempt: {
      at: rfc3339(at),
      status_code: answer.statusCode,
      latency_ms: Math.round(answer.latencyMs),
      error: answer.error,
      excerpt: excerpt === null ? null : deps.sealer.sealExcerpt(claimed.id, excerpt),
    },
    answer,
    after: afterAttempt(answer, {
      tries: claimed.tries,
      attemptsMade: claimed.attempts_made,
      livemode: claimed.livemode,
      now,
      chance: Math.random(),
      ladder: deps.rules.ladderMs,
    }),
    now,
  }
}

/** Attempts recorded at once; the rest waits for the next. */
const recordedMax = 200

/**
 * Collects attempts while the last ones are being recorded, and records them together. What waits
 * is bounded by what is under way: an attempt is over when it is recorded.
 */
export class Recorder {
  readonly #deps: DeliverDeps
  #waiting: { readonly attempted: Attempted; readonly done: () => void }[] = []
  #running = false

  constructor(deps: DeliverDeps) {
    this.#deps = deps
  }

  /** Resolves once it is stored, however long the database is away. */
  record(attempted: Attempted): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ attempted, done: resolve })
    if (!this.#running) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, recordedMax)
      await persist('record attempts of deliveries', this.#deps.log, () =>
        recordAttempts(
          this.#deps,
          batch.map(({ attempted }) => attempted),
        ),
      )
      for (const { done } of batch) done()
    }
    this.#running = false
  }
}
