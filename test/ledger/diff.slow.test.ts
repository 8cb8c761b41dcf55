import pg from 'pg'
import t from 'tap'
import { projections } from '../../projections/all.ts'
import { foldBatch } from '../../projections/fold-batch.ts'
import { operations } from '../../projections/operations.ts'
import { byCli } from '../../src/service/cli/acting.ts'
import { auditStream } from '../../src/service/domain/ids.ts'
import { actOf, decodeEvent } from '../../src/service/event-store/codec.ts'
import { diff } from '../../src/service/ledger/diff/diff.ts'
import { diffActs } from '../../src/service/ledger/diff/diff-acts.ts'
import { projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { changeOperator, createOperator } from '../../src/service/security/operators.ts'
import { spoilTables } from '../prove/diff/read-model-flaws.ts'
import { fillLedger } from '../support/bulk-ledger.ts'
import { runCommand } from '../support/run-command.ts'
import { service } from '../support/service.ts'

const shop = await service(t, { roles: ['api', 'projector'] })
const { db, store } = shop.parts
/** One in twenty has an operation: as many as its table has columns to corrupt. */
const shipments = 20 * Object.keys(operations.columns).length

const noProgress = { folded: () => undefined, compared: () => undefined }
const compared = () => diff({ db, store, projections }, noProgress)

async function caughtUp(): Promise<void> {
  if (!(await projectionsReached(db, await store.head(), 60_000))) throw new Error('not caught up')
}

/** Enough acts to corrupt one for each column. */
async function fillAudit(): Promise<void> {
  for (let n = 0; n < 20; n++) {
    const name = `audited-${n}`
    const body = { name, external_reference: name }
    if ((await shop.call('/v1/workspaces', { body })).status !== 201) throw new Error(name)
  }
}

t.test('untouched read models match the ledger', async (t) => {
  const events = await fillLedger(store, shipments, shop.seeded)
  await fillAudit()
  t.ok(events > 4 * shipments)
  await caughtUp()
  const progress: string[] = []
  const found = await diff(
    { db, store, projections },
    {
      folded: (position, count) => void progress.push(`${position} ${count > 0}`),
      compared: (done, all) => void progress.push(`${done} of ${all}`),
    },
  )
  t.same(found.differences, [])
  const { statistics, ...tables } = Object.fromEntries(
    found.tables.map((one) => [one.table, one.rows]),
  )
  t.ok(statistics !== undefined)
  t.same(tables, {
    shipments,
    operations: shipments / 20,
    settlements: shipments / 10,
    audit_events: (await store.readStream(auditStream(shop.seeded.organizationId))).length,
  })
  const last = progress.filter((line) => line.endsWith(`${shipments} of ${shipments}`))
  t.equal(last.length, 1, 'its progress is told')
})

t.test("a projection's rows have exactly the columns of their table", async (t) => {
  const read = async (prefix: string) =>
    (await store.readAll(null, { limit: 2_000, prefixes: [prefix] })).events
  const decoded = (await read('shipment-')).map((event) => decodeEvent(event))
  const acts = (await read('audit-')).map(actOf)
  const folded = await foldBatch(store, decoded, new Map(), acts)
  for (const [name, table] of projections.flatMap(({ tables }) => Object.entries(tables))) {
    const { rows } = await shop.parts.pool.query<{ column: string }>(
      `SELECT attname AS column FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname`,
      [`projections.${name}`],
    )
    const columns = rows.map(({ column }) => column)
    t.same(Object.keys(table.columns).sort(), columns, name)
    t.same(Object.keys(table.rows(folded)[0] ?? {}).sort(), columns, name)
  }
})

t.test('an operator disabled and enabled again is not a difference', async (t) => {
  const order = { organizationId: shop.seeded.organizationId, name: 'Eva', email: 'e@shop.example' }
  let operator = await createOperator(shop.parts, order, byCli)
  for (const status of ['disabled', 'active', 'disabled', 'active'] as const) {
    const changed = await changeOperator(shop.parts, operator, { status }, byCli)
    operator = changed ?? operator
    t.equal(operator.status, status)
    t.same((await diffActs({ db, store })).differences, [], status)
  }
})

t.test('diff finds no difference while a service keeps writing', async (t) => {
  let isOver = false
  const writing = (async () => {
    for (let n = 0; !isOver; n++) await shop.create(`beside-${n}`)
  })()
  for (let i = 0; i < 4; i++) {
    const { differences, tables } = await compared()
    t.same(differences, [])
    t.same(
      tables.map(({ notCompared }) => notCompared),
      tables.map(() => null),
    )
  }
  isOver = true
  await writing
})

t.test('diff finds every sum that was changed, removed or inserted by hand', async (t) => {
  await caughtUp()
  const change = (statement: string) => shop.parts.pool.query(statement)
  const before = await shop.parts.pool.query('SELECT * FROM projections.statistics')
  const wrong = async (statement: string) => {
    await change(statement)
    const { differences } = await compared()
    await change('DELETE FROM projections.statistics')
    await change(
      `INSERT INTO projections.statistics SELECT * FROM json_populate_recordset(
        NULL::projections.statistics, '${JSON.stringify(before.rows)}')`,
    )
    return differences.map(({ table, kind, column }) => `${table} ${kind} ${column}`)
  }
  const one = `(workspace_id, at) = (SELECT workspace_id, at FROM projections.statistics
    WHERE at > now() - interval '1 hour' AND counts ? 'creation.created' LIMIT 1)`
  t.same(
    await wrong(`UPDATE projections.statistics
      SET counts = jsonb_set(counts, '{creation.created}', '100000') WHERE ${one}`),
    ['statistics different creation.created'],
  )
  t.same(
    await wrong(
      `UPDATE projections.statistics SET counts = counts || '{"made.up": 1}' WHERE ${one}`,
    ),
    ['statistics surplus made.up'],
  )
  const gone = await wrong(`DELETE FROM projections.statistics WHERE ${one}`)
  t.ok(gone.includes('statistics missing creation.created'))
  const { differences } = await compared()
  t.same(differences, [], 'put back as they were')
})

t.test('diff finds every row that was changed, removed or inserted by hand', async (t) => {
  await caughtUp()
  const client = new pg.Client({ connectionString: shop.database.adminUrl })
  await client.connect()
  t.teardown(() => client.end())
  const tables = Object.assign({}, ...projections.map((each) => each.tables))
  const flaws = await spoilTables(client, tables)
  t.ok(flaws.length > 35)
  const { differences, tables: found } = await compared()
  const named = differences.map(({ table, kind, column, key }) => ({ table, kind, column, key }))
  const inOrder = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).sort()
  t.same(
    inOrder(named),
    inOrder(flaws.map(({ table, kind, column, key }) => ({ table, kind, column, key }))),
  )
  for (const { table, differing } of found) {
    t.equal(differing, flaws.filter((flaw) => flaw.table === table).length, table)
  }
  const changed = differences.filter(({ kind }) => kind === 'different')
  t.ok(
    changed.every(({ expected, actual }) => expected !== actual || /^\(text of/.test(`${actual}`)),
  )
  const words = JSON.stringify(differences)
  t.notMatch(words, /ORDER-\d|bulk-\d/, "a client's own words are told by their length")
  const result = await runCommand('diff', '', { db, store })
  t.equal(result.exit, 'found')
  t.match(result.text, /settlements .*DIFFERENT/)
  t.match(result.json, { is_equal: false, differing_rows: flaws.length })
})
