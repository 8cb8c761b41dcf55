import type { Money } from '../../couriers/courier.ts'
import type { Instant, JsonObject } from '../../domain/decider.ts'
import { operationIdOf, shipmentIdOf, shipmentStream } from '../../domain/ids.ts'
import { isExpired } from '../../domain/quote.ts'
import { currentAttempt, nextOrdinal } from '../../domain/shipment/shipment.ts'
import { clearPart, personalPart } from '../../domain/shipment/shipment-payload.ts'
import { Problem } from '../../errors.ts'
import { isWithheld, type Withheld } from '../../event-store/beside.ts'
import { existing, loadShipment, nothing, type Snapshot } from '../../event-store/transact.ts'
import type { ItemSealer, OpenVault, VaultDraft } from '../../security/vault/vault.ts'
import type { ProcessServices } from '../process-services.ts'
import { creationAttempt, withoutPlace } from '../quota/quota-place.ts'
import { type FoundAtCourier, findGuidesFirst } from '../recovery/find-first.ts'
import { atWorkspaceClock } from './attempt-clock.ts'
import { awaitCall, duplicatesWaitMs } from './await-call.ts'
import { beginCall, type PlannedCall, recordInsteadOfCall, timingAt } from './begin-call.ts'
import { attemptContext, callContext } from './courier-calls.ts'
import {
  type BoundQuote,
  type CheckedRequest,
  checkCreation,
  checkSendable,
  type SendableRequest,
} from './creation-checks.ts'
import type { CreationCommand, CreationRequest, KeyedRequest } from './creation-request.ts'
import { fingerprintOf, hasFingerprint, isSameInNfc } from './fingerprint.ts'
import { beforeExecution } from './not-executed.ts'
import { recordCreationAgain } from './record-creation-again.ts'

type CreateDeps = Pick<
  ProcessServices,
  | 'accounts'
  | 'catalogue'
  | 'clocks'
  | 'couriers'
  | 'db'
  | 'guard'
  | 'log'
  | 'store'
  | 'inFlightCalls'
  | 'vault'
  | 'watch'
>

/** The current state of the stream, and how this request arrived at it. */
export type CreationAnswer = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  /**
   * `created`: this request's attempt led to this state. `awaited`: another request's attempt did.
   * `replayed`: the state existed before.
   */
  readonly origin: 'created' | 'awaited' | 'replayed'
  /**
   * The shipment's vault data that this request has in memory, so that the vault need not be read.
   */
  readonly decrypted: DecryptedData | null
}

export type DecryptedData = {
  readonly payload: JsonObject
  /** By vault reference. */
  readonly items: ReadonlyMap<string, JsonObject>
}

/**
 * How long concurrent requests wait for this process's first request to record its attempt before
 * they try too.
 */
const racersWaitMs = 2_000

/**
 * One key, one guide: the request whose append wins calls the courier; all others wait for its
 * outcome or find it. Throws a Problem when nothing was executed.
 */
export async function createShipment(
  deps: CreateDeps,
  creation: CreationRequest,
): Promise<CreationAnswer> {
  const { workspace_id: workspaceId } = creation.body
  const shipmentId = shipmentIdOf({ ...creation, workspaceId })
  const request = { ...creation, workspaceId, shipmentId }
  try {
    const ahead = await awaitConcurrentAttempt(deps, shipmentId)
    if (ahead !== null) return await answerExisting(deps, request, ahead, 'awaited')
    return await deps.inFlightCalls.trackFirst(shipmentId, createOrAnswer(deps, request))
  } catch (error) {
    // Nothing throws after the committed intent: an error comes from before it, or from waiting.
    throw beforeExecution(error)
  }
}

/**
 * Only one of the concurrent requests in this process can record the attempt, so the others wait
 * instead of preparing it too. Attempts that had already ended are ignored.
 */
async function awaitConcurrentAttempt(
  { inFlightCalls, store, watch }: Pick<ProcessServices, 'inFlightCalls' | 'store' | 'watch'>,
  shipmentId: string,
): Promise<Snapshot | null> {
  const first = inFlightCalls.firstAttempt(shipmentId)
  if (first === null) return null
  const hasEnded = new AbortController()
  void first.finally(() => hasEnded.abort())
  let earlier: number | null = null
  const newAttempt = async () => {
    const found = await loadShipment(store, shipmentId)
    const attempt = found.state === null ? null : currentAttempt(found.state)
    earlier ??= attempt?.state === 'not_sent' ? attempt.number : 0
    return attempt !== null && attempt.number > earlier ? found : null
  }
  return await watch.until(shipmentStream(shipmentId), racersWaitMs, newAttempt, hasEnded.signal)
}

/**
 * Most keys are new, so their streams are not read first. If the key was used before, its quota
 * reservation exists already or the append conflicts. Checks that would refuse a new shipment do
 * not apply to an existing one.
 */
async function createOrAnswer(deps: CreateDeps, request: KeyedRequest): Promise<CreationAnswer> {
  const checked = await checkFirst(deps, request).catch((failure: unknown) => ({ failure }))
  const begun =
    'failure' in checked ? checked : await beginFirst(deps, request, checked, { isUnread: true })
  if ('snapshot' in begun) return begun
  const found = await loadShipment(deps.store, request.shipmentId)
  if (found.state !== null) return await answerExisting(deps, request, found, 'replayed')
  if ('failure' in begun) throw begun.failure
  if (begun.kind !== 'known') throw withoutPlace(begun)
  // Its place was reserved for an attempt that was never recorded.
  const again = await checkFirst(deps, request)
  return orThrow(await beginFirst(deps, request, again, { isUnread: false }))
}

function orThrow(begun: CreationAnswer | Withheld): CreationAnswer {
  if ('snapshot' in begun) return begun
  throw withoutPlace(begun)
}

type CheckedCreation = SendableRequest & { readonly quote: BoundQuote }

async function checkFirst(deps: CreateDeps, request: KeyedRequest): Promise<CheckedCreation> {
  deps.guard.refuseWhileDamaged()
  const checked = await checkCreation(deps, request, request.body)
  deps.inFlightCalls.refuseIfFullFor(request.organizationId)
  return checked
}

async function beginFirst(
  deps: CreateDeps,
  request: KeyedRequest,
  checked: CheckedCreation,
  { isUnread }: { readonly isUnread: boolean },
): Promise<CreationAnswer | Withheld> {
  const { body, organizationId, workspaceId, shipmentId } = request
  const draft = deps.vault.prepare({ organizationId, workspaceId, shipmentId }, personalPart(body))
  return await atWorkspaceClock(deps, request, async (clockOffsetMs) => {
    const { now } = timingAt(clockOffsetMs)
    const foundFirst = await findGuidesFirst(deps, {
      ...pick(checked),
      shipmentId,
      now,
      vaultRow: draft,
      context: firstContext(request, checked, now),
    })
    const timing = timingAt(clockOffsetMs)
    if (checked.quote !== null && isExpired(checked.quote, timing.now))
      throw new Problem('quote_expired')
    const planned = plannedCall(deps, request, checked, {
      command: firstCommand(request, checked, timing, draft),
      from: nothing,
      timing,
      vaultRow: draft,
      quotedAmount: checked.quote?.price ?? null,
      beside: { row: draft.row, attempt: creationAttempt(request, { clockOffsetMs, isUnread }) },
    })
    const commitments = new Map([[draft.ref, draft.commitment]])
    return await beginOrWait(deps, request, { ...planned, commitments }, foundFirst)
  })
}

function firstContext(
  { body, livemode, scenario, requestId }: KeyedRequest,
  { account }: CheckedCreation,
  now: Instant,
) {
  const { courier_connection_id } = body
  const request = { courier_connection_id, livemode, sandbox_scenario: scenario }
  return attemptContext({ request, account, now, requestId, number: 1, requestedAt: now })
}

function firstCommand(
  request: KeyedRequest,
  { account, quote }: CheckedCreation,
  { now, callDeadline }: PlannedCall['timing'],
  draft: VaultDraft,
): CreationCommand {
  const { body, organizationId, shipmentId, livemode } = request
  return {
    do: 'request_shipment',
    now,
    callDeadline,
    operationId: operationIdOf(shipmentId, 1),
    credentialsVersion: account.credentialsVersion,
    request: {
      ...clearPart(body),
      quote_id: body.quote_id ?? null,
      organization_id: organizationId,
      provider_code: account.providerCode,
      livemode,
      idempotency_key: request.idempotencyKey,
      ...(quote === null ? {} : { quoted_amount: quote.price }),
      sandbox_scenario: request.scenario,
      vault_ref: draft.ref,
      fingerprint: fingerprintOf(request, draft.fingerprintKey),
    },
  }
}

function pick({ courier, account }: CheckedRequest) {
  return { courier, account }
}

type Begins = Pick<PlannedCall, 'beside' | 'from' | 'timing'> & {
  readonly command: CreationCommand
  readonly vaultRow: ItemSealer
  readonly quotedAmount: Money | null
}

function plannedCall(
  deps: CreateDeps,
  request: KeyedRequest,
  { courier, account, consignment, payload }: SendableRequest,
  { command, vaultRow, from, timing, quotedAmount, beside }: Begins,
): PlannedCall {
  const { shipmentId, actor, requestId } = request
  const guide = {
    clientReference: shipmentId,
    notAfter: timing.deadline,
    ...consignment,
    payload,
    quotedAmount,
  }
  const digestOf = (row: ItemSealer) => row.bodyDigest(courier.createGuideBody(guide))
  return {
    command: { ...command, requestDigest: digestOf(vaultRow) },
    from,
    timing,
    beside,
    vaultRow,
    shipmentId,
    actor,
    requestId,
    courier,
    account,
    ask: (_, context) => courier.createGuide({ ...guide, ...context }),
    recordAgain: (lost) => recordCreationAgain(deps, request, { lost, command, digestOf }),
  }
}

/** Begins the attempt; if another request records one first, waits for that one's outcome. */
async function beginOrWait(
  deps: CreateDeps,
  request: KeyedRequest,
  planned: PlannedCall,
  foundFirst: FoundAtCourier | null,
): Promise<CreationAnswer | Withheld> {
  if (foundFirst !== null) return await recordFound(deps, request, planned, foundFirst)
  const begun = await beginCall(deps, planned)
  if (isWithheld(begun)) return begun
  if (begun.kind === 'lost')
    return await answerOther(deps, request, begun.snapshot, planned.timing.now)
  const items = begun.kind === 'ended' ? begun.items : new Map()
  const known = { payload: personalPart(request.body), items }
  return {
    shipmentId: planned.shipmentId,
    snapshot: begun.snapshot,
    origin: 'created',
    decrypted: known,
  }
}

/**
 * Records the guides that the courier already has for a key without an attempt; the creation call
 * is not made.
 */
async function recordFound(
  deps: CreateDeps,
  request: KeyedRequest,
  planned: PlannedCall,
  foundFirst: FoundAtCourier,
): Promise<CreationAnswer | Withheld> {
  const done = await recordInsteadOfCall(deps, planned, foundFirst)
  if (isWithheld(done)) return done
  const { snapshot, appended } = done
  if (!appended) return await answerOther(deps, request, snapshot, planned.timing.now)
  return { shipmentId: planned.shipmentId, snapshot, origin: 'replayed', decrypted: null }
}

/**
 * The stream of a seemingly new key has another attempt. One that ended before this request began
 * is not concurrent: its quota reservation was lost or released.
 */
async function answerOther(
  deps: CreateDeps,
  request: KeyedRequest,
  snapshot: Snapshot,
  beganAt: Instant,
): Promise<CreationAnswer> {
  const { endedAt } = currentAttempt(existing(snapshot))
  const hadEnded = endedAt !== null && endedAt < beganAt
  return await answerExisting(deps, request, snapshot, hadEnded ? 'replayed' : 'awaited')
}

/**
 * The key was used before: the same body gets the outcome, another body is refused. `waited`:
 * another request's attempt was recorded during this request, and its outcome is the answer.
 */
async function answerExisting(
  deps: CreateDeps,
  request: KeyedRequest,
  found: Snapshot,
  origin: 'awaited' | 'replayed',
): Promise<CreationAnswer> {
  const { shipmentId } = request
  const vaultRow = await compareBody(deps.vault, request, found)
  const known = vaultRow === null ? null : { payload: vaultRow.payload, items: new Map() }
  const state = existing(found)
  const attempt = currentAttempt(state)
  if (attempt.state === 'calling') {
    const until = performance.now() + duplicatesWaitMs
    const call = { shipmentId, operationIn: currentAttempt }
    const snapshot = await awaitCall(deps, call, found, until)
    return { shipmentId, snapshot, origin: 'awaited', decrypted: known }
  }
  const isRetry = attempt.state === 'not_sent' && origin === 'replayed' && state.erasedAt === null
  if (isRetry && vaultRow !== null) return await beginNext(deps, request, found, vaultRow)
  return { shipmentId, snapshot: found, origin, decrypted: known }
}

async function beginNext(
  deps: CreateDeps,
  request: KeyedRequest,
  from: Snapshot,
  vaultRow: ItemSealer,
): Promise<CreationAnswer> {
  const { shipmentId } = request
  deps.guard.refuseWhileDamaged()
  // The quote is not checked again: the terms bound by the key's first attempt are in its stream.
  const checked = await checkSendable(deps, request, request.body)
  deps.inFlightCalls.refuseIfFullFor(request.organizationId)
  const begun = await atWorkspaceClock(deps, request, async (clockOffsetMs) => {
    const { now } = timingAt(clockOffsetMs)
    const foundFirst = await findGuidesFirst(deps, {
      ...pick(checked),
      shipmentId,
      now,
      vaultRow,
      context: callContext(existing(from), checked.account, now, request.requestId),
    })
    const timing = timingAt(clockOffsetMs)
    const command = {
      do: 'request_guide',
      now: timing.now,
      callDeadline: timing.callDeadline,
      operationId: operationIdOf(shipmentId, nextOrdinal(existing(from))),
      credentialsVersion: checked.account.credentialsVersion,
    } as const
    const { quoted_amount: quotedAmount = null } = existing(from).request
    const beside = { attempt: creationAttempt(request, { clockOffsetMs, isUnread: false }) }
    const begins = { command, from, timing, vaultRow, quotedAmount, beside }
    const planned = plannedCall(deps, request, checked, begins)
    return await beginOrWait(deps, request, planned, foundFirst)
  })
  return orThrow(begun)
}

/**
 * Throws if the body differs from the first one. Returns the opened vault row; null once it is
 * erased.
 */
async function compareBody(
  vault: ProcessServices['vault'],
  request: CreationRequest,
  found: Snapshot,
): Promise<OpenVault | null> {
  const { request: first, erasedAt } = existing(found)
  const row = erasedAt === null ? await vault.open(first.vault_ref) : null
  const isSame =
    hasFingerprint(request, first.fingerprint, row?.fingerprintKey ?? null) ||
    isSameInNfc(request, first, row?.payload ?? null)
  if (!isSame) throw new Problem('idempotency_key_reused')
  return row
}
