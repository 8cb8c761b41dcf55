import { setTimeout as delay } from 'node:timers/promises'
import { courierTimes } from '../couriers/courier.ts'
import type { Attempt } from '../domain/attempt.ts'
import { operationIdOf, shipmentIdOf, shipmentStream } from '../domain/ids.ts'
import { currentAttempt } from '../domain/shipment.ts'
import { Problem } from '../errors.ts'
import {
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
} from '../event-store/event-store.ts'
import {
  existing,
  loadShipment,
  type Snapshot,
  type Transacted,
  transact,
} from '../event-store/transact.ts'
import { type ItemSealer, type Stored, VaultOverloaded } from '../security/vault.ts'
import { type CommittedAttempt, giveUpAttempt, makeAttempt } from './attempt.ts'
import { type CheckedRequest, checkCreation } from './creation-checks.ts'
import { openPart, personalPart, type ShipmentRequestBody } from './creation-request.ts'
import type { ProcessDeps } from './deps.ts'
import {
  fingerprintVersion,
  openFingerprint,
  personalFingerprint,
  sameDigest,
} from './fingerprint.ts'

export type CreationRequest = {
  readonly organizationId: string
  readonly livemode: boolean
  readonly keyId: string
  readonly requestId: string
  readonly idempotencyKey: string
  readonly body: ShipmentRequestBody
  /** Null in live mode. */
  readonly scenario: string | null
}

/** What the stream says now, and how this request came to it. */
export type CreationAnswer = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  /** `made`: this request's own attempt ended so. `waited`: another's. `found`: it had ended before. */
  readonly by: 'made' | 'waited' | 'found'
  /** The attempt is still under way: `made` by this request or not. */
  readonly isUnderway: boolean
}

export const creationTimes = {
  /** Duplicates wait so long for the first request's outcome. Source: product 3, "Times". */
  duplicatesWaitMs: 15_000,
  /** From the vault row to giving up the append of the intent. Source: architecture. */
  appendMs: 30_000,
  /** New attempts wait so long for an advance of their clock; with the call it is under 40 s. */
  clockWaitMs: 12_000,
} as const

/**
 * One key, one guide: the first request whose append wins calls the courier, every other one waits
 * for its outcome or finds it. Throws a Problem when nothing was executed.
 */
export async function createShipment(
  deps: ProcessDeps,
  request: CreationRequest,
): Promise<CreationAnswer> {
  const workspaceId = request.body.workspace_id
  const shipmentId = shipmentIdOf({ ...request, workspaceId })
  const found = await loadShipment(deps.store, shipmentId)
  if (found.state !== null) return await onExisting(deps, request, shipmentId, found)

  const checked = await checkCreation(deps, { ...request, workspaceId }, request.body)
  if (deps.underway.isFull) throw new Problem('overloaded', { retryAfterSeconds: 1 })
  return await beginFirst(deps, request, shipmentId, checked)
}

async function beginFirst(
  deps: ProcessDeps,
  request: CreationRequest,
  shipmentId: string,
  checked: CheckedRequest,
): Promise<CreationAnswer> {
  const { body, organizationId } = request
  const workspaceId = body.workspace_id
  const draft = deps.vault.prepare({ organizationId, workspaceId, shipmentId }, personalPart(body))
  const registration = request.livemode ? undefined : { workspaceId, shipmentId }
  const stored = await whenClockRuns(deps, request, (again) =>
    again && registration !== undefined
      ? deps.vault.register(registration)
      : deps.vault.put(draft, registration),
  )
  const timing = timingOf(stored)
  const intent = {
    do: 'request_shipment',
    now: timing.now,
    callDeadline: timing.callDeadline,
    operationId: operationIdOf(shipmentId, 1),
    credentialsVersion: checked.account.credentialsVersion,
    request: {
      organization_id: organizationId,
      workspace_id: workspaceId,
      courier_connection_id: body.courier_connection_id,
      provider_code: checked.account.providerCode,
      livemode: request.livemode,
      external_reference: body.external_reference,
      idempotency_key: request.idempotencyKey,
      origin: body.origin,
      destination: body.destination,
      package: body.package,
      service: body.service,
      quote_id: body.quote_id ?? null,
      sandbox_scenario: request.scenario,
      vault_ref: draft.ref,
      fingerprint: {
        version: fingerprintVersion,
        open: openFingerprint({ ...openPart(body), scenario: request.scenario ?? undefined }),
        personal: personalFingerprint(personalPart(body), draft.fingerprintKey),
      },
    },
  } as const
  const begun: Begun = { shipmentId, request, checked, timing, vaultRow: draft, body }
  return await begin(deps, begun, (options) => transact(deps.store, shipmentId, intent, options), {
    state: null,
    revision: null,
    firstEventId: null,
    lastEventId: null,
    position: null,
  })
}

type Timing = {
  readonly now: number
  readonly callDeadline: number
  readonly realDeadline: Date
  readonly appendNotAfter: Date
  readonly clockOffsetMs: number
}

function timingOf(stored: Stored): Timing {
  const clockOffsetMs = stored.clock?.offsetMs ?? 0
  const now = Date.now() + clockOffsetMs
  return {
    now,
    callDeadline: now + courierTimes.callDeadlineMs,
    realDeadline: new Date(Date.now() + courierTimes.callDeadlineMs),
    appendNotAfter: new Date(stored.storedAt.getTime() + creationTimes.appendMs),
    clockOffsetMs,
  }
}

type Begun = {
  readonly shipmentId: string
  readonly request: CreationRequest
  readonly checked: CheckedRequest
  readonly timing: Timing
  readonly vaultRow: ItemSealer
  readonly body: ShipmentRequestBody
}

type Append = (options: Parameters<typeof transact>[3]) => Promise<Transacted>

/** Appends the intent; if that wins, makes the call; else waits for whoever won. */
async function begin(
  deps: ProcessDeps,
  begun: Begun,
  append: Append,
  from: Snapshot,
): Promise<CreationAnswer> {
  const { shipmentId, request, timing } = begun
  const actor = { type: 'api_key', keyId: request.keyId } as const
  const options = { actor, requestId: request.requestId, now: timing.now, from }
  const notAfter = timing.appendNotAfter
  const appending = append({ ...options, append: { notAfter } })
  const done = await appending.catch((cause: unknown) => {
    throw intentProblem(deps, begun, cause)
  })
  if (done.kind === 'expired') throw notTaken('The attempt could not be recorded in time.')
  if (done.kind === 'refused') throw new Error(`bug: an intent was refused: ${done.reason}`)
  if (!done.appended) return await onExisting(deps, request, shipmentId, done.snapshot, true)
  const committed = committedAttempt(begun, done.snapshot)
  if (Date.now() >= timing.realDeadline.getTime()) {
    const snapshot = await deps.underway.add(shipmentId, giveUpAttempt(deps, committed))
    return { shipmentId, snapshot, by: 'made', isUnderway: false }
  }
  const attempt = deps.underway.add(shipmentId, makeAttempt(deps, committed))
  const ended = await endedInTime(attempt, timing.realDeadline)
  return ended === null
    ? { shipmentId, snapshot: done.snapshot, by: 'made', isUnderway: true }
    : { shipmentId, snapshot: ended, by: 'made', isUnderway: false }
}

function committedAttempt(begun: Begun, snapshot: Snapshot): CommittedAttempt {
  return {
    shipmentId: begun.shipmentId,
    snapshot,
    attempt: existing(snapshot).attempts.at(-1) as Attempt,
    courier: begun.checked.courier,
    account: begun.checked.account,
    body: begun.body,
    codes: begun.checked.codes,
    vaultRow: begun.vaultRow,
    actor: { type: 'api_key', keyId: begun.request.keyId },
    requestId: begun.request.requestId,
    realDeadline: begun.timing.realDeadline,
    clockOffsetMs: begun.timing.clockOffsetMs,
  }
}

async function endedInTime<T>(work: Promise<T>, until: Date): Promise<T | null> {
  const timer = new AbortController()
  const late = delay(Math.max(0, until.getTime() - Date.now()), null, { signal: timer.signal })
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    late.catch(() => undefined)
  }
}

function notTaken(detail: string, cause?: unknown): Problem {
  return new Problem('dependency_unavailable', { detail, retryAfterSeconds: 1, cause })
}

/**
 * The intent was not acknowledged. If it may have been written, this process goes on looking for it
 * and records that nothing was sent; no call is made for it any more.
 */
function intentProblem(deps: ProcessDeps, begun: Begun, cause: unknown): unknown {
  if (cause instanceof EventStoreOverloaded || cause instanceof VaultOverloaded) {
    return new Problem('overloaded', { retryAfterSeconds: 1, cause })
  }
  if (cause instanceof EventStoreUnavailable)
    return notTaken('The ledger cannot be reached.', cause)
  if (!(cause instanceof AppendUnknown)) return cause
  deps.underway.add(begun.shipmentId, settleIntent(deps, begun))
  return notTaken('The ledger did not confirm the attempt; no call is made for it.', cause)
}

const settlePollMs = 500

/** Until the last moment at which the intent can be written: if it is there, it was never sent. */
async function settleIntent(deps: ProcessDeps, begun: Begun): Promise<void> {
  const until = begun.timing.appendNotAfter.getTime() + settlePollMs
  while (Date.now() < until) {
    await delay(settlePollMs)
    const snapshot = await loadShipment(deps.store, begun.shipmentId).catch(() => null)
    const state = snapshot?.state ?? null
    if (snapshot === null || state === null) continue
    const attempt = state.attempts.find((each) => each.callDeadline === begun.timing.callDeadline)
    if (attempt === undefined || state.request.vault_ref !== begun.vaultRow.ref) return
    await giveUpAttempt(deps, { ...committedAttempt(begun, snapshot), attempt })
    return
  }
}

/** While the workspace's clock is being advanced new attempts wait, and start where it arrives. */
async function whenClockRuns(
  deps: ProcessDeps,
  request: CreationRequest,
  register: (again: boolean) => Promise<Stored>,
): Promise<Stored> {
  const until = Date.now() + creationTimes.clockWaitMs
  for (let again = false; ; again = true) {
    const stored = await register(again)
    if (stored.clock === null || stored.clock.advancingTo === null) return stored
    if (Date.now() >= until) {
      throw new Problem('clock_advancing', { retryAfterSeconds: 5 })
    }
    await delay(100)
    deps.log.debug({ request_id: request.requestId }, 'waiting for the sandbox clock')
  }
}

/** The key was used before: the same body gets what came of it, another body is refused. */
async function onExisting(
  deps: ProcessDeps,
  request: CreationRequest,
  shipmentId: string,
  found: Snapshot,
  raced = false,
): Promise<CreationAnswer> {
  const vaultRow = await compareBody(deps, request, found)
  const state = existing(found)
  const attempt = currentAttempt(state)
  if (attempt.status === 'calling') return await waitForOutcome(deps, shipmentId, found)
  const isRetry = attempt.status === 'not_sent' && !raced && state.erasedAt === null
  if (!isRetry || vaultRow === null) {
    return { shipmentId, snapshot: found, by: raced ? 'waited' : 'found', isUnderway: false }
  }
  return await beginNext(deps, request, shipmentId, found, vaultRow)
}

async function beginNext(
  deps: ProcessDeps,
  request: CreationRequest,
  shipmentId: string,
  from: Snapshot,
  vaultRow: ItemSealer,
): Promise<CreationAnswer> {
  const workspaceId = request.body.workspace_id
  const checked = await checkCreation(deps, { ...request, workspaceId }, request.body)
  const stored = request.livemode
    ? { storedAt: new Date(), clock: null }
    : await whenClockRuns(deps, request, () => deps.vault.register({ workspaceId, shipmentId }))
  const timing = timingOf(stored)
  const intent = {
    do: 'request_guide',
    now: timing.now,
    callDeadline: timing.callDeadline,
    operationId: operationIdOf(shipmentId, existing(from).attempts.length + 1),
    credentialsVersion: checked.account.credentialsVersion,
  } as const
  const begun: Begun = { shipmentId, request, checked, timing, vaultRow, body: request.body }
  return await begin(
    deps,
    begun,
    (options) => transact(deps.store, shipmentId, intent, options),
    from,
  )
}

/** Throws when the body is not the first one's. Answers the opened vault row, null once erased. */
async function compareBody(
  deps: ProcessDeps,
  request: CreationRequest,
  found: Snapshot,
): Promise<ItemSealer | null> {
  const { request: first, ...state } = existing(found)
  const open = openFingerprint({
    ...openPart(request.body),
    scenario: request.scenario ?? undefined,
  })
  const row = state.erasedAt === null ? await deps.vault.open(first.vault_ref) : null
  const personal =
    row === null
      ? first.fingerprint.personal
      : personalFingerprint(personalPart(request.body), row.fingerprintKey)
  const isSame =
    sameDigest(open, first.fingerprint.open) && sameDigest(personal, first.fingerprint.personal)
  if (!isSame) throw new Problem('idempotency_key_reused')
  return row
}

async function waitForOutcome(
  deps: ProcessDeps,
  shipmentId: string,
  found: Snapshot,
): Promise<CreationAnswer> {
  const until = Date.now() + creationTimes.duplicatesWaitMs
  let snapshot = found
  while (Date.now() < until) {
    const changed = await deps.watch.changed(
      shipmentStream(shipmentId),
      snapshot.revision ?? 0,
      until - Date.now(),
    )
    if (!changed) break
    snapshot = await loadShipment(deps.store, shipmentId)
    if (currentAttempt(existing(snapshot)).status !== 'calling') {
      return { shipmentId, snapshot, by: 'waited', isUnderway: false }
    }
  }
  snapshot = await loadShipment(deps.store, shipmentId)
  const isUnderway = currentAttempt(existing(snapshot)).status === 'calling'
  return { shipmentId, snapshot, by: 'waited', isUnderway }
}
