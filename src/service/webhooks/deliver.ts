import type { KeyObject } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { Batcher } from '../database/batcher.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import {
  type AfterAttempt,
  afterAttempt,
  afterUnsent,
  type DeliveryRules,
} from '../domain/webhooks/webhook-delivery.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { retryUntilStored } from '../event-store/retry-until-stored.ts'
import type { Log } from '../log.ts'
import { pause } from '../pause.ts'
import { whileClaimed } from '../queue/claim.ts'
import { AdaptivePoll, Signal } from '../queue/signal.ts'
import type { WebhookSealer } from '../security/encryption/webhook-secrets.ts'
import type { Tracing } from '../tracing/tracing.ts'
import {
  type Claimed,
  claimDeliveries,
  inFlightPerEndpointMax,
  release,
  renewDelivery,
} from './claim-deliveries.ts'
import { disableEndpoint, type EndpointToDisable } from './disable.ts'
import { bodyOf, type TrackingUrls } from './outbox.ts'
import { type Attempted, recordAttempts, type StoredAttempt } from './record-attempts.ts'
import type { Answer, WebhookSender } from './send.ts'
import { signingKey, webhookHeaders } from './sign.ts'
import { tracedAttempt } from './traced-attempt.ts'

export type DeliveryServices = {
  readonly db: Kysely<Tables>
  readonly store: EventStore
  readonly links: TrackingUrls
  readonly webhookSender: WebhookSender
  readonly webhookSealer: WebhookSealer
  /** Whether test mode may reach private addresses; live mode never does. */
  readonly allowPrivateWebhooks: boolean
  readonly deliveryRules: DeliveryRules
  readonly log: Log
  readonly tracing?: Tracing | undefined
  /** Called for each attempt, for the metrics. */
  readonly webhookAttempted?: (attempt: {
    readonly outcome: string
    readonly seconds: number
  }) => void
}

/** Attempts in progress in one process. */
const underwayMax = 512
/** Attempts of one organization: if its receivers hang, three quarters are left for the others. */
const organizationMax = 128
/** Poll intervals while no delivery is due. */
const lookTimes = {
  /** The longest wait for a first attempt, even if another process created the event. */
  soonMs: 350,
  /** The longest delay of a retry, or of a first attempt without a notification. */
  idleMs: 2_000,
}
/** Pause between two claims, so that the next one finds more than one delivery. */
const claimApartMs = 4
const failedMs = 1_000
/**
 * How long attempts in progress may take at shutdown. Another process repeats an interrupted one.
 */
const graceMs = 5_000

/** The attempts that this process has in progress, by organization. */
class InFlight {
  readonly busy = new Map<string, number>()
  readonly ended = new Signal()
  #count = 0

  get count(): number {
    return this.#count
  }

  add(organizationId: string, made: Promise<void>): void {
    this.#count += 1
    this.busy.set(organizationId, (this.busy.get(organizationId) ?? 0) + 1)
    void made.finally(() => {
      this.#count -= 1
      const left = (this.busy.get(organizationId) ?? 1) - 1
      if (left === 0) this.busy.delete(organizationId)
      else this.busy.set(organizationId, left)
      this.ended.notify()
    })
  }
}

/** Sends due deliveries until the signal aborts, then finishes and records those in progress. */
export async function runDeliveries(deps: DeliveryServices, signal: AbortSignal): Promise<void> {
  const inFlight = new InFlight()
  const record = attemptRecorder(deps)
  const poll = new AdaptivePoll(deps.store)
  while (!signal.aborted) {
    const seen = inFlight.ended.count
    try {
      const begun = await beginDue(deps, record, inFlight)
      if (begun > 0) poll.wake()
      // Every endpoint may already have its maximum in progress: the end of one makes room.
      else if (inFlight.count > 0) await inFlight.ended.wait(seen, lookTimes.soonMs, signal)
      else if (inFlight.ended.count === seen) await poll.wait(lookTimes, signal)
      await pause(claimApartMs, signal)
    } catch (error) {
      if (!signal.aborted) deps.log.error({ err: error }, 'deliveries could not be claimed')
      await pause(failedMs, signal)
    }
  }
  const cutAt = performance.now() + graceMs
  while (inFlight.count > 0 && performance.now() < cutAt) await delay(claimApartMs)
  await deps.webhookSender.close()
  while (inFlight.count > 0) await delay(claimApartMs)
}

/** Claims as many deliveries as there is room for and starts them. Returns their number. */
async function beginDue(
  deps: DeliveryServices,
  record: RecordAttempt,
  inFlight: InFlight,
): Promise<number> {
  const endpoints = Math.floor((underwayMax - inFlight.count) / inFlightPerEndpointMax)
  if (endpoints === 0) return 0
  const room = { endpoints, organizationMax, busy: inFlight.busy }
  const { lease, deliveries } = await claimDeliveries(deps.db, deps.deliveryRules, room)
  const attempt = attempts(deps, record, lease)
  for (const claimed of deliveries) {
    inFlight.add(claimed.organization_id, attempt(claimed, offsetClock(claimed)))
  }
  return deliveries.length
}

function offsetClock({ clock_offset_ms: offsetMs }: Claimed): () => Instant {
  return () => Date.now() + Number(offsetMs)
}

/**
 * Returns a function that makes one attempt of this claim and records it. It never throws. If this
 * process was too busy or is stopping, the delivery stays due. If the request cannot be made, because
 * its event cannot be rendered or its secret cannot be opened, the delivery uses up a step of its
 * retry schedule without an attempt.
 */
export function attempts(
  deps: DeliveryServices,
  record: RecordAttempt,
  lease: string,
): (claimed: Claimed, clock: () => Instant) => Promise<void> {
  const secretsOf = openedSecrets(deps.webhookSealer)
  const renew = ({ id: deliveryId }: Claimed) =>
    renewDelivery(deps.db, { lease, deliveryId, leaseMs: deps.deliveryRules.leaseMs })
  const attempt = async (claimed: Claimed, clock: () => Instant) => {
    try {
      const startedAt = clock()
      const answer = await tracedAttempt(deps, claimed, () => send(deps, claimed, secretsOf)).catch(
        (error: unknown) => {
          deps.log.error({ err: error, deliveryId: claimed.id }, 'a webhook could not be made')
          return null
        },
      )
      if (answer?.error === 'overloaded' || answer?.error === 'closed') {
        await release(deps.db, lease, claimed.id)
        return
      }
      const endedAt = clock()
      if (answer !== null) {
        deps.webhookAttempted?.({ outcome: outcomeOf(answer), seconds: answer.latencyMs / 1_000 })
      }
      await record({
        deliveryId: claimed.id,
        endpointId: claimed.endpoint_id,
        url: claimed.url,
        lease,
        tries: claimed.tries,
        atOnce: claimed.at_once,
        attempt: answer && storedAttempt(deps.webhookSealer, claimed.id, answer, startedAt),
        answer,
        after: deliveryAfter(deps.deliveryRules, claimed, answer, endedAt),
        now: endedAt,
      })
    } catch (error) {
      deps.log.error({ err: error, deliveryId: claimed.id }, 'an attempt failed; its lease ends it')
    }
  }
  return (claimed, clock) =>
    whileClaimed(
      () => renew(claimed),
      () => attempt(claimed, clock),
    )
}

/** Opens each endpoint's secrets once per claim. */
function openedSecrets(sealer: WebhookSealer): (claimed: Claimed) => readonly KeyObject[] {
  const opened = new Map<string, readonly KeyObject[]>()
  return ({ organization_id: organizationId, endpoint_id: endpointId, ...claimed }) => {
    const known = opened.get(endpointId)
    if (known !== undefined) return known
    const sealed = [claimed.secret, claimed.previous_secret].filter((one) => one !== null)
    const place = { organizationId, endpointId }
    const secrets = sealed.map((one) => signingKey(sealer.openSecret(place, one)))
    opened.set(endpointId, secrets)
    return secrets
  }
}

type SendDeps = Pick<
  DeliveryServices,
  'db' | 'store' | 'links' | 'webhookSender' | 'allowPrivateWebhooks' | 'tracing'
>

async function send(
  deps: SendDeps,
  claimed: Claimed,
  secretsOf: (claimed: Claimed) => readonly KeyObject[],
): Promise<Answer> {
  const secrets = secretsOf(claimed)
  const body = Buffer.from(claimed.body ?? (await renderedBody(deps, claimed.event_id)))
  // Always the real time: a receiver compares it with its own clock.
  const seconds = Math.floor(Date.now() / 1_000)
  const traceparent = deps.tracing?.traceparent() ?? null
  return await deps.webhookSender.send({
    url: claimed.url,
    headers: {
      ...webhookHeaders(secrets, claimed.event_id, seconds, body),
      ...(traceparent === null ? {} : { traceparent }),
    },
    body,
    livemode: claimed.livemode,
    allowPrivate: deps.allowPrivateWebhooks,
  })
}

/** Renders the body of an event that is first sent long after it was created. */
async function renderedBody(
  { db, store, links }: Pick<DeliveryServices, 'db' | 'store' | 'links'>,
  eventId: string,
): Promise<string> {
  const { rows } = await sql<Parameters<typeof bodyOf>[1]>`
    SELECT id, body, shipment_id, shipment_version FROM webhook_events
    WHERE id = ${eventId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`the event ${eventId} was forgotten`)
  return await bodyOf({ store, links }, row)
}

function outcomeOf({ statusCode, error }: Answer): string {
  return error ?? `${Math.floor((statusCode ?? 0) / 100)}xx`
}

function storedAttempt(
  sealer: WebhookSealer,
  deliveryId: string,
  answer: Answer,
  startedAt: Instant,
): StoredAttempt {
  const { excerpt } = answer
  return {
    at: rfc3339(startedAt),
    status_code: answer.statusCode,
    latency_ms: answer.latencyMs,
    error: answer.error,
    excerpt: excerpt === null ? null : sealer.sealExcerpt(deliveryId, excerpt),
  }
}

function deliveryAfter(
  rules: DeliveryRules,
  claimed: Claimed,
  answer: Answer | null,
  now: Instant,
): AfterAttempt {
  const tried = {
    tries: claimed.tries,
    attemptsMade: claimed.attempts_made,
    livemode: claimed.livemode,
    now,
    chance: Math.random(),
    rules,
    ladderBeganAt: claimed.ladder_began_at.getTime(),
  }
  return answer === null ? afterUnsent(tried) : afterAttempt(answer, tried)
}

/** Attempts recorded in one transaction. */
const recordedMax = 200

type RecorderDeps = Pick<DeliveryServices, 'db' | 'store' | 'deliveryRules' | 'log'>

/**
 * Resolves when the attempt is stored, however long the database is unreachable, and the endpoint
 * is disabled if the answer demands it. Rejects if a mistake in the code prevents storing its batch.
 */
export type RecordAttempt = (attempted: Attempted) => Promise<void>

/** Records attempts that end while the previous ones are being recorded together. */
export function attemptRecorder(deps: RecorderDeps): RecordAttempt {
  const { log } = deps
  const recorded = new Batcher<Attempted, Promise<void>>({
    batchMax: recordedMax,
    // Bounded by the attempts in progress: an attempt ends when it is recorded.
    queueMax: Number.POSITIVE_INFINITY,
    write: async (batch) => {
      const toDisable = await retryUntilStored('record attempts of deliveries', log, () =>
        recordAttempts(deps, batch),
      )
      // The next batch does not wait for this, because it appends to the event store.
      const disabled = new Map([...toDisable].map(([id, each]) => [id, disable(deps, each)]))
      return batch.map(({ endpointId }) => disabled.get(endpointId) ?? Promise.resolve())
    },
  })
  return async (attempted) => await recorded.add(attempted)
}

/** If this fails, the endpoint's next attempt tries it again. */
async function disable(
  { db, store, log }: RecorderDeps,
  endpoint: EndpointToDisable,
): Promise<void> {
  try {
    await disableEndpoint(db, store, endpoint)
  } catch (error) {
    log.error({ err: error, endpointId: endpoint.endpointId }, 'an endpoint was not disabled')
  }
}
