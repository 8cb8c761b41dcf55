import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { runningDatabase } from '../../src/database/open-database.ts'
import { alternating, median, row } from '../support/bench-rounds.ts'
import { type BenchService, benchService } from '../support/bench-service.ts'
import { say } from '../support/say.ts'

// From the commit of an event to the commit of the row of `shipments` that shows it, while creating
// steadily at half of what went through just before. Both times are PostgreSQL's own: it keeps the
// time of every commit (`track_commit_timestamp`, switched on for this), and a row names the
// transaction that wrote it. So nothing polls, no row is missed, and no clock is compared with
// another. It is taken as the commit begins to flush, for both: a flush is in the figure, and it is
// the event's. Of each shipment it is the last event that the row shows.
// `npm run bench -- lag [seconds] [rounds]`

const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 5)
const path = '/v1/shipments'
const name = 'lag'

const lastSql = 'SELECT coalesce(max(position), 0) AS last FROM ledger.event'
const lagSql = `
  SELECT count(*)::int AS rows, percentile_disc(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY lag_ms) AS at
  FROM (
    SELECT 1000 * extract(epoch FROM
      pg_xact_commit_timestamp(s.xmin) - pg_xact_commit_timestamp(e.xmin))::float8 AS lag_ms
    FROM projections.shipments_g1 s
    JOIN ledger.event e ON e.stream_id = 'shipment-' || substr(s.shipment_id, 5) AND e.revision = s.version - 1
    WHERE e.position > $1
  ) lags`

/** Goes on with the data of a service whose PostgreSQL has never kept times of commits. */
async function withCommitTimes(): Promise<BenchService> {
  const first = await benchService({ courier: 'instant' })
  await first.stop('keep the data')
  const file = join(first.dataDir, 'postgres', 'postgresql.auto.conf')
  appendFileSync(file, 'track_commit_timestamp = on\n')
  return await benchService({ courier: 'instant', after: first })
}

const service = await withCommitTimes()
const client = new pg.Client({
  connectionString: runningDatabase(service.dataDir, readConfig())?.url,
})
try {
  await client.connect()
  await service.load({ path, seconds: 3 })
  const p50s: number[] = []
  let most = 0
  const { p99Ms } = await alternating(rounds, {
    maximum: async () => {
      most = (await service.load({ path, seconds })).perSecond
      await service.caughtUp()
      return most
    },
    p99Ms: async () => {
      const { rows: before } = await client.query(lastSql)
      const { perSecond } = await service.load({ path, seconds, perSecond: most / 2 })
      await service.caughtUp()
      const { rows } = await client.query(lagSql, [before[0].last])
      if (rows[0].rows === 0) throw new Error('no shipment was made visible')
      const [p50, p99] = rows[0].at
      say(`  ${rows[0].rows} shipments at ${perSecond.toFixed(0)}/s, lag p50 ${p50.toFixed(1)} ms`)
      p50s.push(p50)
      return p99
    },
  })
  row({ name, measured: 'commit to visible, p50 ms', value: median(p50s), target: null })
  row({ name, measured: 'commit to visible, p99 ms', value: p99Ms, target: { atMost: 50 } })
} finally {
  await client.end()
  await service.stop()
}
