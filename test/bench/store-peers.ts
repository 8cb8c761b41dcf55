import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client'
import pg from 'pg'
import { postgresEventStore } from '../../src/event-store/postgres.ts'
import { perSecond, sampleEvent } from '../support/bench-appends.ts'
import { alternating, row } from '../support/bench-rounds.ts'
import { benchServer } from '../support/bench-server.ts'
import { say } from '../support/say.ts'

// Appends a second to new streams, 64 in flight, beside another event store on the same durable server
// and, where EVENT_STORE_URL names one, beside the bare client of an EventStoreDB.
// `npm run bench -- store-peers [seconds] [rounds]`

const seconds = Number(process.argv[2] ?? 3)
const rounds = Number(process.argv[3] ?? 5)
const inFlight = 64
/** A store that compiles as it goes needs some to be as fast as it is. */
const warmUpSeconds = 3
/** With the versions of their peers that they ask for. */
const peers = [
  '@event-driven-io/emmett-postgresql@0.42.0',
  '@event-driven-io/emmett@0.42.0',
  '@event-driven-io/pongo@0.16.11',
]

type Peer = {
  appendToStream(
    stream: string,
    events: readonly object[],
    options: { readonly expectedStreamVersion: 'STREAM_DOES_NOT_EXIST' },
  ): Promise<unknown>
  readonly schema: { migrate(): Promise<unknown> }
  close(): Promise<void>
}
type PeerModule = {
  getPostgreSQLEventStore(
    url: string,
    options: { readonly connectionOptions: { readonly pool: pg.Pool } },
  ): Peer
}

/** The project does not depend on it: it comes into a folder that goes again. */
function installed(directory: string): PeerModule {
  say('  installing the other store into a temporary folder')
  const quiet = ['--no-audit', '--no-fund', '--no-save', '--loglevel', 'error']
  execFileSync('npm', ['install', ...quiet, '--prefix', directory, ...peers], { stdio: 'inherit' })
  const fromThere = createRequire(join(directory, 'package.json'))
  return fromThere('@event-driven-io/emmett-postgresql') as PeerModule
}

/** Its tables in a database of their own on the same server. */
async function emptyDatabase(adminUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query('CREATE DATABASE peer')
  await client.end()
  const url = new URL(adminUrl)
  url.pathname = '/peer'
  return url.href
}

async function beside(ours: () => Promise<number>, name: string, theirs: () => Promise<number>) {
  await perSecond(warmUpSeconds, inFlight, theirs)
  const medians = await alternating(rounds, {
    theirs: () => perSecond(seconds, inFlight, theirs),
    ours: () => perSecond(seconds, inFlight, ours),
  })
  row({ name: 'store-peers', measured: `appends/s, ${name}`, value: medians.theirs, target: null })
  row({ name: 'store-peers', measured: 'appends/s, ours', value: medians.ours, target: null })
  return medians.ours / medians.theirs
}

const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-bench-peers-'))
const server = await benchServer()
try {
  const store = postgresEventStore({ url: server.url })
  const append = async () => {
    await store.append(`note-${randomUUID()}`, 'no_stream', [sampleEvent()])
    return 1
  }
  const peerUrl = await emptyDatabase(server.adminUrl)
  // A session for each append in flight: with fewer it is slower.
  const pool = new pg.Pool({ connectionString: peerUrl, max: inFlight })
  const peer = installed(directory).getPostgreSQLEventStore(peerUrl, {
    connectionOptions: { pool },
  })
  await peer.schema.migrate()
  await perSecond(warmUpSeconds, inFlight, append)
  const faster = await beside(append, 'emmett-postgresql', async () => {
    const { type, data, metadata } = sampleEvent()
    const options = { expectedStreamVersion: 'STREAM_DOES_NOT_EXIST' } as const
    await peer.appendToStream(`note-${randomUUID()}`, [{ type, data, metadata }], options)
    return 1
  })
  const target = { atLeast: 5 }
  row({ name: 'store-peers', measured: 'ours / emmett-postgresql', value: faster, target })
  await peer.close()
  await pool.end()

  const { EVENT_STORE_URL: url } = process.env
  if (url) {
    const client = EventStoreDBClient.connectionString(url)
    const faster = await beside(append, 'bare client of EventStoreDB', async () => {
      const { id, type, data, metadata } = sampleEvent()
      const event = jsonEvent({ id, type, data: { ...data }, metadata: { ...metadata } })
      await client.appendToStream(`note-${randomUUID()}`, event, { expectedRevision: NO_STREAM })
      return 1
    })
    const target = { atLeast: 2.5 }
    row({ name: 'store-peers', measured: 'ours / EventStoreDB', value: faster, target })
    await client.dispose()
  } else {
    say('  beside an EventStoreDB: left out, set EVENT_STORE_URL to one')
  }
  await store.close()
} finally {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
