import { nodeHash, type Subtree } from './merkle.ts'

/*
 * How the tree is kept: in tiles of 256 hashes. A hash of tier 0 is a leaf's; one of tier n is the root
 * over a full tile of tier n - 1, so that it stands for 256^n leaves. What is in between is made again
 * from a tile whenever it is asked for.
 */

export const tileWidth = 256
const tileLevels = Math.log2(tileWidth)

/** The tile of each tier that is not full yet. All a process has to know to go on: some kilobytes. */
export type Edge = readonly (readonly Buffer[])[]

/** A hash that has come in, and its place in its tier. Tier 0 is the leaves themselves. */
export type Added = { readonly tier: number; readonly index: number; readonly hash: Buffer }

/** Appends leaf hashes to a tree of `size` leaves; what is added to the tiers above comes along. */
export function appendLeaves(
  edge: Edge,
  size: number,
  leaves: readonly Buffer[],
): { readonly edge: Edge; readonly added: readonly Added[] } {
  const tails = edge.map((tail) => [...tail])
  const added: Added[] = []
  const add = (tier: number, index: number, hash: Buffer): void => {
    tails[tier] ??= []
    const tail = tails[tier]
    tail.push(hash)
    if (tier > 0) added.push({ tier, index, hash })
    if (tail.length < tileWidth) return
    tails[tier] = []
    add(tier + 1, Math.floor(index / tileWidth), perfectRoot(tail))
  }
  for (const [at, leaf] of leaves.entries()) add(0, size + at, leaf)
  return { edge: tails, added }
}

/** Where the hashes of a subtree begin: so many of them, one after the other, in one tile. */
export function placeOf({ level, index }: Subtree) {
  const tier = Math.floor(level / tileLevels)
  const count = 2 ** (level % tileLevels)
  const first = index * count
  const tile = Math.floor(first / tileWidth)
  return { tier, tile, at: first - tile * tileWidth, count }
}

/** The root over a number of hashes that is a power of two. */
export function perfectRoot(hashes: readonly Buffer[]): Buffer {
  let row = hashes
  while (row.length > 1) {
    const above: Buffer[] = []
    for (let at = 0; at + 1 < row.length; at += 2) {
      above.push(nodeHash(row[at] as Buffer, row[at + 1] as Buffer))
    }
    row = above
  }
  const [root] = row
  if (root === undefined) throw new Error('bug: a root over nothing')
  return root
}

/** The hash of a subtree at the edge of the tree, where its last leaves are. */
export function edgeHash(edge: Edge, subtree: Subtree): Buffer {
  const { tier, at, count } = placeOf(subtree)
  const hashes = (edge[tier] ?? []).slice(at, at + count)
  if (hashes.length !== count) throw new Error('bug: a subtree that is not at the edge')
  return perfectRoot(hashes)
}
