import { randomBytes, randomUUID } from 'node:crypto'
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { projections } from '../../projections/all.ts'
import { openAdministration } from '../../src/cli/open.ts'
import { rebuildProjection } from '../../src/projector/rebuild.ts'
import { alternating, leftOut, row } from '../support/bench-rounds.ts'
import { benchService } from '../support/bench-service.ts'
import { noLogger } from '../support/service.ts'

// On the EventStoreDB that EVENT_STORE_URL names, alternating in one run: appends of the bare client,
// creations over HTTP that are durable to the answer, then the catch-up of a projection.
// `EVENT_STORE_URL=… npm run bench -- eventstoredb [seconds] [rounds]`

const inFlight = 64
const name = 'eventstoredb'
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
/** What was measured in the field with an event of this size. */
const eventBytes = 555

const { EVENT_STORE_URL: url } = process.env
if (!url) {
  leftOut(name, 'set EVENT_STORE_URL to an EventStoreDB')
  process.exit(0)
}
const namespace = `bench-${randomBytes(6).toString('hex')}`

/** New streams with one event each, as fast as the client itself can. */
async function bareAppends(url: string): Promise<number> {
  const client = EventStoreDBClient.connectionString(url)
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

async function catchUp(dataDir: string): Promise<void> {
  Object.assign(process.env, { DATA_DIR: dataDir, EVENT_STORE_NAMESPACE: namespace })
  const administration = await openAdministration(noLogger())
  const projection = projections.find(({ name }) => name === 'shipments')
  if (projection === undefined) throw new Error('there is no projection shipments')
  let events = 0
  const counted: typeof projection = {
    ...projection,
    rows: async (folded) => {
      events += folded.steps.length
      return await projection.rows(folded)
    },
  }
  const { readModels: db, pool, store } = administration
  const began = performance.now()
  await rebuildProjection({ db, pool, store }, counted, new AbortController().signal)
  const tookMs = performance.now() - began
  await administration.close()
  const measured = `catch-up of shipments over ${events} events, events/s`
  row({ name, measured, value: (1_000 * events) / tookMs, target: null })
}

const service = await benchService({
  courier: 'simulated',
  environment: { EVENT_STORE_URL: url, EVENT_STORE_NAMESPACE: namespace },
})
try {
  const path = '/v1/shipments'
  const { bare, creations } = await alternating(rounds, {
    bare: () => bareAppends(url),
    creations: async () => (await service.load({ path, connections: inFlight, seconds })).perSecond,
  })
  row({ name, measured: 'bare appends/s', value: bare, target: null })
  row({ name, measured: 'creations/s', value: creations, target: null })
  row({ name, measured: 'creations / bare appends', value: creations / bare, target: null })
  await catchUp(service.dataDir)
} finally {
  await service.stop()
}
