import { spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { StartError } from '../start-error.ts'
import { postgresEnvironment, type RunAs } from './binaries.ts'
import { dataDirectoryArgument } from './postmaster.ts'

/** The major version of the binaries; they cannot read another version's files. */
const postgresMajor = '18'
export const superuser = 'postgres'

export function clusterExists(clusterDir: string): boolean {
  return existsSync(join(clusterDir, 'PG_VERSION'))
}

export function checkClusterVersion(clusterDir: string): void {
  const found = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim()
  if (found === postgresMajor) return
  throw new StartError(
    `The data in ${clusterDir} was created by PostgreSQL ${found}, and this version includes PostgreSQL ${postgresMajor}: dump it with PostgreSQL ${found} and load it into another database (DATABASE_URL), or set DATA_DIR to another folder.`,
  )
}

type InitOptions = {
  readonly clusterDir: string
  readonly bin: string
  readonly runAs: RunAs
  readonly adminPassword: string
  readonly durable: boolean
}

/**
 * Creates a cluster in a temporary folder and renames it when it is complete, so that a killed start
 * never leaves half a cluster.
 */
export async function initCluster(options: InitOptions): Promise<void> {
  const { clusterDir, runAs } = options
  const making = `${clusterDir}.new`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { mode: 0o700 })
  if (runAs) chownSync(making, runAs.uid, runAs.gid)
  await runInitdb(making, options)
  renameSync(making, clusterDir)
  if (options.durable) syncFolder(join(clusterDir, '..'))
}

async function runInitdb(folder: string, options: InitOptions): Promise<void> {
  const password = passwordFile(`${folder}.password`, options)
  try {
    const child = spawn(
      join(options.bin, 'initdb'),
      [
        '-D',
        dataDirectoryArgument(folder, options.runAs),
        `--username=${superuser}`,
        '--pwfile=/dev/fd/3',
        '--auth=scram-sha-256',
        // PostgreSQL's own collation: the order of text never changes with the system's libraries.
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
        ...(options.durable ? [] : ['--no-sync']),
      ],
      {
        ...options.runAs,
        cwd: folder,
        env: postgresEnvironment,
        stdio: ['ignore', 'ignore', 'pipe', password],
        detached: true,
      },
    )
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said = (said + chunk).slice(-2_000)
    })
    const code = await new Promise<number | string | null>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('close', resolve)
    })
    if (code === 0) return
    const why = said.match(/(?:FATAL|error): +(.*)/)?.[1] ?? `initdb ended with ${code}`
    throw new StartError(`The embedded PostgreSQL could not create its files in ${folder}: ${why}`)
  } finally {
    closeSync(password)
  }
}

/** Sets the superuser's password in PostgreSQL's single-user mode, which needs no server and no login. */
export async function resetPassword(options: Omit<InitOptions, 'durable'>): Promise<void> {
  const { clusterDir, bin, runAs, adminPassword } = options
  const child = spawn(
    join(bin, 'postgres'),
    ['--single', '-D', dataDirectoryArgument(clusterDir, runAs), 'postgres'],
    {
      ...runAs,
      cwd: clusterDir,
      env: postgresEnvironment,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  )
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', resolve)
  })
  // A server that cannot start closes its input; its exit code says so.
  child.stdin?.on('error', () => {})
  child.stdin?.end(`ALTER ROLE ${superuser} PASSWORD ${pg.escapeLiteral(adminPassword)}\n`)
  const code = await ended
  if (code !== 0) {
    throw new StartError(
      `The data in ${clusterDir} did not accept a new password (PostgreSQL exited with ${code}): restore its secrets.json from your backup.`,
    )
  }
}

/**
 * An open file without a name, from which initdb reads the password: no other process can open it.
 */
function passwordFile(path: string, { runAs, adminPassword }: InitOptions): number {
  rmSync(path, { force: true })
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  if (runAs) fchownSync(file, runAs.uid, runAs.gid)
  // Written at a position, so that reading starts at the beginning although the descriptor is shared.
  writeSync(file, `${adminPassword}\n`, 0)
  return file
}

/** Makes a rename in this folder durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
