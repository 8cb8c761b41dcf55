import type pg from 'pg'
import { StartError } from '../start-error.ts'
import { hasMissingKey, secretDigest } from './process-sessions.ts'
import type { Secrets } from './secrets.ts'

/** An arbitrary advisory lock id, by which concurrent first starts write one after the other. */
const checkLock = 7_310_003
const masterKeyPrefix = 'SECRETS_KEY:'

/**
 * Compares the secrets with those that the data was created with, and records them at the first start.
 * There is one row per SECRETS_KEY that data may still be encrypted under: all of them must be known,
 * as the current key or a previous one. A new key must be known to every connected process, because no
 * process may meet rows that it cannot read. Throws StartError naming the variables that do not match.
 * A process checks again once its own sessions are visible: if two start at the same moment with
 * different keys, one of them is then refused.
 */
export async function checkSecrets(client: pg.ClientBase, secrets: Secrets): Promise<void> {
  await withCheckLock(client, async () => {
    const wrong = await compare(client, secrets)
    if (wrong.length > 0) {
      throw new StartError(
        `This data was created with other secrets (${wrong.join(', ')}). Start with the original ones. Put a replaced SECRETS_KEY into SECRETS_KEY_PREVIOUS until "secrets rotate" has finished, and a replaced CHECKPOINT_KEY into CHECKPOINT_KEY_PREVIOUS.`,
      )
    }
  })
}

/** Checks again, once this process's sessions are visible to others that start. */
export async function checkSecretsAgain(pool: pg.Pool, secrets: Secrets): Promise<void> {
  const client = await pool.connect()
  try {
    await checkSecrets(client, secrets)
  } finally {
    client.release()
  }
}

/** Number of master keys, other than the current one, that data may still be encrypted under. */
export async function oldKeysRemembered(
  client: Pick<pg.ClientBase, 'query'>,
  secrets: Secrets,
): Promise<number> {
  const { rowCount } = await client.query(
    'SELECT FROM secret_checks WHERE starts_with(name, $1) AND digest <> $2',
    [masterKeyPrefix, digestOfMaster(secrets.secretsKey)],
  )
  return rowCount ?? 0
}

/**
 * Forgets every master key except the current one. Call it when no data is encrypted under the others:
 * from then on a start does not need them. Returns false and changes nothing while a connected process
 * writes under another key.
 */
export async function forgetOldKeys(client: pg.ClientBase, secrets: Secrets): Promise<boolean> {
  return await withCheckLock(client, async () => {
    if (await hasMissingKey(client, secrets.secretsKey, { asCurrent: true })) return false
    await client.query('DELETE FROM secret_checks WHERE starts_with(name, $1) AND digest <> $2', [
      masterKeyPrefix,
      digestOfMaster(secrets.secretsKey),
    ])
    return true
  })
}

/** Runs the work in a transaction, one process at a time. */
async function withCheckLock<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [checkLock])
    const done = await work()
    await client.query('COMMIT')
    return done
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

function digestOfMaster(base64: string): Buffer {
  return secretDigest('SECRETS_KEY', Buffer.from(base64, 'base64'))
}

async function compare(client: pg.ClientBase, secrets: Secrets): Promise<string[]> {
  const { rows } = await client.query<{ name: string; digest: Buffer }>(
    'SELECT name, digest FROM secret_checks',
  )
  const known = new Map(rows.map((row) => [row.name, row.digest]))
  const wrong: string[] = []
  for (const [name, value] of [
    ['API_KEY_PEPPER', secrets.apiKeyPepper],
    ['CHECKPOINT_KEY', secrets.checkpointKey],
  ] as const) {
    const digest = secretDigest(name, value)
    const expected = known.get(name)
    const previous = name === 'CHECKPOINT_KEY' ? secrets.checkpointKeyPrevious : null
    if (!expected) await remember(client, name, digest)
    else if (expected.equals(digest)) continue
    else if (previous !== null && secretDigest(name, previous).equals(expected)) {
      await client.query('UPDATE secret_checks SET digest = $2 WHERE name = $1', [name, digest])
    } else wrong.push(name)
  }
  const ours = [secrets.secretsKey, ...secrets.secretsKeyPrevious].map(digestOfMaster)
  const used = rows.filter((row) => row.name.startsWith(masterKeyPrefix))
  if (used.some((row) => !ours.some((digest) => digest.equals(row.digest)))) {
    wrong.push('SECRETS_KEY')
    return wrong
  }
  const current = ours[0] as Buffer
  const isNew = used.length > 0 && !used.some((row) => row.digest.equals(current))
  if (isNew && (await hasMissingKey(client, secrets.secretsKey))) throw new StartError(tooEarly)
  await remember(client, `${masterKeyPrefix}${current.toString('hex').slice(0, 16)}`, current)
  return wrong
}

const tooEarly =
  'A process on this database does not know the new SECRETS_KEY and could not read what this one writes. Stop it, or first restart it with the new key in its SECRETS_KEY_PREVIOUS.'

async function remember(client: pg.ClientBase, name: string, digest: Buffer): Promise<void> {
  await client.query(
    'INSERT INTO secret_checks (name, digest) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    [name, digest],
  )
}
