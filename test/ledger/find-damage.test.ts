import { Kysely, PostgresDialect, sql } from 'kysely'
import t from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import { findDamage } from '../../src/service/ledger/recovery/find-damage.ts'
import { damageSentence } from '../../src/service/processes/recovery/damages.ts'
import { events } from '../event-store/contract.ts'
import { opened } from '../event-store/eventstoredb-set-up.ts'
import { eventStoreStandIn } from '../eventstoredb-stand-in/stand-in.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

const { url } = await testDatabase(t)
const connections = pool({ connectionString: url, log: noLog })
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
t.teardown(() => db.destroy())

async function storePosition(position: string): Promise<void> {
  await sql`
    INSERT INTO projections (name, generation, version, position, active)
    VALUES ('shipments', 1, 1, ${position}, true)
    ON CONFLICT (name, generation) DO UPDATE SET position = ${position}`.execute(db)
}

t.test(
  'a stored position that the log does not have is a damage, without its event too',
  async (t) => {
    const standIn = await eventStoreStandIn(t, { product: 'KurrentDB' })
    const store = opened(t, standIn.url)
    await store.append('note-1', 'no_stream', events(3))
    const [first, second] = await store.readStream('note-1')
    const deps = { db, store, checkpointDir: null, verifiers: () => [] }
    await storePosition(first?.position ?? '')
    t.equal(await findDamage(deps), null)
    const between = (first?.position ?? '').replaceAll(/\d+/g, (digits) =>
      String(BigInt(digits) + 1n).padStart(digits.length, '0'),
    )
    t.ok(between > (first?.position ?? '') && between < (second?.position ?? ''))
    await storePosition(between)
    const damage = await findDamage(deps)
    t.match(damage, { source: 'projection', expectedPosition: between, expectedEventId: null })
    if (damage === null) return
    t.equal(
      damageSentence(damage),
      `The ledger was read up to position ${between}, and now no event is there (found by: projection).`,
    )
  },
)
