import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { pool as openPool } from '../../src/service/database/pool.ts'
import type { JsonObject } from '../../src/service/domain/decider.ts'
import type { SealedRow } from '../../src/service/event-store/beside.ts'
import { SealBroken } from '../../src/service/security/encryption/encryption.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { Vault, VaultOverloaded, VaultUnavailable } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import { sweepOrphans } from '../../src/service/security/vault/vault-sweep.ts'
import { BatchedVaultWriter } from '../../src/service/security/vault/vault-writer.ts'
import { noLog } from '../support/no-log.ts'
import { storedItem } from '../support/stored-item.ts'
import { storeRow } from '../support/stored-row.ts'
import { testDatabase } from '../support/test-database.ts'

const canary = `Canary-${randomUUID()}`
const owner = { organizationId: 'org_a', workspaceId: 'ws_a', shipmentId: 'shp_a' }
const person = { recipient: { first_name: canary }, declared_content: canary }
const secret = () => randomBytes(32).toString('base64')

const { url, adminUrl } = await testDatabase(t)
const pool = openPool({ connectionString: url, max: 10, log: noLog })
const admin = openPool({ connectionString: adminUrl, max: 4, log: noLog })
t.teardown(() => Promise.all([pool.end(), admin.end()]))
const keys = masterKeys(secret())
const rows = postgresVaultRows(pool)
const vault = new Vault(rows, keys)
const writer = new BatchedVaultWriter(rows)
const stores = { vault, writer }

async function stored(payload: JsonObject = person, shipmentId = owner.shipmentId) {
  const draft = vault.prepare({ ...owner, shipmentId }, payload)
  await storeRow(pool, draft)
  return draft
}

const alone = (row: SealedRow) => ({ row, version: 0, isIntent: false })

async function testWorkspace(offsetMs: number): Promise<string> {
  const id = `ws_${randomUUID()}`
  await admin.query(
    `INSERT INTO organizations VALUES ('org_a', 'A', 'external', now()) ON CONFLICT DO NOTHING`,
  )
  await admin.query(
    `INSERT INTO workspaces (id, organization_id, livemode, name, external_reference, created_at, updated_at)
     VALUES ($1, 'org_a', false, 'shop', $1, now(), now())`,
    [id],
  )
  // The workspace's insert creates the clock's row.
  await admin.query('UPDATE sandbox_clocks SET offset_ms = $2 WHERE workspace_id = $1', [
    id,
    offsetMs,
  ])
  return id
}

t.test('a vault row opens again with the same fingerprint key', async (t) => {
  const draft = await stored()
  const open = await vault.open(draft.ref)
  t.same(open?.payload, person)
  t.same(open?.owner, owner)
  t.ok(open?.fingerprintKey.equals(draft.fingerprintKey))
  t.equal(await vault.open(randomUUID()), null)
})

t.test('rows that a database has lost are written again, once', async (t) => {
  const draft = await stored()
  const { write, beside } = await vault.writer(draft)
  const [lost, kept] = [write({ pickup_code: '1' }), write({ pickup_code: '2' })]
  await writer.storeItems(beside.items)
  await admin.query('DELETE FROM vault_items WHERE ref = $1', [lost])
  await writer.storeItems(beside.items)
  await writer.storeItems(beside.items)
  const { rows } = await admin.query('SELECT ref FROM vault_items WHERE vault_ref = $1', [
    draft.ref,
  ])
  t.strictSame(rows.map(({ ref }) => ref).sort(), [lost, kept].sort())
})

t.test('the vault tables contain no payload in plaintext', async (t) => {
  const draft = await stored()
  await storedItem(stores, draft, { pickup_code: canary })
  await storedItem(stores, draft, Buffer.from(canary))
  const { rows } = await admin.query<{ bytes: Buffer }>(
    `SELECT payload AS bytes FROM vault UNION ALL SELECT wrapped_key FROM vault
     UNION ALL SELECT payload FROM vault_items`,
  )
  t.ok(rows.length >= 4)
  t.equal(rows.filter((row) => row.bytes.includes(canary)).length, 0)
})

t.test('every vault row has its own reference and data key', async (t) => {
  const [a, b] = [vault.prepare(owner, person), vault.prepare(owner, person)]
  t.not(a.ref, b.ref)
  t.notOk(a.fingerprintKey.equals(b.fingerprintKey))
  t.notOk(a.row.wrappedKey.equals(b.row.wrappedKey))
})

t.test('a vault row moved to another organization or shipment does not open', async (t) => {
  for (const column of ['organization_id', 'shipment_id']) {
    const draft = await stored()
    await admin.query(`UPDATE vault SET ${column} = 'other' WHERE ref = $1`, [draft.ref])
    await t.rejects(vault.open(draft.ref), SealBroken)
    await admin.query('DELETE FROM vault WHERE ref = $1', [draft.ref])
  }
})

t.test("a vault row with another row's contents does not open", async (t) => {
  const [a, b] = [await stored(), await stored({ other: 'person' })]
  await admin.query(
    `UPDATE vault SET (payload, wrapped_key) =
       (SELECT payload, wrapped_key FROM vault AS b WHERE b.ref = $2) WHERE ref = $1`,
    [a.ref, b.ref],
  )
  await t.rejects(vault.open(a.ref), SealBroken)
  await admin.query('DELETE FROM vault WHERE ref = $1', [a.ref])
})

t.test('vault items can be JSON or bytes, and open by reference, many at once', async (t) => {
  const draft = await stored()
  const label = randomBytes(70_000)
  const open = await vault.open(draft.ref)
  t.ok(open)
  if (open === null) return
  const refs = await Promise.all([
    storedItem(stores, draft, { pickup_code: '4711' }),
    storedItem(stores, draft.ref, label),
    storedItem(stores, open, { note: 'left at the reception' }),
  ])
  const items = await vault.openItems([...refs.map(String), randomUUID()])
  t.equal(items.size, 3)
  t.same(items.get(String(refs[0])), { pickup_code: '4711' })
  t.same(items.get(String(refs[1])), label)
  t.same(await vault.openItem(String(refs[2])), { note: 'left at the reception' })
})

t.test('a vault item moved to another row does not open', async (t) => {
  const [a, b] = [await stored(), await stored()]
  const item = await storedItem(stores, a, { pickup_code: '4711' })
  await admin.query('UPDATE vault_items SET vault_ref = $2 WHERE ref = $1', [item, b.ref])
  await t.rejects(vault.openItem(String(item)), SealBroken)
})

t.test(
  "erasure destroys a shipment's keys, payloads and items, and refuses new items",
  async (t) => {
    const draft = await stored(person, 'shp_gone')
    const loser = await stored(person, 'shp_gone')
    const other = await stored()
    const item = String(await storedItem(stores, draft, { pickup_code: '4711' }))
    const open = await vault.open(draft.ref)
    t.equal(await vault.erase('shp_gone'), true)
    t.equal(await vault.erase('shp_gone'), false)
    t.equal(await vault.open(loser.ref), null, 'nor the row of a request that lost the race')
    t.same((await vault.open(other.ref))?.payload, person, 'no other shipment is affected')
    t.equal(await vault.open(draft.ref), null)
    t.equal(await vault.openItem(item), null)
    t.equal(await storedItem(stores, draft.ref, {}), null)
    t.equal(open && (await storedItem(stores, open, {})), null)
    const { rows } = await admin.query(
      `SELECT wrapped_key, payload FROM vault WHERE ref = $1
     UNION ALL SELECT payload, payload FROM vault_items WHERE vault_ref = $1`,
      [draft.ref],
    )
    t.same(rows, [{ wrapped_key: null, payload: null }])
  },
)

t.test('vault items written during an erasure are erased or refused', async (t) => {
  for (let round = 0; round < 20; round++) {
    const draft = await stored(person, `shp_${round}`)
    const put = Promise.all(
      Array.from({ length: 5 }, () => storedItem(stores, draft, { code: '1' })),
    )
    await Promise.all([put, vault.erase(`shp_${round}`)])
    const left = await admin.query('SELECT 1 FROM vault_items WHERE vault_ref = $1', [draft.ref])
    t.equal(left.rowCount, 0)
  }
})

t.test('a thousand concurrent vault rows are written in four statements', async (t) => {
  const drafts = Array.from({ length: 1000 }, () => vault.prepare(owner, person))
  await Promise.all(drafts.map(({ row }) => writer.storeFirst(alone(row))))
  const refs = drafts.map((draft) => draft.ref)
  const { rows } = await admin.query(
    'SELECT count(*)::int AS rows, count(DISTINCT xmin::text)::int AS transactions FROM vault WHERE ref = ANY ($1::uuid[])',
    [refs],
  )
  t.same(rows, [{ rows: 1000, transactions: 4 }])
  const opened = await vault.openAll(refs.slice(0, 500))
  t.equal(opened.size, 500)
})

t.test('a full vault queue refuses more rows and writes those it accepted', async (t) => {
  const drafts = Array.from({ length: 1500 }, () => vault.prepare(owner, {}))
  const answers = await Promise.allSettled(drafts.map(({ row }) => writer.storeFirst(alone(row))))
  const refused = answers.filter((answer) => answer.status === 'rejected')
  t.ok(refused.length > 0)
  t.ok(refused.every((answer) => answer.reason instanceof VaultOverloaded))
  const taken = drafts.filter((_, index) => answers[index]?.status === 'fulfilled')
  const kept = await admin.query(
    'SELECT count(*)::int AS n FROM vault WHERE ref = ANY ($1::uuid[])',
    [taken.map((draft) => draft.ref)],
  )
  t.equal(kept.rows[0].n, taken.length)
})

t.test('an unreachable database makes the vault throw VaultUnavailable', async (t) => {
  const gone = openPool({ connectionString: 'postgres://nobody@127.0.0.1:1/none', log: noLog })
  t.teardown(() => gone.end())
  const away = new Vault(postgresVaultRows(gone), keys)
  const { row } = away.prepare(owner, person)
  const writing = new BatchedVaultWriter(postgresVaultRows(gone)).storeFirst(alone(row))
  await t.rejects(writing, VaultUnavailable)
  await t.rejects(away.open(randomUUID()), VaultUnavailable)
})

/** An attempt on a clock that is assumed to be this far ahead, without a place in the quota. */
function attemptAt(workspaceId: string, shipmentId: string, offsetMs: number) {
  const clock = { offsetMs, operationId: null }
  const attempt = { ...owner, workspaceId, shipmentId, reservation: null, clock }
  return { attempt, version: 0, isIntent: true }
}

t.test('an attempt is noted if the clock is as it assumes, and else told the clock', async (t) => {
  const [a, b] = [await testWorkspace(5_000), await testWorkspace(0)]
  const advancingTo = new Date('2031-01-01T00:00:00.000Z')
  await admin.query('UPDATE sandbox_clocks SET advancing_to = $2 WHERE workspace_id = $1', [
    b,
    advancingTo,
  ])
  const person2 = vault.prepare({ ...owner, workspaceId: a, shipmentId: 'shp_2' }, person)
  const answers = await Promise.all([
    writer.storeFirst(alone(vault.prepare(owner, person).row)),
    writer.storeFirst(attemptAt(a, 'shp_0', 5_000)),
    writer.storeFirst(attemptAt(a, 'shp_1', 0)),
    writer.storeFirst({ ...attemptAt(a, 'shp_2', 5_000), row: person2.row }),
    writer.storeFirst(attemptAt(b, 'shp_3', 0)),
    writer.storeFirst(attemptAt('ws_without_clock', 'shp_4', 0)),
  ])
  t.strictSame(answers, [
    null,
    null,
    { kind: 'clock_moved', clock: { offsetMs: 5_000, advancingTo: null } },
    null,
    { kind: 'clock_moved', clock: { offsetMs: 0, advancingTo } },
    null,
  ])
  for (const [table, shipmentId] of [
    ['sandbox_attempts', 'shp_0'],
    ['vault', 'shp_2'],
  ]) {
    const noted = await admin.query(
      `SELECT shipment_id FROM ${table} WHERE workspace_id = $1 ORDER BY 1`,
      [a],
    )
    t.same(noted.rows, [{ shipment_id: shipmentId }], 'a new row in the vault says as much')
  }
})

t.test('a concurrent attempt and clock advance never miss each other', async (t) => {
  const workspaceId = await testWorkspace(0)
  const advance = await admin.connect()
  t.teardown(() => advance.release())
  await advance.query('BEGIN')
  await advance.query('UPDATE sandbox_clocks SET advancing_to = now() WHERE workspace_id = $1', [
    workspaceId,
  ])
  // The attempt comes before the advance is committed, and has to wait for it.
  const attempt = writer.storeFirst(attemptAt(workspaceId, 'shp_late', 0))
  const blocked = `SELECT 1 FROM pg_locks WHERE NOT granted`
  while ((await admin.query(blocked)).rowCount === 0);
  await advance.query('COMMIT')
  t.match(await attempt, { kind: 'clock_moved', clock: { advancingTo: Date } })

  for (let round = 0; round < 30; round++) {
    await admin.query('UPDATE sandbox_clocks SET advancing_to = NULL WHERE workspace_id = $1', [
      workspaceId,
    ])
    const shipmentId = `shp_round${round}`
    const [answer, sees] = await Promise.all([
      writer.storeFirst(attemptAt(workspaceId, shipmentId, 0)),
      (async () => {
        await advance.query(
          'UPDATE sandbox_clocks SET advancing_to = now() WHERE workspace_id = $1',
          [workspaceId],
        )
        const found = await advance.query('SELECT 1 FROM sandbox_attempts WHERE shipment_id = $1', [
          shipmentId,
        ])
        return found.rowCount === 1
      })(),
    ])
    t.equal(sees, answer === null, `round ${round}`)
  }
})

t.test('the sweeper deletes only old vault rows that no event names', async (t) => {
  await admin.query('DELETE FROM vault')
  const [named, orphan, young, erased] = [
    await stored(),
    await stored(),
    await stored(),
    await stored(person, 'shp_erased'),
  ]
  await storedItem(stores, orphan, { code: '1' })
  await vault.erase('shp_erased')
  await admin.query(
    `UPDATE vault SET created_at = now() - interval '25 hours' WHERE ref = ANY ($1::uuid[])`,
    [[named.ref, orphan.ref, erased.ref]],
  )
  const asked: string[] = []
  const ledger = {
    readStream: async (stream: string) => {
      asked.push(stream)
      return [{ data: { vault_ref: named.ref } }, { data: { erased: { vault_ref: erased.ref } } }]
    },
  }
  t.same(await sweepOrphans(pool, ledger), { looked: 3, deleted: 1, goOn: false })
  t.same(asked.sort(), ['shipment-a', 'shipment-a', 'shipment-erased'])
  t.same(await sweepOrphans(pool, ledger), { looked: 0, deleted: 0, goOn: false })
  t.equal(asked.length, 3, 'no row is read twice')
  const left = await admin.query('SELECT ref FROM vault')
  t.same(new Set(left.rows.map((row) => row.ref)), new Set([named.ref, young.ref, erased.ref]))
})

async function manyOldRows(count: number): Promise<void> {
  await admin.query('DELETE FROM vault')
  await admin.query(`UPDATE vault_sweep SET swept_to = '-infinity'`)
  await Promise.all(Array.from({ length: count }, () => stored({})))
  // All with the same time, as rows of one batch can have.
  await admin.query(`UPDATE vault SET created_at = now() - interval '2 days'`)
}

t.test('an interrupted sweep resumes where it stopped', async (t) => {
  await manyOldRows(450)
  const ledger = { readStream: async () => [] }
  const broken = { readStream: () => Promise.reject(new Error('unreachable')) }
  const first = await sweepOrphans(pool, ledger)
  await t.rejects(sweepOrphans(pool, broken), { message: 'unreachable' })
  const second = await sweepOrphans(pool, ledger)
  const third = await sweepOrphans(pool, ledger)
  t.same([first.looked, second.looked, third.looked], [200, 200, 50])
  t.same([first.goOn, second.goOn, third.goOn], [true, true, false])
  t.equal((await admin.query('SELECT 1 FROM vault')).rowCount, 0)
})

t.test('a restarted sweep does not read again what it has checked', async (t) => {
  await manyOldRows(250)
  const { rows } = await admin.query<{ ref: string }>('SELECT ref FROM vault')
  const named = rows.map(({ ref }) => ({ data: { vault_ref: ref } }))
  let read = 0
  const ledger = {
    readStream: async () => {
      read += 1
      return named
    },
  }
  const restarted = openPool({ connectionString: url, max: 1, log: noLog })
  t.teardown(() => restarted.end())
  t.match(await sweepOrphans(pool, ledger), { looked: 200, deleted: 0 })
  t.match(await sweepOrphans(restarted, ledger), { looked: 50, deleted: 0 })
  t.match(await sweepOrphans(restarted, ledger), { looked: 0 })
  t.equal(read, 250)
})

t.test(
  'two workers that sweep at once read one page twice, and then only one goes on',
  async (t) => {
    await manyOldRows(450)
    let waiting = 0
    const both = Promise.withResolvers<void>()
    const ledger = {
      readStream: async () => {
        waiting += 1
        if (waiting > 8) both.resolve()
        await both.promise
        return []
      },
    }
    const pages = await Promise.all([sweepOrphans(pool, ledger), sweepOrphans(pool, ledger)])
    t.same(pages.map(({ goOn }) => goOn).sort(), [false, true])
    t.equal((await admin.query('SELECT 1 FROM vault')).rowCount, 250)
  },
)
