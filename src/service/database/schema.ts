import type pg from 'pg'

const schemas = ['ledger', 'public', 'projections']

/**
 * The result of the migrations, read back from the catalogs as SQL: the text of
 * src/service/database/schema.sql. Rights are those of the application's role. It omits the tables of
 * read models.
 */
export async function schemaSnapshot(client: pg.ClientBase, role: string): Promise<string> {
  const parts = ['-- Made from the catalogs by `npm run generate`; a test compares.']
  for (const schema of schemas) {
    parts.push(`CREATE SCHEMA ${schema};\n${await schemaRights(client, schema, role)}`)
    if (schema === 'projections') continue
    for (const table of await names(client, tablesOf, schema)) {
      parts.push(await tableText(client, schema, table, role))
    }
    const functions = await client.query<{ text: string; rights: string[] | null }>(functionsOf, [
      schema,
      role,
    ])
    for (const { text, rights } of functions.rows) {
      const granted = rights ? `\n-- ${role}: ${rights.join(', ')}` : ''
      parts.push(`${text.trim()};${granted}`)
    }
  }
  return `${parts.join('\n\n')}\n`
}

async function tableText(
  client: pg.ClientBase,
  schema: string,
  table: string,
  role: string,
): Promise<string> {
  const name = schema === 'public' ? table : `${schema}.${table}`
  const at = [`${schema}.${table}`]
  const columns = await lines(client, columnsOf, at)
  const constraints = await lines(client, constraintsOf, at)
  const options = await lines(client, optionsOf, at)
  const rest = [
    ...(await lines(client, indexesOf, at)),
    ...(await lines(client, triggersOf, at)),
  ].map((line) => `${line};`)
  const rights = await lines(client, rightsOf, [...at, role])
  return [
    `CREATE TABLE ${name} (`,
    [...columns, ...constraints].map((line) => `  ${line}`).join(',\n'),
    `)${options[0] ? ` WITH (${options[0]})` : ''};`,
    ...rest,
    `-- ${role}: ${rights.join(', ') || 'nothing'}`,
  ].join('\n')
}

async function schemaRights(client: pg.ClientBase, schema: string, role: string): Promise<string> {
  const { rows } = await client.query<{ usage: boolean; create: boolean }>(
    `SELECT has_schema_privilege($2, $1, 'USAGE') AS usage,
            has_schema_privilege($2, $1, 'CREATE') AS create`,
    [schema, role],
  )
  const may = [...(rows[0]?.usage ? ['USAGE'] : []), ...(rows[0]?.create ? ['CREATE'] : [])]
  return `-- ${role}: ${may.join(', ') || 'nothing'}`
}

async function names(client: pg.ClientBase, text: string, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(text, [schema])
  return rows.map((row) => row.name)
}

async function lines(client: pg.ClientBase, text: string, values: string[]): Promise<string[]> {
  const { rows } = await client.query<{ line: string | null }>(text, values)
  return rows.flatMap((row) => row.line ?? [])
}

const tablesOf = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p', 'v') ORDER BY c.relname COLLATE "C"`

const columnsOf = `
  SELECT concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
           CASE WHEN a.attcollation NOT IN (0, 100) THEN 'COLLATE "' || o.collname || '"' END,
           CASE WHEN a.attnotnull THEN 'NOT NULL' END,
           'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)) AS line
  FROM pg_attribute a
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  LEFT JOIN pg_collation o ON o.oid = a.attcollation
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`

const constraintsOf = `
  SELECT 'CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(oid) AS line
  FROM pg_constraint WHERE conrelid = $1::regclass AND contype <> 'n'
  ORDER BY contype, conname COLLATE "C"`

const optionsOf = `
  SELECT array_to_string(reloptions, ', ') AS line FROM pg_class WHERE oid = $1::regclass`

const indexesOf = `
  SELECT pg_get_indexdef(i.indexrelid) AS line FROM pg_index i
  WHERE i.indrelid = $1::regclass
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)
  ORDER BY i.indexrelid::regclass::text COLLATE "C"`

const triggersOf = `
  SELECT pg_get_triggerdef(oid) || CASE tgenabled WHEN 'A' THEN ' /* ENABLE ALWAYS */' ELSE '' END AS line
  FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal ORDER BY tgname`

const rightsOf = `
  SELECT string_agg(p, ', ' ORDER BY n) AS line
  FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'])
       WITH ORDINALITY AS r(p, n)
  WHERE has_table_privilege($2, $1::regclass, p)`

const functionsOf = `
  SELECT pg_get_functiondef(p.oid) AS text,
         CASE WHEN has_function_privilege($2, p.oid, 'EXECUTE') THEN ARRAY['EXECUTE'] END AS rights
  FROM pg_proc p WHERE p.pronamespace = $1::regnamespace
  ORDER BY p.proname, pg_get_function_identity_arguments(p.oid)`
