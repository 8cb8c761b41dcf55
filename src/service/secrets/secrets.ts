import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { syncFolder } from '../embedded-postgres/cluster.ts'
import { StartError } from '../start-error.ts'

/** Secrets from the environment, each base64 of 32 bytes. */
export type GivenSecrets = {
  readonly secretsKey: string | undefined
  readonly secretsKeyPrevious: readonly string[]
  readonly apiKeyPepper: string | undefined
  readonly checkpointKey: string | undefined
  readonly checkpointKeyPrevious?: string | undefined
  readonly simulatorKey: string | undefined
}

/** All secrets. Never log or store them. */
export type Secrets = {
  /** Base64 of 32 bytes, as `masterKeys` takes it. Previous keys only decrypt. */
  readonly secretsKey: string
  readonly secretsKeyPrevious: readonly string[]
  readonly apiKeyPepper: Buffer
  /** The seed of an Ed25519 key. */
  readonly checkpointKey: Buffer
  /** The previous key, which also signs the first checkpoint under the new one. */
  readonly checkpointKeyPrevious: Buffer | null
  /** Encrypts the simulated courier's own record; unrelated to the ledger's data. */
  readonly simulatorKey: Buffer
}

type EmbeddedSecrets = {
  readonly secrets: Secrets
  readonly adminPassword: string
  readonly applicationPassword: string
  /** Whether this call created the file. */
  readonly made: boolean
  /** Whether this call created the passwords, so an existing cluster has other ones. */
  readonly passwordsMade: boolean
}

export const secretsFile = 'secrets.json'
const keyBytes = 32

const key = z.base64().refine((value) => Buffer.from(value, 'base64').length === keyBytes)
/** The file holds only the secrets that the environment does not give. */
const fileSchema = z.strictObject({
  SECRETS_KEY: key.optional(),
  /** Replaces SECRETS_KEY at the next start of the service. */
  SECRETS_KEY_NEXT: key.optional(),
  /** Former values of SECRETS_KEY, kept until no data is encrypted under them. */
  SECRETS_KEY_PREVIOUS: z.array(key).optional(),
  API_KEY_PEPPER: key.optional(),
  CHECKPOINT_KEY: key.optional(),
  SIMULATOR_KEY: key.optional(),
  DATABASE_ADMIN_PASSWORD: z.string().min(20).optional(),
  DATABASE_PASSWORD: z.string().min(20).optional(),
})
type SecretsFile = z.output<typeof fileSchema>

/**
 * The secrets for the embedded database: the environment's, otherwise the file's, which is created once
 * before the data. Throws StartError if the data exists but its secrets do not, since new ones could not
 * decrypt it.
 */
export function embeddedSecrets(
  dataDir: string,
  given: GivenSecrets,
  dataExists: boolean,
): EmbeddedSecrets {
  const found = readSecretsFile(dataDir)
  const file: SecretsFile = found ?? {}
  const needed = {
    SECRETS_KEY: given.secretsKey ?? file.SECRETS_KEY,
    API_KEY_PEPPER: given.apiKeyPepper ?? file.API_KEY_PEPPER,
    CHECKPOINT_KEY: given.checkpointKey ?? file.CHECKPOINT_KEY,
  }
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]))
  if (dataExists && missing.length > 0) {
    throw new StartError(
      `The data in ${dataDir} cannot be read without the secrets it was created with (${missing.join(', ')}). Restore its ${secretsFile} from your backup, set the secrets in the environment, or set DATA_DIR to another folder to start over.`,
    )
  }
  const complete: SecretsFile = {
    ...file,
    ...absentOnly(given.secretsKey, 'SECRETS_KEY', file),
    ...absentOnly(given.apiKeyPepper, 'API_KEY_PEPPER', file),
    ...absentOnly(given.checkpointKey, 'CHECKPOINT_KEY', file),
    ...absentOnly(given.simulatorKey, 'SIMULATOR_KEY', file),
    DATABASE_ADMIN_PASSWORD: file.DATABASE_ADMIN_PASSWORD ?? newKey('base64url'),
    DATABASE_PASSWORD: file.DATABASE_PASSWORD ?? newKey('base64url'),
  }
  if (JSON.stringify(complete) !== JSON.stringify(found)) writeSecretsFile(dataDir, complete)
  return {
    secrets: together(given, complete),
    adminPassword: complete.DATABASE_ADMIN_PASSWORD as string,
    applicationPassword: complete.DATABASE_PASSWORD as string,
    made: found === undefined,
    passwordsMade: file.DATABASE_ADMIN_PASSWORD === undefined,
  }
}

/**
 * The secrets for an external database. They come from the environment only, so that every process has
 * the same. The simulator's key is separate and may be created in the data directory.
 */
export function externalSecrets(dataDir: string | undefined, given: GivenSecrets): Secrets {
  const missing = [
    ...(given.secretsKey === undefined ? ['SECRETS_KEY'] : []),
    ...(given.apiKeyPepper === undefined ? ['API_KEY_PEPPER'] : []),
    ...(given.checkpointKey === undefined ? ['CHECKPOINT_KEY'] : []),
  ]
  if (missing.length > 0) {
    throw new StartError(
      `With DATABASE_URL the secrets come from the environment, and ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing. Create each with \`openssl rand -base64 ${keyBytes}\`, set the same values for every process and keep them as long as the data.`,
    )
  }
  if (dataDir === undefined || given.simulatorKey !== undefined) {
    return together(given, { SIMULATOR_KEY: newKey('base64') })
  }
  const file = readSecretsFile(dataDir)
  const complete = { ...file, SIMULATOR_KEY: file?.SIMULATOR_KEY ?? newKey('base64') }
  if (file?.SIMULATOR_KEY === undefined) writeSecretsFile(dataDir, complete)
  return together(given, complete)
}

/** The file's content; undefined if there is no file. Throws StartError if the file cannot be used. */
export function readSecretsFile(dataDir: string): SecretsFile | undefined {
  const path = join(dataDir, secretsFile)
  let text: string
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT') return undefined
    throw new StartError(
      `The secrets in ${path} cannot be read (${code}): start as the user that owns the file.`,
      { cause: error },
    )
  }
  try {
    return fileSchema.parse(JSON.parse(text))
  } catch {
    // Without the cause, because a parser's message would quote the secrets.
    throw new StartError(
      `The secrets in ${path} are damaged. Restore the file from your backup, or set SECRETS_KEY, API_KEY_PEPPER and CHECKPOINT_KEY and move the file away.`,
    )
  }
}

/**
 * Creates the key that the next start will use. Running processes do not know it yet, so nothing is
 * encrypted with it before. Calling it again while the key is pending changes nothing.
 */
export function makeNextKey(dataDir: string): void {
  const file = readSecretsFile(dataDir)
  if (file?.SECRETS_KEY === undefined) throw new Error('bug: the key is not in the file')
  if (file.SECRETS_KEY_NEXT !== undefined) return
  writeSecretsFile(dataDir, { ...file, SECRETS_KEY_NEXT: newKey('base64') })
}

/**
 * Makes the pending key the current one; the former one still decrypts its data. Only the service does
 * this, at its start and while it holds the data directory.
 */
export function takeNextKey(dataDir: string): void {
  const { SECRETS_KEY_NEXT: next, ...file } = readSecretsFile(dataDir) ?? {}
  if (next === undefined || file.SECRETS_KEY === undefined) return
  const previous = [file.SECRETS_KEY, ...(file.SECRETS_KEY_PREVIOUS ?? [])]
  writeSecretsFile(dataDir, { ...file, SECRETS_KEY: next, SECRETS_KEY_PREVIOUS: previous })
}

/** Deletes the previous keys. Call it once no data is encrypted under them. */
export function forgetPreviousKeys(dataDir: string): void {
  const { SECRETS_KEY_PREVIOUS: previous, ...file } = readSecretsFile(dataDir) ?? {}
  if (previous !== undefined) writeSecretsFile(dataDir, file)
}

/**
 * Writes the file atomically, even if the machine stops: the data cannot be read without these secrets.
 */
function writeSecretsFile(dataDir: string, content: SecretsFile): void {
  const path = join(dataDir, secretsFile)
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(file, `${JSON.stringify(content, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
  syncFolder(dataDir)
}

function absentOnly(
  given: string | undefined,
  name: 'SECRETS_KEY' | 'API_KEY_PEPPER' | 'CHECKPOINT_KEY' | 'SIMULATOR_KEY',
  file: SecretsFile,
): SecretsFile {
  return given === undefined ? { [name]: file[name] ?? newKey('base64') } : {}
}

function together(given: GivenSecrets, file: SecretsFile): Secrets {
  const bytes = (value: string | undefined) => Buffer.from(value as string, 'base64')
  const isReplaced =
    given.checkpointKey !== undefined && given.checkpointKey !== file.CHECKPOINT_KEY
  const previous = given.checkpointKeyPrevious ?? (isReplaced ? file.CHECKPOINT_KEY : undefined)
  return {
    secretsKey: (given.secretsKey ?? file.SECRETS_KEY) as string,
    secretsKeyPrevious: [...given.secretsKeyPrevious, ...(file.SECRETS_KEY_PREVIOUS ?? [])],
    apiKeyPepper: bytes(given.apiKeyPepper ?? file.API_KEY_PEPPER),
    checkpointKey: bytes(given.checkpointKey ?? file.CHECKPOINT_KEY),
    checkpointKeyPrevious: previous === undefined ? null : bytes(previous),
    simulatorKey: bytes(given.simulatorKey ?? file.SIMULATOR_KEY),
  }
}

function newKey(encoding: 'base64' | 'base64url'): string {
  return randomBytes(keyBytes).toString(encoding)
}
