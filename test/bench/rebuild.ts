import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { projections } from '../../projections/all.ts'
import type { Projection } from '../../projections/projection.ts'
import type { Tables } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import { shipmentStreamPrefix } from '../../src/service/domain/ids.ts'
import { postgresEventStore } from '../../src/service/event-store/postgres/postgres.ts'
import { rebuildPageMax, rebuildProjection } from '../../src/service/projector/rebuild.ts'
import { noLogger } from '../support/service.ts'
import { alternating, row } from './support/bench-rounds.ts'
import { type BenchServer, benchServer } from './support/bench-server.ts'
import { seedLedger } from './support/seed-ledger.ts'

// Measures the events per second with which each projection of shipments is rebuilt, compared with a
// bare SELECT of the same events in the same pages, parsed. `npm run bench -- rebuild [events] [rounds]`

const events = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 5)

const pageSql = `SELECT position::text, stream_id, revision, event_id, type, data, metadata
  FROM ledger.event e WHERE position > $1 ORDER BY e.position LIMIT $2`

/** Events per second that `work` processes. */
async function rateOf(work: () => Promise<number>): Promise<number> {
  const startedAt = performance.now()
  const done = await work()
  if (done < events) throw new Error(`${done} events of ${events} were read`)
  return done / ((performance.now() - startedAt) / 1_000)
}

async function bareSelect(client: pg.Client): Promise<number> {
  let [last, done] = ['0', 0]
  for (;;) {
    const { rows } = await client.query<[string]>({
      name: 'page',
      text: pageSql,
      values: [last, rebuildPageMax],
      rowMode: 'array',
    })
    const end = rows.at(-1)
    if (end === undefined) return done
    last = end[0]
    done += rows.length
  }
}

async function measured(server: BenchServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const store = postgresEventStore({ url: server.url })
  const connections = pool({ connectionString: server.url, log: noLogger() })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
  const rebuilt = (projection: Projection) => () =>
    rateOf(async () => {
      let done = 0
      await rebuildProjection(
        { db, pool: connections, store },
        projection,
        new AbortController().signal,
        (_, more) => {
          done += more
        },
      )
      return done
    })
  const sides = Object.fromEntries(
    projections
      .filter(({ prefixes }) => prefixes.includes(shipmentStreamPrefix))
      .map((each) => [each.name, rebuilt(each)]),
  )
  const { bare = Number.NaN, ...rates } = await alternating(rounds, {
    bare: () => rateOf(() => bareSelect(client)),
    ...sides,
  })
  const name = 'rebuild'
  row({ name, measured: 'events/s, bare SELECT', value: bare, target: null })
  for (const [which, value] of Object.entries<number>(rates)) {
    row({ name, measured: `events/s, ${which}`, value, target: { atLeast: 50_000 } })
    const target = { atLeast: 0.4 }
    row({ name, measured: `${which} / bare SELECT`, value: value / bare, target })
  }
  await db.destroy()
  await store.close()
  await client.end()
}

const server = await benchServer()
try {
  await seedLedger(server, events)
  await measured(server)
} finally {
  await server.stop()
}
