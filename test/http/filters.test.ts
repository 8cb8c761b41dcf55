import { sql } from 'kysely'
import t from 'tap'
import { z } from 'zod'
import { database } from '../../src/service/database/database.ts'
import { pool } from '../../src/service/database/pool.ts'
import { equals, findNamed } from '../../src/service/http/rules/filters.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

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
