import t from 'tap'
import { deliveryRules } from '../../../src/service/domain/webhooks/webhook-delivery.ts'
import { startWorker } from '../../prove/webhooks/webhook-fire.ts'
import { pendingDeliveries, webhookTenants } from '../../prove/webhooks/webhook-tenants.ts'
import { eventually } from '../../support/eventually.ts'
import { receiver } from '../../support/receiver.ts'
import { testSecrets } from '../../support/service.ts'
import { testDatabase } from '../../support/test-database.ts'

t.test('what a killed worker was sending is sent again long before its lease ends', async (t) => {
  const database = await testDatabase(t)
  const never = new Promise<never>(() => undefined)
  const reply = (_: unknown, number: number) => (number === 1 ? never : { status: 200 })
  const shop = await receiver(t, reply, { isHandmade: true })
  const { secretsKey } = testSecrets()
  const [tenant] = await webhookTenants(database, secretsKey, [shop.url])
  if (tenant === undefined) throw new Error('no tenant')
  await pendingDeliveries(database, tenant, 1)
  const order = {
    databaseUrl: database.url,
    secretsKey,
    rules: { ...deliveryRules, leaseMs: 600_000 },
    sendTimes: { totalMs: 300_000 },
  }
  const dying = startWorker(order)
  await eventually(
    () => shop.received.length,
    (n) => n === 1,
  )
  const next = startWorker(order)
  t.teardown(async () => {
    next.child.kill('SIGTERM')
    await next.ended
  })
  await next.said(/working/)
  dying.child.kill('SIGKILL')
  await dying.ended
  await eventually(
    () => shop.received.length,
    (n) => n === 2,
  )
  const [first, second] = shop.received
  t.equal(second?.event.id, first?.event.id)
})
