import { sql } from 'kysely'
import t from 'tap'
import {
  openOperations,
  operationStatusCounts,
  secondsBehind,
} from '../../src/service/processes/service-metrics.ts'
import { service } from '../support/service.ts'

const daySeconds = 86_400

t.test("ages are measured on the workspace's clock", async (t) => {
  const shop = await service(t, { roles: ['api'] })
  const { db, store } = shop.parts
  const setClock = (days: number) =>
    sql`INSERT INTO sandbox_clocks (workspace_id, offset_ms)
      VALUES (${shop.seeded.workspaceId}, ${days * daySeconds * 1_000})
      ON CONFLICT (workspace_id) DO UPDATE SET offset_ms = excluded.offset_ms`.execute(db)
  const { place: before } = await store.readAll(null, { limit: 1_000 })
  const lag = () => secondsBehind(db, store, before)
  await setClock(4)
  t.equal((await shop.create('ahead')).status, 201)
  t.ok((await lag()) < daySeconds)
  await setClock(5)
  const behind = await lag()
  t.ok(behind >= daySeconds && behind < 2 * daySeconds, `${behind} s behind`)
  // No projector runs here, so the test writes its row.
  await sql`
    INSERT INTO projections.operations (operation_id, version, shipment_id, organization_id,
      workspace_id, courier_connection_id, provider_code, livemode, type, status,
      external_reference, idempotency_key, escalated, contradicted, unconfirmed, surplus,
      guide_numbers, created_at)
    VALUES ('op_1', 1, 'shp_1', ${shop.seeded.organizationId}, ${shop.seeded.workspaceId}, 'ccn_1',
      'mock', false, 'shipment_creation', 'needs_review', 'x', 'x', false, false, false, false,
      '{}', now() + interval '4 days')`.execute(db)
  const [review] = await operationStatusCounts(db)
  t.match(review, { status: 'needs_review', count: 1 })
  const age = review?.oldestAgeSeconds ?? 0
  t.ok(age >= daySeconds - 60 && age < 2 * daySeconds, `${age} s old`)
  const reach = { organizationId: null, workspaceId: null, livemode: false }
  const open = (await openOperations(db, reach)).find(({ status }) => status === 'needs_review')
  const oldest = open?.oldestAgeSeconds ?? 0
  t.ok(oldest >= daySeconds - 60 && oldest < 2 * daySeconds, `health: ${oldest} s old`)
})
