import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { noteUnwritable, noteWritten } from '../unwritable-files.ts'

/**
 * Stored beside the checkpoints, outside the database, so that restoring a backup does not undo it.
 */
export const erasureListName = 'erasures.ndjson'

/** `includesNotes`: the notes of decisions were erased too. */
export type ListedShipment = { readonly shipmentId: string; readonly includesNotes: boolean }
type ListedErasure = ListedShipment & { readonly erasedAt: Instant }

export type ErasureList = {
  /**
   * Appends the id and time of an erased shipment; resolves once it is on disk. Adding it twice is
   * harmless, because readers repeat the erasure. Throws the file system's errors.
   */
  add(erasure: ListedErasure): Promise<void>
}

/** The list in a folder, created by the first addition. Processes on one machine may share it. */
export function erasureList(directory: string): ErasureList {
  return {
    async add({ shipmentId, erasedAt, includesNotes }) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const file = await open(join(directory, erasureListName), 'a', 0o600)
      try {
        // The line begins with a newline, so that a line cut off by a crash does not corrupt the
        // next one.
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

/** For tests and tools that store nothing outside the database. */
export const unlisted: ErasureList = { add: async () => {} }

/** The same list; failures to write it are recorded, so that every process reports them. */
export function noted(list: ErasureList, db: Kysely<Tables>): ErasureList {
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

/** Yields the erased shipments line by line; null for a line that cannot be read. */
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
