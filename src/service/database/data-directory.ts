import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'

/** A running process's entry in its data directory. It holds no secrets. */
type RunningProcess = {
  readonly pid: number
  /** The port of its API, once it listens. */
  readonly port?: number
  /** The port of its embedded PostgreSQL, once it listens. */
  readonly databasePort?: number
  /** The loopback port of its simulated courier, once it listens. */
  readonly simulatorPort?: number
}

export type DataDirectory = {
  readonly path: string
  /** Adds to what `runningProcess` returns. */
  describe(what: Omit<RunningProcess, 'pid'>): void
  /** Calling it twice is safe. The end of the process releases the lock too, even a kill. */
  release(): void
}

/**
 * Creates the data directory if it does not exist and takes its lock, which one process holds at a
 * time. Throws StartError if another process holds it.
 */
export function lockDataDirectory(path: string): DataDirectory {
  makeWritable(path)
  const lock = takeLock(path)
  let described: RunningProcess = { pid: process.pid }
  const write = () => {
    const file = join(path, 'process.json')
    writeFileSync(`${file}.new`, `${JSON.stringify(described)}\n`, { mode: 0o644 })
    renameSync(`${file}.new`, file)
  }
  write()
  let isHeld = true
  return {
    path,
    describe(what) {
      described = { ...described, ...what }
      write()
    },
    release() {
      if (!isHeld) return
      isHeld = false
      rmSync(join(path, 'process.json'), { force: true })
      lock.release()
    },
  }
}

/** The live process that uses this data directory. It may still be starting. */
export function runningProcess(path: string): RunningProcess | undefined {
  try {
    const entry = JSON.parse(readFileSync(join(path, 'process.json'), 'utf8')) as RunningProcess
    return isAlive(entry.pid) ? entry : undefined
  } catch {
    return undefined
  }
}

function takeLock(path: string): FolderLock {
  let lock: FolderLock | null
  try {
    lock = lockFolder(path)
  } catch (error) {
    throw notWritable(path, error)
  }
  if (lock !== null) return lock
  const other = runningProcess(path)
  const where = other?.port === undefined ? '' : ` on port ${other.port}`
  const holder = other === undefined ? '' : ` (pid ${other.pid}${where})`
  throw new StartError(
    `Another shipping-ledger${holder} is using the data directory ${path}: stop it, or set DATA_DIR, PORT and METRICS_PORT to other values for this one.`,
  )
}

function makeWritable(path: string): void {
  try {
    // Only its owner has access. PostgreSQL, when run as another user, needs no path through it.
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw notWritable(path, error)
  }
  const cluster = statSync(join(path, 'postgres'), { throwIfNoEntry: false })
  const user = process.getuid?.()
  if (cluster && user !== undefined && user !== 0 && cluster.uid !== user) {
    throw new StartError(
      `The data in ${path} belongs to another user (uid ${cluster.uid}, this one is ${user}): start as that user or as root, or set DATA_DIR to a folder of your own.`,
    )
  }
}

function notWritable(path: string, cause: unknown): StartError {
  const code = (cause as { code?: string }).code ?? 'unknown'
  const user = process.getuid?.()
  return new StartError(
    `The data directory ${path} cannot be written${user === undefined ? '' : ` by this user (uid ${user})`}: ${code}. Give the folder to this user or set DATA_DIR to another folder.`,
    { cause },
  )
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
