import pg from 'pg'
import { projections } from '../../../projections/all.ts'
import { projectionStatuses } from '../../../src/service/projector/checkpoint.ts'
import { runFollower } from '../../../src/service/projector/follow.ts'
import { fillLedger } from '../../support/bulk-ledger.ts'
import { eventually } from '../../support/eventually.ts'
import { noLog } from '../../support/no-log.ts'
import { say } from '../../support/say.ts'
import { scratchServer, scratchVariable } from '../../support/scratch-server.ts'
import { service } from '../../support/service.ts'
import { retentionPlan } from './retention-plan.ts'

// A run of retention among 100,000 shipments reads in proportion to what it erases, regardless of
// the rest. Run: npm run prove:retention [-- shipments]

const shipments = Number(process.argv[2] ?? 100_000)
/** The shipments are spread evenly over this many days. */
const days = 100
/** The pages that one erasure may touch: its place in the list, the notes, and its own note in five indexes. */
const buffersEach = 20
/** The pages that a run without work may read. */
const buffersIdle = 200
const caughtUpMs = 60 * 60_000
const closers: (() => Promise<unknown>)[] = []
const server = await scratchServer()

try {
  process.env[scratchVariable] = server.adminUrl
  const shop = await service({ teardown: (fn) => closers.push(fn) }, { roles: ['api'] })
  const { db, pool, store } = shop.parts
  say(`Appending the histories of ${shipments} shipments.`)
  await fillLedger(store, shipments, shop.seeded)
  const head = await store.head()
  const stop = new AbortController()
  const following = runFollower({ db, pool, store, log: noLog }, projections, stop.signal)
  await eventually(
    () => projectionStatuses(db),
    (all) => all.some((one) => one.name === 'shipments' && (one.position ?? '') >= (head ?? '')),
    caughtUpMs,
  )
  stop.abort()
  await following
  say('The list has them all.')

  const admin = new pg.Client({ connectionString: shop.database.adminUrl })
  await admin.connect()
  closers.push(() => admin.end())
  const client = new pg.Client({ connectionString: shop.database.url })
  await client.connect()
  closers.push(() => client.end())
  const { workspaceId } = shop.seeded
  const { rows: tables } = await admin.query<{ table: string }>(
    `SELECT c.oid::regclass::text AS table FROM pg_depend d
     JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_class c ON c.oid = d.refobjid
     WHERE r.ev_class = 'projections.shipments'::regclass AND c.relkind = 'r' LIMIT 1`,
  )
  const table = String(tables[0]?.table)
  await admin.query(
    `UPDATE ${table} s SET created_at = now() - ((n % ${days}) + 0.5) * interval '1 day'
     FROM (SELECT shipment_id, row_number() OVER (ORDER BY shipment_id) AS n FROM ${table}) numbered
     WHERE numbered.shipment_id = s.shipment_id`,
  )
  const settle = () => admin.query(`VACUUM (ANALYZE) ${table}, erasures`)
  const keep = (time: number) =>
    admin.query('UPDATE workspaces SET personal_data_retention_days = $2 WHERE id = $1', [
      workspaceId,
      time,
    ])
  const noted = async () => {
    const { rows } = await admin.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM erasures WHERE ended_at IS NULL',
    )
    return rows[0]?.n ?? 0
  }
  /** Does what the worker and the erasure list would do with noted erasures. */
  const erased = async () => {
    await admin.query(
      `WITH ended AS (UPDATE erasures SET ended_at = now() RETURNING shipment_id)
       UPDATE ${table} SET erased_at = now() WHERE shipment_id IN (SELECT shipment_id FROM ended)`,
    )
  }
  await settle()
  let isPassed = true
  const turns: number[] = []
  const turn = async (what: string, options: { readonly isKept?: boolean } = {}) => {
    const waiting = await noted()
    await client.query('BEGIN')
    const plan = await retentionPlan(client)
    await client.query(options.isKept === true ? 'COMMIT' : 'ROLLBACK')
    const buffersMax = buffersIdle + (plan.noted + waiting) * buffersEach
    const isGood = plan.buffers <= buffersMax && !plan.scanned.includes(table.replace(/.*\./, ''))
    isPassed &&= isGood
    turns.push(plan.ms)
    say(
      `${isGood ? 'ok    ' : 'FAILED'} ${what}: ${plan.noted} noted in ${plan.ms.toFixed(1)} ms, ${plan.buffers} buffers of at most ${buffersMax}, rows read ${JSON.stringify(plan.rows)}`,
    )
    return plan
  }

  await keep(days + 1)
  await turn('nothing is due')
  await keep(days - 1)
  await turn('1 % is due')
  await keep(1)
  const first = await turn('all but a day are due', { isKept: true })
  await turn('the same, and the worker has done nothing since')
  await erased()
  await turn('the same, and what was noted is erased', { isKept: true })
  await erased()
  await admin.query(
    `UPDATE ${table} SET erased_at = now() WHERE created_at < now() - interval '1 day'`,
  )
  await settle()
  await turn('all of those are erased')
  await admin.query(`UPDATE ${table} SET erased_at = NULL, held_since = now()`)
  await settle()
  await turn('the same shipments, but all held')
  say(`A turn of ${first.noted}: ${first.plan}`)
  say(
    `retention: ${turns.length} turns among ${shipments} shipments, at most ${first.noted} noted, the slowest ${Math.max(...turns).toFixed(1)} ms; ${isPassed ? 'all' : 'not all'} within their buffers`,
  )
  if (!isPassed) process.exitCode = 1
} finally {
  for (const close of closers.toReversed()) await close()
  await server.stop()
}
