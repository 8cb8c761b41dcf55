import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t from 'tap'
import { projections } from '../../projections/all.ts'
import { migrate } from '../../src/service/database/migrate.ts'
import { rfc3339 } from '../../src/service/domain/decider.ts'
import { shipmentStream } from '../../src/service/domain/ids.ts'
import type {
  Decided,
  TrackingEventData,
} from '../../src/service/domain/shipment/shipment-events.ts'
import { applicationRole } from '../../src/service/embedded-postgres/embedded.ts'
import { encodeEvents } from '../../src/service/event-store/codec.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import { lastCheckpoint } from '../../src/service/ledger/checkpoints.ts'
import { diff } from '../../src/service/ledger/diff/diff.ts'
import { verifyLedger } from '../../src/service/ledger/verify.ts'
import { readPoll } from '../../src/service/processes/tracking/poll-plan.ts'
import { projectionStatuses, projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { dueInManyLists } from '../database/former-due.ts'
import { sealsOneByOne } from '../database/former-seals.ts'
import { eventually } from '../support/eventually.ts'
import { hours, minutes } from '../support/given.ts'
import { type Service, service } from '../support/service.ts'

// The database and the ledger of an earlier version, which polled a guide right after its creation
// and recorded that monitoring had begun.

const neverAgain = '9999-12-31T00:00:00.000Z'

const first = await service(t, { roles: ['api', 'projector'] })
const now = Date.now()
const nextAt = rfc3339(now + minutes(40))

function scanOf(code: string): TrackingEventData {
  return {
    id: `tev_${code}`,
    code,
    mapped: true,
    agency_id: null,
    action_required: false,
    occurred_at: rfc3339(now),
    received_at: rfc3339(now),
  }
}

function observed(code: string): Decided {
  return {
    type: 'TrackingObserved',
    data: { events: [scanOf(code)], eta: null, evidence_ref: null },
  }
}

function monitoring(state: 'active' | 'completed'): Decided {
  return { type: 'TrackingMonitoringChanged', data: { state } }
}

async function append({ parts, seeded }: Service, shipmentId: string, events: readonly Decided[]) {
  const { version } = (await loadShipment(parts.store, shipmentId)).state ?? { version: 0 }
  const encoded = encodeEvents(events, version, {
    organizationId: seeded.organizationId,
    workspaceId: seeded.workspaceId,
    shipmentId,
    livemode: false,
    actor: { type: 'poller', keyId: null },
    requestId: null,
    causationId: null,
    correlationId: randomUUID(),
    recordedAt: now,
  })
  await parts.store.append(shipmentStream(shipmentId), version - 1, encoded)
}

async function created(key: string, events: readonly Decided[] = []): Promise<string> {
  const { body } = await first.create(key)
  if (events.length > 0) await append(first, body.id, events)
  return body.id
}

const followed = await created('followed', [observed('registered'), monitoring('active')])
const begun = await created('begun', [monitoring('active')])
const planned = await created('planned')
const waiting = await created('waiting')
const ended = await created('ended', [
  observed('delivered'),
  monitoring('active'),
  monitoring('completed'),
])
const ids = [followed, begun, planned, waiting, ended]
await downgrade(first)

/** Stops the service and converts its due work and read models to their earlier form. */
async function downgrade(shop: Service): Promise<void> {
  const { db, store } = shop.parts
  t.ok(await projectionsReached(db, await store.head(), 60_000))
  await shop.stop()
  const { adminUrl } = shop.database
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await dueInManyLists(admin)
  await admin.query('DELETE FROM polls; DELETE FROM label_requests')
  await admin.query(
    `INSERT INTO polls
       (shipment_id, workspace_id, livemode, guide_number, last_checked_at, next_check_at)
     SELECT shipment_id, workspace_id, livemode, guide_number,
       CASE WHEN shipment_id <> $1 THEN now() END,
       CASE shipment_id WHEN $1 THEN now() WHEN $2 THEN $4 ELSE $5::timestamptz END
     FROM projections.shipments WHERE shipment_id <> $3`,
    [planned, ended, waiting, neverAgain, nextAt],
  )
  // The earlier version requested a label after the first poll.
  await admin.query(
    `INSERT INTO label_requests (shipment_id, workspace_id, livemode, next_at)
     SELECT shipment_id, workspace_id, livemode, now() FROM polls WHERE shipment_id <> $1`,
    [planned],
  )
  // The earlier version had not followed any guide yet.
  await admin.query(`UPDATE follow_progress SET position = ''`)
  await admin.query(
    `UPDATE projections.tracking_g1 SET position = '1', is_followed = shipment_id <> $1`,
    [ended],
  )
  await admin.query(`UPDATE projections.shipments_g1 SET tracking_status = NULL`)
  await sealsOneByOne(admin)
  await admin.end()
  const { applied } = await migrate({ adminUrl, applicationRole })
  if (!applied.includes('0028-due')) throw new Error('the lists were not made one')
}

t.test(
  'guides from an earlier version are each followed once, and none is forgotten',
  async (t) => {
    const shop = await service(t, { after: first })
    const { db, store } = shop.parts
    const tracks = (id: string) =>
      shop.record.callsOf(id).filter(({ route }) => route === 'track').length
    const wanted = new Map<string, number>(projections.map(({ name, version }) => [name, version]))
    await eventually(
      () => projectionStatuses(db),
      (all) =>
        all.every(
          (one) => !wanted.has(one.name) || (one.active && one.version === wanted.get(one.name)),
        ),
    )
    const planOf = async (id: string) => (await readPoll(db, id))?.nextCheckAt ?? null
    await eventually(
      () => planOf(waiting),
      (at) => at !== null,
    )
    await eventually(
      () => tracks(planned),
      (count) => count === 1,
    )
    for (const id of [followed, begun]) t.equal(await planOf(id), Date.parse(nextAt), 'as it was')
    t.equal(await planOf(ended), null)
    const labels = await eventually(
      () => Promise.all(ids.map(async (id) => (await shop.call(`/v1/shipments/${id}`)).body.label)),
      (all) => all.every(({ status }) => status === 'ready'),
    )
    t.equal(labels.length, ids.length)
    const tracking = async (id: string) => (await shop.call(`/v1/shipments/${id}/tracking`)).body
    for (const id of [followed, begun, planned, waiting]) {
      t.match(await tracking(id), { status: 'registered', monitoring: { state: 'active' } })
    }
    t.match(await tracking(ended), { status: 'delivered', monitoring: { state: 'completed' } })
    const issuedAt = (await shop.events(waiting)).find(({ type }) => type === 'GuideIssued')
    t.equal(await planOf(waiting), Date.parse(issuedAt?.recorded_at ?? '') + hours(1))
    await shop.advance('PT65M')
    t.same(ids.map(tracks), [1, 1, 2, 1, 0], 'each when it was due, no other twice')
    t.ok(await projectionsReached(db, await store.head(), 60_000))
    const progress = { folded: () => undefined, compared: () => undefined }
    const { differences, tables } = await diff({ db, store, projections }, progress)
    t.same(differences, [])
    t.ok(tables.every(({ notCompared }) => notCompared === null))
  },
)

/** Waits until every event is sealed, and verifies the ledger. */
async function verified({ parts, secrets, checkpointDir, ledger }: Service) {
  const { db, store } = parts
  const head = (await store.head()) ?? ''
  await eventually(
    () => lastCheckpoint(db),
    (last) => (last?.position ?? '') >= head,
  )
  const isContiguous = ledger.eventStoreUrl === undefined
  const { checkpointKey } = secrets
  return await verifyLedger({ db, store, isContiguous, checkpointKey, checkpointDir })
}

t.test('a ledger sealed one row per event still verifies, and sealing continues', async (t) => {
  const roles = ['api', 'projector'] as const
  const former = await service(t, { roles })
  const { body } = await former.create('before')
  const before = await verified(former)
  t.match(before, { problems: 0, unsealed: 0 })
  const history = (await former.call(`/v1/shipments/${body.id}/events`)).body.data
  const proofOf = async (shop: Service, size: number) =>
    (await shop.call(`/v1/ledger/proof/${history[0].position}?tree_size=${size}`)).body
  const { operatorKey, operatorId } = former.seeded
  const created = await former.call('/v1/keys', {
    key: operatorKey,
    body: { scopes: ['keys:write'] },
  })
  const { db, store } = former.parts
  t.ok(await projectionsReached(db, await store.head(), 60_000))
  const proof = await proofOf(former, before.events)
  t.equal(proof.tree_size, before.events)
  await former.stop()

  const { adminUrl } = former.database
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  await dueInManyLists(admin)
  await sealsOneByOne(admin)
  const { rows } = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM sealed_events')
  t.ok((rows[0]?.n ?? 0) >= before.events)
  t.equal((await migrate({ adminUrl, applicationRole })).applied[0], '0027-sealed-batches')

  const shop = await service(t, { after: former, roles })
  t.match(await verified(shop), { problems: 0, unsealed: 0 })
  t.same(await proofOf(shop, before.events), proof)
  await shop.create('after')
  t.match((await shop.call('/v1/key', { key: shop.seeded.operatorKey })).body, {
    operator_id: null,
  })
  const known = await shop.call(`/v1/keys/${created.body.id}`)
  t.match(known.body, { created_by_operator_id: operatorId }, 'the audit knew who created it')
  t.match((await shop.events(body.id)).at(-1)?.actor, { type: 'api_key', key_id: String })
  const after = await verified(shop)
  t.match(after, { problems: 0, unsealed: 0 })
  t.ok(after.events > before.events && after.checkpoints > before.checkpoints)
})
