import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Projection } from '../../../../projections/projection.ts'
import type { Tables } from '../../../../projections/tables.ts'
import { courierTimes } from '../../couriers/courier.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { platform } from '../../domain/ids.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { EventStore, Place, Position } from '../../event-store/event-store.ts'
import { dueList } from '../../processes/due/list.ts'
import { latchDamage, noDamage, readCondition } from '../../processes/recovery/damages.ts'
import { noticedEverywhereMs } from '../../processes/recovery/ledger-guard.ts'
import { applyBatch } from '../../projector/batch.ts'
import { placeOfRow, rowsOf } from '../../projector/checkpoint.ts'
import { rebuildPageMax, rebuildProjection } from '../../projector/rebuild.ts'
import { audit } from '../../security/audit.ts'
import type { Vault } from '../../security/vault/vault.ts'
import { divergence, type FindDamageDeps, hasPosition } from './find-damage.ts'
import { type Survey, surveyLedger } from './survey.ts'

export type RecoverDeps = Omit<FindDamageDeps, 'store'> & {
  readonly store: EventStore
  readonly pool: Pool
  readonly vault: Pick<Vault, 'prepare'>
  /** The read models to rebuild. */
  readonly projections: readonly Projection[]
}

type RecoveryOrder = {
  readonly actor: Actor
  /** The reason, for the record. */
  readonly note: string
  /**
   * Until then, the courier is asked about an unknown idempotency key before anything is created.
   */
  readonly findFirstUntil: Date
  /** Couriers that cannot be asked and may create anyway. */
  readonly blindCouriers: readonly string[]
}

/** `what` names the step; `done` counts its events if it reads the ledger. */
type RecoveryProgress = (what: string, done: number) => void

type Recovered = Pick<Survey, 'proven' | 'lostSize'> & {
  readonly damageId: string
  readonly rebuilt: readonly string[]
}

/**
 * Resets everything that follows the ledger to its current events: the sealed tree, read models,
 * outbox and due work. Safe beside running processes, which pause while the ledger is damaged and
 * continue afterwards. If it is interrupted, run it again: each step may be repeated.
 */
export async function recoverLedger(
  deps: RecoverDeps,
  order: RecoveryOrder,
  progress: RecoveryProgress = () => undefined,
): Promise<Recovered> {
  const damageId = await openDamage(deps.db)
  progress('waiting for calls under way to end', 0)
  await awaitCallsEnded(deps.db, damageId)
  progress('comparing', 0)
  const survey = await surveyLedger(deps)
  const { proven, lostSize, held } = survey
  await record(deps, order, damageId, survey)
  progress('cutting the sealed tree back', 0)
  if (survey.cut !== null) await cutSeal(deps.db, damageId, survey.cut)
  await resetPlaces(deps, held)
  progress('planning what is due', 0)
  await rescheduleDueWork(deps, progress)
  const rebuilt: string[] = []
  for (const projection of deps.projections) {
    let events = 0
    await rebuildProjection(deps, projection, new AbortController().signal, (_, more) => {
      events += more
      progress(`rebuilding ${projection.name}`, events)
    })
    rebuilt.push(projection.name)
  }
  await sql`
    UPDATE ledger_damages SET recovered_at = now(), find_first_until = ${order.findFirstUntil},
      blind_couriers = ${order.blindCouriers}
    WHERE id = ${damageId} AND recovered_at IS NULL`.execute(deps.db)
  return { damageId, proven, lostSize, rebuilt }
}

/** The open damage. If none was detected, opens one. */
async function openDamage(db: Kysely<Tables>): Promise<string> {
  const { damage } = await readCondition(db)
  if (damage !== null) return damage.id
  await latchDamage(db, randomUUID(), { ...noDamage, source: 'operator' })
  // By then, every process has read it and paused.
  await delay(noticedEverywhereMs)
  return await openDamage(db)
}

/**
 * Waits for calls that were in flight when the damage was detected: they may still create guides.
 * Afterwards the courier's answers about them are final.
 */
async function awaitCallsEnded(db: Kysely<Tables>, damageId: string): Promise<void> {
  const { rows } = await sql<{ left_ms: number }>`
    SELECT extract(epoch FROM noticed_at - now())::float8 * 1000 + ${courierTimes.callDeadlineMs}
      AS left_ms
    FROM ledger_damages WHERE id = ${damageId}`.execute(db)
  const leftMs = rows[0]?.left_ms ?? 0
  if (leftMs > 0) await delay(leftMs)
}

/** Records the act, once per damage, before it takes effect. */
async function record(
  { db, store, vault }: RecoverDeps,
  { actor, note, findFirstUntil, blindCouriers }: RecoveryOrder,
  damageId: string,
  { proven, lostSize }: Survey,
): Promise<void> {
  const { rows } = await sql`
    SELECT FROM ledger_damages WHERE id = ${damageId} AND proven_size IS NOT NULL`.execute(db)
  if (rows.length > 0) return
  const owner = { organizationId: platform, workspaceId: platform, shipmentId: damageId }
  const kept = vault.prepare(owner, { note })
  await audit(store, {
    organizationId: platform,
    actor,
    requestId: null,
    row: kept.row,
    type: 'LedgerRecovered',
    data: {
      damage_id: damageId,
      proven_size: proven.size,
      lost_size: lostSize,
      proven_at: proven.signedAt === null ? null : rfc3339(proven.signedAt),
      find_first_until: rfc3339(findFirstUntil.getTime()),
      blind_couriers: [...blindCouriers],
      note_ref: kept.ref,
      commitments: { [kept.ref]: kept.commitment },
    },
  })
  // Stored, because after an interruption a second survey would see the tree already cut.
  await sql`
    UPDATE ledger_damages SET proven_size = ${proven.size}, lost_size = ${lostSize}
    WHERE id = ${damageId}`.execute(db)
}

async function cutSeal(
  db: Kysely<Tables>,
  damageId: string,
  { size, event }: NonNullable<Survey['cut']>,
): Promise<void> {
  await sql`SELECT ledger.cut_seal(${damageId}, ${size}, ${event?.id ?? null})`.execute(db)
}

/** Resets stored positions that the ledger does not have to the furthest one that it has. */
async function resetPlaces({ db, store }: RecoverDeps, held: Place | null): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM projections WHERE active`.execute(
    db,
  )
  const end = (await store.end()) ?? ''
  for (const { name } of rows) {
    const row = (await rowsOf(db, name)).find(({ active }) => active)
    const place = row === undefined ? null : placeOfRow(row)
    if (place === null || (await isHeld(store, place, end))) continue
    await sql`
      UPDATE projections SET position = ${held?.position ?? null},
        event_position = ${held?.event?.position ?? null}, event_id = ${held?.event?.id ?? null}
      WHERE name = ${name} AND active`.execute(db)
  }
  const position: Position = held?.position ?? ''
  await sql`
    UPDATE quota_progress SET settled_to = ${position} WHERE settled_to > ${position}`.execute(db)
  await sql`
    UPDATE courier_invoices SET ledger_position = ${position === '' ? null : position}
    WHERE ledger_position > ${position}`.execute(db)
}

async function isHeld(
  store: Pick<EventStore, 'eventAt' | 'readAll'>,
  { position, event }: Place,
  end: Position,
): Promise<boolean> {
  if (event === null) return await hasPosition(store, position, end)
  return (await divergence(store, event)) === null
}

/** Schedules all due work again from the ledger's first event. Pending erasures stay scheduled. */
async function rescheduleDueWork(
  { db, pool, store }: RecoverDeps,
  progress: RecoveryProgress,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      UPDATE projections SET position = NULL, event_position = NULL, event_id = NULL
      WHERE name = ${dueList.name} AND active`.execute(tx)
    await sql`DELETE FROM due WHERE erase_at IS NULL`.execute(tx)
    await sql`
      UPDATE due SET reconcile_at = NULL, check_at = NULL, label_at = NULL, guide_number = NULL,
        last_checked_at = NULL, failures = 0, has_slot = false, label_requested_at = NULL,
        owner = NULL, leased_until = NULL`.execute(tx)
  })
  const row = (await rowsOf(db, dueList.name)).find(({ active }) => active)
  if (row === undefined) return
  const { generation } = row
  const part = { projection: dueList, generation, active: true, place: null as Place | null }
  const following = { parts: [part], kept: new Map() }
  let events = 0
  for (;;) {
    const { prefixes } = dueList
    const page = await store.readAll(part.place, { prefixes, limit: rebuildPageMax })
    if (page.place === null || page.last === (part.place?.position ?? null)) return
    await applyBatch({ pool, store }, following, page.place, page.events)
    events += page.events.length
    progress('planning what is due', events)
  }
}
