import pg from 'pg'
import t from 'tap'
import { migrate } from '../../src/service/database/migrate.ts'
import { applicationRole } from '../../src/service/embedded-postgres/embedded.ts'
import { service } from '../support/service.ts'
import { undoFrom0072 } from './former-seals.ts'

/** A service of before quotes had several connections, which is then upgraded. */
const shop = await service(t, { roles: ['api'] })
const admin = new pg.Client({ connectionString: shop.database.adminUrl })
await admin.connect()
t.teardown(() => admin.end())

t.test('a quote of an earlier version is read, and a creation is bound to it', async (t) => {
  await admin.query('ALTER TABLE quotes ALTER COLUMN courier_connection_id SET NOT NULL')
  await undoFrom0072(admin)
  await admin.query("DELETE FROM migrations.kysely_migration WHERE name >= '0071'")
  const { workspaceId, connectionId, organizationId } = shop.seeded
  const { origin, destination, package: parcel } = shop.quoteBody()
  const service = { mode: 'terrestrial', payer: 'sender' }
  const air = { mode: 'air', payer: 'sender' }
  const { body: now } = await shop.call('/v1/quotes', { body: shop.quoteBody() })
  const { amount, currency } = now.rates[0]
  const rate = { service, amount, currency, breakdown: [], transit_days: { min: 1, max: 2 } }
  const error = { service: air, reason: 'no_capacity', detail: 'Full.' }
  const id = 'quo_0000000000000000000001'
  await admin.query(
    `INSERT INTO quotes (id, organization_id, workspace_id, livemode, courier_connection_id,
       request, rates, errors, sandbox_scenario, created_at, expires_at)
     VALUES ($1, $2, $3, false, $4, $5, $6, $7, 'happy_path', now(), now() + interval '30 minutes')`,
    [
      id,
      organizationId,
      workspaceId,
      connectionId,
      JSON.stringify({ origin, destination, package: parcel, service: null }),
      JSON.stringify([rate]),
      JSON.stringify([error]),
    ],
  )
  const { applied } = await migrate({ adminUrl: shop.database.adminUrl, applicationRole })
  t.ok(applied.includes('0071-rates-side-by-side'))

  const { status, body } = await shop.call(`/v1/quotes/${id}`)
  t.equal(status, 200)
  t.match(body, {
    status: 'partial',
    courier_connection_id: connectionId,
    courier_connection_ids: [connectionId],
    service: null,
    rates: [{ courier_connection_id: connectionId, service, amount, origin, destination }],
    errors: [{ ...error, courier_connection_id: connectionId }],
  })
  const made = await shop.create('bound-to-former', { body: { quote_id: id } })
  t.match(made, { status: 201, body: { quote_id: id, price: { amount, currency } } })
})
