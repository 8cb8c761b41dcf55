import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import { type Checkpoint, lastCheckpoint } from '../../ledger/checkpoints.ts'

/** What the ledger's schemas and handlers share. */

export const hash = z
  .string()
  .meta({ description: '32 bytes, hexadecimal.', example: 'ab'.repeat(32) })
export const treeSize = z.int().meta({
  description: 'The number of leaves: the tree covers this many events, from the first.',
  example: 1_024,
})
export const rootHash = hash.meta({
  description: 'The root of the tree of that size: 32 bytes, hexadecimal.',
})
export const proofHashes = z.array(hash).meta({
  description: 'The hashes of the proof, in the order of RFC 9162.',
})
export const sizeQuery = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .meta({
    description:
      'A number of leaves, from 1 to the `tree_size` of the last checkpoint. Absent: the `tree_size` of the last checkpoint.',
    example: '1024',
  })

/** The last signed checkpoint. Throws `not_found` until there is one. */
export async function signedTree(db: Kysely<Tables>): Promise<Checkpoint> {
  const checkpoint = await lastCheckpoint(db)
  if (checkpoint !== null) return checkpoint
  throw new Problem('not_found', {
    detail: 'Nothing is sealed yet. The first events will be sealed in a moment.',
  })
}

/** Refuses a number of the query that is out of range. */
export function requireWithin(name: string, value: number, from: number, to: number): void {
  if (value >= from && value <= to) return
  const detail = `${name} must be from ${from} to ${to}.`
  throw new Problem('invalid_filter', { detail })
}
