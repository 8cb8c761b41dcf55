import { createHash, randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { leafHash } from '../../src/service/domain/ledger/merkle.ts'
import { appendLeaves, edgeRoot, tileWidth } from '../../src/service/domain/ledger/merkle-tiles.ts'
import { positionOf } from '../../src/service/event-store/position.ts'
import {
  appendToTree,
  currentRoot,
  growing,
  nameTree,
  readTree,
  type Sealed,
  sealedAt,
  sealedFrom,
  sealedUpTo,
  type Tree,
  TreeReader,
  tileHashes,
} from '../../src/service/ledger/tree.ts'
import { explain } from '../support/explained.ts'
import { testDatabase } from '../support/test-database.ts'

/** Batch sizes at which tiles and pages begin and end within a batch. */
const turns = [1, 254, 2, 1, 700, 3, 1, 1, 40, 600, 5]
/** One in every three positions has an event. */
const positionAt = (index: number) => positionOf(3 * index + 2)
const events: readonly Sealed[] = Array.from(
  { length: turns.reduce((a, b) => a + b) },
  (_, index) => ({
    index,
    position: positionAt(index),
    stream: `shipment-${index % 7}`,
    revision: Math.floor(index / 7),
    leaf: createHash('sha256').update(String(index)).digest(),
  }),
)

type Query = { readonly sql: string; readonly parameters: readonly unknown[] }

const { url, adminUrl } = await testDatabase(t)
const asked: Query[] = []
const db = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
  log({ query }) {
    asked.push(query)
  },
})
const admin = new pg.Client({ connectionString: adminUrl })
await admin.connect()
t.teardown(async () => {
  await db.destroy()
  await admin.end()
})

t.test('events sealed in batches of any size are read one by one', async (t) => {
  await nameTree(db, 'shipping-ledger/test')
  let tree = await growing(db, (await readTree(db)) as Tree)
  for (const turn of turns) {
    const leaves = events.slice(tree.size, tree.size + turn)
    const eventId = randomUUID()
    tree = await appendToTree(
      db,
      tree,
      leaves.map((each) => ({ ...each, eventId })),
    )
  }
  const { rows } = await admin.query('SELECT FROM sealed_batches')
  t.equal(rows.length, turns.length, 'a row a turn')

  for (const index of [0, 1, 254, 255, 256, 257, 258, 300, 957, 958, 961, 1_000, 1_607]) {
    for (const limit of [1, 2, 256, 2_000]) {
      const page = events.slice(index, index + limit)
      t.same(await sealedFrom(db, index, limit), page, `${limit} from ${index}`)
    }
  }
  t.same(await sealedFrom(db, events.length, 10), [])
  for (const event of events.filter(({ index }) => index % 17 === 0 || index < 5)) {
    t.same(await sealedAt(db, event.position), event)
    const between = positionOf(3 * event.index + 4)
    t.equal(await sealedAt(db, between), null, 'no event is there')
    t.same(await sealedUpTo(db, between), event)
  }
  t.equal(await sealedUpTo(db, positionOf(1)), null, 'before the first event')
  t.same(await sealedUpTo(db, '~'), events.at(-1))

  const hashes = events.map(({ leaf }) => leafHash(leaf))
  for (let tile = 0; tile * tileWidth < events.length + tileWidth; tile++) {
    const expected = hashes.slice(tile * tileWidth, (tile + 1) * tileWidth)
    t.same(await tileHashes(db, 0, tile), expected, `tile ${tile}`)
  }
  const { edge } = appendLeaves([], 0, hashes)
  t.same(currentRoot(tree), edgeRoot(edge, events.length))
  for (const size of [1, 256, 257, 955, events.length]) {
    const before = appendLeaves([], 0, hashes.slice(0, size))
    t.same(await new TreeReader(db).rootAt(size), edgeRoot(before.edge, size), `of ${size}`)
  }
})

t.test('the database refuses overlapping or incomplete sealed batches', async (t) => {
  const insert = (firstIndex: number, list: readonly string[], more: object = {}) => {
    const whole = {
      streams: list,
      revisions: list.map(() => 0),
      leaves: Buffer.alloc(32 * list.length),
    }
    const { streams, revisions, leaves } = { ...whole, ...more }
    return admin.query('INSERT INTO sealed_batches VALUES ($1, $2, $3, $4, $5)', [
      firstIndex,
      list,
      streams,
      revisions,
      leaves,
    ])
  }
  const size = events.length
  for (const index of [0, 1, 300, size - 2, size - 1]) {
    await t.rejects(insert(index, ['x']), { code: /^23(P01|505)$/ }, `again at ${index}`)
  }
  await t.rejects(insert(size, [positionAt(0)]), { code: '23505' }, 'sealed again')
  const refused = { code: '23514' }
  await t.rejects(insert(-1, ['x']), refused)
  await t.rejects(insert(size, []), refused)
  await t.rejects(insert(size, ['x', 'y'], { streams: ['x'] }), refused)
  await t.rejects(insert(size, ['x', 'y'], { revisions: [0] }), refused)
  await t.rejects(insert(size, ['x', 'y'], { leaves: Buffer.alloc(63) }), refused)
  await t.rejects(insert(size, ['x', 'y'], { streams: ['x', null] }), refused)
  for (const statement of [
    'UPDATE sealed_batches SET first_index = first_index + 1',
    `UPDATE sealed_batches SET positions = '[0:0]={x}' WHERE first_index = 0`,
  ]) {
    await t.rejects(admin.query(statement), { code: /^23/ }, statement)
  }
})

t.test('a batch beyond the end of the tree hides no sealed event', async (t) => {
  const hidden = events[1_500] as Sealed
  await admin.query(
    `INSERT INTO sealed_batches
     VALUES (1000000, ARRAY[$1, $2], ARRAY['x', 'x'], ARRAY[0, 1], decode(repeat('00', 64), 'hex'))`,
    [positionOf(3 * 1_499 + 3), hidden.position],
  )
  t.same(await sealedAt(db, hidden.position), hidden)
  t.same(await sealedUpTo(db, hidden.position), hidden)
  await admin.query('DELETE FROM sealed_batches WHERE first_index = 1000000')
})

t.test('lookups of sealed events use an index, however many there are', async (t) => {
  const batches = 3_000
  await admin.query(`
    INSERT INTO sealed_batches
    SELECT 10 * n, array_agg(lpad((10 * n + at + 10000)::text, 20, '0')),
      array_agg('shipment-x'::text), array_agg(at::int),
      decode(repeat('00', 32 * 10), 'hex')
    FROM generate_series(1000, 1000 + ${batches}) n, generate_series(0, 9) at GROUP BY n;
    UPDATE merkle_tree SET size = 10 * (1001 + ${batches})`)
  for (const analyze of [false, true]) {
    if (analyze) await admin.query('ANALYZE sealed_batches')
    const at = 20_003
    for (const [what, read] of [
      ['a position', () => sealedUpTo(db, positionOf(at + 10_000))],
      ['a page', () => sealedFrom(db, at, 20)],
      ['a tile', () => tileHashes(db, 0, Math.floor(at / tileWidth))],
    ] as const) {
      asked.length = 0
      await read()
      const [{ sql, parameters }] = asked as [Query]
      const { nodes, buffers } = await explain(admin, sql, parameters)
      const whole = nodes.filter(
        (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'sealed_batches',
      )
      t.same(whole, [], what)
      t.ok(buffers < 100, `${what}: ${buffers} pages`)
    }
  }
})
