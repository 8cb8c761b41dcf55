import { randomBytes, randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { pool as openPool } from '../../src/service/database/pool.ts'
import type { Attempt, Beside } from '../../src/service/event-store/beside.ts'
import {
  type EventStore,
  EventStoreUnavailable,
  LedgerStopped,
} from '../../src/service/event-store/event-store.ts'
import { eventStoreDb } from '../../src/service/event-store/eventstoredb/eventstoredb.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { postgresEventStore } from '../../src/service/event-store/postgres/postgres.ts'
import {
  besideFirst,
  largeItemsFirst,
  withAppend,
} from '../../src/service/event-store/with-append.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { Vault } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import { BatchedVaultWriter } from '../../src/service/security/vault/vault-writer.ts'
import { eventStoreUrl } from '../eventstoredb-stand-in/event-store-url.ts'
import { alterAppend } from '../prove/crashes/altered-append.ts'
import { noLog } from '../support/no-log.ts'
import { storeRow } from '../support/stored-row.ts'
import { testDatabase } from '../support/test-database.ts'
import { event } from './contract.ts'

// What each event store promises about what is stored beside events.

const { url, adminUrl } = await testDatabase(t)
const pool = openPool({ connectionString: url, max: 10, log: noLog })
const admin = openPool({ connectionString: adminUrl, max: 1, log: noLog })
t.teardown(() => Promise.all([pool.end(), admin.end()]))
const rows = postgresVaultRows(pool)
const vault = new Vault(rows, masterKeys(randomBytes(32).toString('base64')))
const writer = new BatchedVaultWriter(rows)

async function row() {
  const owner = { organizationId: 'org', workspaceId: 'ws', shipmentId: `shp_${randomUUID()}` }
  const draft = vault.prepare(owner, { name: 'Rosa' })
  await storeRow(pool, draft)
  return { draft, erase: () => vault.erase(owner.shipmentId) }
}

type Row = Awaited<ReturnType<typeof row>>

async function itemsOf({ draft }: Row, count = 2) {
  const { write, beside } = await vault.writer(draft)
  for (let n = 0; n < count; n++) write({ code: `${n}` })
  return { beside, refs: beside.items.map(({ ref }) => ref) }
}

async function storedCount(refs: readonly string[]): Promise<number> {
  const { rowCount } = await admin.query('SELECT FROM vault_items WHERE ref = ANY ($1)', [refs])
  return rowCount ?? 0
}

const newStream = () => `note-${randomUUID()}`

let organizations = 0

async function organization(quota: number | null): Promise<string> {
  const id = `org_beside${++organizations}`
  await admin.query('INSERT INTO plans (name, shipments_per_month) VALUES ($1, $2)', [id, quota])
  await admin.query(
    `INSERT INTO organizations (id, name, type, created_at, plan) VALUES ($1, 'Shop', 'external', now(), $1)`,
    [id],
  )
  return id
}

/** The first attempt of a new shipment, with its vault row. */
function attemptOf(organizationId: string, given: Partial<Attempt> = {}) {
  const shipmentId = `shp_${randomUUID()}`
  const attempt: Attempt = {
    organizationId,
    workspaceId: 'ws',
    shipmentId,
    reservation: { livemode: false, isUnread: true },
    clock: { offsetMs: 0, operationId: null },
    ...given,
  }
  const { row } = vault.prepare(attempt, { name: 'Rosa' })
  return { attempt, row }
}

type Needed = ReturnType<typeof attemptOf>

async function usedBy(organizationId: string): Promise<number> {
  const { rows } = await admin.query<{ used: number }>(
    'SELECT coalesce(sum(used), 0)::int AS used FROM quota_months WHERE organization_id = $1',
    [organizationId],
  )
  return rows[0]?.used ?? 0
}

/** How many of them have a vault row, and how many a place in the quota. */
async function storedOf(
  needed: readonly Needed[],
): Promise<readonly [rows: number, places: number]> {
  const ids = [needed.map(({ attempt }) => attempt.shipmentId)]
  const inVault = await admin.query('SELECT FROM vault WHERE shipment_id = ANY ($1)', ids)
  const held = await admin.query('SELECT FROM quota_reservations WHERE shipment_id = ANY ($1)', ids)
  return [inVault.rowCount ?? 0, held.rowCount ?? 0]
}

const soon = () => ({ notAfter: new Date(Date.now() + 30_000) })

const stores: Readonly<Record<string, (t: Test) => Promise<EventStore>>> = {
  'PostgreSQL, with the events': async () => postgresEventStore({ url }),
  'PostgreSQL, before the events': async () =>
    largeItemsFirst(postgresEventStore({ url }), writer, 0),
  EventStoreDB: async (t) => {
    const namespace = `test${randomBytes(8).toString('hex')}.`
    const at = await eventStoreUrl(t)
    return besideFirst(eventStoreDb({ url: at, namespace, prefixes: ['note-'] }), writer)
  },
  memory: async () => besideFirst(memoryEventStore(), writer),
}

/** Set by `beside-mutants.slow.test.ts`: changes of PostgreSQL's functions, which must break a promise. */
const altered = process.env.BESIDE_ALTERED
if (altered !== undefined) await alterAppend(adminUrl, JSON.parse(altered))

for (const [name, open] of Object.entries(stores).slice(0, altered === undefined ? undefined : 1)) {
  t.test(`items in ${name}`, async (t) => {
    const store = await open(t)
    t.teardown(() => store.close())

    t.test(`${name}: committed events have their items, stored once if repeated`, async (t) => {
      const { beside, refs } = await itemsOf(await row())
      const [stream, events] = [newStream(), [event()]]
      t.match(await store.append(stream, 'no_stream', events, { beside }), { kind: 'committed' })
      t.equal(await storedCount(refs), 2)
      t.match(await store.append(stream, 'no_stream', events, { beside }), {
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
      const beside = { items: [...ofKept.beside.items, ...ofGone.beside.items] }
      const stream = newStream()
      t.same(await store.append(stream, 'no_stream', [event()], { beside }), { kind: 'erased' })
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
        made.map(({ beside }, n) => {
          const options = n % 4 === 3 ? { notAfter: new Date(Date.now() - 60_000) } : {}
          const stream = n % 4 === 2 ? lost : newStream()
          return store.append(stream, 'no_stream', [event()], { beside, ...options })
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
        const appends = made.map(({ beside }) =>
          store.append(newStream(), 'no_stream', [event()], { beside }),
        )
        const [outcomes] = await Promise.all([Promise.all(appends), person.erase()])
        const other = outcomes.filter(({ kind }) => kind !== 'committed' && kind !== 'erased')
        t.same(other, [])
        t.equal(await storedCount(made.flatMap(({ refs }) => refs)), 0)
      }
    })

    t.test(`${name}: a committed intent has its row and its place, once if repeated`, async (t) => {
      const shop = await organization(null)
      const beside = attemptOf(shop)
      const [stream, events] = [newStream(), [event()]]
      t.match(await store.append(stream, 'no_stream', events, { ...soon(), beside }), {
        kind: 'committed',
      })
      t.same(await storedOf([beside]), [1, 1])
      t.match(await store.append(stream, 'no_stream', events, { ...soon(), beside }), {
        kind: /committed|duplicate/,
      })
      t.same(await storedOf([beside]), [1, 1])
      t.equal(await usedBy(shop), 1)
      t.same((await vault.open(beside.row.ref))?.payload, { name: 'Rosa' })
    })

    t.test(`${name}: a row and its first item are stored by one append`, async (t) => {
      const draft = vault.prepare(
        { organizationId: 'org', workspaceId: 'ws', shipmentId: `shp_${randomUUID()}` },
        {},
      )
      const { items } = (await itemsOf({ draft } as Row)).beside
      const beside: Beside = { row: draft.row, items }
      t.match(await store.append(newStream(), 'no_stream', [event()], { beside }), {
        kind: 'committed',
      })
      t.same(await vault.openItem(items[0]?.ref ?? ''), { code: '0' })
    })

    t.test(
      `${name}: each reason to withhold an attempt concerns only its own append`,
      async (t) => {
        const [free, full, closed] = [
          await organization(null),
          await organization(0),
          await organization(null),
        ]
        await admin.query('UPDATE organizations SET suspended_at = now() WHERE id = $1', [closed])
        const lost = newStream()
        await store.append(lost, 'no_stream', [event()])
        const before = await Promise.all(Array.from({ length: 32 }, async () => attemptOf(free)))
        await rows.storeFirst(before.map((each) => ({ ...each, version: 0, isIntent: true })))
        const ofKind = {
          committed: () => attemptOf(free),
          known: (n: number) =>
            attemptOf(free, { shipmentId: before[n]?.attempt.shipmentId ?? '' }),
          exceeded: () => attemptOf(full),
          suspended: () => attemptOf(closed),
          clock_moved: () => attemptOf(free, { clock: { offsetMs: 7, operationId: null } }),
          conflict: () => attemptOf(free),
          expired: () => attemptOf(free),
          // An outcome between the intents.
          other: () => undefined,
        }
        const made = Array.from({ length: 32 }, (_, n) =>
          Object.entries(ofKind).map(([kind, make]) => ({ kind, needed: make(n) })),
        ).flat()
        const outcomes = await Promise.all(
          made.map(({ kind, needed }) => {
            const stream = kind === 'conflict' ? lost : newStream()
            const past = { notAfter: new Date(Date.now() - 60_000) }
            const options = kind === 'expired' ? past : soon()
            return needed === undefined
              ? store.append(stream, 'no_stream', [event()])
              : store.append(stream, 'no_stream', [event()], { ...options, beside: needed })
          }),
        )
        t.same(
          outcomes.map((outcome) => outcome.kind),
          made.map(({ kind }) => (kind === 'other' ? 'committed' : kind)),
        )
        const needed = (wanted: string) =>
          made.flatMap((each) => (each.kind === wanted && each.needed ? [each.needed] : []))
        t.same(await storedOf(needed('committed')), [32, 32])
        t.same(await storedOf(needed('known')), [32, 32], 'only the rows and places of before')
        for (const withheld of ['exceeded', 'suspended', 'clock_moved']) {
          t.same(await storedOf(needed(withheld)), [0, 0], withheld)
        }
        const unmade = name.startsWith('PostgreSQL') ? [0, 0] : [32, 32]
        t.same(await storedOf(needed('conflict')), unmade, 'conflict')
        t.same(await storedOf(needed('expired')), unmade, 'expired')
        t.same(
          outcomes.find(({ kind }) => kind === 'clock_moved'),
          { kind: 'clock_moved', clock: { offsetMs: 0, advancingTo: null } },
        )
        t.match(
          outcomes.find(({ kind }) => kind === 'exceeded'),
          { at: Date },
        )
      },
    )

    t.test(`${name}: concurrent attempts get exactly the places that are left`, async (t) => {
      const shop = await organization(10)
      const needed = Array.from({ length: 40 }, () => attemptOf(shop))
      const outcomes = await Promise.all(
        needed.map((beside) =>
          store.append(newStream(), 'no_stream', [event()], { ...soon(), beside }),
        ),
      )
      t.equal(outcomes.filter(({ kind }) => kind === 'committed').length, 10)
      t.equal(outcomes.filter(({ kind }) => kind === 'exceeded').length, 30)
      t.same(await storedOf(needed), [10, 10])
      t.equal(await usedBy(shop), 10)
    })

    t.test(
      `${name}: while the ledger is damaged, intents are refused and outcomes are not`,
      async (t) => {
        const shop = await organization(null)
        await admin.query(
          `INSERT INTO ledger_damages (id, source) VALUES (gen_random_uuid(), 'test')`,
        )
        t.teardown(() => admin.query('DELETE FROM ledger_damages'))
        const beside = attemptOf(shop)
        const stream = newStream()
        await t.rejects(
          store.append(stream, 'no_stream', [event()], { ...soon(), beside }),
          LedgerStopped,
        )
        t.same(await storedOf([beside]), [0, 0])
        t.same(await store.readStream(stream), [])
        const again = { beside: attemptOf(shop) }
        t.match(await store.append(stream, 'no_stream', [event()], again), { kind: 'committed' })
      },
    )
  })
}

t.test(
  'in PostgreSQL an intent and its personal data are written together or not at all',
  async (t) => {
    const stores = [postgresEventStore({ url }), postgresEventStore({ url })]
    t.teardown(() => Promise.all(stores.map((store) => store.close())))
    const shop = await organization(150)
    const made = Array.from({ length: 200 }, (_, n) => {
      const beside = attemptOf(shop)
      // Both processes race for each stream.
      return stores.map((store) => ({
        needed: { ...beside, row: vault.prepare(beside.attempt, {}).row },
        stream: `note-race${n}`,
        store,
      }))
    }).flat()
    const outcomes = await Promise.all(
      made.map(({ store, stream, needed }) =>
        store.append(stream, 'no_stream', [event()], { ...soon(), beside: needed }),
      ),
    )
    const committed = made.filter((_, n) => outcomes[n]?.kind === 'committed')
    t.equal(committed.length, 150)
    const { rows: inVault } = await admin.query<{ ref: string }>(
      'SELECT ref FROM vault WHERE organization_id = $1',
      [shop],
    )
    const refs = (list: readonly string[]) => list.toSorted()
    t.same(refs(inVault.map(({ ref }) => ref)), refs(committed.map(({ needed }) => needed.row.ref)))
    t.equal(await usedBy(shop), 150)
  },
)

t.test(
  'after a crash before the events, the next attempt uses the place that was reserved',
  async (t) => {
    const events = memoryEventStore()
    t.teardown(() => events.close())
    const away = withAppend(events, async () => Promise.reject(new EventStoreUnavailable('away')))
    const shop = await organization(1)
    const lost = attemptOf(shop)
    const stream = newStream()
    const append = (to: EventStore, beside: Beside) =>
      to.append(stream, 'no_stream', [event()], { ...soon(), beside })
    await t.rejects(append(besideFirst(away, writer), lost), EventStoreUnavailable)
    t.same(await storedOf([lost]), [1, 1])
    // The process that crashed has forgotten the attempt; another one gets the same request.
    const store = besideFirst(events, writer)
    const again = attemptOf(shop, { shipmentId: lost.attempt.shipmentId })
    t.strictSame(await append(store, again), { kind: 'known' })
    const reservation = { livemode: false, isUnread: false }
    const read = attemptOf(shop, { shipmentId: lost.attempt.shipmentId, reservation })
    t.match(await append(store, read), { kind: 'committed' })
    t.equal(await usedBy(shop), 1)
  },
)

t.test('items that an append does not need are not stored with the events', async (t) => {
  const store = postgresEventStore({ url })
  t.teardown(() => store.close())
  const { beside, refs } = await itemsOf(await row())
  const stream = newStream()
  await store.append(stream, 'no_stream', [event()])
  t.match(await store.append(stream, 'no_stream', [event()], { beside }), { kind: 'conflict' })
  t.equal(await storedCount(refs), 0)
})

t.test('a store outside the database of the vault refuses what is beside events', async (t) => {
  const { beside } = await itemsOf(await row())
  const store = memoryEventStore()
  t.teardown(() => store.close())
  await t.rejects(store.append(newStream(), 'no_stream', [event()], { beside }), RangeError)
})
