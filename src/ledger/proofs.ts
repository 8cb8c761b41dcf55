import { consistencyRanges, inclusionRanges } from '../domain/merkle.ts'
import type { TreeReader } from './tree.ts'

export type InclusionProof = {
  readonly index: number
  readonly size: number
  readonly root: Buffer
  readonly hashes: readonly Buffer[]
}

/** Shows that a leaf is in the tree of `size` leaves; `index` < `size` ≤ what is sealed. */
export async function inclusionProof(
  reader: TreeReader,
  index: number,
  size: number,
): Promise<InclusionProof> {
  const hashes = await reader.rootsOf(inclusionRanges(index, size))
  return { index, size, root: await reader.rootAt(size), hashes }
}

export type ConsistencyProof = {
  readonly from: number
  readonly fromRoot: Buffer
  readonly to: number
  readonly toRoot: Buffer
  readonly hashes: readonly Buffer[]
}

/** Shows that the tree of `from` leaves is the beginning of that of `to`; 1 ≤ `from` ≤ `to`. */
export async function consistencyProof(
  reader: TreeReader,
  from: number,
  to: number,
): Promise<ConsistencyProof> {
  const hashes = await reader.rootsOf(consistencyRanges(from, to))
  const [fromRoot, toRoot] = [await reader.rootAt(from), await reader.rootAt(to)]
  return { from, fromRoot, to, toRoot, hashes }
}
