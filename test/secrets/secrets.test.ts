import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { checkSecrets } from '../../src/service/secrets/secret-checks.ts'
import {
  embeddedSecrets,
  externalSecrets,
  type GivenSecrets,
  type Secrets,
} from '../../src/service/secrets/secrets.ts'
import { testDatabase } from '../support/test-database.ts'

const nothing: GivenSecrets = {
  secretsKey: undefined,
  secretsKeyPrevious: [],
  apiKeyPepper: undefined,
  checkpointKey: undefined,
  simulatorKey: undefined,
}
const keyOf = (n: number) => Buffer.alloc(32, n).toString('base64')
const given: GivenSecrets = {
  secretsKey: keyOf(1),
  secretsKeyPrevious: [],
  apiKeyPepper: keyOf(2),
  checkpointKey: keyOf(3),
  simulatorKey: keyOf(4),
}

t.test('the embedded default creates its secrets once, readable by their owner only', async (t) => {
  const path = t.testdir()
  const first = embeddedSecrets(path, nothing, false)
  t.ok(first.made)
  t.equal(statSync(join(path, 'secrets.json')).mode & 0o777, 0o600)
  chmodSync(join(path, 'secrets.json'), 0o644)
  const second = embeddedSecrets(path, nothing, true)
  t.equal(statSync(join(path, 'secrets.json')).mode & 0o777, 0o600)
  t.same({ ...second, made: true, passwordsMade: true }, first)
  t.notOk(second.made || second.passwordsMade)
  t.not(embeddedSecrets(t.testdir({}), nothing, false).secrets.secretsKey, first.secrets.secretsKey)
})

t.test(
  'secrets from the environment take precedence and are never written to the file',
  async (t) => {
    const path = t.testdir()
    const { secrets } = embeddedSecrets(path, given, false)
    t.equal(secrets.secretsKey, given.secretsKey)
    t.equal(secrets.checkpointKey.toString('base64'), given.checkpointKey)
    const text = readFileSync(join(path, 'secrets.json'), 'utf8')
    for (const n of [1, 2, 3, 4]) t.notMatch(text, keyOf(n))
  },
)

t.test('data without its secrets stops the start, and no new secrets are created', async (t) => {
  const path = t.testdir()
  t.throws(() => embeddedSecrets(path, { ...nothing, apiKeyPepper: keyOf(2) }, true), {
    name: 'StartError',
    message: /cannot be read without .*\(SECRETS_KEY, CHECKPOINT_KEY\)\. Restore its secrets.json/,
  })
  t.notOk(existsSync(join(path, 'secrets.json')))
  t.equal(embeddedSecrets(path, given, true).passwordsMade, true)
})

t.test('a damaged secrets file stops the start without its contents in the message', async (t) => {
  const path = t.testdir()
  for (const text of ['{"SECRETS_KEY": "hunter2"', '{"SECRETS_KEY":"hunter2"}', '{"HUNTER2":1}']) {
    writeFileSync(join(path, 'secrets.json'), text)
    try {
      embeddedSecrets(path, nothing, true)
      t.fail('it was accepted')
    } catch (error) {
      t.match((error as Error).message, /secrets\.json are damaged\. Restore the file/)
      t.notMatch(String((error as Error).stack), /hunter2/i)
      t.equal((error as Error).cause, undefined)
    }
  }
})

t.test('with DATABASE_URL the secrets come from the environment', async (t) => {
  const path = t.testdir()
  t.throws(() => externalSecrets(path, { ...given, secretsKey: undefined }), {
    message: /SECRETS_KEY is missing\. Create each with `openssl rand -base64 32`/,
  })
  t.throws(() => externalSecrets(path, nothing), {
    message: /SECRETS_KEY, API_KEY_PEPPER, CHECKPOINT_KEY are missing/,
  })
  const own = { ...given, simulatorKey: undefined }
  const first = externalSecrets(path, own).simulatorKey
  t.same(externalSecrets(path, own).simulatorKey, first, 'the simulator keeps its own key')
  rmSync(join(path, 'secrets.json'))
  t.notSame(externalSecrets(path, own).simulatorKey, first)
})

t.test('data made with other secrets stops the start and names those that differ', async (t) => {
  const { adminUrl } = await testDatabase(t)
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  t.teardown(() => client.end())
  const check = (changes: Partial<GivenSecrets>) =>
    checkSecrets(client, externalSecrets(undefined, { ...given, ...changes }) satisfies Secrets)

  await check({})
  await check({})
  await t.rejects(check({ apiKeyPepper: keyOf(9), checkpointKey: keyOf(8) }), {
    name: 'StartError',
    message: /created with other secrets \(API_KEY_PEPPER, CHECKPOINT_KEY\)/,
  })
  await t.rejects(check({ secretsKey: keyOf(9) }), { message: /\(SECRETS_KEY\)/ })

  // A rotation: the old key is needed until nothing is sealed with it any more.
  await check({ secretsKey: keyOf(9), secretsKeyPrevious: [keyOf(1)] })
  await t.rejects(check({ secretsKey: keyOf(9) }), { message: /\(SECRETS_KEY\)/ })
  await t.rejects(check({ secretsKey: keyOf(1) }), { message: /\(SECRETS_KEY\)/ })
  await check({ secretsKey: keyOf(1), secretsKeyPrevious: [keyOf(9)] })
})
