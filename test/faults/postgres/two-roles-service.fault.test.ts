import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { migrate } from '../../../src/service/database/migrate.ts'
import { eventStoreUrl } from '../../eventstoredb-stand-in/event-store-url.ts'
import { fleet } from '../../support/processes.ts'
import { type RunningProcess, runCommand, runProcess } from '../../support/run-process.ts'
import { type DatabaseRoles, databaseRoles } from './database-roles.ts'

const key = Buffer.alloc(32, 5).toString('base64')
const secrets = { SECRETS_KEY: key, API_KEY_PEPPER: key, CHECKPOINT_KEY: key }
const environment = { PORT: '0', METRICS_PORT: '0', ...secrets }
/** These tests mostly wait for processes to start. */
const together = { buffered: true }
t.jobs = 2

async function roles(t: Test): Promise<DatabaseRoles> {
  const made = await databaseRoles(t)
  await migrate({ adminUrl: made.ownerUrl, applicationRole: made.role })
  return made
}

t.test('the role without owner rights can serve, rebuild, verify and diff', together, async (t) => {
  const { url, ownerUrl } = await roles(t)
  const shop = await fleet(t, { database: { url, adminUrl: ownerUrl } })
  const service = await shop.start({ env: { DATABASE_ADMIN_URL: '' } })
  const order = await service.create('one')
  t.equal(order.status, 201)
  t.equal((await service.call(`/v1/shipments/${order.body.id}`)).status, 200)
  const env = { ...shop.environment, DATABASE_ADMIN_URL: '' }
  const commands = [['projections', 'rebuild', 'shipments'], ['verify']]
  const ended = await Promise.all(commands.map((words) => runCommand(env, ...words)))
  for (const { code, stderr } of ended) t.equal(code, 0, stderr)
  const { code, stderr } = await runCommand(env, 'diff')
  t.equal(code, 0, stderr)
  service.signal('SIGTERM')
  t.equal((await service.ended).code, 0)
})

t.test("only the owner role can move the ledger, not the service's role", together, async (t) => {
  const { url, ownerUrl } = await roles(t)
  const eventStore = await eventStoreUrl(t)
  const namespace = `pair-${randomBytes(6).toString('hex')}`
  const env = { ...environment, ROLES: 'api,projector', DATABASE_URL: url }
  const run = async (more: Readonly<Record<string, string>> = {}) => {
    const process = runProcess('src/service/main.ts', { env: { ...env, ...more } })
    await process.said(/"msg":"ready"/)
    return process
  }
  const stop = async (process: RunningProcess) => {
    process.child.kill('SIGTERM')
    t.equal((await process.ended).code, 0)
  }
  const first = await run()
  const made = await runCommand(env, 'org', 'create', '--name', 'A shop')
  t.equal(made.code, 0, made.stderr)
  const move = ['copy', '--to', eventStore, '--to-namespace', namespace, '--switch']
  const withOwner = { ...env, DATABASE_ADMIN_URL: ownerUrl }
  t.match(await runCommand(env, ...move), {
    code: 2,
    stderr: /^A move of the ledger needs more rights: set DATABASE_ADMIN_URL to the role/,
  })
  t.match(await runCommand(withOwner, ...move), { code: 1, stderr: /process .* is connected/ })
  await stop(first)
  t.match(await runCommand(withOwner, ...move), { code: 0, stdout: /now belongs to the ledger in/ })
  await stop(await run({ EVENT_STORE_URL: eventStore, EVENT_STORE_NAMESPACE: namespace }))
  const back = ['copy', '--from', eventStore, '--from-namespace', namespace, '--switch']
  t.match(await runCommand(withOwner, ...back), { code: 0 })
  await stop(await run())
})
