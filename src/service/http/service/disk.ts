import { statfs } from 'node:fs/promises'

type Disk = {
  /** Free for users other than root. */
  readonly freeBytes: number
  /** The free part of the space or the inodes, whichever is smaller, from 0 to 1. */
  readonly freeRatio: number
}

/** The disk that holds a folder. Throws the error of the operating system. */
export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, bsize, blocks, files, ffree } = await statfs(folder)
  // Some file systems create inodes as needed and count none.
  const freeInodes = files === 0 ? 1 : ffree / files
  return { freeBytes: bavail * bsize, freeRatio: Math.min(bavail / blocks, freeInodes) }
}

/** The disk of each folder that is given, by the folder's name. */
export async function disksOf(
  folders: Readonly<Record<string, string | undefined>>,
): Promise<readonly (Disk & { readonly folder: string })[]> {
  const given = Object.entries(folders).flatMap(([folder, path]) =>
    path === undefined ? [] : [{ folder, path }],
  )
  return await Promise.all(
    given.map(async ({ folder, path }) => ({ folder, ...(await diskOf(path)) })),
  )
}
