import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** As large as a page of PostgreSQL's log, and as many as its file of 16 MB has. */
const pageBytes = 8_192
const pages = 2_048

/** What fdatasync takes after each of so many pages written over a file in the directory, in ms. */
export async function fdatasyncs(directory: string, count: number): Promise<readonly number[]> {
  const path = join(directory, 'bench-fdatasync')
  const file = await open(path, 'w')
  const tookMs: number[] = []
  try {
    await file.write(Buffer.alloc(pages * pageBytes))
    await file.sync()
    for (let number = 0; number < count; number++) {
      await file.write(Buffer.alloc(pageBytes, number), 0, pageBytes, (number % pages) * pageBytes)
      const beganAt = performance.now()
      await file.datasync()
      tookMs.push(performance.now() - beganAt)
    }
  } finally {
    await file.close()
    await rm(path)
  }
  return tookMs
}
