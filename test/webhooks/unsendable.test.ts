import { Kysely, PostgresDialect, sql } from 'kysely'
import t from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import {
  type DeliveryRules,
  deliveryRules,
} from '../../src/service/domain/webhooks/webhook-delivery.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { webhookSealer } from '../../src/service/security/encryption/webhook-secrets.ts'
import { inFlightPerEndpointMax } from '../../src/service/webhooks/claim-deliveries.ts'
import { runDeliveries } from '../../src/service/webhooks/deliver.ts'
import { noTrackingUrls } from '../../src/service/webhooks/outbox.ts'
import { webhookSender } from '../../src/service/webhooks/send.ts'
import { pendingDeliveries, webhookTenants } from '../prove/webhooks/webhook-tenants.ts'
import { eventually } from '../support/eventually.ts'
import { noLog } from '../support/no-log.ts'
import { type Receiver, receiver } from '../support/receiver.ts'
import { testSecrets } from '../support/service.ts'
import { testDatabase } from '../support/test-database.ts'

type Delivery = {
  readonly state: string
  readonly dead_reason: string | null
  readonly tries: number
  readonly attempts: readonly unknown[]
}

type Test = { teardown(fn: () => Promise<unknown>): unknown }
type Setting = {
  /** Older deliveries whose events the ledger does not cause. */
  readonly broken: number
  readonly rules?: DeliveryRules
  readonly isSecretBroken?: boolean
}

/** An endpoint with one good delivery after the broken ones; due deliveries are being sent. */
async function endpoint(t: Test, setting: Setting) {
  const { broken: count, rules = deliveryRules, isSecretBroken = false } = setting
  const database = await testDatabase(t)
  const { secretsKey } = testSecrets()
  const receiving = await receiver(t, undefined, { isHandmade: true })
  const [tenant] = await webhookTenants(database, secretsKey, [receiving.url])
  if (tenant === undefined) throw new Error('no tenant')
  const connections = pool({ connectionString: database.url, log: noLog })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
  await sql`
    WITH told AS (
      INSERT INTO webhook_events (id, organization_id, workspace_id, livemode, type, shipment_id,
        shipment_version, created_at)
      SELECT 'evt_broken' || n, ${tenant.organizationId}, ${tenant.workspaceId}, false,
        'shipment.created', 'shp_' || n, 1, now() - interval '1 minute'
      FROM generate_series(1, ${count}::int) n RETURNING *
    )
    INSERT INTO webhook_deliveries (id, event_id, endpoint_id, organization_id, workspace_id,
      livemode, event_type, shipment_id, state, next_attempt_at, created_at, updated_at)
    SELECT 'dlv_' || substr(id, 5), id, ${tenant.endpointId}, organization_id, workspace_id, livemode,
      type, shipment_id, 'pending', created_at, created_at, created_at FROM told`.execute(db)
  await pendingDeliveries(database, tenant, 1)
  if (isSecretBroken) await sql`UPDATE webhook_endpoints SET secret = 'sealed'`.execute(db)
  const store = memoryEventStore()
  const sender = webhookSender()
  const sealer = webhookSealer(masterKeys(secretsKey, []))
  const stop = new AbortController()
  const running = runDeliveries(
    {
      db,
      store,
      links: noTrackingUrls,
      webhookSender: sender,
      webhookSealer: sealer,
      allowPrivateWebhooks: true,
      deliveryRules: rules,
      log: noLog,
    },
    stop.signal,
  )
  t.teardown(async () => {
    stop.abort()
    await running
    await store.close()
    await db.destroy()
  })
  const deliveries = async () => {
    const { rows } = await sql<Delivery & { is_broken: boolean }>`
      SELECT state, dead_reason, tries, attempts, shipment_id IS NOT NULL AS is_broken
      FROM webhook_deliveries`.execute(db)
    return rows
  }
  return { db, receiving, deliveries }
}

const shortRules = { ...deliveryRules, ladderMs: [10, 10] }

const arrived = ({ received }: Receiver) =>
  eventually(
    async () => received.length,
    (count) => count === 1,
    15_000,
  )

t.test('deliveries that cannot be rendered do not hold up their endpoint', async (t) => {
  const { db, receiving, deliveries } = await endpoint(t, { broken: inFlightPerEndpointMax })
  await arrived(receiving)
  const turned = await eventually(deliveries, (all) => all.every(({ tries }) => tries > 0), 15_000)
  const broken = turned.filter(({ is_broken: isBroken }) => isBroken)
  t.equal(broken.length, inFlightPerEndpointMax)
  for (const delivery of broken) t.match(delivery, { state: 'pending', attempts: [] })
  const { rows } = await sql`SELECT failures, failing_since FROM webhook_lanes`.execute(db)
  t.same(rows, [{ failures: 0, failing_since: null }], 'the endpoint did nothing wrong')
})

t.test('a delivery that can never be rendered ends as unsendable', async (t) => {
  const { deliveries } = await endpoint(t, { broken: 1, rules: shortRules })
  const ended = await eventually(deliveries, (all) => all.every(isOver))
  const broken = ended.filter(({ is_broken: isBroken }) => isBroken)
  t.match(broken, [{ state: 'dead', dead_reason: 'unsendable', tries: 3, attempts: [] }])
})

t.test('a delivery whose secret cannot be opened ends as unsendable', async (t) => {
  const { deliveries, receiving } = await endpoint(t, {
    broken: 0,
    rules: shortRules,
    isSecretBroken: true,
  })
  const ended = await eventually(deliveries, (all) => all.every(isOver))
  t.match(ended, [{ state: 'dead', dead_reason: 'unsendable', tries: 3, attempts: [] }])
  t.equal(receiving.received.length, 0)
})

function isOver({ state }: Delivery): boolean {
  return state !== 'pending'
}
