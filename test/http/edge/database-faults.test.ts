import pg from 'pg'
import t from 'tap'
import { pool } from '../../../src/service/database/pool.ts'
import { problemOf } from '../../../src/service/http/problems/faults.ts'
import { beforeExecution } from '../../../src/service/processes/calls/not-executed.ts'
import { noLog } from '../../support/no-log.ts'
import { testDatabase } from '../../support/test-database.ts'

const unavailable = [
  '53000',
  '53100',
  '53200',
  '53300',
  '53400',
  '57P01',
  '57P03',
  '58000',
  '58030',
]
/** A statement timeout, a missing privilege, a bug. */
const faults = ['57014', '42501', '22P02', 'XX000']

t.test('what the database refuses for lack of resources can be repeated', async (t) => {
  const database = await testDatabase(t)
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  const connections = pool({ connectionString: database.url, log: noLog })
  t.teardown(() => connections.end())
  const refusedWith = async (code: string): Promise<unknown> => {
    const statement = `DO $$ BEGIN RAISE EXCEPTION SQLSTATE '${code}'; END $$`
    return await connections.query(statement).then(
      () => t.fail(`${code} was not raised`),
      (error: unknown) => error,
    )
  }
  for (const code of unavailable) {
    const error = await refusedWith(code)
    const isRefusal = code === '53300' || code === '57P03'
    t.match(problemOf(error), {
      reason: 'dependency_unavailable',
      // An earlier statement of the request may have been executed.
      options: { outcome: isRefusal ? 'not_executed' : 'unknown' },
    })
    t.match(problemOf(beforeExecution(error)), {
      reason: 'dependency_unavailable',
      options: { outcome: 'not_executed' },
    })
    const saysFull = /disk of the database is full/.test(problemOf(error).options.detail ?? '')
    t.equal(saysFull, code === '53100', code)
  }
  for (const code of faults) {
    t.equal(problemOf(await refusedWith(code)).reason, 'internal_error', code)
  }
})
