import { type Instant, isRefusal } from '../../domain/decider.ts'
import { wasUnknown } from '../../domain/operation/operation.ts'
import { operationsOf, type Shipment } from '../../domain/shipment/shipment.ts'
import { decide, type RefusalReason } from '../../domain/shipment/shipment-decisions.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, loadShipment, type Snapshot, transact } from '../../event-store/transact.ts'
import type { JobResult } from '../due/claims.ts'
import type { ProcessServices } from '../process-services.ts'
import { type ErasureCause, type ErasureRow, lateRows, withdrawRetention } from './erasure-rows.ts'
import { keptUntil } from './retention.ts'

const minuteMs = 60_000

export const erasureTimes = {
  /**
   * The request that began an erasure finishes it within this; after that the worker takes over.
   */
  graceMs: minuteMs,
  /** An erasure without its event after this was never recorded: its request has ended. */
  unrecordedMs: 10 * minuteMs,
  /** The wait before a courier is notified again, doubled each time, up to a day. */
  retryMs: minuteMs,
  retryMsMax: 24 * 60 * minuteMs,
  /** How long retention waits before it checks again whether an operation has ended. */
  openMs: 24 * 60 * minuteMs,
} as const

type RequestedErasure = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly because: ErasureCause
  readonly actor: Actor
  readonly requestId: string | null
  /** The workspace's clock. */
  readonly now: Instant
  /** After a restore, finished erasures may have been undone. */
  readonly again?: boolean
  /** Also erase the notes of decisions and the comments. */
  readonly includeNotes?: boolean
}

type Erased =
  /** `isNew`: erased by this request. */
  | { readonly kind: 'erased'; readonly snapshot: Snapshot; readonly isNew: boolean }
  | ({ readonly snapshot: Snapshot } & ErasureRefusal)

/**
 * `open`: the shipment is being created or cancelled, or, for retention, has any open operation.
 * `held`: it or its workspace has a legal hold.
 */
type ErasureRefusal =
  | { readonly kind: 'open' }
  | { readonly kind: 'held'; readonly holdOn: 'shipment' | 'workspace' }

function refusalOf(reason: RefusalReason): ErasureRefusal {
  switch (reason) {
    case 'legal_hold':
      return { kind: 'held', holdOn: 'shipment' }
    case 'operation_open':
      return { kind: 'open' }
    case 'not_found':
    case 'operation_not_settled':
    case 'operation_already_resolved':
    case 'personal_data_erased':
    case 'operation_full':
    case 'shipment_has_no_guide':
    case 'limit_reached':
      throw new Error(`bug: an erasure was refused: ${reason}`)
  }
}

const heldByWorkspace: ErasureRefusal = { kind: 'held', holdOn: 'workspace' }

type Asked = Pick<RequestedErasure, 'because' | 'includeNotes'>

function commandOf({ because, includeNotes = false }: Asked) {
  return { do: 'erase_personal_data', unlessOpen: because === 'retention', includeNotes } as const
}

/**
 * Why an erasure would be refused now; null if it would not. Repeating the erasure of an erased
 * shipment is never refused: no hold brings its data back.
 */
export async function erasureRefusal(
  { erasureRows }: Pick<ProcessServices, 'erasureRows'>,
  state: Shipment,
  asked: Asked,
): Promise<ErasureRefusal | null> {
  const decided = decide(state, commandOf(asked))
  if (isRefusal(decided)) return refusalOf(decided.refused)
  if (decided.length === 0) return null
  return (await erasureRows.isHeld(state.request.workspace_id)) ? heldByWorkspace : null
}

type ForgetDeps = Pick<ProcessServices, 'erasureRows' | 'vault'>
type EraseDeps = ForgetDeps & Pick<ProcessServices, 'store'>
type FinishDeps = ForgetDeps & Pick<ProcessServices, 'couriers' | 'db' | 'erasures' | 'log'>

/**
 * Erases the person of a shipment. The work is noted first, then recorded, and then the data key is
 * destroyed; if a process dies in between, the worker finishes it. While the event is recorded, no
 * hold can be placed on the workspace; a hold on the shipment is in its stream, so one of the two
 * appends wins. Safe to repeat; throws the errors of the store and the database.
 */
export async function erasePersonalData(
  deps: EraseDeps,
  requested: RequestedErasure,
): Promise<Erased> {
  const { shipmentId, because, now } = requested
  const { erasureRows } = deps
  const found = existing(requested.snapshot)
  const isNew =
    found.erasedAt === null || (requested.includeNotes === true && !found.areNotesErased)
  const refused = await erasureRefusal(deps, found, requested)
  if (refused !== null) return { ...refused, snapshot: requested.snapshot }
  const { workspace_id: workspaceId, livemode } = found.request
  const note = { shipmentId, workspaceId, livemode, because }
  if (because === 'request' && isNew) {
    await erasureRows.note({ ...note, dueAt: now + erasureTimes.graceMs })
  }
  const { actor, requestId, snapshot: from } = requested
  const record = () =>
    transact(deps.store, shipmentId, commandOf(requested), { actor, requestId, now, from })
  const done = isNew ? await erasureRows.unlessHeld(workspaceId, record) : await record()
  if (done === 'held') return { ...heldByWorkspace, snapshot: from }
  if (done.kind === 'refused') return { ...refusalOf(done.reason), snapshot: done.snapshot }
  if (done.kind === 'expired') throw new Error('bug: an append without an end expired')
  await forget(deps, shipmentId, existing(done.snapshot))
  if (because === 'request' && (isNew || requested.again === true)) {
    await erasureRows.note({ ...note, dueAt: now })
  }
  return { kind: 'erased', snapshot: done.snapshot, isNew: done.appended }
}

/** Erases everything that the service itself stores. */
async function forget(deps: ForgetDeps, shipmentId: string, state: Shipment): Promise<void> {
  await deps.vault.erase(shipmentId)
  if (state.areNotesErased) {
    for (const { operationId } of operationsOf(state)) await deps.vault.erase(operationId)
  }
  await deps.erasureRows.forgetExcerpts(shipmentId, {
    connectionId: state.request.courier_connection_id,
    guideNumbers: state.attempts.flatMap(({ guide }) => guide?.guideNumber ?? []),
  })
}

const retention: Actor = { type: 'system', keyId: null }

/**
 * Continues a noted erasure, as of a time on the workspace's clock: one due by retention, one whose
 * process died, and in each case the copies outside the database.
 */
export async function performErasure(
  deps: EraseDeps & FinishDeps,
  shipmentId: string,
  now: Instant,
): Promise<JobResult> {
  const { erasureRows } = deps
  const row = await erasureRows.read(shipmentId)
  if (row === null) return 'idle'
  const snapshot = await loadShipment(deps.store, shipmentId)
  const state = existing(snapshot)
  if (state.erasedAt !== null) return await finish(deps, { shipmentId, state, now }, row)
  if (row.because === 'request') {
    // The event may be about to be recorded; after this time it never will be.
    const { unrecordedMs } = erasureTimes
    return (await erasureRows.withdraw(shipmentId, unrecordedMs)) ? 'done' : 'deferred'
  }
  const until = await keptUntil(deps.db, state)
  if (until === null || until > now) {
    // The workspace has a hold, or has got a longer retention since this was noted.
    await withdrawRetention(deps.db, shipmentId)
    return 'done'
  }
  const because = 'retention'
  const requested = {
    shipmentId,
    snapshot,
    because,
    actor: retention,
    requestId: null,
    now,
  } as const
  const erased = await erasePersonalData(deps, requested)
  if (erased.kind === 'held') {
    // It is noted again once the hold is lifted.
    await withdrawRetention(deps.db, shipmentId)
    return 'done'
  }
  if (erased.kind === 'open') {
    await erasureRows.postpone(shipmentId, now + erasureTimes.openMs, row.tries)
    return 'done'
  }
  return await finish(deps, { shipmentId, state: existing(erased.snapshot), now }, row)
}

type ErasedShipment = {
  readonly shipmentId: string
  readonly state: Shipment
  readonly now: Instant
}

/** Erases copies outside the database: the list of erasures, and the courier's own record. */
async function finish(
  deps: FinishDeps,
  { shipmentId, state, now }: ErasedShipment,
  row: ErasureRow,
): Promise<JobResult> {
  const { erasureRows } = deps
  await forget(deps, shipmentId, state)
  // The notes may have been erased after the shipment was listed.
  const isListedWhole = row.isListed && !state.areNotesErased
  const isListed = isListedWhole || (await list(deps, shipmentId, state))
  const isCourierNotified = await notifyCourier(deps.couriers, shipmentId, state)
  const again = settledAt(state)
  if (!isListed || !isCourierNotified) {
    const { retryMs, retryMsMax } = erasureTimes
    const waitMs = Math.min(retryMs * 2 ** row.tries, retryMsMax)
    const tries = row.tries + 1
    await erasureRows.postpone(shipmentId, now + waitMs, tries)
    const done = { isListed, isTold: isCourierNotified }
    deps.log.warn({ shipmentId, tries, ...done }, 'an erasure is not finished')
  } else if (again > now) await erasureRows.postpone(shipmentId, again, 0)
  else await erasureRows.end(shipmentId)
  return 'done'
}

async function list(
  deps: Pick<ProcessServices, 'erasureRows' | 'erasures' | 'log'>,
  shipmentId: string,
  state: Shipment,
): Promise<boolean> {
  try {
    await deps.erasures.add({
      shipmentId,
      erasedAt: state.erasedAt ?? 0,
      includesNotes: state.areNotesErased,
    })
  } catch (error) {
    deps.log.error({ err: error, shipmentId }, 'the list of erasures cannot be written')
    return false
  }
  await deps.erasureRows.markListed(shipmentId)
  return true
}

/**
 * Requests the erasure from the courier. Returns false if it must be requested again. In live mode the
 * courier's records are a matter between courier and shop.
 */
async function notifyCourier(
  couriers: ProcessServices['couriers'],
  shipmentId: string,
  { request }: Shipment,
): Promise<boolean> {
  const mode = { livemode: request.livemode, providerCode: request.provider_code }
  return (await couriers.courierFor(mode)?.erase?.(shipmentId)) ?? true
}

/** Until then, a call with an unknown outcome may still be executed. */
function settledAt({ attempts }: Shipment): Instant {
  return Math.max(0, ...attempts.filter(wasUnknown).map((attempt) => attempt.settleUntil))
}

/** Erases what concurrent requests stored after an erasure. Returns the number of shipments. */
export async function eraseLateRows(deps: Pick<ProcessServices, 'db' | 'vault'>): Promise<number> {
  const late = await lateRows(deps.db)
  for (const shipmentId of late) await deps.vault.erase(shipmentId)
  return late.length
}
