import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { EventStoreUnavailable } from '../../../src/service/event-store/event-store.ts'
import { eventStoreDb } from '../../../src/service/event-store/eventstoredb/eventstoredb.ts'
import { event } from '../../event-store/contract.ts'
import { settled } from '../../event-store/eventstoredb-set-up.ts'
import { authority, serverCertificate } from '../../eventstoredb-stand-in/certificates.ts'
import { type EventStoreStandIn, eventStoreStandIn } from '../../eventstoredb-stand-in/stand-in.ts'
import { runCommand } from '../../support/run-process.ts'

const create = ['event-store', 'user', 'create']

type Server = {
  readonly standIn: EventStoreStandIn
  readonly urlOf: (credentials: string) => string
}

/** A server as the compose file starts it, with its own certificate authority and users. */
async function secured(t: Test): Promise<Server> {
  const trusted = authority()
  const file = join(t.testdir({}), 'authority.crt')
  writeFileSync(file, trusted.certificate)
  const certificate = serverCertificate(trusted)
  const standIn = await eventStoreStandIn(t, { certificate, hasUsers: true })
  const end = `localhost:${standIn.port}?tlsCAFile=${encodeURIComponent(file)}`
  return { standIn, urlOf: (credentials) => `esdb://${credentials}@${end}` }
}

const administrator = 'admin:changeit'

function opened(t: Test, url: string) {
  const store = eventStoreDb({ url, prefixes: ['note-'], times: { answerMs: 100, resumeMs: 1 } })
  t.teardown(() => store.close())
  return store
}

/** The error code that a user gets for each operation of the service; null for success. */
async function troublesOf(t: Test, url: string): Promise<readonly unknown[]> {
  const store = opened(t, url)
  const stream = `note-${randomBytes(4).toString('hex')}`
  const ended = [
    await settled(store.append(stream, 'no_stream', [event()])),
    await settled(store.readStream(stream)),
    await settled(store.head()),
  ]
  return ended.map(({ error }) =>
    error instanceof EventStoreUnavailable ? error.trouble?.code : error,
  )
}

t.test("a command creates the service's user with the rights that the ledger needs", async (t) => {
  const { standIn, urlOf } = await secured(t)
  const url = urlOf('ledger:a%20word%3A')
  const env = { EVENT_STORE_URL: url, EVENT_STORE_ADMIN_URL: urlOf(administrator) }
  t.same(await troublesOf(t, url), Array(3).fill('user_rejected'))
  const first = await runCommand(env, ...create, '--json')
  t.equal(first.stderr, '')
  t.same(JSON.parse(first.stdout), { name: 'ledger', defaults: 'narrowed', password: null })
  t.same(await troublesOf(t, url), [null, null, null])

  const settings = standIn.log.stream('$settings')
  t.match(await runCommand(env, ...create), {
    code: 0,
    stdout: /^ledger is a user of EventStoreDB/,
  })
  t.equal(standIn.log.stream('$settings').length, settings.length, 'again, nothing is to be done')
  const rotated = { ...env, EVENT_STORE_URL: urlOf('ledger:next') }
  t.equal((await runCommand(rotated, ...create)).code, 0)
  t.same(await troublesOf(t, rotated.EVENT_STORE_URL), [null, null, null])
  t.same(await troublesOf(t, url), Array(3).fill('user_rejected'), 'the old password is no more')
})

t.test('a password that the command generates is shown once and works', async (t) => {
  const { urlOf } = await secured(t)
  const env = { EVENT_STORE_ADMIN_URL: urlOf(administrator) }
  const { stdout } = await runCommand(env, ...create, '--name', 'ledger', '--json')
  const { password } = JSON.parse(stdout) as { password: string }
  t.match(password, /^[\w-]{32}$/)
  t.same(await troublesOf(t, urlOf(`ledger:${password}`)), [null, null, null])
  t.match((await runCommand(env, ...create, '--name', 'other')).stdout, /shown once: [\w-]{32}\n$/)
})

t.test('creating the user narrows default rights unless --keep-defaults is set', async (t) => {
  for (const [flags, others] of [
    [[], ['may_not_write', 'may_not_read', 'may_not_read']],
    [['--keep-defaults'], [null, null, 'may_not_read']],
  ] as const) {
    const { standIn, urlOf } = await secured(t)
    standIn.addUser('shop', 'word')
    t.same(await troublesOf(t, urlOf('shop:word')), [null, null, 'may_not_read'])
    const env = { EVENT_STORE_ADMIN_URL: urlOf(administrator) }
    const done = await runCommand(env, ...create, '--name', 'ledger', '--json', ...flags)
    const { password } = JSON.parse(done.stdout) as { password: string }
    t.same(await troublesOf(t, urlOf(`ledger:${password}`)), [null, null, null])
    t.same(await troublesOf(t, urlOf('shop:word')), others)
  }
})

t.test('rights that other users were given by name are kept', async (t) => {
  const { standIn, urlOf } = await secured(t)
  standIn.addUser('shop', 'word')
  standIn.writeState('$settings', {
    $userStreamAcl: { $r: 'shop', $w: ['shop'], $d: 'shop' },
    kept: 1,
  })
  standIn.writeState('$$$all', { $acl: { $r: ['shop', '$admins'] }, $tb: 7 })
  const env = { EVENT_STORE_ADMIN_URL: urlOf(administrator) }
  t.equal((await runCommand(env, ...create, '--name', 'ledger')).code, 0)
  t.same(await troublesOf(t, urlOf('shop:word')), [null, null, null])
  const stateOf = (stream: string) =>
    JSON.parse(Buffer.from(standIn.log.stream(stream).at(-1)?.data ?? []).toString())
  t.same(stateOf('$settings'), {
    kept: 1,
    $userStreamAcl: {
      $r: ['shop', 'shipping-ledger'],
      $w: ['shop', 'shipping-ledger'],
      $d: ['shop'],
      $mr: ['$admins'],
      $mw: ['$admins'],
    },
  })
  t.same(stateOf('$$$all'), { $acl: { $r: ['shop', '$admins', 'shipping-ledger'] }, $tb: 7 })
})

t.test('the user command explains each failure without showing a password', async (t) => {
  const { urlOf } = await secured(t)
  const admin = { EVENT_STORE_ADMIN_URL: urlOf(administrator) }
  await runCommand({ ...admin, EVENT_STORE_URL: urlOf('ledger:hunter2') }, ...create)
  for (const [env, words, code, sentence] of [
    [{}, ['--name', 'ledger'], 1, /^EVENT_STORE_ADMIN_URL is not set. Set it to/],
    [admin, [], 64, /^--name is missing, and EVENT_STORE_URL names no user/],
    [admin, ['--name', 'admin'], 64, /^admin is one of the server's own users/],
    [admin, ['--name', 'A ledger'], 64, /^A name is 1 to 64 of/],
    [
      { ...admin, EVENT_STORE_URL: urlOf('ledger:hunter2') },
      ['--name', 'other'],
      64,
      /^--name differs from the user/,
    ],
    [
      { EVENT_STORE_ADMIN_URL: urlOf('admin:hunter2') },
      ['--name', 'ledger'],
      1,
      /^EventStoreDB does not accept the user name and password in EVENT_STORE_ADMIN_URL/,
    ],
    [
      { EVENT_STORE_ADMIN_URL: urlOf('ledger:hunter2') },
      ['--name', 'next'],
      1,
      /^The user of EVENT_STORE_ADMIN_URL is not an administrator/,
    ],
    [
      { EVENT_STORE_ADMIN_URL: urlOf(administrator).replace(/\?.*/, '') },
      ['--name', 'ledger'],
      1,
      /signed by an authority that is not trusted here: name .* in EVENT_STORE_ADMIN_URL as/,
    ],
  ] as const) {
    const ended = await runCommand(env, ...create, ...words)
    t.match(ended, { code, stdout: '', stderr: sentence })
    t.notMatch(ended.stderr, /hunter2|changeit/)
  }
})
