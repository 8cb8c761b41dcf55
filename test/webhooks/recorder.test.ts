import { Kysely, PostgresDialect } from 'kysely'
import t from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import { deliveryRules } from '../../src/service/domain/webhooks/webhook-delivery.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { attemptRecorder } from '../../src/service/webhooks/deliver.ts'
import type { Attempted } from '../../src/service/webhooks/record-attempts.ts'
import { uuid } from '../support/given.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

const now = Date.parse('2027-01-31T00:00:00Z')
const attempted: Attempted = {
  deliveryId: 'dlv_0000000000000000000001',
  endpointId: 'whe_0000000000000000000001',
  url: 'https://shop.example/hooks',
  lease: uuid(1),
  tries: 0,
  atOnce: false,
  attempt: {
    at: '2027-01-31T00:00:00.000Z',
    status_code: 200,
    latency_ms: 1,
    error: null,
    excerpt: null,
  },
  answer: { statusCode: 200, retryAfterMs: null },
  after: { state: 'delivered' },
  now,
}

t.test('an attempt that can never be recorded is given up, and holds up no other', async (t) => {
  const { url } = await testDatabase(t)
  const connections = pool({ connectionString: url, log: noLog })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
  t.teardown(() => db.destroy())
  const record = attemptRecorder({ db, store: memoryEventStore(), deliveryRules, log: noLog })
  await t.rejects(record({ ...attempted, now: Number.NaN }), RangeError)
  await t.resolves(record(attempted))
})
