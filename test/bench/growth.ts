import { randomInt, randomUUID } from 'node:crypto'
import type { NewEvent } from '../../src/service/event-store/event-store.ts'
import { postgresEventStore } from '../../src/service/event-store/postgres/postgres.ts'
import { say } from '../support/say.ts'
import { alternating, median, row } from './support/bench-rounds.ts'
import { benchServer } from './support/bench-server.ts'
import { seedLedger } from './support/seed-ledger.ts'

// Measures how long an append to a new stream and a read of one shipment's events take in a large
// ledger, compared with a small one on another server. Ten million events need about 20 GB of disk.
// `npm run bench -- growth [events] [rounds]`

const large = Number(process.argv[2] ?? 2_000_000)
const rounds = Number(process.argv[3] ?? 5)
const small = 10_000
/** In each round, one after the other. */
const appends = 500
const reads = 2_000

/** An event of about the usual size. */
function sampleEvent(): NewEvent {
  const data = { note: 'x'.repeat(250), amount: 12_345, list: [1, 2, 3], at: Date.now() }
  return {
    id: randomUUID(),
    type: 'Noted',
    data,
    metadata: { version: 1, request: randomUUID(), leaf: 'y'.repeat(44) },
  }
}

async function medianMs(times: number, once: () => Promise<unknown>): Promise<number> {
  const found: number[] = []
  for (let time = 0; time < times; time++) {
    const startedAt = performance.now()
    await once()
    found.push(performance.now() - startedAt)
  }
  return median(found)
}

async function ledgerOf(events: number) {
  const server = await benchServer()
  const { streams, streamOf } = await seedLedger(server, events).catch(async (error) => {
    await server.stop()
    throw error
  })
  const store = postgresEventStore({ url: server.url })
  return {
    append: () =>
      medianMs(appends, () => store.append(`note-${randomUUID()}`, 'no_stream', [sampleEvent()])),
    read: () =>
      medianMs(reads, async () => {
        const stream = streamOf(randomInt(streams))
        const found = await store.readStream(stream)
        if (found.length < 2) throw new Error(`${stream} has ${found.length} events`)
      }),
    async stop() {
      await store.close()
      await server.stop()
    },
  }
}

const few = await ledgerOf(small)
try {
  const many = await ledgerOf(large)
  try {
    for (const each of [few, many]) {
      await each.append()
      await each.read()
    }
    for (const what of ['append', 'read'] as const) {
      const ms = await alternating(rounds, { few: few[what], many: many[what] })
      const measured = `${what}, ms with ${large} events / with ${small}`
      const name = 'growth'
      row({ name, measured: `${what}, ms with ${small} events`, value: ms.few, target: null })
      row({ name, measured, value: ms.many / ms.few, target: { atMost: 1.3 } })
    }
    if (large < 10_000_000) say('  for ten million events: npm run bench -- growth 10000000')
  } finally {
    await many.stop()
  }
} finally {
  await few.stop()
}
