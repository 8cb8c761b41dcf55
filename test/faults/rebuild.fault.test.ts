import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { projections } from '../../projections/all.ts'
import { diff } from '../../src/service/ledger/diff/diff.ts'
import { projectionStatuses, projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { fillLedger } from '../support/bulk-ledger.ts'
import { eventually } from '../support/eventually.ts'
import { fleet } from '../support/processes.ts'

const shipments = 2_500
const kills = 2
const caughtUpMs = 120_000
/** How long each page of the rebuild takes, so that the kill comes in the middle on any machine. */
const pageSeconds = 0.3
/** Reading without a pause would take processor time from the rebuild. */
const readEveryMs = 20

async function slowPages(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`
    CREATE FUNCTION slow_page() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_sleep(${pageSeconds}); RETURN NEW; END';
    CREATE TRIGGER slow_page BEFORE UPDATE OF position ON projections
      FOR EACH ROW WHEN (NOT NEW.active) EXECUTE FUNCTION slow_page()`)
  await admin.end()
}

t.test('a killed rebuild resumes, and its result matches the ledger', async (t) => {
  const all = await fleet(t)
  const service = await all.start()
  const { db, store } = all.parts
  await fillLedger(store, shipments, all.seeded)
  const head = await store.head()
  t.ok(await projectionsReached(db, head, caughtUpMs))
  const made = await service.create('before')
  t.equal(made.status, 201)
  await slowPages(all.database.adminUrl)
  const building = async () =>
    (await projectionStatuses(db)).find(({ name, active }) => name === 'shipments' && !active)
  const reached: string[] = []
  const failures: string[] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      const { status, body } = await service.call('/v1/shipments?limit=1')
      if (status !== 200 || body.data.length !== 1) failures.push(`${status}`)
      await delay(readEveryMs)
    }
  })()
  for (let kill = 0; kill < kills; kill++) {
    const rebuild = all.command('projections', 'rebuild', 'shipments')
    const before = reached.at(-1) ?? ''
    const seen = await eventually(building, (one) => (one?.position ?? '') > before, caughtUpMs)
    rebuild.signal('SIGKILL')
    await rebuild.ended
    reached.push(seen?.position ?? '')
  }
  t.ok((reached[1] ?? '') > (reached[0] ?? ''), 'the second went on where the first was killed')
  t.match(await building(), { generation: 2 }, 'in the same generation')
  const last = await all.command('projections', 'rebuild', 'shipments').ended
  t.equal(last.code, 0)
  isOver = true
  await reading
  t.same(failures, [], 'every list was answered meanwhile, and none was empty')
  t.equal(await building(), undefined)
  const nothing = { folded: () => undefined, compared: () => undefined }
  const found = await diff({ db, store, projections }, nothing)
  t.same(found.differences, [])
  t.ok(found.tables.every(({ notCompared }) => notCompared === null))
  const calls = all.record.callsOf(made.body.id).filter(({ route }) => route === 'createGuide')
  t.equal(calls.length, 1, 'the courier was not asked for a guide again')
})
