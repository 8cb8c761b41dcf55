import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../support/eventually.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

const hasRoot = process.platform === 'linux' && process.getuid?.() === 0

/** Why a test that needs its own disk is skipped; false to run it. */
export const noDisk = hasRoot && canMount() ? false : 'this user may not mount a file system'

/** The title of such a test, which says so if it is skipped. */
export function onOwnDisk(name: string): string {
  return noDisk === false ? name : `${name} (skipped: ${noDisk})`
}

export type SmallDisk = {
  readonly folder: string
  /** Uses up the remaining space. */
  fill(): void
  /** Uses up the remaining inodes. */
  useInodes(): void
  /** Frees space and inodes. */
  free(): void
  /** Makes it read-only or writable as soon as no file is open for writing. */
  whenNothingIsWritten(mode: 'ro' | 'rw'): Promise<void>
}

/** A file system in memory, unmounted at the test's end. */
export function smallDisk(
  t: Test,
  { sizeMb, inodes = 10_000 }: { readonly sizeMb: number; readonly inodes?: number },
): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-disk-'))
  mount(folder, `size=${sizeMb}m,nr_inodes=${inodes},mode=755`)
  t.teardown(async () => {
    unmount(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  const [space, files] = [join(folder, 'space'), join(folder, 'files')]
  return {
    folder,
    fill() {
      const file = openSync(space, 'a')
      // At last byte by byte, because part of a page may be left.
      for (const size of [1 << 20, 1 << 12, 1]) untilFull(() => writeSync(file, Buffer.alloc(size)))
      closeSync(file)
    },
    useInodes() {
      mkdirSync(files, { recursive: true })
      let made = 0
      untilFull(() => closeSync(openSync(join(files, String(made++)), 'w')))
    },
    free() {
      rmSync(space, { force: true })
      rmSync(files, { recursive: true, force: true })
    },
    async whenNothingIsWritten(mode) {
      const remount = () =>
        spawnSync('mount', ['-o', `remount,${mode}`, folder], { stdio: 'pipe' }).status
      await eventually(remount, (status) => status === 0)
    },
  }
}

function untilFull(write: () => unknown): void {
  try {
    for (;;) write()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error
  }
}

function mount(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' })
}

function unmount(folder: string): void {
  // Lazily, because a process left behind by a failed test may have files open.
  execFileSync('umount', ['-l', folder], { stdio: 'pipe' })
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-disk-'))
  try {
    mount(folder, 'size=1m')
    unmount(folder)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
