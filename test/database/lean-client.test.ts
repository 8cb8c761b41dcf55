import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import t from 'tap'
import { LeanClient } from '../../src/service/database/lean-client.ts'
import { testDatabase } from '../support/test-database.ts'

const { url } = await testDatabase(t)

function poolOf(more: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, ...more })
  pool.on('error', () => {})
  t.teardown(() => pool.end())
  return pool
}

t.test('it answers by promise and by callback, as the client that it replaces', async (t) => {
  const pool = poolOf({ Client: LeanClient })
  const asked = { text: 'SELECT $1::int AS number', values: [1], rowMode: 'array' as const }
  t.strictSame((await pool.query(asked)).rows, [[1]])
  t.strictSame((await pool.query('SELECT 2 AS number')).rows, [{ number: 2 }])
  const client = await pool.connect()
  t.strictSame((await client.query('SELECT $1::text AS word', ['three'])).rows, [{ word: 'three' }])
  t.strictSame((await client.query(asked)).rows, [[1]])
  await t.rejects(client.query('SELECT nothing'), { code: '42703' })
  const { promise, resolve } = Promise.withResolvers<unknown>()
  client.query('SELECT 4 AS number', (_error, { rows }) => resolve(rows))
  t.strictSame(await promise, [{ number: 4 }])
  client.release()
})

t.test('a query that is not answered in time fails, and its client is closed', async (t) => {
  const forever = 'SELECT pg_sleep(600)'
  const late = { message: 'Query read timeout' }
  const bounded = poolOf({ Client: LeanClient, query_timeout: 50 })
  await t.rejects(bounded.query(forever), late)
  t.equal(bounded.totalCount, 0)
  const unbounded = poolOf({ Client: LeanClient })
  await t.rejects(unbounded.query({ text: forever, query_timeout: 50 } as pg.QueryConfig), late)
  t.equal(unbounded.totalCount, 0)
  t.strictSame((await unbounded.query('SELECT 1 AS number')).rows, [{ number: 1 }])
})

t.test('the result of a query is freed by the next minor garbage collection', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major' | 'minor' }) => void
  const megabytes = () => getHeapStatistics().used_heap_size / 1_024 / 1_024
  const keptBy = async (pool: pg.Pool) => {
    const client = await pool.connect()
    collect({ type: 'major' })
    const before = megabytes()
    for (let query = 0; query < 40; query += 1) {
      await client.query('SELECT n::text AS word FROM generate_series(1, 5000) AS n')
      collect({ type: 'minor' })
    }
    client.release()
    return megabytes() - before
  }
  const kept = await keptBy(poolOf({ Client: LeanClient }))
  // The client that it replaces uses about 10 MB of these 15.
  t.ok(kept < 5, `${kept} MB`)
})
