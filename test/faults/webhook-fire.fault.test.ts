import t from 'tap'
import { webhookFire } from '../prove/webhooks/webhook-fire.ts'
import { testDatabase } from '../support/test-database.ts'

t.test(
  'every webhook reaches its receivers exactly once in effect while senders are killed',
  async (t) => {
    const database = await testDatabase(t)
    const options = { shipments: 20, receivers: 10, kills: 1, say: () => undefined }
    const { faults, states, requests } = await webhookFire(database, options)
    t.same(faults, [])
    t.same(states, { delivered: 72, dead: 8 })
    t.ok(requests > 80, `${requests} requests`)
  },
)
