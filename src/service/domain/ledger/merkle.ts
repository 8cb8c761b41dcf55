import { createHash } from 'node:crypto'

/**
 * The Merkle tree of RFC 9162, section 2.1, with SHA-256: the parts of its roots and proofs, and
 * how to check them. Hashes are 32 bytes; leaves are numbered from 0.
 */

export const hashBytes = 32

export function leafHash(entry: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(0x00)).update(entry).digest()
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(Buffer.of(0x01)).update(left).update(right).digest()
}

/** The root of the empty tree. */
export const emptyRoot = createHash('sha256').digest()

/** The leaves from `from` up to, but not including, `to`. */
export type Range = { readonly from: number; readonly to: number }

/** A subtree of 2^level leaves, at position `index` among those of its size. */
export type Subtree = { readonly level: number; readonly index: number }

/** The largest power of two below `count`, which is above one. */
function split(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/** The full subtrees that make up a range of a proof, from the left. */
export function subtreesOf({ from, to }: Range): readonly Subtree[] {
  const found: Subtree[] = []
  for (let at = from; at < to; ) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level++
    found.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return found
}

/** The root over the subtrees of `subtreesOf`, given their hashes in that order. */
export function rootOver(hashes: readonly Uint8Array[]): Buffer {
  const last = hashes.at(-1)
  if (last === undefined) return emptyRoot
  return hashes
    .slice(0, -1)
    .reduceRight<Buffer>((root, hash) => nodeHash(hash, root), Buffer.from(last))
}

/** PATH of RFC 9162: the siblings on the way from a leaf to the root, the nearest first. */
export function inclusionRanges(index: number, size: number): readonly Range[] {
  const found: Range[] = []
  let range: Range = { from: 0, to: size }
  while (range.to - range.from > 1) {
    const middle = range.from + split(range.to - range.from)
    const [left, right] = [
      { from: range.from, to: middle },
      { from: middle, to: range.to },
    ]
    found.push(index < middle ? right : left)
    range = index < middle ? left : right
  }
  return found.reverse()
}

/** PROOF of RFC 9162: shows that the first `from` leaves (1 to `to`) of `to` have not changed. */
export function consistencyRanges(from: number, to: number): readonly Range[] {
  const found: Range[] = []
  let range: Range = { from: 0, to }
  let isWhole = true
  while (from !== range.to) {
    const middle = range.from + split(range.to - range.from)
    if (from <= middle) {
      found.push({ from: middle, to: range.to })
      range = { from: range.from, to: middle }
    } else {
      found.push({ from: range.from, to: middle })
      range = { from: middle, to: range.to }
      isWhole = false
    }
  }
  if (!isWhole) found.push(range)
  return found.reverse()
}

type Inclusion = {
  readonly leaf: Uint8Array
  readonly index: number
  readonly size: number
  readonly proof: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** Whether the proof leads from the leaf's hash to the root; RFC 9162, section 2.1.3.2. */
export function isIncluded({ leaf, index, size, proof, root }: Inclusion): boolean {
  if (index < 0 || index >= size) return false
  let fn = index
  let sn = size - 1
  let hash: Buffer = Buffer.from(leaf)
  for (const beside of proof) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      hash = nodeHash(beside, hash)
      while (fn % 2 === 0 && fn !== 0) {
        fn = Math.floor(fn / 2)
        sn = Math.floor(sn / 2)
      }
    } else {
      hash = nodeHash(hash, beside)
    }
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && hash.equals(root)
}

type Consistency = {
  readonly from: number
  readonly fromRoot: Uint8Array
  readonly to: number
  readonly toRoot: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/** Whether the smaller tree is the beginning of the larger; RFC 9162, section 2.1.4.2. */
export function isConsistent({ from, fromRoot, to, toRoot, proof }: Consistency): boolean {
  if (from < 1 || from > to) return false
  if (from === to) return proof.length === 0 && Buffer.from(fromRoot).equals(toRoot)
  const isPower = subtreesOf({ from: 0, to: from }).length === 1
  const path = isPower ? [fromRoot, ...proof] : proof
  const [first, ...rest] = path
  if (first === undefined) return false
  let fn = from - 1
  let sn = to - 1
  while (fn % 2 === 1) {
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  let fr: Buffer = Buffer.from(first)
  let sr: Buffer = Buffer.from(first)
  for (const beside of rest) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      fr = nodeHash(beside, fr)
      sr = nodeHash(beside, sr)
      while (fn % 2 === 0 && fn !== 0) {
        fn = Math.floor(fn / 2)
        sn = Math.floor(sn / 2)
      }
    } else {
      sr = nodeHash(sr, beside)
    }
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && fr.equals(fromRoot) && sr.equals(toRoot)
}
