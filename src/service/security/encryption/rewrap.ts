import type { Pool, PoolClient } from 'pg'
import { SealBroken } from './encryption.ts'
import type { MasterKeys } from './master-keys.ts'
import type { SealedTable } from './sealed-tables.ts'

/**
 * Rows per step. Rewrapping them locks them for about ten milliseconds, which no request notices.
 */
const rewrapStepMax = 500

/** The rows of one step; `next` is where the following step continues, null after the last one. */
type Step = {
  readonly rows: number
  /** The keys of rows under a master key other than the current one. */
  readonly old: readonly string[]
  /** The master keys of those rows. */
  readonly keyIds: ReadonlySet<string>
  readonly next: string | null
}

const first = { uuid: '00000000-0000-0000-0000-000000000000', text: '' } as const

/** Reads the rows after a key, in key order. Reads only. */
export async function readStep(
  pool: Pool,
  keys: MasterKeys,
  table: SealedTable,
  after: string | null,
): Promise<Step> {
  const { name, key, keyType, underKeys } = table
  const { rows } = await pool.query<{ key: string; under: string[] }>(
    `SELECT ${key}::text AS key, (${underKeys})::text[] AS under FROM ${name}
     WHERE ${key} > $1::${keyType} ORDER BY ${key} LIMIT ${rewrapStepMax}`,
    [after ?? first[keyType]],
  )
  const isOld = (id: string) => id !== keys.current.id
  const old = rows.filter(({ under }) => under.some(isOld))
  return {
    rows: rows.length,
    old: old.map((row) => row.key),
    keyIds: new Set(old.flatMap(({ under }) => under.filter(isOld))),
    next: rows.length === rewrapStepMax ? (rows.at(-1)?.key ?? null) : null,
  }
}

type Rewrapped = {
  readonly rewrapped: number
  /** Rows that no available key can decrypt. */
  readonly broken: number
}

/**
 * Rewraps these rows under the current master key, in one short transaction. Rows locked by another
 * transaction are left for a later pass: this never waits for a lock, so it cannot deadlock. Safe
 * to repeat, to run beside live traffic, and to kill at any moment: each row is either rewrapped or
 * unchanged.
 */
export async function rewrap(
  pool: Pool,
  keys: MasterKeys,
  table: SealedTable,
  ids: readonly string[],
): Promise<Rewrapped> {
  if (ids.length === 0) return { rewrapped: 0, broken: 0 }
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const done = await rewrapRows(client, keys, table, ids)
    await client.query('COMMIT')
    return done
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

type Fresh = {
  readonly id: string
  readonly former: Buffer | null
  readonly values: readonly (string | Buffer | null)[]
}

async function rewrapRows(
  client: PoolClient,
  keys: MasterKeys,
  table: SealedTable,
  ids: readonly string[],
): Promise<Rewrapped> {
  const { name, key, keyType, reads, underKeys, writtenBy } = table
  // Locking needs the UPDATE privilege. A function that writes locks the rows itself.
  const lock = writtenBy === undefined ? 'FOR NO KEY UPDATE SKIP LOCKED' : ''
  const { rows } = await client.query(
    `SELECT ${[key, ...reads].join(', ')} FROM ${name}
     WHERE ${key} = ANY ($1::${keyType}[]) AND cardinality(${underKeys}) > 0
     ORDER BY ${key} ${lock}`,
    [ids],
  )
  const fresh: Fresh[] = []
  for (const row of rows) {
    try {
      const former = writtenBy === undefined ? null : row[writtenBy.former]
      fresh.push({ id: row[key], former, values: table.rewrap(keys, row) })
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
    }
  }
  return { rewrapped: await write(client, table, fresh), broken: rows.length - fresh.length }
}

/** Returns the number of rows written. */
async function write(
  client: PoolClient,
  { name, key, keyType, writes, writtenBy }: SealedTable,
  fresh: readonly Fresh[],
): Promise<number> {
  const columns = Object.entries(writes)
  const ids = fresh.map(({ id }) => id)
  const values = columns.map((_, at) => fresh.map((row) => row.values[at] ?? null))
  if (writtenBy !== undefined) {
    const types = [keyType, writes[writtenBy.former], ...columns.map(([, type]) => type)]
    const { rows } = await client.query<{ rewrapped: number }>(
      `SELECT ${writtenBy.name}(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})::int
         AS rewrapped`,
      [ids, fresh.map(({ former }) => former), ...values],
    )
    return rows[0]?.rewrapped ?? 0
  }
  await client.query(
    `UPDATE ${name} AS t SET ${columns.map(([column]) => `${column} = fresh.${column}`).join(', ')}
     FROM unnest($1::${keyType}[], ${columns.map(([, type], at) => `$${at + 2}::${type}[]`).join(', ')})
       AS fresh (key, ${columns.map(([column]) => column).join(', ')})
     WHERE t.${key} = fresh.key`,
    [ids, ...values],
  )
  return fresh.length
}
