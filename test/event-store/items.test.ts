import { randomBytes, randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { pool as openPool } from '../../src/service/database/pool.ts'
import type { EventStore } from '../../src/service/event-store/event-store.ts'
import { eventStoreDb } from '../../src/service/event-store/eventstoredb/eventstoredb.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { postgresEventStore } from '../../src/service/event-store/postgres/postgres.ts'
import { itemsFirst } from '../../src/service/event-store/with-append.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { Vault } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import { eventStoreUrl } from '../eventstoredb-stand-in/event-store-url.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'
import { event } from './contract.ts'

// What each event store promises about the vault's items of an append.

const { url, adminUrl } = await testDatabase(t)
const pool = openPool({ connectionString: url, max: 10, log: noLog })
const admin = openPool({ connectionString: adminUrl, max: 1, log: noLog })
t.teardown(() => Promise.all([pool.end(), admin.end()]))
const vault = new Vault(postgresVaultRows(pool), masterKeys(randomBytes(32).toString('base64')))
const storeItems = vault.storeItems.bind(vault)

async function row() {
  const owner = { organizationId: 'org', workspaceId: 'ws', shipmentId: `shp_${randomUUID()}` }
  const draft = vault.prepare(owner, { name: 'Rosa' })
  await vault.put(draft)
  return { draft, erase: () => vault.erase(owner.shipmentId) }
}

type Row = Awaited<ReturnType<typeof row>>

async function itemsOf({ draft }: Row, count = 2) {
  const writer = await vault.writer(draft)
  for (let n = 0; n < count; n++) writer.write({ code: `${n}` })
  return { items: writer.items, refs: writer.items.map(({ ref }) => ref) }
}

async function storedCount(refs: readonly string[]): Promise<number> {
  const { rowCount } = await admin.query('SELECT FROM vault_items WHERE ref = ANY ($1)', [refs])
  return rowCount ?? 0
}

const newStream = () => `note-${randomUUID()}`

const stores: Readonly<Record<string, (t: Test) => Promise<EventStore>>> = {
  'PostgreSQL, with the events': async () => postgresEventStore({ url }),
  'PostgreSQL, before the events': async () =>
    itemsFirst(postgresEventStore({ url }), storeItems, 0),
  EventStoreDB: async (t) => {
    const namespace = `test${randomBytes(8).toString('hex')}.`
    const at = await eventStoreUrl(t)
    return itemsFirst(eventStoreDb({ url: at, namespace, prefixes: ['note-'] }), storeItems, 0)
  },
  memory: async () => itemsFirst(memoryEventStore(), storeItems, 0),
}

for (const [name, open] of Object.entries(stores)) {
  t.test(`items in ${name}`, async (t) => {
    const store = await open(t)
    t.teardown(() => store.close())

    t.test(`${name}: committed events have their items, stored once if repeated`, async (t) => {
      const { items, refs } = await itemsOf(await row())
      const [stream, events] = [newStream(), [event()]]
      t.match(await store.append(stream, 'no_stream', events, { items }), { kind: 'committed' })
      t.equal(await storedCount(refs), 2)
      t.match(await store.append(stream, 'no_stream', events, { items }), {
        kind: /committed|duplicate/,
      })
      t.equal(await storedCount(refs), 2)
      t.same(await vault.openItem(refs[0] ?? ''), { code: '0' })
    })

    t.test(`${name}: an append with an item of an erased row writes nothing`, async (t) => {
      const gone = await row()
      const kept = await row()
      const ofGone = await itemsOf(gone)
      const ofKept = await itemsOf(kept)
      await gone.erase()
      const items = [...ofKept.items, ...ofGone.items]
      const stream = newStream()
      t.same(await store.append(stream, 'no_stream', [event()], { items }), { kind: 'erased' })
      t.same(await store.readStream(stream), [])
      t.equal(await storedCount(ofGone.refs), 0)
    })

    t.test(`${name}: each outcome concerns only its own append`, async (t) => {
      const [gone, kept] = [await row(), await row()]
      const lost = newStream()
      await store.append(lost, 'no_stream', [event()])
      const rounds = Array.from({ length: 64 }, async () => [
        await itemsOf(gone, 1),
        await itemsOf(kept, 1),
        await itemsOf(kept, 1),
        await itemsOf(kept, 1),
      ])
      const made = (await Promise.all(rounds)).flat()
      await gone.erase()
      const outcomes = await Promise.all(
        made.map(({ items }, n) => {
          const options = n % 4 === 3 ? { notAfter: new Date(Date.now() - 60_000) } : {}
          const stream = n % 4 === 2 ? lost : newStream()
          return store.append(stream, 'no_stream', [event()], { items, ...options })
        }),
      )
      const kinds = ['erased', 'committed', 'conflict', 'expired']
      t.same(
        outcomes.map(({ kind }) => kind),
        made.map((_, n) => kinds[n % 4]),
      )
      const ofKind = (kind: number) => made.flatMap(({ refs }, n) => (n % 4 === kind ? refs : []))
      t.equal(await storedCount(ofKind(0)), 0)
      t.equal(await storedCount(ofKind(1)), 64)
    })

    t.test(`${name}: items written during an erasure are erased with it or refused`, async (t) => {
      for (let round = 0; round < 20; round++) {
        const person = await row()
        const made = await Promise.all(Array.from({ length: 5 }, () => itemsOf(person)))
        const appends = made.map(({ items }) =>
          store.append(newStream(), 'no_stream', [event()], { items }),
        )
        const [outcomes] = await Promise.all([Promise.all(appends), person.erase()])
        const other = outcomes.filter(({ kind }) => kind !== 'committed' && kind !== 'erased')
        t.same(other, [])
        t.equal(await storedCount(made.flatMap(({ refs }) => refs)), 0)
      }
    })
  })
}

t.test('items that an append does not need are not stored with the events', async (t) => {
  const store = postgresEventStore({ url })
  t.teardown(() => store.close())
  const { items, refs } = await itemsOf(await row())
  const stream = newStream()
  await store.append(stream, 'no_stream', [event()])
  t.match(await store.append(stream, 'no_stream', [event()], { items }), { kind: 'conflict' })
  t.equal(await storedCount(refs), 0)
})

t.test('a store outside the database of the vault refuses items', async (t) => {
  const { items } = await itemsOf(await row())
  const store = memoryEventStore()
  t.teardown(() => store.close())
  await t.rejects(store.append(newStream(), 'no_stream', [event()], { items }), RangeError)
})
