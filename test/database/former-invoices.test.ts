import pg from 'pg'
import t from 'tap'
import { migrate } from '../../src/service/database/migrate.ts'
import { applicationRole } from '../../src/service/embedded-postgres/embedded.ts'
import { sendInvoice } from '../support/sent-invoice.ts'
import { service } from '../support/service.ts'
import { undoFrom0074 } from './former-seals.ts'

/** A service of before lines of invoices had kinds, which is then upgraded. */
const shop = await service(t)
const admin = new pg.Client({ connectionString: shop.database.adminUrl })
await admin.connect()
t.teardown(() => admin.end())
const operator = { key: shop.seeded.operatorKey }

t.test('the lines of a former invoice are charges, with what was at stake', async (t) => {
  const { body: made } = await shop.create('made')
  const lines = [
    { guide_number: made.guide_number, ...made.price, amount: made.price.amount + 300 },
    { guide_number: 'NEVER', amount: 500, currency: 'PEN' },
  ]
  const before = await sendInvoice(shop, 'former', lines)
  await undoFrom0074(admin)
  await admin.query(
    `UPDATE courier_invoice_versions SET totals =
       (SELECT jsonb_agg(each - 'kind') FROM jsonb_array_elements(totals) each)`,
  )
  await admin.query("DELETE FROM migrations.kysely_migration WHERE name >= '0074'")
  const { applied } = await migrate({ adminUrl: shop.database.adminUrl, applicationRole })
  t.ok(applied.includes('0074-invoice-line-kinds'))

  const path = `/v1/courier-invoices/${before.id}`
  const { body: after } = await shop.call(path, operator)
  t.strictSame(after, before)
  t.match((await shop.call(`${path}/lines`, operator)).body.data, [
    { kind: 'charge', finding: 'amount_differs', at_stake: 300 },
    { kind: 'charge', finding: 'unknown_guide', at_stake: 500 },
  ])
  t.match(await sendInvoice(shop, 'former', lines), { id: before.id, version: 1 })
})
