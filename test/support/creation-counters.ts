import { setTimeout as delay } from 'node:timers/promises'
import { applicationRole } from '../../src/database/embedded.ts'
import { exampleShipmentRequest } from '../../src/http/examples.ts'
import { projectionLags } from '../../src/processes/service-figures.ts'
import type { BenchServer } from './bench-server.ts'
import { generateLoad } from './bench-service.ts'
import { asked } from './counted-server.ts'
import { eventually } from './eventually.ts'
import { fleet } from './processes.ts'
import type { Closing } from './until-closed.ts'

/** What one creation makes PostgreSQL do, on average, and what an idle service does. */
export type CreationCounters = {
  readonly creations: number
  readonly statements: number
  readonly rowsInserted: number
  readonly rowsUpdated: number
  readonly walBytes: number
  readonly walRecords: number
  readonly idleTransactionsPerSecond: number
  /** The same by statement and by table, the most first. */
  readonly byStatement: readonly Counted[]
  readonly insertedByTable: readonly Counted[]
  readonly updatedByTable: readonly Counted[]
}

export type Counted = { readonly name: string; readonly count: number }

export type CountOptions = {
  readonly seconds: number
  readonly perSecond: number
  readonly warmSeconds: number
  readonly idleSeconds: number
}

/** A session that has nothing to do tells what it has counted after ten seconds at the latest. */
const toldWithinMs = 11_000
const caughtUpWithinMs = 60_000

type Snapshot = {
  readonly statements: ReadonlyMap<string, number>
  readonly inserted: ReadonlyMap<string, number>
  readonly updated: ReadonlyMap<string, number>
  readonly walBytes: number
  readonly walRecords: number
  readonly transactions: number
}

/**
 * Counts over a steady load on a service with all roles, whose courier answers at once, and what
 * follows of the creations until the read models have them. The database is fresh, and of its own.
 */
export async function countCreations(
  closing: Closing,
  server: BenchServer,
  options: CountOptions,
): Promise<CreationCounters> {
  const program = 'test/support/bench-main.ts'
  const all = await fleet(closing, { database: server, program })
  const service = await all.start({ env: { BENCH_COURIER: 'instant' } })
  const caughtUp = () =>
    eventually(
      () => projectionLags(all.parts.readModels, all.parts.store),
      (lags) => lags.every(({ lagSeconds }) => lagSeconds === 0),
      caughtUpWithinMs,
    )
  const load = async (seconds: number) => {
    const made = await generateLoad({
      ...{ url: service.url, path: '/v1/shipments', key: all.seeded.shopKey, seconds },
      body: JSON.stringify(exampleShipmentRequest('order', all.seeded)),
      perSecond: options.perSecond,
    })
    await caughtUp()
    return made.done
  }
  await load(options.warmSeconds)
  await delay(toldWithinMs)
  const before = await snapshot(server.adminUrl)
  const creations = await load(options.seconds)
  await delay(toldWithinMs)
  const after = await snapshot(server.adminUrl)
  await delay(options.idleSeconds * 1_000)
  const idle = await snapshot(server.adminUrl)
  const each = (pick: (of: Snapshot) => number) => (pick(after) - pick(before)) / creations
  const eachOf = (pick: (of: Snapshot) => ReadonlyMap<string, number>) =>
    [...pick(after)]
      .map(([name, count]) => ({
        name,
        count: (count - (pick(before).get(name) ?? 0)) / creations,
      }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
  const byStatement = eachOf(({ statements }) => statements)
  const insertedByTable = eachOf(({ inserted }) => inserted)
  const updatedByTable = eachOf(({ updated }) => updated)
  return {
    ...{ creations, byStatement, insertedByTable, updatedByTable },
    statements: sumOf(byStatement),
    rowsInserted: sumOf(insertedByTable),
    rowsUpdated: sumOf(updatedByTable),
    walBytes: each(({ walBytes }) => walBytes),
    walRecords: each(({ walRecords }) => walRecords),
    idleTransactionsPerSecond: (idle.transactions - after.transactions) / options.idleSeconds,
  }
}

function sumOf(counted: readonly Counted[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0)
}

async function snapshot(url: string): Promise<Snapshot> {
  const statements = await asked<{ query: string; calls: string }>(
    url,
    `SELECT query, sum(calls) AS calls FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
     WHERE r.rolname = '${applicationRole}' AND toplevel GROUP BY query`,
  )
  const tables = await asked<{ name: string; inserted: string; updated: string }>(
    url,
    `SELECT schemaname || '.' || relname AS name, n_tup_ins AS inserted, n_tup_upd AS updated
     FROM pg_stat_user_tables`,
  )
  const [rest] = await asked<{ bytes: string; records: string; transactions: string }>(
    url,
    `SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes,
       (SELECT wal_records FROM pg_stat_wal) AS records,
       (SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database())
         AS transactions`,
  )
  const named = new Map<string, number>()
  for (const { query, calls } of statements) {
    const name = query.replace(/\s+/g, ' ').trim().slice(0, 100)
    named.set(name, (named.get(name) ?? 0) + Number(calls))
  }
  return {
    statements: named,
    inserted: new Map(tables.map(({ name, inserted }) => [name, Number(inserted)])),
    updated: new Map(tables.map(({ name, updated }) => [name, Number(updated)])),
    walBytes: Number(rest?.bytes),
    walRecords: Number(rest?.records),
    transactions: Number(rest?.transactions),
  }
}
