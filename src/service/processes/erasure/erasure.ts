import { type Instant, isRefusal } from '../../domain/decider.ts'
import { wasUnknown } from '../../domain/operation/operation.ts'
import { operationsOf, type Shipment } from '../../domain/shipment/shipment.ts'
import { decide, type RefusalReason } from '../../domain/shipment/shipment-decisions.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, loadShipment, type Snapshot, transact } from '../../event-store/transact.ts'
import type { Performed } from '../due/claims.ts'
import type { ProcessDeps } from '../process-deps.ts'
import { type ErasureCause, type ErasureRow, lateRows, withdrawRetention } from './erasure-rows.ts'
import { keptUntil } from './retention.ts'

const minuteMs = 60_000

export const erasureTimes = {
  /** The request that began it records and finishes it within this; then the worker takes over. */
  graceMs: minuteMs,
  /** Without its event after this it was never recorded: its request ended long ago. */
  unrecordedMs: 10 * minuteMs,
  /**
   * A courier that could not be notified is notified again after this, doubled each time, up to a
   * day.
   */
  retryMs: minuteMs,
  retryMsMax: 24 * 60 * minuteMs,
  /** How long retention waits for an operation to end before it checks again. */
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
  /** After a restore: finished erasures may have been undone. */
  readonly again?: boolean
  /** The notes of decisions and the comments are erased too. */
  readonly includeNotes?: boolean
}

type Erased =
  /** `isNew`: erased by this request. */
  | { readonly kind: 'erased'; readonly snapshot: Snapshot; readonly isNew: boolean }
  | ({ readonly snapshot: Snapshot } & ErasureRefusal)

/**
 * `open`: the shipment is being created or cancelled; for retention, also: an operation is open.
 * `held`: it has a legal hold, or its workspace has one.
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
    case 'rate_limited':
    case 'personal_data_erased':
    case 'operation_full':
      throw new Error(`bug: an erasure was refused: ${reason}`)
  }
}

const heldByWorkspace: ErasureRefusal = { kind: 'held', holdOn: 'workspace' }

type Asked = Pick<RequestedErasure, 'because' | 'includeNotes'>

function commandOf({ because, includeNotes = false }: Asked) {
  return { do: 'erase_personal_data', unlessOpen: because === 'retention', includeNotes } as const
}

/**
 * Why an erasure would be refused now; null = it would not. An erased shipment is only forgotten
 * again: no hold brings its data back.
 */
export async function erasureRefusal(
  { erasureRows: rows }: Pick<ProcessDeps, 'erasureRows'>,
  state: Shipment,
  asked: Asked,
): Promise<ErasureRefusal | null> {
  const decided = decide(state, commandOf(asked))
  if (isRefusal(decided)) return refusalOf(decided.refused)
  if (decided.length === 0) return null
  return (await rows.isHeld(state.request.workspace_id)) ? heldByWorkspace : null
}

type ForgetDeps = Pick<ProcessDeps, 'erasureRows' | 'vault'>
type EraseDeps = ForgetDeps & Pick<ProcessDeps, 'store'>
type FinishDeps = ForgetDeps & Pick<ProcessDeps, 'couriers' | 'db' | 'erasures' | 'log'>

/**
 * Forgets the person of a shipment. The work is noted first, then recorded, and then the data key
 * is destroyed: if a process dies in between, the worker finishes the rest. It is recorded while no
 * hold can be placed on the workspace; a hold on the shipment is in the stream, and wins or loses
 * the append. Safe to repeat; throws what the store and the database throw, and may then be
 * repeated.
 */
export async function erasePersonalData(
  deps: EraseDeps,
  requested: RequestedErasure,
): Promise<Erased> {
  const { shipmentId, because, now } = requested
  const { erasureRows: rows } = deps
  const found = existing(requested.snapshot)
  const isNew =
    found.erasedAt === null || (requested.includeNotes === true && !found.areNotesErased)
  const refused = await erasureRefusal(deps, found, requested)
  if (refused !== null) return { ...refused, snapshot: requested.snapshot }
  const { workspace_id: workspaceId, livemode } = found.request
  const note = { shipmentId, workspaceId, livemode, because }
  if (because === 'request' && isNew) {
    await rows.note({ ...note, dueAt: now + erasureTimes.graceMs })
  }
  const { actor, requestId, snapshot: from } = requested
  const record = () =>
    transact(deps.store, shipmentId, commandOf(requested), { actor, requestId, now, from })
  const done = isNew ? await rows.unlessHeld(workspaceId, record) : await record()
  if (done === 'held') return { ...heldByWorkspace, snapshot: from }
  if (done.kind === 'refused') return { ...refusalOf(done.reason), snapshot: done.snapshot }
  if (done.kind === 'expired') throw new Error('bug: an append without an end expired')
  await forget(deps, shipmentId, existing(done.snapshot))
  if (because === 'request' && (isNew || requested.again === true)) {
    await rows.note({ ...note, dueAt: now })
  }
  return { kind: 'erased', snapshot: done.snapshot, isNew: done.appended }
}

/** Forgets everything that is kept here. */
async function forget(deps: ForgetDeps, shipmentId: string, state: Shipment): Promise<void> {
  await deps.vault.erase(shipmentId)
  if (state.areNotesErased) {
    for (const { operationId } of operationsOf(state)) await deps.vault.erase(operationId)
  }
  await deps.erasureRows.forgetExcerpts(shipmentId)
}

const retention: Actor = { type: 'system', keyId: null }

/**
 * Continues a noted erasure, as of a moment on the workspace's clock: one that fell due by
 * retention, one whose process died, and for each one what is kept elsewhere.
 */
export async function performErasure(
  deps: EraseDeps & FinishDeps,
  shipmentId: string,
  now: Instant,
): Promise<Performed> {
  const { erasureRows: rows } = deps
  const row = await rows.read(shipmentId)
  if (row === null) return 'idle'
  const snapshot = await loadShipment(deps.store, shipmentId)
  const state = existing(snapshot)
  if (state.erasedAt !== null) return await finish(deps, { shipmentId, state, now }, row)
  if (row.because === 'request') {
    // It may be being recorded now; long after that it never will be.
    const { unrecordedMs } = erasureTimes
    return (await rows.withdraw(shipmentId, unrecordedMs)) ? 'done' : 'deferred'
  }
  const until = await keptUntil(deps.db, state)
  if (until === null || until > now) {
    // The workspace has a hold, or a longer retention now than when this was noted.
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
    // Once the hold is lifted, it is noted again.
    await withdrawRetention(deps.db, shipmentId)
    return 'done'
  }
  if (erased.kind === 'open') {
    await rows.postpone(shipmentId, now + erasureTimes.openMs, row.tries)
    return 'done'
  }
  return await finish(deps, { shipmentId, state: existing(erased.snapshot), now }, row)
}

/** A shipment whose data is erased here, at a moment on its workspace's clock. */
type ErasedShipment = {
  readonly shipmentId: string
  readonly state: Shipment
  readonly now: Instant
}

/** Handles what is kept elsewhere: the list outside the database, and the courier's own record. */
async function finish(
  deps: FinishDeps,
  { shipmentId, state, now }: ErasedShipment,
  row: ErasureRow,
): Promise<Performed> {
  const { erasureRows: rows } = deps
  await forget(deps, shipmentId, state)
  // The notes may have been erased since it was listed.
  const isListedWhole = row.isListed && !state.areNotesErased
  const isListed = isListedWhole || (await list(deps, shipmentId, state))
  const isCourierTold = await tellCourier(deps.couriers, shipmentId, state)
  const again = mayStillCome(state)
  if (!isListed || !isCourierTold) {
    const { retryMs, retryMsMax } = erasureTimes
    const waitMs = Math.min(retryMs * 2 ** row.tries, retryMsMax)
    const tries = row.tries + 1
    await rows.postpone(shipmentId, now + waitMs, tries)
    const done = { isListed, isTold: isCourierTold }
    deps.log.warn({ shipmentId, tries, ...done }, 'an erasure is not finished')
  } else if (again > now) await rows.postpone(shipmentId, again, 0)
  else await rows.end(shipmentId)
  return 'done'
}

async function list(
  deps: Pick<ProcessDeps, 'erasureRows' | 'erasures' | 'log'>,
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
 * Tells the courier to erase the person; false: tell it again. In live mode the courier's records
 * are between the courier and the shop.
 */
async function tellCourier(
  couriers: ProcessDeps['couriers'],
  shipmentId: string,
  { request }: Shipment,
): Promise<boolean> {
  const mode = { livemode: request.livemode, providerCode: request.provider_code }
  return (await couriers.courierFor(mode)?.erase?.(shipmentId)) ?? true
}

/** A call whose outcome was unknown may still be carried out until it has settled. */
function mayStillCome({ attempts }: Shipment): Instant {
  return Math.max(0, ...attempts.filter(wasUnknown).map((attempt) => attempt.settleUntil))
}

/** Erases what racers of erased shipments stored afterwards. Answers for how many shipments. */
export async function eraseLateRows(deps: Pick<ProcessDeps, 'db' | 'vault'>): Promise<number> {
  const late = await lateRows(deps.db)
  for (const shipmentId of late) await deps.vault.erase(shipmentId)
  return late.length
}
