import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { Changing, Projection } from '../../projections/projection.ts'
import { tableOf } from '../../projections/projection.ts'
import type { ReadModels } from '../../projections/tables.ts'
import { decodeEvent } from '../../src/event-store/codec.ts'
import type { StoredEvent } from '../../src/event-store/event-store.ts'
import { postgresEventStore } from '../../src/event-store/postgres.ts'
import { applyBatch, ensureProjection } from '../../src/processes/checkpoint.ts'
import { fillLedger } from '../support/bulk-ledger.ts'
import { testDatabase } from '../support/test-database.ts'
import { type Verdict, wireProxy } from '../support/wire-proxy.ts'

/** How a batch and its checkpoint are written; all but the first are mutants. */
type How = 'together' | 'checkpoint first' | 'rows first'

const database = await testDatabase(t)
const store = postgresEventStore({ url: database.url })
t.teardown(() => store.close())
const where = {
  organizationId: 'org_0000000000000000000001',
  workspaceId: 'ws_0000000000000000000001',
}
await fillLedger(store, 8, where)
const pageSize = 12
const { events: ledger } = await store.readAll(null, { limit: 60 })

type Projected = Projection & Changing

/** A read model that shows each time an event was applied, instead of forgiving the second. */
function counting(name: string): Projected {
  return {
    ...{ name, version: 1, prefixes: ['shipment-'], tables: [name] },
    ddl: (table) => [`CREATE TABLE ${table(name)} (id text NOT NULL)`],
    indexes: () => [],
    changes: async (_store, table, events) => {
      const statement = `INSERT INTO ${table(name)} SELECT r.id
        FROM json_to_recordset($1) AS r(id text)`
      const rows = events.map(({ id }) => ({ id }))
      return [{ statement, rows: JSON.stringify(rows) }]
    },
  }
}

function opened(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely<ReadModels>({ dialect: new PostgresDialect({ pool }) })
}

async function apply(
  db: Kysely<ReadModels>,
  projection: Projected,
  how: How,
  from: string | null,
  page: readonly StoredEvent[],
): Promise<void> {
  const to = page.at(-1)?.position as string
  const following = { projection, generation: 1, active: true, kept: new Map() }
  if (how === 'together') return await applyBatch({ db, store }, following, from, to, page)
  const moveOnly = { ...following, projection: { ...projection, changes: async () => [] } }
  const move = () => applyBatch({ db, store }, moveOnly, from, to, page)
  const changes = await projection.changes(
    store,
    tableOf(1),
    page.map((each) => decodeEvent(each)),
    new Map(),
  )
  if (how === 'checkpoint first') await move()
  for (const { statement, rows } of changes) {
    const [before, after] = statement.split('$1')
    await sql`${sql.raw(before ?? '')}${rows}::json${sql.raw(after ?? '')}`.execute(db)
  }
  if (how === 'rows first') await move()
}

/** From the checkpoint to the end of the ledger, as a process that starts does. */
async function follow(db: Kysely<ReadModels>, projection: Projected, how: How): Promise<void> {
  let from = (await ensureProjection(db, projection)).position
  for (;;) {
    const start = ledger.findIndex(({ position }) => position > (from ?? ''))
    const page = start === -1 ? [] : ledger.slice(start, start + pageSize)
    if (page.length === 0) return
    await apply(db, projection, how, from, page)
    from = page.at(-1)?.position ?? null
  }
}

let plays = 0

/** What is missing or twice after a stop there; null when there is no such point. */
async function faultsAt(how: How, k: number, when: 'before' | 'after'): Promise<number | null> {
  const projection = counting(`counting_${plays++}`)
  const direct = opened(database.url)
  await ensureProjection(direct, projection)
  let seen = 0
  const judge = (): Verdict => {
    seen += 1
    return seen === k ? when : 'pass'
  }
  const proxy = await wireProxy(t, database.url, judge, () => proxy.cut())
  const stopped = opened(proxy.url)
  const isStopped = await follow(stopped, projection, how).then(
    () => false,
    () => true,
  )
  await stopped.destroy()
  await proxy.close()
  await follow(direct, projection, how)
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.raw(tableOf(1)(projection.name))}`.execute(direct)
  await direct.destroy()
  const times = Map.groupBy(rows, ({ id }) => id)
  const faults = ledger.filter(({ id }) => times.get(id)?.length !== 1).length
  return isStopped ? faults : null
}

async function everyPoint(how: How): Promise<{ cases: number; wrong: number }> {
  let cases = 0
  let wrong = 0
  for (const when of ['before', 'after'] as const) {
    for (let k = 1; ; k++) {
      const faults = await faultsAt(how, k, when)
      if (faults === null) break
      cases += 1
      if (faults > 0) wrong += 1
    }
  }
  return { cases, wrong }
}

t.test('a projector that is cut at any flush applies each event once', async (t) => {
  const { cases, wrong } = await everyPoint('together')
  t.ok(cases >= 10, `${cases} cases`)
  t.equal(wrong, 0)
})

t.test('a checkpoint outside the transaction of its rows loses or doubles events', async (t) => {
  const early = await everyPoint('checkpoint first')
  t.ok(early.wrong > 0, `${early.wrong} of ${early.cases} cases lose events`)
  const late = await everyPoint('rows first')
  t.ok(late.wrong > 0, `${late.wrong} of ${late.cases} cases apply events twice`)
})
