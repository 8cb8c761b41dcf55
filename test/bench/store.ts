import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { postgresEventStore } from '../../src/event-store/postgres.ts'
import { perSecond, sampleEvent } from '../support/bench-appends.ts'
import { alternating, row } from '../support/bench-rounds.ts'
import { benchServer } from '../support/bench-server.ts'
import { say } from '../support/say.ts'

// Appends a second of the event store, against the same rows written by a bare batched INSERT into
// the same table without lock, checks and answers, on the same durable server. The ratio is what
// can be compared between machines. `npm run bench -- store [seconds] [rounds]`

const seconds = Number(process.argv[2] ?? 0.7)
const rounds = Number(process.argv[3] ?? 5)
const inFlights = [1, 16, 64, 256]
/** Fewer in flight make batches so small that the flush is all there is: reported only. */
const targetFrom = 64
const name = 'store'

const bareSql = `INSERT INTO bare.event
  (position, stored_at, event_id, revision, stream_id, type, data, metadata)
  SELECT e.position, now(), e.id, 0, e.stream, e.type, e.data::json, e.metadata::json
  FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
    AS e(position, id, stream, type, data, metadata)`

function bareBatches(client: pg.Client, size: number, positions: { last: number }) {
  return async () => {
    const batch = Array.from({ length: size }, sampleEvent)
    const values = [
      batch.map(() => ++positions.last),
      batch.map(({ id }) => id),
      batch.map(() => `note-${randomUUID()}`),
      batch.map(({ type }) => type),
      batch.map(({ data }) => JSON.stringify(data)),
      batch.map(({ metadata }) => JSON.stringify(metadata)),
    ]
    await client.query({ name: 'bare', text: bareSql, values })
    return size
  }
}

const server = await benchServer()
try {
  const client = new pg.Client({ connectionString: server.adminUrl })
  await client.connect()
  await client.query(
    'CREATE SCHEMA bare; CREATE TABLE bare.event (LIKE ledger.event INCLUDING ALL)',
  )
  const store = postgresEventStore({ url: server.url })
  const positions = { last: 0 }
  const append = async () => {
    await store.append(`note-${randomUUID()}`, 'no_stream', [sampleEvent()])
    return 1
  }
  await perSecond(seconds, 64, append)
  await perSecond(seconds, 1, bareBatches(client, 64, positions))
  for (const inFlight of inFlights) {
    say(`  ${inFlight} in flight`)
    const { bare, appends } = await alternating(rounds, {
      bare: () => perSecond(seconds, 1, bareBatches(client, inFlight, positions)),
      appends: () => perSecond(seconds, inFlight, append),
    })
    const at = `at ${inFlight} in flight`
    row({ name, measured: `appends/s ${at}`, value: appends, target: null })
    row({
      name,
      measured: `appends / rows of a bare INSERT, ${at}`,
      value: appends / bare,
      target: inFlight >= targetFrom ? { atLeast: 0.6 } : null,
    })
  }
  await store.close()
  await client.end()
} finally {
  await server.stop()
}
