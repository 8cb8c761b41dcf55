import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { Vault } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import type { Answer } from '../support/api-client.ts'
import { fleet } from '../support/processes.ts'
import { random, seedOf } from '../support/random.ts'
import { runCommand, runProcess } from '../support/run-process.ts'
import { testSecrets } from '../support/service.ts'
import { storeRow } from '../support/stored-row.ts'

/** Enough rows for the command to be killed in the middle. */
const rows = 20_000
const kills = 3
/** Orders during each run: as many as a slow machine can answer in time. */
const orders = 30

t.test('a killed key rotation resumes during traffic and then needs no old key', async (t) => {
  const seed = seedOf('ROTATION_SEED')
  const draw = random(seed)
  t.comment(`ROTATION_SEED=${seed}`)
  const secrets = testSecrets()
  const next = randomBytes(32).toString('base64')
  const both = { SECRETS_KEY: next, SECRETS_KEY_PREVIOUS: secrets.secretsKey }
  // As in a rotation without downtime: all processes know the new key before any writes under it.
  const all = await fleet(t, { secrets, simulator: both })
  const { parts } = all
  const before = await all.start({ env: { SECRETS_KEY_PREVIOUS: next } })
  t.equal((await before.create('before')).status, 201)
  const owner = { organizationId: 'org_many', workspaceId: 'ws_many', shipmentId: 'shp_many' }
  const vault = new Vault(postgresVaultRows(parts.pool), masterKeys(secrets.secretsKey))
  for (let made = 0; made < rows; made += 1_000) {
    const drafts = Array.from({ length: 1_000 }, () => vault.prepare(owner, { n: made }))
    await storeRow(parts.pool, ...drafts)
  }
  before.signal('SIGTERM')
  await before.ended
  await parts.close()

  const admin = new pg.Client({ connectionString: all.database.adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  const service = await all.start({ env: both })
  const answers: Promise<Answer>[] = []
  const env = { ...all.environment, ...both }
  const left = async () => {
    const { rows: found } = await admin.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM vault WHERE master_key_id <> $1',
      [masterKeys(next).current.id],
    )
    return found[0]?.n ?? 0
  }
  let remaining = await left()
  for (let kill = 0; kill < kills; kill++) {
    const command = runProcess('src/service/cli/cli.ts', { env, arguments: ['secrets', 'rotate'] })
    const wanted = remaining - Math.ceil((draw() * rows) / (kills + 2)) - 1
    while ((await left()) > wanted) {
      if (answers.length < orders * (kill + 1))
        answers.push(service.create(`live-${answers.length}`))
      await delay(10)
    }
    command.child.kill('SIGKILL')
    await command.ended
    remaining = await left()
    t.ok(remaining > 0, `${remaining} rows were left when it was killed (seed ${seed})`)
    const early = await all.start({ env: { SECRETS_KEY: next } }).catch((error) => String(error))
    t.match(early, /This data was created with other secrets \(SECRETS_KEY\)/)
  }
  const ended = await runCommand(env, 'secrets', 'rotate', '--progress', '--json')
  t.equal(ended.code, 0, ended.stderr)
  t.match(JSON.parse(ended.stdout), { status: 'done' })
  t.equal(await left(), 0)
  for (const answer of await Promise.all(answers)) t.equal(answer.status, 201)
  service.signal('SIGTERM')
  await service.ended

  const alone = await all.start({ env: { SECRETS_KEY: next } })
  const again = await alone.create('before')
  t.match(again, { status: 201, body: { recipient: { first_name: /./ } } })
  t.equal(again.headers.get('idempotent-replayed'), 'true')
  t.equal((await alone.create('after')).status, 201)
})
