import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { createServices } from '../../../src/service/app.ts'
import { byCli } from '../../../src/service/cli/acting.ts'
import { createOperator } from '../../../src/service/security/operators.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { runCommand, runProcess } from '../../support/run-process.ts'
import { noLogger } from '../../support/service.ts'
import { type SealedLedger, sealedLedger } from './sealed-ledgers.ts'

/*
 * A ledger that is behind what its own database has sealed and read of it, like an event store
 * restored from an older backup than the database.
 */

const by = { actor: byCli.actor, requestId: null } as const

/** Deletes the events after this many, but nothing derived from them. */
async function forget({ database }: SealedLedger, size: number): Promise<void> {
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  try {
    await admin.query(`
      ALTER TABLE ledger.event DISABLE TRIGGER ALL;
      DELETE FROM ledger.event WHERE position > (
        SELECT position FROM ledger.event ORDER BY position LIMIT 1 OFFSET ${size - 1});
      ALTER TABLE ledger.event ENABLE ALWAYS TRIGGER event_never_changes`)
  } finally {
    await admin.end()
  }
}

/** An act before the loss is noticed: another event takes the position of a lost one. */
async function actOn({ database, secrets }: SealedLedger): Promise<string> {
  const parts = createServices({
    databaseUrl: database.url,
    secrets,
    simulatorUrl: null,
    log: noLogger(),
  })
  try {
    const platform = await createOrganization(parts, { name: 'Platform', type: 'platform' }, by)
    const person = { organizationId: platform.id, name: 'Ana', email: 'ana@ledger.example' }
    return (await createOperator(parts, person, by)).id
  } finally {
    await parts.close()
  }
}

function environmentOf({ database, secrets, checkpointDir }: SealedLedger) {
  return {
    DATABASE_URL: database.url,
    SECRETS_KEY: secrets.secretsKey,
    API_KEY_PEPPER: secrets.apiKeyPepper.toString('base64'),
    CHECKPOINT_KEY: secrets.checkpointKey.toString('base64'),
    CHECKPOINT_DIR: checkpointDir,
  }
}

/**
 * Runs the command until it begins a step at which it was not killed before; null if it completed.
 */
async function killedAt(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  steps: ReadonlySet<string>,
): Promise<string | null> {
  const { child, ended } = runProcess('src/service/cli/cli.ts', { env, arguments: words })
  let step: string | null = null
  let said = ''
  child.stderr?.on('data', (text: string) => {
    said += text
    const begun = said.split('\n').slice(0, -1)
    const fresh = begun.map((line) => line.split(/:| …/)[0] ?? '').find((each) => !steps.has(each))
    if (fresh === undefined || step !== null) return
    step = fresh
    child.kill('SIGKILL')
  })
  const { code, stderr } = await ended
  if (code !== null && code !== 0) throw new Error(stderr)
  return code === 0 ? null : step
}

t.test('seals of lost events are cut off and kept as a record of the loss', async (t) => {
  const ledger = await sealedLedger(t, 'PostgreSQL', { orders: 2 })
  const { checkpointDir, answers } = ledger
  const [first = 0, middle = 0, last = 0] = answers.map(({ tree_size: size }) => size)
  const left = middle + 1
  await forget(ledger, left)
  const operatorId = await actOn(ledger)
  const env = environmentOf(ledger)
  const command = (...words: readonly string[]) => runCommand(env, ...words)
  const looked = await command('recover', '--check', '--json')
  t.equal(looked.code, 1, looked.stderr)
  t.match(JSON.parse(looked.stdout), {
    intact: false,
    sealed: { size: last, held: left },
    proven: { size: middle },
    lost_size: last,
  })
  t.equal((await command('verify')).code, 1, 'checking repairs nothing')
  const recover = ['recover', '--as', operatorId, '--note', 'Restored.', '--json'] as const
  const recovered = await command(...recover)
  t.equal(recovered.code, 0, recovered.stderr)
  t.match(JSON.parse(recovered.stdout), { proven_size: middle, lost_size: last })

  const files = answers.map(({ note }, index) => {
    const file = join(checkpointDir, '..', `held-${index}.txt`)
    writeFileSync(file, note)
    return file
  })
  const verified = await command('verify', '--checkpoint', String(files[0]))
  t.equal(verified.code, 0, verified.stdout)
  t.match(verified.stdout, new RegExp(`${middle} events .*up to ${last}, were lost`))
  t.ok(first < middle)
  const lost = await command('verify', '--checkpoint', String(files[2]))
  t.match(lost.stdout, /lost/, 'a checkpoint of the lost part is reported as such')
  const differs = await command('diff')
  t.equal(differs.code, 0, differs.stdout)
  t.equal((await command('recover', '--check')).code, 0)
  t.equal((await command(...recover)).code, 0, 'it may be repeated')
  t.equal((await command('verify')).code, 0)
})

/** Leaves the seal of a lagging replica, and a checkpoint of the lost part that arrived late. */
async function forgetSeal({ database, answers }: SealedLedger): Promise<void> {
  const [, middle = 0, last = 0] = answers.map(({ tree_size: size }) => size)
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  try {
    const damage = "(SELECT id FROM ledger_damages WHERE source = 'test')"
    await admin.query(`
      INSERT INTO ledger_damages (id, source) VALUES (gen_random_uuid(), 'test');
      SELECT ledger.cut_seal(${damage}, ${middle}, (
        SELECT event_id FROM ledger.event ORDER BY position LIMIT 1 OFFSET ${middle - 1}));
      INSERT INTO checkpoints
        SELECT tree_size, root, position, key_id, signed_at, note FROM lost_checkpoints
        WHERE tree_size = ${last};
      DELETE FROM lost_checkpoints; DELETE FROM lost_sealed_batches; DELETE FROM ledger_damages`)
  } finally {
    await admin.end()
  }
}

t.test('a late checkpoint of lost events is removed even if none of them was sealed', async (t) => {
  const ledger = await sealedLedger(t, 'PostgreSQL', { orders: 2 })
  const [, middle = 0, last = 0] = ledger.answers.map(({ tree_size: size }) => size)
  await forget(ledger, middle)
  await forgetSeal(ledger)
  const operatorId = await actOn(ledger)
  const command = (...words: readonly string[]) => runCommand(environmentOf(ledger), ...words)
  const looked = await command('recover', '--check', '--json')
  t.match(JSON.parse(looked.stdout), {
    sealed: { size: middle, held: middle },
    proven: { size: middle },
    lost_size: last,
  })
  const recovered = await command('recover', '--as', operatorId, '--note', 'Promoted.')
  t.equal(recovered.code, 0, recovered.stderr)
  const { rows } = await sql<{ size: string }>`
    SELECT max(tree_size) AS size FROM checkpoints`.execute(ledger.parts.db)
  t.equal(Number(rows[0]?.size), middle)
  t.equal((await command('recover', '--check')).code, 0)
  const verified = await command('verify')
  t.equal(verified.code, 0, verified.stdout)
})

t.test('a recovery that is killed at any step is finished by running it again', async (t) => {
  const ledger = await sealedLedger(t, 'PostgreSQL', { orders: 2 })
  const [, middle = 0, last = 0] = ledger.answers.map(({ tree_size: size }) => size)
  await forget(ledger, middle + 1)
  const operatorId = await actOn(ledger)
  const env = environmentOf(ledger)
  const recover = ['recover', '--as', operatorId, '--note', 'Restored.', '--progress'] as const
  const steps = new Set<string>()
  for (;;) {
    const step = await killedAt(env, recover, steps)
    if (step === null) break
    steps.add(step)
  }
  t.strictSame(
    [...steps],
    [
      'waiting for calls under way to end',
      'comparing',
      'cutting the sealed tree back',
      'planning what is due',
      'rebuilding shipments',
      'rebuilding audit',
    ],
  )
  const verified = await runCommand(env, 'verify')
  t.equal(verified.code, 0, verified.stdout)
  t.match(verified.stdout, new RegExp(`${middle} events .*up to ${last}, were lost`))
  const differs = await runCommand(env, 'diff')
  t.equal(differs.code, 0, differs.stdout)
  t.equal((await runCommand(env, 'recover', '--check')).code, 0)
})
