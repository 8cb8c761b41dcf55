import { randomInt } from 'node:crypto'
import { startApp } from '../../../src/service/app.ts'
import type { Courier } from '../../../src/service/couriers/courier.ts'
import { shipmentPayload } from '../../../src/service/domain/shipment/shipment-payload.ts'
import { exampleShipment } from '../../../src/service/http/openapi/examples.ts'
import { authenticated } from '../../../src/service/http/rules/authenticate.ts'
import { parseIdempotencyKey } from '../../../src/service/http/rules/idempotency-key.ts'
import type { RegisterRoutes } from '../../../src/service/http/server.ts'
import { shipmentSchema } from '../../../src/service/http/shipments/shipment-schema.ts'
import { main } from '../../../src/service/main.ts'

/*
 * The service as `npm start` runs it, for benchmarks: with BENCH_COURIER=instant its courier
 * creates guides immediately in this process, and POST /v1/bench/nothing does everything that a
 * creation does before its work begins and after it has ended.
 */

/** Issues guides, but no scans or labels yet, like a courier whose labels take a while. */
function instant(simulated: Courier): Courier {
  return {
    ...simulated,
    createGuide: async () => ({
      kind: 'created',
      guide: {
        guideNumber: `G${randomInt(1e12)}`,
        pickupCode: String(randomInt(1e6)),
        price: { amount: 1_250, currency: 'USD' },
      },
    }),
    track: async () => ({ kind: 'tracked', eta: null, events: [], malformed: 0 }),
    label: async () => ({ kind: 'not_ready' }),
  }
}

const nothing: RegisterRoutes = (app) => {
  app.route({
    method: 'POST',
    url: '/v1/bench/nothing',
    config: { collectionScope: 'shipments:write', headers: ['idempotency-key'] },
    schema: {
      operationId: 'doNothing',
      summary: 'Nothing',
      tags: ['Shipments'],
      body: shipmentPayload,
      response: { 201: shipmentSchema },
    },
    handler: async (request, reply) => {
      authenticated(request)
      parseIdempotencyKey(request)
      return reply.code(201).send(exampleShipment)
    },
  })
}

const isInstant = process.env.BENCH_COURIER === 'instant'
await main((options) =>
  startApp({
    ...options,
    routes: [nothing],
    ...(isInstant ? { courierOf: instant } : {}),
  }),
)

/**
 * Returns a function that measures the longest turn of the event loop since its last call. It uses
 * processor time, which unlike the clock does not include other processes of a busy machine.
 */
function watchHolds(): () => number {
  let longestMs = 0
  let usedMs = Number.POSITIVE_INFINITY
  // Fires in every turn that takes at least a millisecond.
  setInterval(() => {
    const { user, system } = process.threadCpuUsage()
    longestMs = Math.max(longestMs, (user + system) / 1_000 - usedMs)
    usedMs = (user + system) / 1_000
  }, 1).unref()
  return () => {
    const answer = longestMs
    longestMs = 0
    return answer
  }
}

let longestHoldMs: (() => number) | null = null
process.on('message', (question) => {
  if (question === 'memory') process.send?.(process.memoryUsage().rss)
  if (question !== 'hold') return
  // Only benchmarks that use it pay for it.
  longestHoldMs ??= watchHolds()
  process.send?.(longestHoldMs())
})
// A benchmark that aborted must not leave a service behind.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
