import { createHmac } from 'node:crypto'
import type pg from 'pg'
import { StartError } from '../start-error.ts'
import type { Secrets } from './secrets.ts'

/** Any number: concurrent first starts write one after the other. */
const checkLock = 7_310_003

/**
 * Compares the secrets with those that the data was made with, and remembers them at the first
 * start. One row a SECRETS_KEY that data may still be under: all of them must be known, as the
 * current key or a previous one. Throws StartError naming the variables that do not fit.
 */
export async function checkSecrets(client: pg.ClientBase, secrets: Secrets): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [checkLock])
    const wrong = await compare(client, secrets)
    if (wrong.length > 0) {
      throw new StartError(
        `This data was made with other secrets (${wrong.join(', ')}): start with those it was made with; a SECRETS_KEY that was replaced goes into SECRETS_KEY_PREVIOUS, a CHECKPOINT_KEY into CHECKPOINT_KEY_PREVIOUS.`,
      )
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
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
    const digest = digestOf(name, value)
    const expected = known.get(name)
    const previous = name === 'CHECKPOINT_KEY' ? secrets.checkpointKeyPrevious : null
    if (!expected) await remember(client, name, digest)
    else if (expected.equals(digest)) continue
    else if (previous !== null && digestOf(name, previous).equals(expected)) {
      await client.query('UPDATE secret_checks SET digest = $2 WHERE name = $1', [name, digest])
    } else wrong.push(name)
  }
  const ours = [secrets.secretsKey, ...secrets.secretsKeyPrevious].map((value) =>
    digestOf('SECRETS_KEY', Buffer.from(value, 'base64')),
  )
  const used = rows.filter((row) => row.name.startsWith('SECRETS_KEY:'))
  if (used.some((row) => !ours.some((digest) => digest.equals(row.digest)))) {
    wrong.push('SECRETS_KEY')
  } else {
    const current = ours[0] as Buffer
    await remember(client, `SECRETS_KEY:${current.toString('hex').slice(0, 16)}`, current)
  }
  return wrong
}

/** The secret is random, so its digest tells nothing about it. */
function digestOf(name: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(`shipping-ledger secret check ${name}`).digest()
}

async function remember(client: pg.ClientBase, name: string, digest: Buffer): Promise<void> {
  await client.query(
    'INSERT INTO secret_checks (name, digest) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    [name, digest],
  )
}
