import { sql } from 'kysely'
import t from 'tap'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import {
  erasePersonalData,
  erasureTimes,
  performErasure,
} from '../../src/service/processes/erasure/erasure.ts'
import { noteErasure } from '../../src/service/processes/erasure/erasure-rows.ts'
import { keepErasuresOut } from '../../src/service/processes/erasure/workspace-holds.ts'
import type { ProcessServices } from '../../src/service/processes/process-services.ts'
import { request, seconds, start } from '../support/given.ts'
import { type Made, processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const { deps } = parts
const { workspace_id: workspaceId, livemode } = request
const now = start + seconds(60)
const days = 24 * 60 * 60_000
const place = { do: 'place_hold', noteRef: null } as const
const lift = { do: 'lift_hold', noteRef: null } as const
const issued = () =>
  parts.shipment({
    kind: 'issued',
    guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null },
  })
const erase = async ({ shipmentId }: Made, own: Pick<ProcessServices, 'erasureRows'> = deps) => {
  const snapshot = await loadShipment(deps.store, shipmentId)
  const actor = { type: 'api_key', keyId: 'key_a' } as const
  const order = { shipmentId, snapshot, actor, because: 'request', requestId: null, now } as const
  return await erasePersonalData({ ...deps, ...own }, order)
}
const holdWorkspace = (isHeld: boolean) =>
  deps.db.transaction().execute(async (tx) => {
    await keepErasuresOut(tx, workspaceId)
    await sql`
      UPDATE workspaces SET legal_hold_since = ${isHeld ? new Date() : null}
      WHERE id = ${workspaceId}`.execute(tx)
  })
const isKept = async (made: Made) => {
  const [row] = await parts.query<{ keys: number }>(
    'SELECT count(wrapped_key)::int AS keys FROM vault WHERE shipment_id = $1',
    [made.shipmentId],
  )
  return row?.keys === 1
}
const isNoted = async (made: Made) =>
  (await parts.query('SELECT FROM erasures WHERE shipment_id = $1', [made.shipmentId])).length === 1

t.test('a hold between the note of an erasure and its event wins', async (t) => {
  const made = await issued()
  const { erasureRows } = deps
  const slow = {
    ...erasureRows,
    note: async (...note: Parameters<typeof erasureRows.note>) => {
      await erasureRows.note(...note)
      await parts.decide(made, place, now)
    },
  }
  t.match(await erase(made, { erasureRows: slow }), { kind: 'held', holdOn: 'shipment' })
  t.ok(await isKept(made))
  t.equal(await performErasure(deps, made.shipmentId, now), 'deferred', 'it was never recorded')
  await parts.query(
    `UPDATE erasures SET created_at = created_at - $2 * interval '1 millisecond' WHERE shipment_id = $1`,
    [made.shipmentId, erasureTimes.unrecordedMs],
  )
  t.equal(await performErasure(deps, made.shipmentId, now), 'done')
  t.notOk(await isNoted(made))
  t.ok(await isKept(made))
  await parts.decide(made, lift, now)
  t.match(await erase(made), { kind: 'erased' })
})

t.test('an erasure recorded before a hold is finished despite it', async (t) => {
  const made = await issued()
  await noteErasure(deps.db, {
    shipmentId: made.shipmentId,
    workspaceId,
    livemode,
    because: 'request',
    dueAt: now,
  })
  await parts.decide(made, { do: 'erase_personal_data' }, now)
  t.ok(await isKept(made), 'its process died here')
  await holdWorkspace(true)
  t.match(await parts.decide(made, place, now), { reason: 'personal_data_erased' })
  t.equal(await performErasure(deps, made.shipmentId, now), 'done')
  t.notOk(await isKept(made))
  t.match(await erase(made), { kind: 'erased', isNew: false }, 'and can be repeated')
  await holdWorkspace(false)
})

t.test('a hold on a workspace waits for erasures being recorded, and no later one', async (t) => {
  const order: string[] = []
  const record = Promise.withResolvers<void>()
  const recording = Promise.withResolvers<void>()
  const first = deps.erasureRows.unlessHeld(workspaceId, async () => {
    recording.resolve()
    await record.promise
    order.push('recorded')
  })
  await recording.promise
  const held = holdWorkspace(true).then(() => order.push('held'))
  const waiting = async () =>
    (await parts.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length
  while ((await waiting()) < 1);
  const second = deps.erasureRows.unlessHeld(workspaceId, async () => order.push('too late'))
  while ((await waiting()) < 2);
  const made = await issued()
  t.same(order, [])
  record.resolve()
  await Promise.all([first, held])
  t.same(order, ['recorded', 'held'])
  t.equal(await second, 'held')
  t.match(await erase(made), { kind: 'held', holdOn: 'workspace' })
  t.notOk(await isNoted(made), 'a refused erasure is not noted')
  await holdWorkspace(false)
  t.match(await erase(made), { kind: 'erased' })
})

t.test('an erasure that could not be recorded frees its turn and its lock', async (t) => {
  for (let n = 0; n < 5; n++) {
    const failing = deps.erasureRows.unlessHeld(workspaceId, async () => {
      throw new Error('the store is away')
    })
    await t.rejects(failing, /the store is away/)
  }
  await holdWorkspace(true)
  await holdWorkspace(false)
  t.equal(await deps.erasureRows.unlessHeld(workspaceId, async () => 'done'), 'done')
})

t.test('retention withdraws its notes for shipments and workspaces on hold', async (t) => {
  await parts.query('UPDATE workspaces SET personal_data_retention_days = 1 WHERE id = $1', [
    workspaceId,
  ])
  const made = await issued()
  const later = now + 2 * days
  const noted = () =>
    noteErasure(deps.db, {
      shipmentId: made.shipmentId,
      workspaceId,
      livemode,
      because: 'retention',
      dueAt: now,
    })
  const holds = {
    shipment: (isHeld: boolean) => parts.decide(made, isHeld ? place : lift, now),
    workspace: holdWorkspace,
  }
  for (const hold of Object.values(holds)) {
    await hold(true)
    await noted()
    t.equal(await performErasure(deps, made.shipmentId, later), 'done')
    t.notOk(await isNoted(made))
    t.ok(await isKept(made))
    await hold(false)
  }
  await noted()
  t.equal(await performErasure(deps, made.shipmentId, later), 'done')
  t.notOk(await isKept(made))
})
