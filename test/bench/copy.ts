import { randomBytes } from 'node:crypto'
import { eventStoreOf } from '../../src/app.ts'
import { encodeEvents } from '../../src/event-store/codec.ts'
import type { EventStore } from '../../src/event-store/event-store.ts'
import { copyLedger, walkTogether } from '../../src/ledger/copy-ledger.ts'
import { leftOut, row } from '../support/bench-rounds.ts'
import { scratchServer, scratchVariable } from '../support/scratch-server.ts'
import { noLogger } from '../support/service.ts'
import { testDatabase } from '../support/test-database.ts'

// A ledger of streams that grow in turns is copied into another PostgreSQL and, where EVENT_STORE_URL
// names one, into an EventStoreDB and back, and compared. `npm run bench -- copy [events]`

const wanted = Number(process.argv[2] ?? 20_000)
const name = 'copy'
const streamsAtOnce = 200
const perStream = 6
const { EVENT_STORE_URL: url } = process.env
const log = noLogger()
const ends: (() => Promise<unknown>)[] = []
const test = { teardown: (end: () => Promise<unknown>) => void ends.push(end) }

function kept<T extends EventStore>(store: T): T {
  ends.push(() => store.close())
  return store
}

async function inPostgres(): Promise<EventStore> {
  const { url: databaseUrl } = await testDatabase(test)
  return kept(eventStoreOf({ databaseUrl, log }))
}

async function grow(store: EventStore): Promise<void> {
  const act = { type: 'WorkspaceCreated', data: { workspace_id: `ws_${'x'.repeat(60)}` } }
  const envelope = {
    ...{ organizationId: 'org_1', workspaceId: null, shipmentId: null, livemode: false },
    ...({ actor: { type: 'cli', keyId: null }, requestId: null, causationId: null } as const),
    ...{ correlationId: null, recordedAt: Date.now() },
  }
  for (let group = 0; group * streamsAtOnce * perStream < wanted; group++) {
    for (let revision = 0; revision < perStream; revision++) {
      const appends = Array.from({ length: streamsAtOnce }, (_, index) =>
        store.append(
          `audit-${group}x${index}`,
          revision === 0 ? 'no_stream' : revision - 1,
          encodeEvents([act], revision, envelope),
        ),
      )
      await Promise.all(appends)
    }
  }
}

async function measured(what: string, from: EventStore, to: EventStore, appendsAtOnce: number) {
  const untold = () => undefined
  const startedAt = performance.now()
  const { copied } = await copyLedger(from, to, { appendsAtOnce, checked: untold, copied: untold })
  const copiedAt = performance.now()
  const { events, isWhole } = await walkTogether(from, to, untold)
  const comparedAt = performance.now()
  if (!isWhole || events !== copied) throw new Error('the copy is not the ledger')
  const rate = (ms: number) => (1_000 * events) / ms
  const target = null
  row({ name, measured: `${what}, copied/s`, value: rate(copiedAt - startedAt), target })
  row({ name, measured: `${what}, compared/s`, value: rate(comparedAt - copiedAt), target })
}

const server = await scratchServer()
ends.push(() => server.stop())
process.env[scratchVariable] = server.adminUrl
try {
  const source = await inPostgres()
  await grow(source)
  await measured('PostgreSQL to PostgreSQL', source, await inPostgres(), 256)
  if (url) {
    const namespace = `bench-${randomBytes(6).toString('hex')}`
    const at = { databaseUrl: '', eventStoreUrl: url, eventStoreNamespace: namespace, log }
    const there = kept(eventStoreOf(at))
    await measured('PostgreSQL to EventStoreDB', source, there, 1)
    await measured('EventStoreDB to PostgreSQL', there, await inPostgres(), 256)
  } else {
    leftOut(name, 'with an EventStoreDB: set EVENT_STORE_URL')
  }
} finally {
  for (const end of ends.toReversed()) await end()
}
