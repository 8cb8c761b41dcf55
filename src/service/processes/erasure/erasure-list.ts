import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { ReadModels } from '../../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { noteUnwritable, noteWritten } from '../unwritable-files.ts'

/** Beside the checkpoints: outside the database, so that a restored backup does not undo it. */
export const erasureListName = 'erasures.ndjson'

/** `includesNotes`: the notes of decisions were erased too. */
export type ListedShipment = { readonly shipmentId: string; readonly includesNotes: boolean }
type ListedErasure = ListedShipment & { readonly erasedAt: Instant }

export type ErasureList = {
  /**
   * Appends an erased shipment, an id and a time, and answers when it is on disk. Adding it twice
   * is harmless: a reader erases it again. Throws what the disk throws.
   */
  add(erasure: ListedErasure): Promise<void>
}

/** The list in a folder; the first addition creates it. Processes on one machine may share it. */
export function erasureList(directory: string): ErasureList {
  return {
    async add({ shipmentId, erasedAt, includesNotes }) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const file = await open(join(directory, erasureListName), 'a', 0o600)
      try {
        // The line begins with a newline: one that a crash cut off does not spoil the next.
        const line = JSON.stringify({
          shipment_id: shipmentId,
          erased_at: rfc3339(erasedAt),
          ...(includesNotes ? { includes_notes: true } : {}),
        })
        await file.appendFile(`\n${line}`)
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

/** For parts that keep nothing outside the database, such as tests and tools. */
export const unlisted: ErasureList = { add: async () => {} }

/** The same list; every process shows when it cannot be written. */
export function noted(list: ErasureList, db: Kysely<ReadModels>): ErasureList {
  return {
    add: async (shipment) => {
      await list.add(shipment).catch(async (error: unknown) => {
        await noteUnwritable(db, 'erasures', error)
        throw error
      })
      await noteWritten(db, 'erasures')
    },
  }
}

const lineSchema = z.object({
  shipment_id: z.string().regex(/^shp_[0-9A-Za-z]{22}$/),
  includes_notes: z.boolean().optional(),
})

/** The erased shipments, line by line; null for a line that cannot be read. */
export async function* readErasureList(file: string): AsyncGenerator<ListedShipment | null> {
  const lines = createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    if (line.trim() !== '') yield shipmentIn(line)
  }
}

function shipmentIn(line: string): ListedShipment | null {
  try {
    const { data } = lineSchema.safeParse(JSON.parse(line))
    if (data === undefined) return null
    return { shipmentId: data.shipment_id, includesNotes: data.includes_notes === true }
  } catch {
    return null
  }
}
