import type pg from 'pg'
import { sourceColumns, type Table } from '../../../projections/table.ts'

/** One way to corrupt a table: what was done, and to which column of which row. */
export type Flaw = {
  readonly table: string
  readonly kind: 'missing' | 'surplus' | 'different'
  readonly column: string | null
  readonly key: string
}

type Column = { readonly name: string; readonly type: string }

/** SQL that changes a value of each type. */
const others: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  'text[]': () => `ARRAY['x']`,
  boolean: (column) => `NOT ${column}`,
  integer: (column) => `${column} + 1000`,
  'timestamp with time zone': (column) =>
    `coalesce(${column}, '2026-01-01Z') + interval '1 microsecond'`,
  json: (column) => `jsonb_set(coalesce(${column}::jsonb, '{}'), '{updatedAt}', '1')::json`,
}

/** The part of a value that `others` changes, as a difference names it. */
const partOf: Readonly<Record<string, string>> = { json: '.updatedAt', 'text[]': '[0]' }

/**
 * Corrupts the tables of the read models: in each, a row is deleted, a row is inserted, and in
 * every column except the key one value is changed, each in a row of its own.
 */
export async function spoilTables(
  client: pg.Client,
  tables: Readonly<Record<string, Pick<Table, 'key' | 'madeOf'>>>,
): Promise<readonly Flaw[]> {
  const flaws: Flaw[] = []
  for (const [table, { key, madeOf }] of Object.entries(tables)) {
    flaws.push(...(await spoil(client, table, key, sourceColumns[madeOf])))
  }
  return flaws
}

async function spoil(
  client: pg.Client,
  table: string,
  key: string,
  source: string,
): Promise<readonly Flaw[]> {
  const { rows: columns } = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
    WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> $2
      AND attname <> $3`,
    [`projections.${table}`, key, source],
  )
  const { rows: found } = await client.query<{ key: string }>(
    `SELECT ${key} AS key FROM projections.${table} ORDER BY 1 LIMIT $1`,
    [columns.length + 2],
  )
  const keys = found.map((row) => row.key)
  const flaws: Flaw[] = []
  const take = () => {
    const next = keys.shift()
    if (next === undefined) throw new Error(`${table} has too few rows to spoil`)
    return next
  }
  for (const { name, type } of columns) {
    const other = others[type]
    if (other === undefined) throw new Error(`no other value is known for ${table}.${name}`)
    const changed = take()
    await client.query(
      `UPDATE projections.${table} SET ${name} = ${other(name)} WHERE ${key} = $1`,
      [changed],
    )
    const column = `${name}${partOf[type] ?? ''}`
    flaws.push({ table, kind: 'different', column, key: changed })
  }
  const missing = take()
  await client.query(`DELETE FROM projections.${table} WHERE ${key} = $1`, [missing])
  flaws.push({ table, kind: 'missing', column: null, key: missing })
  const surplus = `${take().slice(0, -3)}---`
  const copied = columns.map(({ name }) => name).join(', ')
  const from = key === source ? '' : `${source}, `
  await client.query(
    `INSERT INTO projections.${table} (${key}, ${from}${copied})
    SELECT $1, ${from}${copied} FROM projections.${table} LIMIT 1`,
    [surplus],
  )
  flaws.push({ table, kind: 'surplus', column: null, key: surplus })
  return flaws
}
