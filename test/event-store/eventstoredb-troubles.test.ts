import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import t, { type Test } from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import { EventStoreUnavailable } from '../../src/service/event-store/event-store.ts'
import {
  type EventStoreDb,
  eventStoreDb,
} from '../../src/service/event-store/eventstoredb/eventstoredb.ts'
import { eachNodeOf } from '../../src/service/event-store/eventstoredb/eventstoredb-client.ts'
import { checkEventStore } from '../../src/service/processes/event-store-binding.ts'
import {
  authority,
  type CertificateOptions,
  serverCertificate,
} from '../eventstoredb-stand-in/certificates.ts'
import { eventStoreStandIn } from '../eventstoredb-stand-in/stand-in.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'
import { event } from './contract.ts'
import { escapes, settled } from './eventstoredb-set-up.ts'

const escaped = escapes()
/** These tests mostly wait, so several run at once. */
const together = { buffered: true }
t.jobs = 4
const password = 'hunter2'
const trusted = authority()
const { url: databaseUrl } = await testDatabase(t)
const connections = pool({ connectionString: databaseUrl, log: noLog })
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
t.teardown(() => db.destroy())

function opened(t: Test, url: string): EventStoreDb {
  const times = { answerMs: 200, resumeMs: 1, callMs: 20_000, watchdogMs: 25_000 }
  const store = eventStoreDb({ url, prefixes: ['note-', 'audit-'], times })
  t.teardown(() => store.close())
  return store
}

/** Writes an authority's certificate to a file; returns its path for a connection string. */
function fileOf(t: Test, certificate: string): string {
  const file = join(t.testdir({}), 'authority.crt')
  writeFileSync(file, certificate)
  return encodeURIComponent(file)
}

/** The connection string of a server with users and a certificate. */
async function secured(
  t: Test,
  given: {
    readonly user?: string
    readonly options?: CertificateOptions
    readonly signer?: ReturnType<typeof authority>
  } = {},
): Promise<string> {
  const { user = `admin:changeit`, options, signer = trusted } = given
  const certificate = serverCertificate(signer, options)
  const { port } = await eventStoreStandIn(t, { certificate, hasUsers: true })
  const credentials = user === '' ? '' : `${user}@`
  return `esdb://${credentials}localhost:${port}?tlsCAFile=${fileOf(t, trusted.certificate)}`
}

async function follow(store: EventStoreDb): Promise<void> {
  for await (const { kind } of store.subscribe(null, { signal: new AbortController().signal })) {
    if (kind === 'caught_up') return
  }
}

const day = 86_400_000
const past = { notBefore: new Date(Date.now() - 9 * day), notAfter: new Date(Date.now() - day) }
const future = { notBefore: new Date(Date.now() + day), notAfter: new Date(Date.now() + 9 * day) }
const plainOf = (url: string) => url.replace(/\?.*/, '?tls=false')

type Case = {
  readonly what: string
  readonly code: string
  readonly sentence: RegExp
  readonly url: (t: Test) => Promise<string>
}

const cases: readonly Case[] = [
  {
    what: 'a wrong password',
    code: 'user_rejected',
    sentence: /^EventStoreDB does not accept the user name and password .*: correct them/,
    url: (t) => secured(t, { user: `admin:${password}` }),
  },
  {
    what: 'an unknown user',
    code: 'user_rejected',
    sentence: /^EventStoreDB does not accept the user name/,
    url: (t) => secured(t, { user: `someone:${password}` }),
  },
  {
    what: 'no credentials',
    code: 'credentials_missing',
    sentence: /^EventStoreDB requires a user, and EVENT_STORE_URL names none: put/,
    url: (t) => secured(t, { user: '' }),
  },
  {
    what: 'an authority that is not trusted',
    code: 'authority_unknown',
    sentence: /^The certificate of EventStoreDB is signed by an authority .*: name .* `tlsCAFile`/,
    url: (t) => secured(t, { signer: authority('another') }),
  },
  {
    what: 'a certificate that has expired',
    code: 'certificate_expired',
    sentence: /^The certificate of EventStoreDB has expired .*: renew it/,
    url: (t) => secured(t, { options: past }),
  },
  {
    what: 'a certificate that is not valid yet',
    code: 'certificate_expired',
    sentence: /is not valid yet: renew it, and check the clocks/,
    url: (t) => secured(t, { options: future }),
  },
  {
    what: 'a certificate for another host',
    code: 'certificate_name',
    sentence:
      /^The certificate of EventStoreDB is not for the host that is called: use a host name/,
    url: (t) => secured(t, { options: { names: ['elsewhere.example'] } }),
  },
  {
    what: 'TLS to a server without it',
    code: 'tls_to_plain',
    sentence:
      /^EventStoreDB answers without TLS, .*: give the server a certificate, or add `tls=false`/,
    url: async (t) => (await eventStoreStandIn(t)).url.replace('tls=false', 'tls=true'),
  },
  {
    what: 'plain text to a server with TLS',
    code: 'plain_to_tls',
    sentence: /^EventStoreDB closes connections without TLS: remove `tls=false`/,
    url: async (t) => plainOf(await secured(t)),
  },
]

async function start(store: EventStoreDb): Promise<{ readonly error: unknown }> {
  return await settled(checkEventStore(db, store, { kind: 'EventStoreDB', namespace: '' }, 0))
}

for (const { what, code, sentence, url: urlOf } of cases) {
  t.test(`${what} has its own error message, at the start and later`, together, async (t) => {
    const url = await urlOf(t)
    const store = opened(t, url)
    const ended = await Promise.all([
      settled(store.head()),
      settled(store.readStream('note-1')),
      settled(store.append('note-1', 'no_stream', [event()])),
      settled(follow(store)),
    ])
    for (const { error } of ended) {
      t.type(error, EventStoreUnavailable)
      t.match(error, { trouble: { code }, message: sentence })
    }
    const { error } = await start(store)
    t.match(error, { name: 'StartError', message: sentence })
    t.notMatch(String(error), new RegExp(`${password}|someone|localhost|changeit`))
  })
}

const ofEachNode = new Set(['authority_unknown', 'tls_to_plain', 'plain_to_tls'])

for (const { what, code, sentence, url: urlOf } of cases) {
  if (!ofEachNode.has(code)) continue
  t.test(`${what} has the same error message with several nodes`, together, async (t) => {
    const one = await urlOf(t)
    const host = /localhost:\d+|127\.0\.0\.1:\d+/.exec(one)?.[0] ?? ''
    const store = opened(t, `${one.replace(host, `${host},${host}`)}&maxDiscoverAttempts=1`)
    t.match((await settled(store.head())).error, { trouble: { code } })
    const append = store.append('note-1', 'no_stream', [event()])
    t.match((await settled(append)).error, { trouble: { code } })
    t.match((await start(store)).error, { message: sentence })
  })
}

t.test('a closed port and a silent server are reported as no answer', async (t) => {
  const nothing = await eventStoreStandIn(t)
  await nothing.stop()
  const silent = await eventStoreStandIn(t)
  silent.freeze()
  for (const { url } of [nothing, silent]) {
    const store = eventStoreDb({
      url,
      prefixes: ['note-'],
      times: { callMs: 300, watchdogMs: 400, answerMs: 200, readSilentMs: 300 },
    })
    t.teardown(() => store.close())
    const { error } = await settled(store.head())
    t.type(error, EventStoreUnavailable)
    t.match(error, { trouble: null })
    t.match((await start(store)).error, { message: /^The event store does not answer: check/ })
  }
})

t.test('a server without a leader is reported as answering but not ready', async (t) => {
  const standIn = await eventStoreStandIn(t)
  const store = opened(t, standIn.url)
  standIn.script.always('read', 'not_ready')
  t.match((await settled(store.head())).error, { trouble: { code: 'not_ready' } })
  t.match((await start(store)).error, { message: /^EventStoreDB answers but .* no leader: check/ })
})

t.test('an invalid EVENT_STORE_URL stops the start without quoting it', async (t) => {
  const folder = t.testdir({})
  for (const [end, sentence] of [
    ['host:2113?tlsVerifyCert=false', /^EVENT_STORE_URL has an option that is not supported/],
    ['host:2113?tlsCAFile=/nowhere/ca.crt', /^A file that EVENT_STORE_URL names cannot be read/],
    [`host:2113?tlsCAFile=${folder}`, /^A file that EVENT_STORE_URL names cannot be read/],
    ['host:port', /^EVENT_STORE_URL is not a valid connection string/],
    [
      '',
      /^EVENT_STORE_URL is not a valid connection string: write it as .* kurrentdb:\/\/host:2113/,
    ],
  ] as const) {
    for (const scheme of ['esdb', 'kurrentdb', 'kurrentdb+discover']) {
      const url = `${scheme}://someone:${password}@${end}`
      const error = thrownBy(() => eventStoreDb({ url, prefixes: ['note-'] }))
      t.match(error, { name: 'StartError', message: sentence })
      t.notMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /hunter2|someone/)
    }
  }
})

t.test('the connection strings of KurrentDB mean the same as those of EventStoreDB', async (t) => {
  const { port } = await eventStoreStandIn(t)
  const ids: string[] = []
  for (const scheme of ['kurrentdb', 'kurrentdb+discover', 'esdb+discover', 'esdb']) {
    const store = opened(t, `${scheme}://127.0.0.1:${port}?tls=false`)
    const one = event()
    t.match(await store.append(`note-${ids.length}`, 'no_stream', [one]), { kind: 'committed' })
    ids.push(one.id)
    const { events } = await store.readAll(null, { limit: 10 })
    t.strictSame(
      events.map(({ id }) => id),
      ids,
    )
  }
  const nodes = eachNodeOf('kurrentdb://a:b@one:2113,two?tls=false')
  t.strictSame(nodes, ['esdb://a:b@one:2113?tls=false', 'esdb://a:b@two?tls=false'])
})

function thrownBy(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('it was taken')
}

t.test('none of these connection errors threw an uncaught error', async (t) => {
  t.strictSame(escaped, [])
})
