import { nodeHash, rootOver, type Subtree, subtreesOf } from './merkle.ts'

/**
 * The tree is stored in tiles of 256 hashes. A hash of tier 0 is a leaf's; a hash of tier n is the
 * root over a full tile of tier n - 1, so it covers 256^n leaves. The levels in between are
 * recomputed from a tile on demand.
 */

export const tileWidth = 256
const tileLevels = Math.log2(tileWidth)

/**
 * The partly filled tile of each tier: all the state needed to continue, a few kilobytes.
 */
export type Edge = readonly (readonly Buffer[])[]

/** An added hash and its place in its tier. Tier 0 is the leaves themselves. */
export type Added = { readonly tier: number; readonly index: number; readonly hash: Buffer }

/** Appends leaf hashes to a tree of `size` leaves; returns the hashes added to higher tiers too. */
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
    add(tier + 1, Math.floor(index / tileWidth), pyramid(tail).at(-1)?.[0] as Buffer)
  }
  for (const [at, leaf] of leaves.entries()) add(0, size + at, leaf)
  return { edge: tails, added }
}

/** Where a subtree's hash is: the tile, the row of the tile's pyramid, and the index in the row. */
export function placeOf({ level, index }: Subtree) {
  const tier = Math.floor(level / tileLevels)
  const row = level % tileLevels
  const width = tileWidth / 2 ** row
  const tile = Math.floor(index / width)
  return { tier, tile, row, at: index - tile * width }
}

/** The levels above a tile's hashes: row n has the roots over each complete group of 2^n hashes. */
export function pyramid(hashes: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const rows: (readonly Buffer[])[] = [hashes]
  for (let row = hashes; row.length > 1; ) {
    const above: Buffer[] = []
    for (let at = 0; at + 1 < row.length; at += 2) {
      above.push(nodeHash(row[at] as Buffer, row[at + 1] as Buffer))
    }
    rows.push(above)
    row = above
  }
  return rows
}

/** The root of the tree that ends at this edge. */
export function edgeRoot(edge: Edge, size: number): Buffer {
  const pyramids = edge.map(pyramid)
  const hashes = subtreesOf({ from: 0, to: size }).map((subtree) => {
    const { tier, row, at } = placeOf(subtree)
    const hash = pyramids[tier]?.[row]?.[at]
    if (hash === undefined) throw new Error('bug: the edge belongs to a tree of another size')
    return hash
  })
  return rootOver(hashes)
}
