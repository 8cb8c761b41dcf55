import { Webhook } from 'standardwebhooks'
import { sql } from 'kysely'
import t from 'tap'
import { newSecret, secretText } from '../../src/webhooks/sign.ts'
import { receiver } from '../support/receiver.ts'
import { service } from '../support/service.ts'
import { eventually } from '../support/eventually.ts'

const shop = await service(t)

async function endpoint(url: string, types: string[]) {
  const { parts, seeded } = shop
  const secret = newSecret()
  const id = `whe_${'a'.repeat(21)}${Math.floor(Math.random() * 10)}`
  const { organization_id: organizationId } = (await sql<{organization_id: string}>`select organization_id from workspaces where id = ${seeded.workspaceId}`.execute(parts.db)).rows[0]!
  await sql`insert into webhook_endpoints (id, organization_id, workspace_id, livemode, url, event_types, status, secret, created_at, updated_at)
    values (${id}, ${organizationId}, ${seeded.workspaceId}, false, ${url}, ${types}, 'enabled', ${parts.webhookSealer.sealSecret({ organizationId, endpointId: id }, secret)}, now(), now())`.execute(parts.db)
  return { id, secret: secretText(secret) }
}

t.test('one', async (t) => {
  const mine = await receiver(t)
  const { secret } = await endpoint(mine.url, ['shipment.*', 'label.*', 'tracking.*'])
  const made = await shop.create('order-1')
  t.equal(made.status, 201)
  await eventually(async () => mine.received, (all) => all.length > 0, 5000)
  for (const one of mine.received) new Webhook(secret).verify(one.body.toString(), one.headers)
  console.error(mine.received.map((r) => r.event.type), JSON.stringify(mine.received[0]?.event))
  await shop.advance('P2D')
  console.error(mine.received.map((r) => [r.event.sequence, r.event.type, r.event.timestamp]))
  console.error(JSON.stringify(mine.received.at(-1)?.event))
  console.error(shop.logged.filter((l) => /"level":(50|40)/.test(l)).slice(0, 5))
})
