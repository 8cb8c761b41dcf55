import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { ledgerPrefixes } from '../../src/service/domain/ids.ts'
import type { EventStore, Position } from '../../src/service/event-store/event-store.ts'
import { eventStoreDb } from '../../src/service/event-store/eventstoredb/eventstoredb.ts'
import { fillLedger } from '../support/bulk-ledger.ts'
import { say } from '../support/say.ts'
import { type Closing, untilClosed } from '../support/until-closed.ts'
import { alternating, row, skipped } from './support/bench-rounds.ts'

// Measures what an event costs the service's processor when it reads the ledger from the server of
// EVENT_STORE_URL, and from another server beside it, in alternation: the same histories of shipments,
// through the subscription of the follower and page by page. A server that compresses its answers
// makes the first figure several times the second.
// `EVENT_STORE_URL=… npm run bench -- feed --beside URL [shipments] [rounds]`

const name = 'feed'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { beside: { type: 'string' } },
})
const shipments = Number(positionals[0] ?? 2_500)
const rounds = Number(positionals[1] ?? 7)
const pageSize = 500
const ratioMax = 1.2

const { EVENT_STORE_URL: given } = process.env
const { beside } = values
if (!given || beside === undefined) {
  skipped(
    name,
    'set EVENT_STORE_URL to a KurrentDB and --beside to another server, EventStoreDB 23.10',
  )
  process.exit(0)
}

type Ledger = { readonly store: EventStore; readonly events: number }

async function filled(closing: Closing, url: string): Promise<Ledger> {
  const namespace = `bench-${randomBytes(6).toString('hex')}.`
  const store = eventStoreDb({ url, namespace, prefixes: ledgerPrefixes })
  closing.teardown(() => store.close())
  const where = { organizationId: 'org_bench', workspaceId: 'ws_bench' }
  const events = await fillLedger(store, shipments, where)
  say(`  ${url.replace(/^.*[@/]([^/?]+).*$/, '$1')} has ${events} events of ${shipments} shipments`)
  return { store, events }
}

async function bySubscription({ store, events }: Ledger): Promise<void> {
  const stopping = new AbortController()
  let seen = 0
  for await (const each of store.subscribe(null, { signal: stopping.signal })) {
    if (each.kind === 'batch') seen += each.events.length
    if (seen >= events) stopping.abort()
  }
}

async function byPages({ store }: Ledger): Promise<void> {
  for (let after: Position | null = null; ; ) {
    const { last } = await store.readAll(after, { limit: pageSize })
    if (last === after) return
    after = last
  }
}

/** Microseconds of this process's processor time per event. */
async function cost(read: (ledger: Ledger) => Promise<void>, ledger: Ledger): Promise<number> {
  const before = process.cpuUsage()
  await read(ledger)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / ledger.events
}

await untilClosed(async (closing) => {
  const ours = await filled(closing, given)
  const other = await filled(closing, beside)
  for (const [how, read] of Object.entries({ subscription: bySubscription, pages: byPages })) {
    // What the compiler and the connections need at first belongs to neither.
    for (const ledger of [ours, other]) await read(ledger)
    const found = await alternating(rounds, {
      given: () => cost(read, ours),
      beside: () => cost(read, other),
    })
    const measured = `${how}, processor µs an event`
    row({ name, measured, value: found.given, target: null })
    row({ name, measured: `${measured}, beside`, value: found.beside, target: null })
    const target = { atMost: ratioMax }
    row({ name, measured: `${how}, given / beside`, value: found.given / found.beside, target })
  }
})
