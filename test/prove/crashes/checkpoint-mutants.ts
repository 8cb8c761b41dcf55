import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { id } from '../../../projections/columns.ts'
import { foldBatch } from '../../../projections/fold-batch.ts'
import type { Projection } from '../../../projections/projection.ts'
import { tableOf } from '../../../projections/projection.ts'
import type { Tables } from '../../../projections/tables.ts'
import { decodeEvent } from '../../../src/service/event-store/codec.ts'
import {
  type Place,
  placeAt,
  type StoredEvent,
} from '../../../src/service/event-store/event-store.ts'
import {
  type PostgresEventStore,
  postgresEventStore,
} from '../../../src/service/event-store/postgres/postgres.ts'
import { applyBatch } from '../../../src/service/projector/batch.ts'
import { ensureProjection } from '../../../src/service/projector/checkpoint.ts'
import { fillLedger } from '../../support/bulk-ledger.ts'
import { testDatabase } from '../../support/test-database.ts'
import { type Verdict, wireProxy } from './wire-proxy.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** How a batch and its checkpoint are written; all but the first are intentional mutants. */
export type How = 'together' | 'checkpoint first' | 'rows first'

export type EveryPoint = { readonly cases: number; readonly wrong: number }

type Stage = {
  readonly t: Test
  readonly url: string
  readonly store: PostgresEventStore
  readonly ledger: readonly StoredEvent[]
  plays: number
}

const where = {
  organizationId: 'org_0000000000000000000001',
  workspaceId: 'ws_0000000000000000000001',
}
const pageSize = 12

/** A read model that counts every application of an event instead of ignoring a second one. */
function counting(name: string): Projection {
  return {
    name,
    version: 1,
    prefixes: ['shipment-'],
    tables: {
      [name]: {
        madeOf: 'shipments',
        key: 'application',
        columns: { id, application: { ddl: 'bigint GENERATED ALWAYS AS IDENTITY' } },
        indexes: () => [],
        rows: () => [],
      },
    },
    writes: (table) => [
      (rows) =>
        `INSERT INTO ${table(name)} (id) SELECT r.id FROM json_to_recordset(${rows}) AS r(id text)`,
    ],
    rows: async ({ steps }) => [steps.map(({ event }) => ({ id: event.id }))],
  }
}

function opened(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { pool, db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) }
}
type Opened = ReturnType<typeof opened>

/** Writes a projection in one of these ways over connections that may be cut. */
type Projector = {
  readonly database: Opened
  readonly projection: Projection
  readonly how: How
}

async function apply(
  { store }: Stage,
  { database: { pool, db }, projection, how }: Projector,
  place: Place | null,
  page: readonly StoredEvent[],
): Promise<void> {
  const to = placeAt(page.at(-1) as StoredEvent)
  const following = (of: Projection) => ({
    parts: [{ projection: of, generation: 1, active: true, place }],
    kept: new Map(),
  })
  if (how === 'together') return await applyBatch({ pool, store }, following(projection), to, page)
  const moveOnly = { ...projection, writes: () => [], rows: async () => [] }
  const move = () => applyBatch({ pool, store }, following(moveOnly), to, page)
  const decoded = page.map((each) => decodeEvent(each))
  const rows = await projection.rows(await foldBatch(store, decoded, new Map()))
  if (how === 'checkpoint first') await move()
  for (const [index, write] of projection.writes(tableOf(1)).entries()) {
    const [before, after] = write('$1').split('$1')
    const text = JSON.stringify(rows[index])
    await sql`${sql.raw(before ?? '')}${text}::json${sql.raw(after ?? '')}`.execute(db)
  }
  if (how === 'rows first') await move()
}

/** Applies events from the checkpoint to the end of the ledger, as a starting process does. */
async function follow(stage: Stage, projector: Projector): Promise<void> {
  const { ledger } = stage
  const { database, projection } = projector
  let from = (await ensureProjection(database.db, projection)).place
  for (;;) {
    const start = ledger.findIndex(({ position }) => position > (from?.position ?? ''))
    const page = start === -1 ? [] : ledger.slice(start, start + pageSize)
    if (page.length === 0) return
    await apply(stage, projector, from, page)
    from = placeAt(page.at(-1) as StoredEvent)
  }
}

/**
 * How many events are missing or applied twice after a stop at a point; null if the point does not
 * exist.
 */
async function faultsAt(
  stage: Stage,
  how: How,
  k: number,
  when: 'before' | 'after',
): Promise<number | null> {
  const { t, url, ledger } = stage
  const projection = counting(`counting_${stage.plays++}`)
  const direct = opened(url)
  await ensureProjection(direct.db, projection)
  let seen = 0
  const judge = (): Verdict => {
    seen += 1
    return seen === k ? when : 'pass'
  }
  const proxy = await wireProxy(t, url, judge, () => proxy.cut())
  const stopped = opened(proxy.url)
  const isStopped = await follow(stage, { database: stopped, projection, how }).then(
    () => false,
    () => true,
  )
  await stopped.db.destroy()
  await proxy.close()
  await follow(stage, { database: direct, projection, how })
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.raw(tableOf(1)(projection.name))}`.execute(direct.db)
  await direct.db.destroy()
  const times = Map.groupBy(rows, ({ id }) => id)
  const faults = ledger.filter(({ id }) => times.get(id)?.length !== 1).length
  return isStopped ? faults : null
}

async function everyPoint(stage: Stage, how: How): Promise<EveryPoint> {
  let cases = 0
  let wrong = 0
  for (const when of ['before', 'after'] as const) {
    for (let k = 1; ; k++) {
      const faults = await faultsAt(stage, how, k, when)
      if (faults === null) break
      cases += 1
      if (faults > 0) wrong += 1
    }
  }
  return { cases, wrong }
}

/**
 * Cuts a projector at each of its flushes, in its own database, and counts the cases that lose or duplicate
 * events.
 */
export async function cutProjector(t: Test): Promise<(how: How) => Promise<EveryPoint>> {
  const { url } = await testDatabase(t)
  const store = postgresEventStore({ url })
  t.teardown(() => store.close())
  await fillLedger(store, 8, where)
  const { events: ledger } = await store.readAll(null, { limit: 60 })
  const stage: Stage = { t, url, store, ledger, plays: 0 }
  return (how) => everyPoint(stage, how)
}
