import type pg from 'pg'
import { StartError } from '../start-error.ts'
import { hasMissingKey, secretDigest } from './process-sessions.ts'
import type { Secrets } from './secrets.ts'

/** Any number, the same for all: concurrent first starts write one after the other. */
const checkLock = 7_310_003
const masterKeyPrefix = 'SECRETS_KEY:'

/**
 * Compares the secrets with those that the data was made with, and records them at the first start.
 * There is one row per SECRETS_KEY that data may still be under: all of them must be known, as the
 * current key or a previous one. Every connected process must know a key that is new here, as none
 * may meet rows it cannot read. Throws StartError naming the variables that do not fit. A process
 * checks again once its own sessions are visible: of two that start at the same moment with
 * different keys, one is then refused.
 */
export async function checkSecrets(client: pg.ClientBase, secrets: Secrets): Promise<void> {
  await alone(client, async () => {
    const wrong = await compare(client, secrets)
    if (wrong.length > 0) {
      throw new StartError(
        `This data was made with other secrets (${wrong.join(', ')}): start with those it was made with; a SECRETS_KEY that was replaced goes into SECRETS_KEY_PREVIOUS until "secrets rotate" has ended, a CHECKPOINT_KEY into CHECKPOINT_KEY_PREVIOUS.`,
      )
    }
  })
}

/** The same for a process whose sessions are already visible to others that start. */
export async function checkSecretsAgain(pool: pg.Pool, secrets: Secrets): Promise<void> {
  const client = await pool.connect()
  try {
    await checkSecrets(client, secrets)
  } finally {
    client.release()
  }
}

/** How many master keys other than the current one the data may still be under. */
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
 * Forgets every master key but the current one, when no data is under them any more: from then on a
 * start does not need them. False, and nothing changes, while a connected process writes under
 * another key.
 */
export async function forgetOldKeys(client: pg.ClientBase, secrets: Secrets): Promise<boolean> {
  return await alone(client, async () => {
    if (await hasMissingKey(client, secrets.secretsKey, { asCurrent: true })) return false
    await client.query('DELETE FROM secret_checks WHERE starts_with(name, $1) AND digest <> $2', [
      masterKeyPrefix,
      digestOfMaster(secrets.secretsKey),
    ])
    return true
  })
}

/** One after the other, each in a transaction. */
async function alone<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
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
  'A process that runs on this database does not know the new SECRETS_KEY and could not read what this one writes: stop it, or start it again with the new key in its SECRETS_KEY_PREVIOUS first.'

async function remember(client: pg.ClientBase, name: string, digest: Buffer): Promise<void> {
  await client.query(
    'INSERT INTO secret_checks (name, digest) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    [name, digest],
  )
}
