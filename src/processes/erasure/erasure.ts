import { type Instant, isRefusal } from '../../domain/decider.ts'
import { wasUnknown } from '../../domain/operation/operation.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { decide } from '../../domain/shipment/shipment-decisions.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, loadShipment, type Snapshot, transact } from '../../event-store/transact.ts'
import type { ProcessDeps } from '../deps.ts'
import type { Performed } from '../due/claims.ts'
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

type ErasureOrder = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly because: ErasureCause
  readonly actor: Actor
  readonly requestId: string | null
  /** The workspace's clock. */
  readonly now: Instant
  /** After a restore: finished erasures may have been undone. */
  readonly again?: boolean
}

type Erased =
  /** `isNew`: erased by this order. */
  | { readonly kind: 'erased'; readonly snapshot: Snapshot; readonly isNew: boolean }
  /** The shipment is being created or cancelled; for retention, also: an operation is open. */
  | { readonly kind: 'open'; readonly snapshot: Snapshot }

/**
 * Forgets the person of a shipment. The work is noted first, then recorded, and then the data key
 * is destroyed: if a process dies in between, the worker finishes the rest. Safe to repeat; throws
 * what the store and the database throw, and may then be repeated.
 */
export async function erasePersonalData(deps: ProcessDeps, order: ErasureOrder): Promise<Erased> {
  const { shipmentId, because, now } = order
  const { erasureRows: rows } = deps
  const found = existing(order.snapshot)
  const isNew = found.erasedAt === null
  const command = { do: 'erase_personal_data', unlessOpen: because === 'retention' } as const
  if (isRefusal(decide(found, command))) return { kind: 'open', snapshot: order.snapshot }
  if (because === 'request' && isNew) {
    await rows.note(shipmentId, found, because, now + erasureTimes.graceMs)
  }
  const { actor, requestId, snapshot: from } = order
  const done = await transact(deps.store, shipmentId, command, { actor, requestId, now, from })
  if (done.kind === 'refused') return { kind: 'open', snapshot: done.snapshot }
  if (done.kind === 'expired') throw new Error('bug: an append without an end expired')
  await forget(deps, shipmentId)
  if (because === 'request' && (isNew || order.again === true)) {
    await rows.note(shipmentId, found, because, now)
  }
  return { kind: 'erased', snapshot: done.snapshot, isNew: done.appended }
}

/** Forgets everything that is kept here. */
async function forget(deps: ProcessDeps, shipmentId: string): Promise<void> {
  await deps.vault.eraseShipment(shipmentId)
  await deps.erasureRows.forgetExcerpts(shipmentId)
}

const retention: Actor = { type: 'system', keyId: null }

/**
 * Continues a noted erasure, as of a moment on the workspace's clock: one that fell due by
 * retention, one whose process died, and for each one what is kept elsewhere.
 */
export async function performErasure(
  deps: ProcessDeps,
  shipmentId: string,
  now: Instant,
): Promise<Performed> {
  const { erasureRows: rows } = deps
  const row = await rows.read(shipmentId)
  if (row === null) return 'idle'
  const snapshot = await loadShipment(deps.store, shipmentId)
  const state = existing(snapshot)
  if (state.erasedAt !== null) return await finish(deps, shipmentId, state, row, now)
  if (row.because === 'request') {
    // It may be being recorded now; long after that it never will be.
    const { unrecordedMs } = erasureTimes
    return (await rows.withdraw(shipmentId, unrecordedMs)) ? 'done' : 'deferred'
  }
  const until = await keptUntil(deps.db, state)
  if (until === null || until > now) {
    // The workspace's retention is longer now than when this was noted.
    await withdrawRetention(deps.db, shipmentId)
    return 'done'
  }
  const because = 'retention'
  const order = { shipmentId, snapshot, because, actor: retention, requestId: null, now } as const
  const erased = await erasePersonalData(deps, order)
  if (erased.kind === 'open') {
    await rows.postpone(shipmentId, now + erasureTimes.openMs, row.tries)
    return 'done'
  }
  return await finish(deps, shipmentId, existing(erased.snapshot), row, now)
}

/** Handles what is kept elsewhere: the list outside the database, and the courier's own record. */
async function finish(
  deps: ProcessDeps,
  shipmentId: string,
  state: Shipment,
  row: ErasureRow,
  now: Instant,
): Promise<Performed> {
  const { erasureRows: rows } = deps
  await forget(deps, shipmentId)
  const isListed = row.isListed || (await list(deps, shipmentId, state))
  const isTold = await tellCourier(deps, shipmentId, state)
  const again = mayStillCome(state)
  if (!isListed || !isTold) {
    const { retryMs, retryMsMax } = erasureTimes
    const waitMs = Math.min(retryMs * 2 ** row.tries, retryMsMax)
    const tries = row.tries + 1
    await rows.postpone(shipmentId, now + waitMs, tries)
    deps.log.warn({ shipmentId, tries, isListed, isTold }, 'an erasure is not finished')
  } else if (again > now) await rows.postpone(shipmentId, again, 0)
  else await rows.end(shipmentId)
  return 'done'
}

async function list(deps: ProcessDeps, shipmentId: string, state: Shipment): Promise<boolean> {
  try {
    await deps.erasures.add({ shipmentId, erasedAt: state.erasedAt ?? 0 })
  } catch (error) {
    deps.log.error({ err: error, shipmentId }, 'the list of erasures cannot be written')
    return false
  }
  await deps.erasureRows.markListed(shipmentId)
  return true
}

/** False: notify again. In live mode the courier's records are between the courier and the shop. */
async function tellCourier(
  deps: ProcessDeps,
  shipmentId: string,
  { request }: Shipment,
): Promise<boolean> {
  const mode = { livemode: request.livemode, providerCode: request.provider_code }
  return (await deps.couriers.courierFor(mode)?.erase?.(shipmentId)) ?? true
}

/** A call whose outcome was unknown may still be carried out until it is settled. */
function mayStillCome({ attempts }: Shipment): Instant {
  return Math.max(0, ...attempts.filter(wasUnknown).map((attempt) => attempt.settleUntil))
}

/** Erases what racers of erased shipments stored afterwards. Answers for how many shipments. */
export async function eraseLateRows(deps: Pick<ProcessDeps, 'db' | 'vault'>): Promise<number> {
  const late = await lateRows(deps.db)
  for (const shipmentId of late) await deps.vault.eraseShipment(shipmentId)
  return late.length
}
