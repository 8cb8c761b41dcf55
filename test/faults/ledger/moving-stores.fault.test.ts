import { randomBytes } from 'node:crypto'
import pg from 'pg'
import t from 'tap'
import { openLedgers } from '../../../src/service/cli/open-ledgers.ts'
import { openServices } from '../../../src/service/cli/open-services.ts'
import { run } from '../../../src/service/cli/run-command.ts'
import { storedPositions } from '../../../src/service/ledger/copy/switch-store.ts'
import { eventStoreUrl } from '../../eventstoredb-stand-in/event-store-url.ts'
import { eventually } from '../../support/eventually.ts'
import { receiver } from '../../support/receiver.ts'
import { noLogger, type Service, service } from '../../support/service.ts'
import { emptyDatabase } from '../../support/test-database.ts'
import type { TestLedger } from '../../support/test-ledger.ts'

const inPostgres: TestLedger = { eventStoreUrl: undefined, eventStoreNamespace: '' }
const namespace = `moved-${randomBytes(8).toString('hex')}`

/** Runs a ledger command in this process, with its environment. */
async function ledger(...words: string[]) {
  const [out, errors]: [string[], string[]] = [[], []]
  const code = await run(words, {
    open: () => openServices(noLogger()),
    pathOf: (name) => name,
    openLedgers: (sides) => openLedgers(sides, noLogger()),
    write: (line) => out.push(line),
    writeError: (line) => errors.push(line),
    isWatched: false,
    operator: () => undefined,
    systemUser: null,
  })
  return { code, stdout: out.join('\n'), stderr: errors.join('\n') }
}

const copy = (...words: string[]) => ledger('copy', ...words)

/** Sets the environment that an operator of this service would use. */
function useEnvironmentOf({ database, secrets }: Service): void {
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    DATABASE_ADMIN_URL: database.adminUrl,
    SECRETS_KEY: secrets.secretsKey,
    API_KEY_PEPPER: secrets.apiKeyPepper.toString('base64'),
    CHECKPOINT_KEY: secrets.checkpointKey.toString('base64'),
  })
}

/** The API's view, which must be the same wherever the ledger is. */
async function shownBy(own: Service, ids: readonly string[]) {
  const shown: unknown[] = []
  for (const id of ids) {
    shown.push((await own.call(`/v1/shipments/${id}`)).body)
    const history = (await own.call(`/v1/shipments/${id}/events?limit=100`)).body.data
    shown.push(history.map(({ position: _, ...event }: { position: string }) => event))
  }
  const listed = (await own.call('/v1/shipments?limit=100')).body.data
  const usage = (await own.call('/v1/usage')).body
  return { shown, listed: listed.map(({ id }: { id: string }) => id), usage }
}

t.test(
  'moving a ledger to another store and back loses, rebuilds and resends nothing',
  async (t) => {
    const url = await eventStoreUrl(t)
    const elsewhere: TestLedger = { eventStoreUrl: url, eventStoreNamespace: namespace }
    const first = await service(t, { ledger: inPostgres })
    useEnvironmentOf(first)
    const there = ['--to', url, '--to-namespace', namespace]
    const admin = new pg.Client({ connectionString: first.database.adminUrl })
    await admin.connect()
    t.teardown(() => admin.end())
    const checkpoints = async () =>
      (await admin.query(`SELECT name, generation, position FROM projections ORDER BY name`)).rows
    const mine = await receiver(t)
    const webhookIds = () => mine.received.map(({ headers }) => headers['webhook-id'])
    const webhookAbout = (id: string) =>
      eventually(
        () => mine.received.some(({ event }) => event.resource.id === id),
        (hasArrived) => hasArrived,
      )
    const { workspaceId } = first.seeded
    const endpoint = { workspace_id: workspaceId, url: mine.url, event_types: ['shipment.*'] }
    t.equal((await first.call('/v1/webhook-endpoints', { body: endpoint })).status, 201)

    const orders = ['one', 'two', 'refused', 'lost'] as const
    const scenarios = {
      refused: 'courier_rejected',
      lost: 'lost_response_nothing_created',
    } as const
    const ids: string[] = []
    for (const key of orders) {
      const scenario = key in scenarios ? { scenario: scenarios[key as 'lost'] } : {}
      const { body } = await first.create(key, scenario)
      ids.push(body.id ?? body.shipment_id)
    }
    await webhookAbout(ids[0] as string)
    const whileRunning = await copy(...there)
    t.match(whileRunning, {
      code: 0,
      stdout: /^Copied \d+ events \(0 were already there\)\. All \d+ are the/,
    })
    t.match(await copy(...there, '--switch'), {
      code: 1,
      stderr: /is connected to the database: stop/,
    })
    ids.push((await first.create('three')).body.id)
    await first.advance('PT10M')
    await webhookAbout(ids[4] as string)
    await eventually(
      async () => (await first.call('/v1/usage')).body.shipments.used,
      (used) => used === 3,
    )
    const before = await shownBy(first, ids)
    await first.stop()
    const checkpointsBefore = await checkpoints()

    const moved = await copy(...there, '--switch', '--json')
    t.equal(moved.code, 0, moved.stderr)
    const said = JSON.parse(moved.stdout)
    t.equal(said.found + said.copied, said.events)
    t.ok(said.found > 0 && said.copied > 0, 'it went on where the first copy had ended')
    await t.rejects(service(t, { after: first, ledger: inPostgres }), {
      message: /belongs to a ledger in EventStoreDB \(namespace moved-\w+\), not in PostgreSQL/,
    })
    const checkpointsAfter = await checkpoints()
    t.same(
      checkpointsAfter.map(({ name, generation }) => [name, generation]),
      checkpointsBefore.map(({ name, generation }) => [name, generation]),
    )
    for (const { name, position } of checkpointsAfter) t.match(position, /^\d{20}:\d{20}$/, name)

    const second = await service(t, { after: first, ledger: elsewhere })
    const count = webhookIds().length
    t.same(await shownBy(second, ids), before)
    const again = await second.create('one')
    t.match(again, { status: 201, body: { id: ids[0] } })
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    ids.push((await second.create('four')).body.id)
    await webhookAbout(ids[5] as string)
    await second.advance('PT10M')
    t.ok(webhookIds().length > count)
    t.equal(new Set(webhookIds()).size, webhookIds().length, 'no webhook is sent twice')
    const beforeReturn = await shownBy(second, ids)
    await second.stop()

    const back = await copy('--from', url, '--from-namespace', namespace, '--switch')
    t.equal(back.code, 0, back.stderr)
    t.match(back, {
      code: 0,
      stdout: /now belongs to the ledger in PostgreSQL: start the service wi/,
    })
    const third = await service(t, { after: first, ledger: inPostgres })
    t.same(await shownBy(third, ids), beforeReturn)
    ids.push((await third.create('five')).body.id)
    await webhookAbout(ids[6] as string)
    t.equal(
      new Set(webhookIds()).size,
      webhookIds().length,
      'no webhook is sent twice after the return either',
    )
    t.same(third.record.doubled(), [])
    // One Merkle tree through both moves, with every event once and at its position.
    const unsealed = async () =>
      (
        await admin.query(
          `SELECT FROM ledger.event e LEFT JOIN (
             SELECT first_index + n - 1 AS tree_index, sealed.*
             FROM sealed_batches CROSS JOIN LATERAL unnest(positions, streams, revisions)
               WITH ORDINALITY AS sealed(position, stream, revision, n)
           ) s ON s.position = lpad(e.position::text, 20, '0') AND s.tree_index = e.position - 1
             AND s.stream = e.stream_id AND s.revision = e.revision
           WHERE s.tree_index IS NULL`,
        )
      ).rowCount
    await eventually(unsealed, (left) => left === 0)
    await checkStoredPositions(admin)
  },
)

/** Needs a database on which a service has run, for the read models' tables. */
async function checkStoredPositions(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ place: string }>(
    `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type IN ('text', 'ARRAY')
       AND (column_name LIKE '%position%' OR column_name = 'settled_to')
       -- The positions of lost events, which are in no store.
       AND table_name <> 'lost_sealed_batches'`,
  )
  t.same(
    rows.map(({ place }) => place).sort(),
    storedPositions.map(({ table, column }) => `${table}.${column}`).sort(),
    'every place of the event store that is kept is translated',
  )
  const models = await admin.query<{ place: string }>(
    `SELECT DISTINCT column_name AS place FROM information_schema.columns
     WHERE table_schema = 'projections' AND column_name LIKE '%position%'`,
  )
  t.same(models.rows, [{ place: 'position' }])
}

t.test('copy sets up an empty PostgreSQL and explains why another cannot be used', async (t) => {
  const own = await service(t, { ledger: inPostgres, roles: ['api'] })
  useEnvironmentOf(own)
  const [target, other] = [await emptyDatabase(t), await emptyDatabase(t)]
  const all =
    /^Copied [1-9]\d* events \(0 were already there\)\. All \d+ are the same, in the same order\.$/
  t.match(await copy('--to', target.adminUrl), { code: 0, stdout: all })
  t.match(await copy('--to', target.adminUrl), { code: 0, stdout: /^Copied 0 events/ })
  const onwards = await copy('--from', target.adminUrl, '--to', other.adminUrl)
  t.match(onwards, { code: 0, stdout: all })

  const empty = await emptyDatabase(t)
  const no = async (stderr: RegExp, ...words: string[]) =>
    t.match(await copy(...words), { code: 2, stdout: '', stderr })
  await no(/^The database of --from at \S+ holds no ledger/, '--from', empty.adminUrl)
  await no(/ --to at \S+ cannot get its tables, .* the user that owns/, '--to', empty.url)
  await no(/ --from at \S+ does not let its user read a ledger/, '--from', target.url)
  const client = new pg.Client({ connectionString: empty.adminUrl })
  await client.connect()
  await client.query('CREATE TABLE workspaces (theirs text)')
  await client.end()
  await no(
    / --to at \S+ already holds something else: name an empty database/,
    '--to',
    empty.adminUrl,
  )
})
