import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { StartError } from '../start-error.ts'

/** A fast shutdown writes a checkpoint. With a `max_wal_size` of 1 GB, a slow disk takes seconds. */
export const fastStopMs = 10_000
/** An immediate shutdown only waits until the children are notified. */
export const immediateStopMs = 5_000
/** How often to check whether a process that is not our child has ended. */
const checkEveryMs = 20

/**
 * Stops a PostgreSQL that an earlier, killed process of ours left running on this cluster, and removes a
 * `postmaster.pid` whose pid now belongs to another process. Afterwards nothing uses the cluster. The
 * caller must hold the lock of the data directory.
 */
export async function stopOrphan(clusterDir: string, log: Log): Promise<void> {
  const pid = readPostmasterPid(clusterDir)
  let left = processesOf(clusterDir)
  if (left.length > 0) {
    log.warn({ pids: left }, 'stopping the PostgreSQL that an earlier, killed process left behind')
  }
  // Children of a dead postmaster end by themselves, so only the last step signals them.
  const postmaster = pid === undefined ? [] : [pid]
  for (const [signal, waitMs, toAll] of [
    ['SIGINT', fastStopMs, false],
    ['SIGQUIT', immediateStopMs, false],
    ['SIGKILL', immediateStopMs, true],
  ] as const) {
    if (left.length === 0) break
    for (const target of toAll ? left : postmaster.filter((one) => left.includes(one))) {
      signalIfAlive(target, signal)
    }
    const until = performance.now() + waitMs
    while (left.length > 0 && performance.now() < until) {
      await delay(checkEveryMs)
      left = processesOf(clusterDir)
    }
  }
  if (left.length > 0) {
    throw new StartError(
      `A PostgreSQL that an earlier process left running on ${clusterDir} does not stop (pid ${left.join(', ')}): stop it manually and start again.`,
    )
  }
  // PostgreSQL cleans up after a dead postmaster by itself and checks that none of its children is
  // left. It refuses to start only if the pid now belongs to a process outside this cluster.
  if (pid !== undefined && commandOf(pid) !== undefined) {
    rmSync(join(clusterDir, 'postmaster.pid'), { force: true })
  }
}

function readPostmasterPid(clusterDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    return Number.isInteger(pid) && pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended in the meantime.
  }
}

/**
 * A name that PostgreSQL puts into the command line of the postmaster and of each child. It is readable
 * there even where root may not see another user's working directory (containers). The inode identifies
 * this folder: a copy of the data elsewhere has another inode.
 */
export function clusterName(clusterDir: string): string {
  const { dev, ino } = statSync(clusterDir, { bigint: true })
  return `shipping_ledger_${dev.toString(36)}_${ino.toString(36)}`
}

/**
 * The processes of this cluster's postmaster and its children that belong to the cluster's owner.
 */
function processesOf(clusterDir: string): number[] {
  const { uid } = statSync(clusterDir)
  const name = clusterName(clusterDir)
  return (hasProc() ? readdirSync('/proc').map(Number) : pidsByPs()).filter((pid) => {
    if (!(pid > 1)) return false
    const found = commandOf(pid)
    return found?.command.includes(name) === true && found.uid === uid
  })
}

function hasProc(): boolean {
  return statSync('/proc/self/cmdline', { throwIfNoEntry: false }) !== undefined
}

/** Undefined if the process has ended or cannot be inspected. A zombie's command is empty. */
function commandOf(pid: number): { command: string; uid: number } | undefined {
  try {
    if (!hasProc()) {
      const line = execFileSync('ps', ['-o', 'uid=,command=', '-p', String(pid)], {
        encoding: 'utf8',
      })
      return { command: line, uid: Number.parseInt(line, 10) }
    }
    return {
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
      uid: statSync(`/proc/${pid}`).uid,
    }
  } catch {
    return undefined
  }
}

function pidsByPs(): number[] {
  return execFileSync('ps', ['-axo', 'pid='], { encoding: 'utf8' }).split('\n').map(Number)
}
