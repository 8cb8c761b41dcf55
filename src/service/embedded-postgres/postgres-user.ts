import { chmodSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'
import type { RunAs } from './binaries.ts'

/** The uid of `nobody` on Linux, for images without /etc/passwd. */
const nobodyId = 65_534

/**
 * PostgreSQL refuses to run as root, so root runs it as the owner of an existing cluster, otherwise as
 * the user `postgres`, otherwise as `nobody`. An ordinary user runs it as itself.
 */
export function postgresUser(clusterDir: string): RunAs {
  if (process.getuid?.() !== 0) return undefined
  if (!statSync('/proc/self/cwd', { throwIfNoEntry: false })) {
    throw new StartError(
      'PostgreSQL does not run as root, and without /proc root cannot run it as another user: start as an ordinary user, or mount /proc, or set DATABASE_URL.',
    )
  }
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = readUsers()
  return users.get('postgres') ?? users.get('nobody') ?? { uid: nobodyId, gid: nobodyId }
}

/**
 * Makes PostgreSQL accept a cluster that root restored, or that has wider permissions. The folder itself
 * comes last, so that an interrupted start is repeated by the next one.
 */
export function adoptCluster(clusterDir: string, runAs: RunAs): void {
  const { uid, mode } = statSync(clusterDir)
  if (runAs !== undefined && uid !== runAs.uid) {
    for (const name of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })) {
      lchownSync(join(clusterDir, name), runAs.uid, runAs.gid)
    }
  }
  if ((mode & 0o077) !== 0) chmodSync(clusterDir, 0o700)
  if (runAs !== undefined && uid !== runAs.uid) lchownSync(clusterDir, runAs.uid, runAs.gid)
}

function readUsers(): Map<string, { uid: number; gid: number }> {
  const users = new Map<string, { uid: number; gid: number }>()
  try {
    for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
      const [name, , uid, gid] = line.split(':')
      if (name && Number(uid) > 0) users.set(name, { uid: Number(uid), gid: Number(gid) })
    }
  } catch {
    // An image without the file has no user names; the uid above is used.
  }
  return users
}
