import pg from 'pg'
import { projections } from '../../../projections/all.ts'
import { progress } from '../../../src/service/cli/progress.ts'
import type { Position } from '../../../src/service/event-store/event-store.ts'
import { diff, differencesMax } from '../../../src/service/ledger/diff/diff.ts'
import {
  type ProjectionStatus,
  projectionStatuses,
} from '../../../src/service/projector/checkpoint.ts'
import { runFollower } from '../../../src/service/projector/follow.ts'
import { fillLedger } from '../../support/bulk-ledger.ts'
import { eventually } from '../../support/eventually.ts'
import { noLog } from '../../support/no-log.ts'
import { say } from '../../support/say.ts'
import { scratchServer, scratchVariable } from '../../support/scratch-server.ts'
import { service } from '../../support/service.ts'
import { spoilTables } from './read-model-flaws.ts'

// Compares a clean ledger of 100,000 shipments with all read models, in under a minute on two
// cores; then corrupts every table, and expects every flaw to be named. Run: npm run prove:diff [--
// n]

const shipments = Number(process.argv[2] ?? 100_000)
const secondsMax = 60
const caughtUpMs = 60 * 60_000
const closers: (() => Promise<unknown>)[] = []
const server = await scratchServer()

function passed(since: number): number {
  return (performance.now() - since) / 1_000
}

try {
  process.env[scratchVariable] = server.adminUrl
  // The read models are filled after the ledger; together they take half the time, without output.
  const roles = ['api'] as const
  const shop = await service({ teardown: (fn) => closers.push(fn) }, { roles })
  const { db, pool, store } = shop.parts
  say(`Appending the histories of ${shipments} shipments.`)
  const fillingAt = performance.now()
  const events = await fillLedger(store, shipments, shop.seeded)
  // An administrative act for each column that is corrupted, and more.
  for (let n = 0; n < 25; n++) {
    const name = `audited-${n}`
    await shop.call('/v1/workspaces', { body: { name, external_reference: name } })
  }
  say(`${events} events in ${passed(fillingAt).toFixed(0)} s; the read models catch up.`)
  const head = await store.head()
  const stop = new AbortController()
  const deps = { db, pool, store, log: noLog }
  const following = runFollower(deps, projections, stop.signal)
  closers.push(async () => {
    stop.abort()
    await following
  })
  await eventually(
    () => projectionStatuses(db),
    (all) => projections.every(({ name }) => isAt(all, name, head)),
    caughtUpMs,
  )
  say(`They have after ${passed(fillingAt).toFixed(0)} s.`)

  const compare = async () => {
    const startedAt = performance.now()
    const usedBefore = process.cpuUsage()
    const folding = progress({ what: 'folding', head, write: say })
    let comparedAt = 0
    const found = await diff(
      { db, store, projections },
      {
        folded: folding,
        compared: (done, all) => {
          if (done < all && performance.now() - comparedAt < 2_000) return
          comparedAt = performance.now()
          say(`compared ${done} of ${all} shipments`)
        },
      },
    )
    const used = process.cpuUsage(usedBefore)
    // Processor time is comparable even on a busy machine; the database works on the other core.
    return { ...found, seconds: passed(startedAt), cpuSeconds: (used.user + used.system) / 1e6 }
  }
  const clean = await compare()
  for (const { table, rows, differing, notCompared } of clean.tables) {
    say(
      `${table.padEnd(12)} ${String(rows).padStart(8)} rows, ${differing} differ ${notCompared ?? ''}`,
    )
  }
  const isClean = clean.tables.every((one) => one.differing === 0 && one.notCompared === null)
  const { seconds, cpuSeconds } = clean
  say(
    `Compared in ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of them at work; memory ${memoryMb()} MB.`,
  )

  const client = new pg.Client({ connectionString: shop.database.adminUrl })
  await client.connect()
  const tables = Object.assign({}, ...projections.map((each) => each.tables))
  const flaws = await spoilTables(client, tables)
  await client.end()
  const spoilt = await compare()
  const named = new Set(
    spoilt.differences.map(({ table, key, column }) => `${table} ${key} ${column}`),
  )
  const unseen = flaws.filter(({ table, key, column }) => !named.has(`${table} ${key} ${column}`))
  for (const flaw of unseen) say(JSON.stringify(flaw))
  say(
    `diff: ${shipments} shipments compared with every read model in ${seconds.toFixed(1)} s, ${isClean ? 'none' : 'some'} differ; ${flaws.length} flaws made by hand, ${unseen.length} of them not named`,
  )
  const isFast = clean.seconds < secondsMax || shipments > 100_000
  if (!isClean || !isFast || unseen.length > 0 || flaws.length >= differencesMax) {
    process.exitCode = 1
  }
} finally {
  for (const close of closers.toReversed()) await close()
  await server.stop()
}

function isAt(all: readonly ProjectionStatus[], name: string, head: Position | null): boolean {
  return all.some((one) => one.name === name && (one.position ?? '') >= (head ?? ''))
}

function memoryMb(): number {
  return Math.round(process.memoryUsage().rss / 2 ** 20)
}
