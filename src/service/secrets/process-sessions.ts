import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Secrets } from './secrets.ts'

type MasterSecrets = Pick<Secrets, 'secretsKey' | 'secretsKeyPrevious'>

/** The secret is random, so its digest reveals nothing about it. */
export function secretDigest(name: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(`shipping-ledger secret check ${name}`).digest()
}

/**
 * Hexadecimal characters of a key's digest in a session's name: enough to tell keys in use apart.
 */
const tagLength = 8
/**
 * Maximum length of a session's name in PostgreSQL. A key that does not fit counts as unknown.
 */
const sessionNameBytesMax = 63
const prefix = 'shipping-ledger keys '

function tagOf(base64: string): string {
  return secretDigest('SECRETS_KEY', Buffer.from(base64, 'base64'))
    .toString('hex')
    .slice(0, tagLength)
}

/**
 * The name of a process's sessions in pg_stat_activity. It lists the master keys that the process knows,
 * the current one first, so other processes see which ones run and which data they can read.
 */
export function sessionNameOf({ secretsKey, secretsKeyPrevious }: MasterSecrets): string {
  const tags = [secretsKey, ...secretsKeyPrevious].map(tagOf).join(',')
  return `${prefix}${tags}`.slice(0, sessionNameBytesMax)
}

/** The session name of an earlier version's processes; it does not show which keys they know. */
const unnamed = 'shipping-ledger'

/** Sessions of a process that has just ended remain visible a moment longer. */
const lingerMs = 1_000
const checkEveryMs = 50

/** Whether a session of another process or command is connected and stays connected. */
async function isThere(
  client: Pick<pg.ClientBase, 'query'>,
  isMeant: (name: string) => boolean,
): Promise<boolean> {
  for (const until = performance.now() + lingerMs; ; await pause(checkEveryMs)) {
    // Without this, a transaction would see the first result again.
    await client.query('SELECT pg_stat_clear_snapshot()')
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT application_name AS name FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND (application_name = $1 OR application_name LIKE $2)`,
      [unnamed, `${prefix}%`],
    )
    if (!rows.some(({ name }) => isMeant(name))) return false
    if (performance.now() >= until) return true
  }
}

/** Whether a connected process does not know a key or, with `asCurrent`, writes under another one. */
export async function hasMissingKey(
  client: Pick<pg.ClientBase, 'query'>,
  secretsKey: string,
  options: { readonly asCurrent?: boolean } = {},
): Promise<boolean> {
  const tag = tagOf(secretsKey)
  return await isThere(client, (name) => {
    const tags = name.startsWith(prefix) ? name.slice(prefix.length).split(',') : []
    return options.asCurrent === true ? tags[0] !== tag : !tags.includes(tag)
  })
}

/** Whether any process of the service, or a command, is connected to this database. */
export async function hasProcesses(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  return await isThere(client, () => true)
}
