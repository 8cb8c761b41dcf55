import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../src/service/config.ts'
import { runningDatabase } from '../../src/service/open-database.ts'
import { say } from '../support/say.ts'
import { alternating, median, quantile, row } from './support/bench-rounds.ts'
import { type BenchService, benchService } from './support/bench-service.ts'

// Measures the time from the commit of GuideIssued, for which a creation's answer waits, to the
// commit of the row of `shipments` that shows it, while creating steadily at half of the throughput
// measured just before. Both times are PostgreSQL's own: it records the time of every commit
// (`track_commit_timestamp`, switched on for this), and a row names the transaction that wrote it.
// So no two clocks are compared, and how often the rows are read adds nothing; they are read often
// enough to see each row before the next event of its shipment, a second later, writes it again. A
// commit's time is taken when its flush begins, so the figure includes the flush of the event but
// not that of the row, which takes about as long. `npm run bench -- lag [seconds] [rounds]`

const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 5)
const path = '/v1/shipments'
const name = 'lag'

const lastSql = 'SELECT coalesce(max(position), 0) AS last FROM ledger.event'
const lagSql = `
  SELECT e.position, 1000 * extract(epoch FROM
    pg_xact_commit_timestamp(s.xmin) - pg_xact_commit_timestamp(e.xmin))::float8 AS lag_ms
  FROM ledger.event e
  JOIN projections.shipments_g1 s ON s.shipment_id = 'shp_' || substr(e.stream_id, 10)
    AND s.version = e.revision + 1
  WHERE e.position > $1 AND e.type = 'GuideIssued' ORDER BY e.position`
const lookEveryMs = 150
/** A smaller share would not be representative of the round. */
const seenMin = 0.9

/** The lags of rows as they become visible, until stopped. */
function watchLags(client: pg.Client) {
  const stopping = new AbortController()
  const lagsMs: number[] = []
  const watched = (async () => {
    let { last } = (await client.query(lastSql)).rows[0]
    for (let isLast = false; !isLast; ) {
      isLast = stopping.signal.aborted
      const { rows } = await client.query(lagSql, [last])
      for (const row of rows) lagsMs.push(row.lag_ms)
      last = rows.at(-1)?.position ?? last
      if (!isLast) await delay(lookEveryMs)
    }
    return lagsMs
  })()
  return () => {
    stopping.abort()
    return watched
  }
}

/** Continues with the data of a service whose PostgreSQL did not record commit times. */
async function withCommitTimes(): Promise<BenchService> {
  const first = await benchService({ courier: 'instant' })
  await first.stop('keep the data')
  const file = join(first.dataDir, 'postgres', 'postgresql.auto.conf')
  appendFileSync(file, 'track_commit_timestamp = on\n')
  return await benchService({ courier: 'instant', after: first })
}

const service = await withCommitTimes()
try {
  const database = runningDatabase(service.dataDir, readConfig())
  const client = new pg.Client({ connectionString: database?.url })
  // A failing round stops the database of this client; that failure is the one to report.
  client.on('error', () => {})
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
      const watched = watchLags(client)
      const { done, perSecond } = await service.load({ path, seconds, perSecond: most / 2 })
      await service.caughtUp()
      const lagsMs = await watched()
      if (lagsMs.length < done * seenMin) throw new Error(`only ${lagsMs.length} of ${done} seen`)
      const p50 = quantile(lagsMs, 0.5)
      say(
        `  ${lagsMs.length} of ${done} at ${perSecond.toFixed(0)}/s, lag p50 ${p50.toFixed(1)} ms`,
      )
      p50s.push(p50)
      return quantile(lagsMs, 0.99)
    },
  })
  row({ name, measured: 'commit to visible, p50 ms', value: median(p50s), target: null })
  row({ name, measured: 'commit to visible, p99 ms', value: p99Ms, target: { atMost: 200 } })
  await client.end()
} finally {
  await service.stop()
}
