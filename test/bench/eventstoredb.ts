import { randomBytes, randomUUID } from 'node:crypto'
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import { projections } from '../../projections/all.ts'
import { openAdministration } from '../../src/cli/open.ts'
import { rebuildProjection } from '../../src/processes/rebuild.ts'
import { load, loadedService, sayRate } from '../support/load.ts'
import { noLogger } from '../support/service.ts'

// On the EventStoreDB that EVENT_STORE_URL names, alternating in one run: appends of the bare client,
// creations over HTTP that are durable to the answer, then the catch-up of a projection.
// `EVENT_STORE_URL=… npm run bench -- eventstoredb`

const inFlight = 64
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
/** What was measured in the field with an event of this size. */
const eventBytes = 555

const { EVENT_STORE_URL: url } = process.env
if (!url) {
  process.stdout.write('Left out: set EVENT_STORE_URL to an EventStoreDB.\n')
  process.exit(0)
}
const namespace = `bench-${randomBytes(6).toString('hex')}`

/** New streams with one event each, as fast as the client itself can. */
async function bareAppends(client: EventStoreDBClient): Promise<readonly number[]> {
  const latencies: number[] = []
  const until = performance.now() + seconds * 1_000
  const text = 'x'.repeat(eventBytes)
  const worker = async () => {
    while (performance.now() < until) {
      const began = performance.now()
      const event = jsonEvent({ type: 'Measured', data: { text } })
      await client.appendToStream(`bare-${randomUUID()}`, event, { expectedRevision: NO_STREAM })
      latencies.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return latencies.sort((a, b) => a - b)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function catchUp(dataDir: string): Promise<void> {
  Object.assign(process.env, { DATA_DIR: dataDir, EVENT_STORE_NAMESPACE: namespace })
  const administration = await openAdministration(noLogger())
  const projection = projections.find(({ name }) => name === 'shipments')
  if (projection === undefined) throw new Error('there is no projection shipments')
  let events = 0
  const counted: typeof projection = {
    ...projection,
    changes: async (from, table, batch, kept) => {
      events += batch.length
      return await projection.changes(from, table, batch, kept)
    },
  }
  const { readModels: db, store } = administration
  const began = performance.now()
  await rebuildProjection({ db, store }, counted, new AbortController().signal)
  const tookMs = performance.now() - began
  const perSecond = Math.round((events / tookMs) * 1_000)
  process.stdout.write(`catch-up of shipments: ${events} events, ${perSecond}/s\n`)
  await administration.close()
}

const service = await loadedService({ EVENT_STORE_URL: url, EVENT_STORE_NAMESPACE: namespace })
try {
  const ratios: number[] = []
  for (let number = 0; number < rounds; number++) {
    const client = EventStoreDBClient.connectionString(url)
    const bare = sayRate(`round ${number + 1}: bare appends`, await bareAppends(client), seconds)
    await client.dispose()
    const made = await load(service, '/v1/shipments', number, { connections: inFlight, seconds })
    ratios.push(sayRate(`round ${number + 1}: POST /v1/shipments`, made, seconds) / bare)
  }
  process.stdout.write(`creations / bare appends, median: ${median(ratios).toFixed(3)}\n`)
  await catchUp(service.dataDir)
} finally {
  await service.stop()
}
