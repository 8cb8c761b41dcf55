import { randomBytes, randomUUID } from 'node:crypto'
import {
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  START,
  streamNameFilter,
} from '@eventstore/db-client'
import { projections } from '../../projections/all.ts'
import { openServices } from '../../src/service/cli/open-services.ts'
import { rebuildProjection } from '../../src/service/projector/rebuild.ts'
import { noLogger } from '../support/service.ts'
import { alternating, row, skipped } from './support/bench-rounds.ts'
import { benchService } from './support/bench-service.ts'

// Measures, on the EventStoreDB of EVENT_STORE_URL and alternating in one run: appends of the bare
// client; creations over HTTP, durable before the answer, with the courier in the service's
// process; then, on the events of those, a subscription of the bare client and the catch-up of a
// projection. `EVENT_STORE_URL=… npm run bench -- eventstoredb [seconds] [rounds]`

const inFlight = 64
const name = 'eventstoredb'
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
/** The size of the events in earlier measurements elsewhere. */
const eventBytes = 555

const { EVENT_STORE_URL: url } = process.env
if (!url) {
  skipped(name, 'set EVENT_STORE_URL to an EventStoreDB')
  process.exit(0)
}
const namespace = `bench-${randomBytes(6).toString('hex')}`

/**
 * Appends one event each to new streams, as fast as the client can: in its batches, or each by a
 * call of its own, as the adapter must append (see the decision on this client).
 */
async function bareAppends(url: string, how: 'in batches' | 'one by one'): Promise<number> {
  const client = EventStoreDBClient.connectionString(url)
  if (how === 'one by one') Object.assign(client, { supports: async () => false })
  const beganAt = performance.now()
  const text = 'x'.repeat(eventBytes)
  let done = 0
  const worker = async () => {
    while (performance.now() - beganAt < seconds * 1_000) {
      const event = jsonEvent({ type: 'Measured', data: { text } })
      await client.appendToStream(`bare-${randomUUID()}`, event, { expectedRevision: NO_STREAM })
      done++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  const tookMs = performance.now() - beganAt
  await client.dispose()
  return (1_000 * done) / tookMs
}

/** Reads the ledger's events once, as fast as the client alone can. */
async function bareSubscription(url: string, events: number): Promise<number> {
  const client = EventStoreDBClient.connectionString(url)
  const filter = streamNameFilter({ prefixes: [`${namespace}.shipment-`] })
  const subscription = client.subscribeToAll({ fromPosition: START, filter })
  let beganAt = 0
  let seen = 0
  const { promise: isOver, resolve, reject } = Promise.withResolvers<void>()
  subscription.on('error', reject).on('data', () => {
    // Counts from the first event: the server first skips events of other writers.
    if (seen === 0) beganAt = performance.now()
    seen += 1
    if (seen === events) resolve()
  })
  await isOver
  const tookMs = performance.now() - beganAt
  await subscription.unsubscribe()
  await client.dispose()
  return (1_000 * seen) / tookMs
}

/** Rebuilds the projection of shipments: its events, and events a second from the first on. */
async function catchUp(dataDir: string): Promise<{ events: number; perSecond: number }> {
  Object.assign(process.env, { DATA_DIR: dataDir, EVENT_STORE_NAMESPACE: namespace })
  const { db, pool, store, close } = await openServices(noLogger())
  const projection = projections.find(({ name }) => name === 'shipments')
  if (projection === undefined) throw new Error('there is no projection shipments')
  let events = 0
  let began = 0
  const counted: typeof projection = {
    ...projection,
    rows: async (folded) => {
      if (events === 0) began = performance.now()
      events += folded.steps.length
      return await projection.rows(folded)
    },
  }
  await rebuildProjection({ db, pool, store }, counted, new AbortController().signal)
  const tookMs = performance.now() - began
  await close()
  return { events, perSecond: (1_000 * events) / tookMs }
}

const service = await benchService({
  courier: 'instant',
  environment: { EVENT_STORE_URL: url, EVENT_STORE_NAMESPACE: namespace },
})
try {
  const path = '/v1/shipments'
  const { batches, bare, creations } = await alternating(rounds, {
    batches: () => bareAppends(url, 'in batches'),
    bare: () => bareAppends(url, 'one by one'),
    creations: async () => (await service.load({ path, connections: inFlight, seconds })).perSecond,
  })
  row({ name, measured: 'bare appends/s, in the client’s batches', value: batches, target: null })
  row({ name, measured: 'bare appends/s, one by one', value: bare, target: null })
  row({ name, measured: 'creations/s', value: creations, target: null })
  const inBatches = 'creations / bare appends in batches'
  row({ name, measured: inBatches, value: creations / batches, target: null })
  row({ name, measured: 'creations / bare appends', value: creations / bare, target: null })
  await service.caughtUp()
  let events = 0
  const { projection, subscription } = await alternating(3, {
    projection: async () => {
      const caughtUp = await catchUp(service.dataDir)
      events = caughtUp.events
      return caughtUp.perSecond
    },
    subscription: () => bareSubscription(url, events),
  })
  const over = `over ${events} events, events/s`
  row({
    name,
    measured: `the client's own subscription ${over}`,
    value: subscription,
    target: null,
  })
  row({ name, measured: `catch-up of shipments ${over}`, value: projection, target: null })
  const ratio = 'catch-up / subscription'
  row({ name, measured: ratio, value: projection / subscription, target: null })
} finally {
  await service.stop()
}
