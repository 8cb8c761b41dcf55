import { createServices } from '../../../src/service/app.ts'
import type { DeliveryRules } from '../../../src/service/domain/webhooks/webhook-delivery.ts'
import { runFollower } from '../../../src/service/projector/follow.ts'
import { runQueue } from '../../../src/service/queue/run.ts'
import type { Secrets } from '../../../src/service/secrets/secrets.ts'
import { deadSenders } from '../../../src/service/webhooks/claim-deliveries.ts'
import { runDeliveries } from '../../../src/service/webhooks/deliver.ts'
import { outbox } from '../../../src/service/webhooks/outbox.ts'
import { type SendTimes, webhookSender } from '../../../src/service/webhooks/send.ts'
import { noLogger } from '../../support/service.ts'

/** The options of a process that only runs the outbox and deliveries, as JSON in WORKER. */
export type WorkerOrder = {
  readonly databaseUrl: string
  readonly secretsKey: string
  readonly rules: DeliveryRules
  readonly sendTimes: Partial<SendTimes>
}

// A separate process, to be killed: the outbox and the deliveries as the service runs them.
const order = JSON.parse(process.env.WORKER ?? '') as WorkerOrder
const none = Buffer.alloc(32)
const secrets: Secrets = {
  secretsKey: order.secretsKey,
  secretsKeyPrevious: [],
  apiKeyPepper: none,
  checkpointKey: none,
  checkpointKeyPrevious: null,
  simulatorKey: none,
}
const log = noLogger()
const parts = createServices({
  databaseUrl: order.databaseUrl,
  secrets,
  simulatorUrl: null,
  log,
  allowPrivate: true,
  deliveries: {
    deliveryRules: order.rules,
    webhookSender: webhookSender({ times: order.sendTimes }),
  },
})
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
const { db, pool, store, links } = parts
const deps = { db, pool, store, log }
process.stdout.write('working\n')
const loops = [
  runFollower(deps, [outbox(db, store, links)], stop.signal),
  runDeliveries(parts, stop.signal),
  runQueue(parts, [deadSenders(parts)], stop.signal),
]
await Promise.all(loops)
await parts.close()
