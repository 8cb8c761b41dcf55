import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Instant } from '../../src/service/domain/decider.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import {
  erasePersonalData,
  erasureTimes,
  performErasure,
} from '../../src/service/processes/erasure/erasure.ts'
import {
  erasureList,
  erasureListName,
  readErasureList,
} from '../../src/service/processes/erasure/erasure-list.ts'
import { noteErasure } from '../../src/service/processes/erasure/erasure-rows.ts'
import { request, seconds, start } from '../support/given.ts'
import { type Made, processParts } from '../support/process-parts.ts'
import { storeRow } from '../support/stored-row.ts'

const parts = await processParts(t)
const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-test-'))
t.teardown(() => rmSync(directory, { recursive: true }))
const checkpoints = join(directory, 'checkpoints')
const deps = { ...parts.deps, erasures: erasureList(checkpoints) }
const { courier } = parts
const now = start + seconds(60)
const issued = () =>
  parts.shipment({
    kind: 'issued',
    guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null },
  })
const unknown = () =>
  parts.shipment({ kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true })
const perform = (made: Made, at: Instant) => performErasure(deps, made.shipmentId, at)
const erase = async ({ shipmentId }: Made) => {
  const snapshot = await loadShipment(deps.store, shipmentId)
  const actor = { type: 'api_key', keyId: 'key_a' } as const
  const order = { shipmentId, snapshot, actor, because: 'request', requestId: null, now } as const
  return await erasePersonalData(deps, order)
}
const note = async ({ shipmentId }: Made) => {
  const { workspace_id: workspaceId, livemode } = request
  await noteErasure(deps.db, { shipmentId, workspaceId, livemode, because: 'request', dueAt: now })
}
const dueAt = async (made: Made) => {
  const [row] = await parts.query<{ erase_at: Date | null }>(
    'SELECT d.erase_at FROM erasures e JOIN due d USING (shipment_id) WHERE e.shipment_id = $1',
    [made.shipmentId],
  )
  return row === undefined ? undefined : (row.erase_at?.getTime() ?? null)
}
const keys = async (made: Made) => {
  const [row] = await parts.query<{ keys: number }>(
    'SELECT count(wrapped_key)::int AS keys FROM vault WHERE shipment_id = $1',
    [made.shipmentId],
  )
  return row?.keys
}
const listed = async () => {
  const all: (string | null)[] = []
  for await (const each of readErasureList(join(checkpoints, erasureListName)))
    all.push(each?.shipmentId ?? null)
  return all
}

t.test(
  'an erasure is recorded, destroys the key at once and is finished by the worker',
  async (t) => {
    const made = await issued()
    t.match(await erase(made), { kind: 'erased', isNew: true })
    t.match((await parts.events(made)).at(-1), { type: 'PersonalDataErased' })
    t.equal(await keys(made), 0)
    t.equal(await dueAt(made), now)
    t.equal(await perform(made, now), 'done')
    t.ok(courier.erased.includes(made.shipmentId))
    t.ok((await listed()).includes(made.shipmentId))
    t.equal(await dueAt(made), null)
    t.equal(await perform(made, now), 'idle')
    t.match(await erase(made), { kind: 'erased', isNew: false })
    t.equal(await dueAt(made), null, 'a repeat has nothing left to do')
    t.equal((await parts.types(made)).filter((type) => type === 'PersonalDataErased').length, 1)
  },
)

t.test('an erasure is completed even if its process died after the event', async (t) => {
  const made = await issued()
  await note(made)
  await parts.decide(made, { do: 'erase_personal_data' }, now)
  t.equal(await keys(made), 1, 'it died here')
  t.equal(await perform(made, now), 'done')
  t.equal(await keys(made), 0)
  t.equal(await dueAt(made), null)
})

t.test(
  'an erasure that was never recorded is dropped once it can no longer be recorded',
  async (t) => {
    const made = await issued()
    await note(made)
    t.equal(await perform(made, now), 'deferred', 'it may be recorded at this moment')
    await parts.query(
      `UPDATE erasures SET created_at = created_at - $2 * interval '1 millisecond' WHERE shipment_id = $1`,
      [made.shipmentId, erasureTimes.unrecordedMs],
    )
    t.equal(await perform(made, now), 'done')
    t.equal(await dueAt(made), undefined)
    t.equal(await keys(made), 1)
  },
)

t.test('an erasure is sent to the courier at growing intervals until it confirms', async (t) => {
  const made = await issued()
  await erase(made)
  courier.forgets = false
  t.teardown(() => {
    courier.forgets = true
  })
  const waits: number[] = []
  for (let at = now; waits.length < 13; ) {
    await perform(made, at)
    const next = (await dueAt(made)) ?? 0
    waits.push((next - at) / 60_000)
    at = next
  }
  t.same(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440])
  t.equal((await listed()).filter((id) => id === made.shipmentId).length, 1)
  courier.forgets = true
  await perform(made, now)
  t.equal(await dueAt(made), null)
})

t.test(
  'an erased shipment with an unknown outcome is forgotten again once it settles',
  async (t) => {
    const made = await unknown()
    t.match(await erase(made), { kind: 'erased' })
    const settled = (await parts.state(made)).attempts[0]?.settleUntil ?? 0
    await perform(made, now)
    t.equal(await dueAt(made), settled)
    await perform(made, settled)
    t.equal(await dueAt(made), null)
    t.equal(courier.erased.filter((reference) => reference === made.shipmentId).length, 2)
  },
)

t.test('nothing is erased or noted while the courier is being called', async (t) => {
  const made = await parts.shipment()
  t.match(await erase(made), { kind: 'open' })
  t.equal(await keys(made), 1)
  t.equal(await dueAt(made), undefined)
})

t.test('an erasure is not finished until it is in the erasure list', async (t) => {
  const made = await issued()
  await erase(made)
  rmSync(checkpoints, { recursive: true })
  writeFileSync(checkpoints, 'no folder')
  await perform(made, now)
  t.equal(await dueAt(made), now + erasureTimes.retryMs)
  t.equal(await keys(made), 0, 'local data is erased at once')
  rmSync(checkpoints)
  await perform(made, now)
  t.equal(await dueAt(made), null)
  t.same(await listed(), [made.shipmentId])
})

t.test('a truncated line spoils no other, and the erasure list has no personal data', async (t) => {
  const file = join(checkpoints, erasureListName)
  mkdirSync(checkpoints, { recursive: true })
  writeFileSync(file, '\n{"shipment_id":"shp_0000')
  const shipmentId = `shp_${'a'.repeat(22)}`
  await deps.erasures.add({ shipmentId, erasedAt: start, includesNotes: false })
  t.same(await listed(), [null, shipmentId])
  const [, , line] = readFileSync(file, 'utf8').split('\n')
  t.same(Object.keys(JSON.parse(line ?? '')), ['shipment_id', 'erased_at'])
})

t.test('data stored by a concurrent request with the same key is erased too', async (t) => {
  const made = await issued()
  const { organization_id: organizationId, workspace_id: workspaceId } = request
  const owner = { organizationId, workspaceId, shipmentId: made.shipmentId }
  await storeRow(parts.pool, deps.vault.prepare(owner, { recipient: {} }))
  t.equal(await keys(made), 2)
  await erase(made)
  t.equal(await keys(made), 0)
})
