import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { authority, serverCertificate } from '../../eventstoredb-stand-in/certificates.ts'
import { eventStoreStandIn } from '../../eventstoredb-stand-in/stand-in.ts'
import { eventually } from '../../support/eventually.ts'
import { fleet } from '../../support/processes.ts'
import { runCommand, runProcess } from '../../support/run-process.ts'

const passwords = { first: 'hunter2', second: 'hunter3' }
const waitMs = 60_000

t.test(
  'a service on a secured store uses its own user and reports rejected credentials',
  async (t) => {
    const trusted = authority()
    const file = join(t.testdir({}), 'authority.crt')
    writeFileSync(file, trusted.certificate)
    const certificate = serverCertificate(trusted)
    const standIn = await eventStoreStandIn(t, { certificate, hasUsers: true })
    const urlOf = (credentials: string) =>
      `esdb://${credentials}@localhost:${standIn.port}?tlsCAFile=${encodeURIComponent(file)}`
    const grant = async (password: string) => {
      const { code, stderr } = await runCommand(
        {
          EVENT_STORE_ADMIN_URL: urlOf('admin:changeit'),
          EVENT_STORE_URL: urlOf(`ledger:${password}`),
        },
        ...['event-store', 'user', 'create'],
      )
      t.equal(code, 0, stderr)
    }
    await grant(passwords.first)
    // The fleet inherits these variables.
    process.env.EVENT_STORE_URL = urlOf(`ledger:${passwords.first}`)
    process.env.EVENT_STORE_NAMESPACE = `secured-${randomBytes(4).toString('hex')}`
    const shop = await fleet(t)
    const service = await shop.start()
    t.equal((await service.create('one')).status, 201)
    const readiness = async () => (await service.call('/readyz')).body
    t.match(await eventually(readiness, ({ status }) => status === 'ready', waitMs), {})

    await grant(passwords.second)
    const away = await eventually(readiness, ({ checks }) => checks.ledger !== 'ok', waitMs)
    t.match(away, { status: 'not_ready', checks: { ledger: 'user_rejected' } })
    t.match(await service.create('two'), {
      status: 503,
      body: { reason: 'dependency_unavailable', outcome: 'not_executed' },
    })
    await grant(passwords.first)
    await eventually(readiness, ({ status }) => status === 'ready', waitMs)
    t.equal((await service.create('two')).status, 201, 'the same key, once it may again')
    service.signal('SIGTERM')
    const { code, stdout } = await service.ended
    t.equal(code, 0)
    t.match(stdout, 'EventStoreDB does not accept the user name and password in EVENT_STORE_URL')
    t.notMatch(stdout, /hunter|changeit/)

    const untrusted = process.env.EVENT_STORE_URL.replace(/\?.*/, '')
    const start = runProcess('src/service/main.ts', {
      env: { ...shop.environment, EVENT_STORE_URL: untrusted, ROLES: 'api', PORT: '0' },
    })
    const ended = await start.ended
    t.equal(ended.code, 1)
    t.match(ended.stderr, /^The certificate of EventStoreDB is signed by an authority [^\n]*\n$/)
  },
)
