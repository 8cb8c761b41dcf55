import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { z } from 'zod'
import { database } from '../../src/service/database/database.ts'
import { pool } from '../../src/service/database/pool.ts'
import { equals, findNamed } from '../../src/service/http/rules/filters.ts'
import { compilerErrors } from '../support/compile.ts'
import { noLog } from '../support/no-log.ts'
import { projectRoot } from '../support/source-files.ts'
import { testDatabase } from '../support/test-database.ts'

const listFile = 'src/service/http/shipments/shipment-list.ts'
const eventsFile = 'src/service/http/webhook-deliveries/webhook-event-routes.ts'

t.test('a filter that is declared without an effect does not compile', async (t) => {
  const declared = (file: string, before: string, line: string) => {
    const text = readFileSync(join(projectRoot, file), 'utf8')
    t.ok(text.includes(before), `${file} has ${before}`)
    return text.replace(before, `${line}\n${before}`)
  }
  const inShipments = (line: string) => declared(listFile, '  status: fact(', line)
  const inEvents = (line: string) => declared(eventsFile, '  type: equals(', line)
  const errors = (shipments: string, events: string) =>
    compilerErrors(
      [listFile, eventsFile],
      new Map([
        [listFile, shipments],
        [eventsFile, events],
      ]),
    ).map((line) => line.split(':')[0])

  const withoutEffect = errors(
    inShipments('  price_currency: { schema: filterText(3) },'),
    inEvents('  api_version: { schema: z.string() },'),
  )
  t.ok(withoutEffect.includes(listFile), 'shipments: the query must use it')
  t.ok(withoutEffect.includes(eventsFile), 'events: the query must use it')
  const ofRowsOnly = errors(
    inShipments("  price_currency: equals(filterText(3), 'price_currency'),"),
    inEvents("  api_version: equals(z.string(), 'api_version'),"),
  )
  t.same([...new Set(ofRowsOnly)], [listFile], 'shipments: the answer from a stream must use it')
})

t.test('a filter by a column that is still to be built is refused, in every list', async (t) => {
  const db = database(pool({ connectionString: (await testDatabase(t)).url, log: noLog }))
  t.teardown(() => db.destroy())
  const added = (table: 'shipments' | 'operations' | 'audit_events') => ({
    ...equals(z.string(), 'workspace_id'),
    since: [`projections.${table}`, 'workspace_id'] as const,
  })
  for (const table of ['shipments', 'operations', 'audit_events'] as const) {
    const filters = { added: added(table), old: equals(z.string(), 'id') }
    const find = (query: object) => findNamed(filters, query, { db } as never, {} as never)
    await t.rejects(find({ added: 'x' }), { message: /being rebuilt/ }, table)
    await t.resolves(find({ old: 'x' }), 'only by this filter')
    await sql`CREATE TABLE ${sql.table(`projections.${table}`)} (workspace_id text)`.execute(db)
    await t.resolves(find({ added: 'x' }), 'once it is there')
  }
})
