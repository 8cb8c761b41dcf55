import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { hashBytes, leafHash } from '../domain/ledger/merkle.ts'
import { appendLeaves, edgeRoot } from '../domain/ledger/merkle-tiles.ts'
import type { Gap } from '../processes/recovery/damages.ts'
import type { TreeHead } from './signed-note.ts'
import { growing, readTree } from './tree.ts'

/**
 * Whether a checkpoint covers events that the ledger has lost: it was signed before the recovery
 * and covers more than could be proved then. Later checkpoints of that size cover newer events.
 */
export function isLost({ provenSize, recoveredAt }: Gap, { size, signedAt }: TreeHead): boolean {
  return size > provenSize && signedAt <= recoveredAt
}

/** Whether a checkpoint covers events that were lost before one of the recoveries. */
export function isOfGap(gaps: readonly Gap[], head: TreeHead | undefined): boolean {
  return head !== undefined && gaps.some((gap) => isLost(gap, head))
}

/**
 * The root over the first events of the lost history, computed from the remaining events and the
 * stored seals of the others; null if there are not enough seals.
 */
export async function lostRoot(
  db: Kysely<Tables>,
  { damageId, provenSize }: Gap,
  size: number,
): Promise<Buffer | null> {
  const tree = await readTree(db)
  if (tree === null || tree.size < provenSize) return null
  const { rows } = await sql<{ first_index: string; leaves: Buffer }>`
    SELECT first_index, leaves FROM lost_sealed_batches
    WHERE damage_id = ${damageId} ORDER BY first_index`.execute(db)
  const kept = await growing(db, { ...tree, size: provenSize })
  const hashes: Buffer[] = []
  let next = provenSize
  for (const { first_index: first, leaves } of rows) {
    const skipped = next - Number(first)
    if (skipped < 0) return null
    for (let at = skipped * hashBytes; at < leaves.length && next < size; at += hashBytes) {
      hashes.push(leafHash(leaves.subarray(at, at + hashBytes)))
      next += 1
    }
  }
  return next < size ? null : edgeRoot(appendLeaves(kept.edge, provenSize, hashes).edge, size)
}
