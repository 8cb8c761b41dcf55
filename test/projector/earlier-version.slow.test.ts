import pg from 'pg'
import t from 'tap'
import { projections } from '../../projections/all.ts'
import { diff } from '../../src/service/ledger/diff/diff.ts'
import { projectionStatuses, projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { eventually } from '../support/eventually.ts'
import { type Service, service } from '../support/service.ts'

const waitMs = 60_000

async function caughtUp({ parts: { db, store } }: Service): Promise<void> {
  if (!(await projectionsReached(db, await store.head(), waitMs))) {
    throw new Error('the projections did not catch up')
  }
}

/** Tables that used to have projections and generations of their own. */
const keptApart = {
  operations: { version: 4, generation: 3, tables: ['operations', 'settlements'] },
  tracking: { version: 5, generation: 1, tables: [] },
}

const addedFilters = [
  'contradicted=false',
  'unconfirmed=false',
  'surplus=false',
  'provider_code=mock',
  'assignee=none',
  'snoozed=false',
]

/** Converts the read models to those of an earlier version: separate, and without newer columns. */
async function asBefore(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relname ~ '^operations_g\\d+$'`,
  )
  const table = `projections.${rows[0]?.name}`
  await client.query(`
    DROP VIEW projections.operations, projections.shipments;
    ALTER TABLE projections.shipments_g1 DROP COLUMN is_open, ADD COLUMN state json;
    CREATE VIEW projections.shipments AS SELECT * FROM projections.shipments_g1;
    ALTER TABLE ${table} DROP COLUMN contradicted, DROP COLUMN unconfirmed, DROP COLUMN provider_code,
      DROP COLUMN assignee, DROP COLUMN snoozed_until, DROP COLUMN surplus;
    CREATE VIEW projections.operations AS SELECT * FROM ${table};
    UPDATE projections SET version = 6 WHERE name = 'shipments'`)
  for (const [name, { version, generation, tables: own }] of Object.entries(keptApart)) {
    await client.query(
      `INSERT INTO projections (name, generation, version, position, active)
       SELECT $1, $2, $3, position, true FROM projections WHERE name = 'shipments'`,
      [name, generation, version],
    )
    for (const each of own.filter(() => generation > 1)) {
      await client.query(`ALTER TABLE projections.${each}_g1 RENAME TO ${each}_g${generation}`)
    }
  }
}

t.test(
  "an earlier version's read models serve until new ones are built, which diff confirms",
  async (t) => {
    const before = await service(t)
    const lost = await before.create('found', { scenario: 'lost_response_guide_created' })
    await before.create('fine')
    const id = lost.body.operation_id
    await before.advance('PT1M')
    await caughtUp(before)
    await before.stop()
    const client = new pg.Client({ connectionString: before.database.url })
    await client.connect()
    t.teardown(() => client.end())
    await asBefore(client)

    const serving = await service(t, { after: before, roles: ['api'] })
    const list = await serving.call('/v1/operations')
    t.match(list.body.data, [
      {
        id,
        status: 'resolved',
        result: 'guide_exists',
        resolution: { by: 'reconciliation', guide_number: String, confirmed: true },
        resolutions: [{ by: 'reconciliation' }],
      },
    ])
    for (const filter of addedFilters) {
      const answer = await serving.call(`/v1/operations?${filter}`)
      t.match(answer, { status: 503, body: { reason: 'dependency_unavailable' } })
      t.ok(answer.headers.has('retry-after'))
    }
    t.equal((await serving.call('/v1/operations?escalated=false')).body.data.length, 1)
    t.equal((await serving.call('/v1/shipments')).body.data.length, 2)
    t.equal((await serving.call('/v1/health')).status, 200)
    await serving.stop()

    const after = await service(t, { after: serving })
    await eventually(
      () => projectionStatuses(after.parts.db),
      (all) =>
        projections.every(({ name, version }) =>
          all.some((one) => one.name === name && one.active && one.version === version),
        ),
      waitMs,
    )
    await caughtUp(after)
    for (const filter of addedFilters) {
      const { body } = await after.call(`/v1/operations?${filter}`)
      t.match(body.data, [{ id, resolution: { guide_number: String, confirmed: true } }])
    }
    const { db, store } = after.parts
    const found = await diff(
      { db, store, projections },
      { folded: () => undefined, compared: () => undefined },
    )
    t.same(found.differences, [])
    t.ok(found.tables.every(({ notCompared }) => notCompared === null))
    const { rows: left } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'projections'::regnamespace AND relkind = 'r' ORDER BY 1`,
    )
    const names = ['operations', 'settlements', 'shipments', 'statistics']
    const built = ['audit_events_g1', ...names.map((name) => `${name}_g4`)]
    t.same(
      left.map(({ name }) => name),
      built,
    )
    const statuses = await projectionStatuses(db)
    t.same(
      statuses.map(({ name }) => name),
      ['audit', 'due', 'outbox', 'shipments'],
    )
  },
)

t.test('a read model that an upgrade adds is built beside the others, which go on', async (t) => {
  const before = await service(t)
  await before.create('fine')
  await caughtUp(before)
  const acts = (await before.call('/v1/audit-events')).body.data
  t.ok(acts.length > 3)
  const positions = async () =>
    (await projectionStatuses(before.parts.db)).map(({ position }) => position)
  t.notOk((await positions()).includes(null))
  await before.stop()
  const client = new pg.Client({ connectionString: before.database.url })
  await client.connect()
  t.teardown(() => client.end())
  await client.query(`
    DROP TABLE projections.audit_events_g1 CASCADE;
    DELETE FROM projections WHERE name = 'audit'`)

  const serving = await service(t, { after: before, roles: ['api'] })
  for (const path of ['/v1/audit-events', `/v1/audit-events/${acts[0].id}`]) {
    const answer = await serving.call(path)
    t.match(answer, { status: 503, body: { reason: 'dependency_unavailable' } }, path)
    t.ok(answer.headers.has('retry-after'))
  }
  t.equal((await serving.call('/readyz')).status, 200)
  await serving.stop()

  const after = await service(t, { after: serving })
  const { body } = await eventually(
    () => after.call('/v1/audit-events'),
    ({ status }) => status === 200,
    waitMs,
  )
  t.same(body.data, acts)
  await after.create('later')
  await caughtUp(after)
  const statuses = await projectionStatuses(after.parts.db)
  t.same(
    statuses.map(({ name, generation }) => [name, generation]),
    [
      ['audit', 2],
      ['due', 1],
      ['outbox', 1],
      ['shipments', 1],
    ],
  )
})
