import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The kernel's clock ticks for processor time; the same on every Linux that Node runs on. */
const ticksPerSecond = 100

type Entry = { readonly parent: number; readonly ownMs: number; readonly endedChildrenMs: number }

/**
 * Milliseconds of processor time that a process has used. Reads /proc, so it works only on Linux.
 */
export function processorMs(pid: number): number {
  return entryOf(pid)?.ownMs ?? 0
}

/** The same including its children, even those that have exited: a PostgreSQL and its sessions. */
export function processorMsWithChildren(pid: number): number {
  const own = entryOf(pid)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => entryOf(Number(name)))
    .filter((entry) => entry?.parent === pid)
  return children.reduce(
    (sum, child) => sum + (child?.ownMs ?? 0),
    (own?.ownMs ?? 0) + (own?.endedChildrenMs ?? 0),
  )
}

/** What the exited children of a process have used. */
export function endedChildrenMs(pid: number): number {
  return entryOf(pid)?.endedChildrenMs ?? 0
}

/** The processes of this machine that listen on the TCP port, as far as we may see them. */
export function processesOnPort(port: number): readonly number[] {
  const isListening = '0A'
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, address = '', , state]) => {
        const [, hex = ''] = address.split(':')
        return state === isListening && Number.parseInt(hex, 16) === port
      })
      .map((fields) => `socket:[${fields[9]}]`),
  )
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => openFiles(pid).some((file) => sockets.includes(file)))
}

/** What the process has open; nothing if it has exited or belongs to another user. */
function openFiles(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`
  return ifStillThere(() => readdirSync(folder)).flatMap((fd) =>
    ifStillThere(() => [readlinkSync(`${folder}/${fd}`)]),
  )
}

function ifStillThere(read: () => readonly string[]): readonly string[] {
  try {
    return read()
  } catch {
    return []
  }
}

/** Null for a process that has exited. */
function entryOf(pid: number): Entry | null {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  // A program's name may contain spaces and brackets: the fields after its last bracket count from
  // 3.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ms = (...numbers: readonly number[]) =>
    numbers.reduce((sum, number) => sum + Number(fields[number - 3]), 0) * (1_000 / ticksPerSecond)
  return { parent: Number(fields[1]), ownMs: ms(14, 15), endedChildrenMs: ms(16, 17) }
}
