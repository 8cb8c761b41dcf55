import type { KeyObject } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import {
  type AfterAttempt,
  afterAttempt,
  afterUnsent,
  type DeliveryRules,
} from '../domain/webhooks/webhook-delivery.ts'
import { Attention } from '../event-store/attention.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { Wake } from '../event-store/wake.ts'
import type { Log } from '../log.ts'
import { retryUntilStored } from '../processes/calls/retry-until-stored.ts'
import { clockAt } from '../processes/sandbox/workspace-clock.ts'
import type { WebhookSealer } from '../security/encryption/webhook-secrets.ts'
import { type Claimed, claimDeliveries, laneMax, release } from './claim.ts'
import { disableEndpoint, type EndpointToDisable } from './disable.ts'
import { bodyOf } from './outbox.ts'
import { type Attempted, recordAttempts, type StoredAttempt } from './record-attempts.ts'
import type { Answer, WebhookSender } from './send.ts'
import { signingKey, webhookHeaders } from './sign.ts'

export type DeliverDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  readonly sender: WebhookSender
  readonly sealer: WebhookSealer
  /** Whether test mode may reach private addresses; live mode never does. */
  readonly allowPrivate: boolean
  readonly rules: DeliveryRules
  readonly log: Log
  /** Called for each attempt, for the metrics. */
  readonly attempted?: (attempt: { readonly outcome: string; readonly seconds: number }) => void
}

/** Attempts under way in one process: sockets, and rows that a crash leaves to their leases. */
const underwayMax = 512
/** For one organization: if its receivers hang, the others still have three quarters. */
const organizationMax = 128
/** Wait between two looks for due deliveries when none were due. */
const lookTimes = {
  /** The longest wait for a first attempt, even if another process created the event. */
  soonMs: 350,
  /** The longest delay of a retry, or of a first attempt without a notification. */
  idleMs: 2_000,
}
/** Wait between two claims, so that the next finds more than one. */
const claimApartMs = 4
const failedMs = 1_000
/**
 * How long attempts under way may take at shutdown; an interrupted one is sent again by another
 * process.
 */
const graceMs = 5_000

/** The attempts that this process has under way, by organization. */
class InFlight {
  readonly busy = new Map<string, number>()
  readonly ended = new Wake()
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
      this.ended.ring()
    })
  }
}

/** Sends what is due until the signal aborts; attempts then under way are finished and recorded. */
export async function runDeliveries(deps: DeliverDeps, signal: AbortSignal): Promise<void> {
  const inFlight = new InFlight()
  const recorder = new Recorder(deps)
  const attention = new Attention(deps.store)
  while (!signal.aborted) {
    const seen = inFlight.ended.count
    try {
      const begun = await beginDue(deps, recorder, inFlight)
      if (begun > 0) attention.stir()
      // Every endpoint may already have its maximum under way: the end of one makes room.
      else if (inFlight.count > 0) await inFlight.ended.wait(seen, lookTimes.soonMs, signal)
      else if (inFlight.ended.count === seen) await attention.rest(lookTimes, signal)
      await pause(claimApartMs, signal)
    } catch (error) {
      if (!signal.aborted) deps.log.error({ err: error }, 'deliveries could not be claimed')
      await pause(failedMs, signal)
    }
  }
  const cutAt = performance.now() + graceMs
  while (inFlight.count > 0 && performance.now() < cutAt) await delay(claimApartMs)
  await deps.sender.close()
  while (inFlight.count > 0) await delay(claimApartMs)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}

/** Claims as much as there is room for, and begins it. Returns how much that was. */
async function beginDue(
  deps: DeliverDeps,
  recorder: Recorder,
  inFlight: InFlight,
): Promise<number> {
  const lanes = Math.floor((underwayMax - inFlight.count) / laneMax)
  if (lanes === 0) return 0
  const room = { lanes, organizationMax, busy: inFlight.busy }
  const { lease, deliveries } = await claimDeliveries(deps.db, deps.rules, room)
  const attempt = attempts(deps, recorder, lease)
  for (const claimed of deliveries) {
    inFlight.add(claimed.organization_id, attempt(claimed, offsetClock(claimed)))
  }
  return deliveries.length
}

function offsetClock({ clock_offset_ms: offsetMs }: Claimed): () => Instant {
  return () => clockAt(Number(offsetMs))
}

/**
 * The attempts of one claim: makes one and records it; never throws. If this process was too busy or
 * is stopping, the delivery keeps its turn. If the request cannot be made, because its event cannot
 * be rendered or its secret cannot be opened, it has had its turn without an attempt.
 */
export function attempts(
  deps: DeliverDeps,
  recorder: Recorder,
  lease: string,
): (claimed: Claimed, clock: () => Instant) => Promise<void> {
  const secretsOf = openedSecrets(deps.sealer)
  return async (claimed, clock) => {
    try {
      const startedAt = clock()
      const answer = await send(deps, claimed, secretsOf).catch((error: unknown) => {
        deps.log.error({ err: error, deliveryId: claimed.id }, 'a webhook could not be made')
        return null
      })
      if (answer?.error === 'overloaded' || answer?.error === 'closed') {
        await release(deps.db, lease, claimed.id)
        return
      }
      const endedAt = clock()
      if (answer !== null) {
        deps.attempted?.({ outcome: outcomeOf(answer), seconds: answer.latencyMs / 1_000 })
      }
      await recorder.record({
        deliveryId: claimed.id,
        endpointId: claimed.endpoint_id,
        url: claimed.url,
        lease,
        tries: claimed.tries,
        atOnce: claimed.at_once,
        attempt: answer && storedAttempt(deps.sealer, claimed.id, answer, startedAt),
        answer,
        after: deliveryAfter(deps.rules, claimed, answer, endedAt),
        now: endedAt,
      })
    } catch (error) {
      deps.log.error({ err: error, deliveryId: claimed.id }, 'an attempt failed; its lease ends it')
    }
  }
}

/** Opens each endpoint's secrets once; they are forgotten with the claim. */
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

async function send(
  deps: Pick<DeliverDeps, 'db' | 'store' | 'sender' | 'allowPrivate'>,
  claimed: Claimed,
  secretsOf: (claimed: Claimed) => readonly KeyObject[],
): Promise<Answer> {
  const secrets = secretsOf(claimed)
  const body = Buffer.from(claimed.body ?? (await renderedBody(deps, claimed.event_id)))
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

/** For an event that is first sent long after it was created. */
async function renderedBody(
  { db, store }: Pick<DeliverDeps, 'db' | 'store'>,
  eventId: string,
): Promise<string> {
  const { rows } = await sql<Parameters<typeof bodyOf>[1]>`
    SELECT id, body, shipment_id, shipment_version FROM webhook_events
    WHERE id = ${eventId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error(`the event ${eventId} was forgotten`)
  return await bodyOf(store, row)
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

/** Attempts recorded at once; the rest waits for the next transaction. */
const recordedMax = 200

type RecorderDeps = Pick<DeliverDeps, 'db' | 'store' | 'rules' | 'log'>
type Recording = {
  readonly attempted: Attempted
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Collects attempts while the previous ones are being recorded, and records them together. The
 * queue is bounded by the attempts under way: an attempt is over when it is recorded.
 */
export class Recorder {
  readonly #deps: RecorderDeps
  #waiting: Recording[] = []
  #running = false

  constructor(deps: RecorderDeps) {
    this.#deps = deps
  }

  /**
   * Resolves once it is stored, however long the database is unreachable, and its endpoint disabled
   * if it asks for that. Rejects if the code cannot store the batch that it is in.
   */
  record(attempted: Attempted): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ attempted, resolve, reject })
    if (!this.#running) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, recordedMax)
      const attempted = batch.map((each) => each.attempted)
      try {
        const toDisable = await retryUntilStored(
          'record attempts of deliveries',
          this.#deps.log,
          () => recordAttempts(this.#deps, attempted),
        )
        this.#disableThenResolve(toDisable, batch)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#running = false
  }

  /** The next batch does not wait for this: it takes an append to the event store. */
  #disableThenResolve(
    toDisable: ReadonlyMap<string, EndpointToDisable>,
    batch: readonly Recording[],
  ): void {
    const disabled = new Map(
      [...toDisable].map(([id, endpoint]) => [id, this.#disable(endpoint)] as const),
    )
    for (const { attempted, resolve } of batch) {
      void Promise.resolve(disabled.get(attempted.endpointId)).then(resolve)
    }
  }

  /** If it fails, the endpoint's next attempt asks for it again. */
  async #disable(endpoint: EndpointToDisable): Promise<void> {
    const { db, store, log } = this.#deps
    try {
      await disableEndpoint(db, store, endpoint)
    } catch (error) {
      log.error({ err: error, endpointId: endpoint.endpointId }, 'an endpoint was not disabled')
    }
  }
}
