import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { shipmentStreamPrefix } from '../../../src/service/domain/ids.ts'
import { applicationRole } from '../../../src/service/embedded-postgres/embedded.ts'
import { exampleShipmentRequest } from '../../../src/service/http/openapi/examples.ts'
import { eventually } from '../../support/eventually.ts'
import { fleet } from '../../support/processes.ts'
import type { Closing } from '../../support/until-closed.ts'
import type { BenchServer } from './bench-server.ts'
import { generateLoad } from './bench-service.ts'
import { asked } from './counted-server.ts'

/** What one creation makes PostgreSQL do on average, and what an idle service does. */
export type CreationCounters = {
  readonly creations: number
  readonly statements: number
  readonly rowsInserted: number
  readonly rowsUpdated: number
  /**
   * Write-ahead log, by statement: what vacuuming and checkpoints write does not belong to a
   * creation.
   */
  readonly walBytes: number
  readonly walRecords: number
  readonly idleStatementsPerSecond: number
  /** Statements of the idle service, per second. */
  readonly idleByStatement: readonly Counted[]
  /** The same by statement and by table, most frequent first. */
  readonly byStatement: readonly Counted[]
  readonly walByStatement: readonly Counted[]
  readonly insertedByTable: readonly Counted[]
  readonly updatedByTable: readonly Counted[]
}

export type Counted = { readonly name: string; readonly count: number }

export type CountOptions = {
  /** Makes creations and returns how many: first to warm up, then counted. */
  readonly create: (made: MakeCreations) => Promise<number>
  readonly warmUp: (made: MakeCreations) => Promise<number>
  readonly idleSeconds: number
}

type MakeCreations = {
  /** At a steady pace, from a process of its own. */
  readonly paced: (seconds: number, perSecond: number) => Promise<number>
  /**
   * One after the other, each when the read models have the previous one: no two share a statement.
   */
  readonly apart: (count: number) => Promise<number>
}

/** An idle session reports its counts after ten seconds at the latest. */
const toldWithinMs = 11_000
/** For this long after a creation, labels are requested and loops poll more often. */
const quietAfterMs = 25_000
const caughtUpWithinMs = 60_000

/** What happens less than once in a hundred creations is not caused by them. */
const countedMin = 0.01

const behindSql = `
  SELECT coalesce(bool_or(coalesce(p.position, '0')::bigint < newest.position), false) AS is_behind
  FROM projections p CROSS JOIN (
    SELECT max(position) AS position FROM ledger.event WHERE stream_id LIKE '${shipmentStreamPrefix}%'
  ) newest WHERE p.active`

type Snapshot = {
  readonly atMs: number
  readonly statements: ReadonlyMap<string, number>
  readonly walOfStatements: ReadonlyMap<string, number>
  readonly inserted: ReadonlyMap<string, number>
  readonly updated: ReadonlyMap<string, number>
  readonly walBytes: number
  readonly walRecords: number
}

/**
 * Counts what creations make PostgreSQL do on a service with all roles whose courier answers at
 * once, until all of their consequences are done. The database is fresh and used by nothing else.
 */
export async function countCreations(
  closing: Closing,
  server: BenchServer,
  options: CountOptions,
): Promise<CreationCounters> {
  const program = 'test/bench/support/bench-main.ts'
  const all = await fleet(closing, { database: server, program })
  const service = await all.start({ env: { BENCH_COURIER: 'instant' } })
  // As the superuser, whose statements are not counted.
  const caughtUp = () =>
    eventually(
      () => asked<{ is_behind: boolean }>(server.adminUrl, behindSql),
      ([found]) => found?.is_behind === false,
      caughtUpWithinMs,
    )
  const making: MakeCreations = {
    paced: async (seconds, perSecond) => {
      const made = await generateLoad({
        url: service.url,
        path: '/v1/shipments',
        key: all.seeded.shopKey,
        seconds,
        body: JSON.stringify(exampleShipmentRequest('order', all.seeded)),
        perSecond,
      })
      await caughtUp()
      return made.done
    },
    apart: async (count) => {
      for (let number = 0; number < count; number++) {
        const { status } = await service.create(`apart-${randomUUID()}`)
        if (status !== 201) throw new Error(`a creation was answered ${status}`)
        await caughtUp()
      }
      return count
    },
  }
  await options.warmUp(making)
  await delay(quietAfterMs)
  const idle = await snapshot(server.adminUrl)
  await delay(options.idleSeconds * 1_000)
  const before = await snapshot(server.adminUrl)
  const creations = await options.create(making)
  await delay(toldWithinMs)
  const after = await snapshot(server.adminUrl)
  // What the service would have done in this time without creations is subtracted.
  const idleSeconds = (before.atMs - idle.atMs) / 1_000
  const times = (after.atMs - before.atMs) / (before.atMs - idle.atMs)
  const each = (of: (found: Snapshot) => number) =>
    (of(after) - of(before) - times * (of(before) - of(idle))) / creations
  const eachOf = (of: (found: Snapshot) => ReadonlyMap<string, number>) =>
    [...of(after).keys()]
      .map((name) => ({ name, count: each((found) => of(found).get(name) ?? 0) }))
      .filter(({ count }) => count >= countedMin)
      .sort((a, b) => b.count - a.count)
  const idleByStatement = [...before.statements]
    .map(([name, calls]) => ({
      name,
      count: (calls - (idle.statements.get(name) ?? 0)) / idleSeconds,
    }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  const byStatement = eachOf(({ statements }) => statements)
  const walByStatement = eachOf(({ walOfStatements }) => walOfStatements)
  const insertedByTable = eachOf(({ inserted }) => inserted)
  const updatedByTable = eachOf(({ updated }) => updated)
  return {
    creations,
    byStatement,
    walByStatement,
    insertedByTable,
    updatedByTable,
    statements: sumOf(byStatement),
    rowsInserted: sumOf(insertedByTable),
    rowsUpdated: sumOf(updatedByTable),
    walBytes: each(({ walBytes }) => walBytes),
    walRecords: each(({ walRecords }) => walRecords),
    idleByStatement,
    idleStatementsPerSecond: sumOf(idleByStatement),
  }
}

function sumOf(counted: readonly Counted[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0)
}

async function snapshot(url: string): Promise<Snapshot> {
  const statements = await asked<{ query: string; calls: string; bytes: string; records: string }>(
    url,
    `SELECT query, sum(calls) AS calls, sum(wal_bytes) AS bytes, sum(wal_records) AS records
     FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
     WHERE r.rolname = '${applicationRole}' AND toplevel GROUP BY query`,
  )
  const tables = await asked<{ name: string; inserted: string; updated: string }>(
    url,
    `SELECT schemaname || '.' || relname AS name, n_tup_ins AS inserted, n_tup_upd AS updated
     FROM pg_stat_user_tables`,
  )
  const named = new Map<string, number>()
  const walOfStatements = new Map<string, number>()
  for (const { query, calls, bytes } of statements) {
    const name = query.replace(/\s+/g, ' ').trim().slice(0, 100)
    named.set(name, (named.get(name) ?? 0) + Number(calls))
    walOfStatements.set(name, (walOfStatements.get(name) ?? 0) + Number(bytes))
  }
  return {
    atMs: performance.now(),
    statements: named,
    walOfStatements,
    inserted: new Map(tables.map(({ name, inserted }) => [name, Number(inserted)])),
    updated: new Map(tables.map(({ name, updated }) => [name, Number(updated)])),
    walBytes: statements.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    walRecords: statements.reduce((sum, { records }) => sum + Number(records), 0),
  }
}
