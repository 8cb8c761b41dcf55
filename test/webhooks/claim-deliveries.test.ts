import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t from 'tap'
import { deliveryRules } from '../../src/service/domain/webhooks/webhook-delivery.ts'
import { inFlightPerEndpointMax } from '../../src/service/webhooks/claim-deliveries.ts'
import { pendingDeliveries, webhookTenants } from '../prove/webhooks/webhook-tenants.ts'
import { testSecrets } from '../support/service.ts'
import { testDatabase } from '../support/test-database.ts'

/** The length of one endpoint's queue, and how many rows a claim of a few per endpoint may read. */
const waiting = 5_000
const tenants = 11
const readMax = 2_000

t.test('a long queue at one endpoint is not read to claim deliveries for the others', async (t) => {
  const database = await testDatabase(t)
  const urls = Array.from({ length: tenants }, () => 'http://127.0.0.1:1/')
  const [busy, ...others] = await webhookTenants(database, testSecrets().secretsKey, urls)
  if (busy === undefined) throw new Error('no tenant')
  await pendingDeliveries(database, busy, waiting)
  for (const other of others) await pendingDeliveries(database, other, 1)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  t.teardown(() => client.end())
  const readSoFar = async () => {
    const { rows } = await client.query<{ n: string }>(
      `SELECT pg_stat_get_xact_tuples_returned('webhook_deliveries'::regclass) + sum(
         pg_stat_get_xact_tuples_returned(indexrelid) + pg_stat_get_xact_tuples_fetched(indexrelid)) AS n
       FROM pg_index WHERE indrelid = 'webhook_deliveries'::regclass`,
    )
    return Number(rows[0]?.n)
  }
  const { leaseMs, breaker } = deliveryRules
  // After five calls PostgreSQL may keep a generic plan, which must be as good.
  for (let claim = 1; claim <= 8; claim++) {
    await client.query('BEGIN')
    const { rows } = await client.query<{ endpoint_id: string }>(
      'SELECT endpoint_id FROM webhook_claim($1::uuid, $2, 64, $3, 64, $4, $5::text[], $6::int[])',
      [randomUUID(), leaseMs, inFlightPerEndpointMax, breaker.failures, [], []],
    )
    const read = await readSoFar()
    await client.query('ROLLBACK')
    t.equal(rows.length, inFlightPerEndpointMax + others.length, 'each endpoint gets its share')
    t.ok(read > 0 && read < readMax, `claim ${claim} read ${read} of ${waiting} that wait`)
  }
})
