import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type Instant, rfc3339 } from '../../domain/decider.ts'

/** Beside the checkpoints: outside the database, so that a restored backup does not undo it. */
export const erasureListName = 'erasures.ndjson'

export type ListedErasure = { readonly shipmentId: string; readonly erasedAt: Instant }

export type ErasureList = {
  /**
   * Appends whose personal data was erased, an id and a time, and answers when it is on the disk.
   * Twice is harmless: who reads it erases again what is erased. Throws what the disk throws.
   */
  add(erasure: ListedErasure): Promise<void>
}

/** The list of a folder, which is made when the first is added. Processes of a machine may share it. */
export function erasureList(directory: string): ErasureList {
  return {
    async add({ shipmentId, erasedAt }) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const file = await open(join(directory, erasureListName), 'a', 0o600)
      try {
        // It begins a line itself: one that was cut off by a crash spoils no other.
        const line = JSON.stringify({ shipment_id: shipmentId, erased_at: rfc3339(erasedAt) })
        await file.appendFile(`\n${line}`)
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

/** Of parts that keep nothing outside the database, as tests and tools open them. */
export const unlisted: ErasureList = { add: async () => {} }

const lineSchema = z.object({ shipment_id: z.string().regex(/^shp_[0-9A-Za-z]{22}$/) })

/** Whose personal data was erased, line by line; null for a line that cannot be read. */
export async function* readErasureList(file: string): AsyncGenerator<string | null> {
  const lines = createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    if (line.trim() !== '') yield shipmentIn(line)
  }
}

function shipmentIn(line: string): string | null {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data?.shipment_id ?? null
  } catch {
    return null
  }
}
