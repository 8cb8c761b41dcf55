import type { Pool, PoolClient } from 'pg'
import { platform } from '../../domain/ids.ts'
import { hasMissingKey } from '../../secrets/process-sessions.ts'
import { checkSecrets, forgetOldKeys, oldKeysRemembered } from '../../secrets/secret-checks.ts'
import {
  forgetPreviousKeys,
  makeNextKey,
  readSecretsFile,
  type Secrets,
} from '../../secrets/secrets.ts'
import { audit } from '../../security/audit.ts'
import { type MasterKeys, masterKeys } from '../../security/encryption/master-keys.ts'
import { rewrapAll, standingOf } from '../../security/encryption/rotation.ts'
import { acting, asRecorded, by } from '../acting.ts'
import { type Call, type Command, CommandFailed, type CommandResult } from '../command.ts'
import type { CommandServices } from '../open-services.ts'
import { countedProgress, progressFlag, progressWriter } from '../progress.ts'

export const secretsRotate: Command = {
  name: 'secrets rotate',
  summary: 'Rewraps every secret under the current master key, while the service runs.',
  flags: { ...progressFlag, ...asRecorded },
  examples: ['secrets rotate', 'secrets rotate --progress'],
  run: async (call) => {
    const actorOn = acting(call)
    const { pool, store, secrets, secretsDir } = await call.open()
    if (secretsDir !== null && readSecretsFile(secretsDir)?.SECRETS_KEY_NEXT !== undefined) {
      return keyWaits
    }
    // Also records the key, so that no process can start without it once rows are encrypted with
    // it.
    await withClient(pool, (client) => checkSecrets(client, secrets))
    const keys = masterKeys(secrets.secretsKey, secrets.secretsKeyPrevious)
    const { old, keyIds } = await standingOf(pool, keys)
    refuseUnknown(keys, keyIds)
    if (old > 0 || (await oldKeysRemembered(pool, secrets)) > 0) {
      const rotator = await by(actorOn, platform)
      return await rotated({ pool, store, secrets, secretsDir, rotator }, keys, old, call)
    }
    // An earlier rotation may have ended before its last step, which removes the old key from the
    // file.
    if (secretsDir !== null) forgetPreviousKeys(secretsDir)
    if (secretsDir === null || secrets.secretsKeyPrevious.length > 0) return nothingToDo(secrets)
    makeNextKey(secretsDir)
    return keyWaits
  },
}

const keyWaits: CommandResult = {
  json: { status: 'restart_needed', rewrapped: 0 },
  text: 'A new master key was created. Restart the service so that it uses the key, then run this command again.',
}

function nothingToDo({ secretsKeyPrevious: { length } }: Secrets): CommandResult {
  const next =
    length > 0
      ? 'SECRETS_KEY_PREVIOUS can be removed.'
      : 'For a new key, start every process with it as SECRETS_KEY and the previous key in SECRETS_KEY_PREVIOUS, then run this command with the same values.'
  return {
    json: { status: 'nothing_to_do', rewrapped: 0 },
    text: `Every secret is under the current master key. ${next}`,
  }
}

function refuseUnknown(keys: MasterKeys, keyIds: readonly string[]): void {
  const known = new Set(keys.previous.map(({ id }) => id))
  const unknown = keyIds.filter((id) => !known.has(id))
  if (unknown.length === 0) return
  throw new CommandFailed(
    `Some rows are under unknown master keys (${unknown.join(', ')}). Put those into SECRETS_KEY_PREVIOUS.`,
  )
}

type RotateDeps = Pick<CommandServices, 'pool' | 'store' | 'secrets' | 'secretsDir'> & {
  readonly rotator: Awaited<ReturnType<typeof by>>
}

async function rotated(
  { pool, store, secrets, secretsDir, rotator }: RotateDeps,
  keys: MasterKeys,
  total: number,
  call: Call,
): Promise<CommandResult> {
  await refuseOtherWriters(pool, secrets)
  const startedAt = performance.now()
  const report = countedProgress({ what: 'secrets', total, write: progressWriter(call) })
  let rewrapped = 0
  const broken = await rewrapAll(pool, keys, (rows) => {
    rewrapped += rows
    report(rows)
  })
  if (broken.size > 0) {
    const where = [...broken].map(([table, rows]) => `${rows} of ${table}`).join(', ')
    throw new CommandFailed(
      `Some rows (${where}) cannot be opened with any known key: they were changed outside the service. All others are under the current key.`,
    )
  }
  const from = keys.previous.map(({ id }) => id)
  await audit(store, {
    ...rotator,
    organizationId: platform,
    type: 'MasterKeyRotated',
    data: { from_key_ids: from, to_key_id: keys.current.id },
  })
  if (!(await withClient(pool, (client) => forgetOldKeys(client, secrets)))) {
    throw new CommandFailed(otherWriters)
  }
  if (secretsDir !== null) forgetPreviousKeys(secretsDir)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  return {
    json: { status: 'done', rewrapped, from_key_ids: from, to_key_id: keys.current.id },
    text: `Every secret is under the current master key (${rewrapped} rows in ${seconds} s). The previous key opens nothing any more. ${secretsDir === null ? 'SECRETS_KEY_PREVIOUS can be removed.' : 'It was removed from the file of secrets.'}`,
  }
}

const otherWriters =
  'A process on this database writes under another SECRETS_KEY than this command has. Start every process with the new key as SECRETS_KEY and the previous key in SECRETS_KEY_PREVIOUS, then run this command with the same values.'

async function refuseOtherWriters(pool: Pool, secrets: Secrets): Promise<void> {
  if (await hasMissingKey(pool, secrets.secretsKey, { asCurrent: true })) {
    throw new CommandFailed(otherWriters)
  }
}

async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}
