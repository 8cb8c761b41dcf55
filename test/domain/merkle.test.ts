import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import {
  consistencyRanges,
  emptyRoot,
  inclusionRanges,
  isConsistent,
  isIncluded,
  leafHash,
  type Range,
  rootOver,
  subtreesOf,
} from '../../src/service/domain/ledger/merkle.ts'
import {
  appendLeaves,
  type Edge,
  edgeRoot,
  pyramid,
} from '../../src/service/domain/ledger/merkle-tiles.ts'

const sha256 = (...parts: readonly Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest()

/** MTH, PATH and PROOF exactly as in RFC 9162, sections 2.1.1, 2.1.3.1 and 2.1.4.1. */
const k = (n: number) => 2 ** Math.ceil(Math.log2(n) - 1)
function mth(d: readonly Buffer[]): Buffer {
  if (d.length === 0) return sha256()
  if (d.length === 1) return sha256(Buffer.of(0), d[0] as Buffer)
  return sha256(Buffer.of(1), mth(d.slice(0, k(d.length))), mth(d.slice(k(d.length))))
}
function path(m: number, d: readonly Buffer[]): readonly Buffer[] {
  if (d.length === 1) return []
  const at = k(d.length)
  return m < at
    ? [...path(m, d.slice(0, at)), mth(d.slice(at))]
    : [...path(m - at, d.slice(at)), mth(d.slice(0, at))]
}
function subproof(m: number, d: readonly Buffer[], b: boolean): readonly Buffer[] {
  if (m === d.length) return b ? [] : [mth(d)]
  const at = k(d.length)
  return m <= at
    ? [...subproof(m, d.slice(0, at), b), mth(d.slice(at))]
    : [...subproof(m - at, d.slice(at), false), mth(d.slice(0, at))]
}

/**
 * The roots of the first n of these leaves, as Certificate Transparency publishes them for tests.
 */
const published: readonly (readonly [leaf: string, root: string])[] = [
  ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
  ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
  ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
  ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
  ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
  ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
  [
    '606162636465666768696a6b6c6d6e6f',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ],
]

/** Roots computed by our code, from leaf hashes alone. */
function rootOf(leaves: readonly Buffer[], { from, to }: Range): Buffer {
  const hashes = leaves.map(leafHash)
  return rootOver(
    subtreesOf({ from, to }).map(
      ({ level, index }) =>
        pyramid(hashes.slice(index * 2 ** level, (index + 1) * 2 ** level)).at(-1)?.[0] as Buffer,
    ),
  )
}
const entries = (count: number) =>
  Array.from({ length: count }, (_, at) => sha256(Buffer.from([at % 256, at >> 8])))

t.test('Merkle roots match the published Certificate Transparency test vectors', async (t) => {
  t.equal(
    emptyRoot.toString('hex'),
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
  const leaves = published.map(([leaf]) => Buffer.from(leaf, 'hex'))
  for (const [at, [, root]] of published.entries()) {
    t.equal(rootOf(leaves, { from: 0, to: at + 1 }).toString('hex'), root)
  }
})

t.test('the seven-leaf example of RFC 9162 gives the proofs listed there', async (t) => {
  const d = entries(7)
  const at = (from: number, to: number) => mth(d.slice(from, to))
  const [a, b, c, f, j] = [at(0, 1), at(1, 2), at(2, 3), at(5, 6), at(6, 7)]
  const [g, h, i] = [at(0, 2), at(2, 4), at(4, 6)]
  const [kk, l] = [at(0, 4), at(4, 7)]
  const included = (m: number) => inclusionRanges(m, 7).map((range) => rootOf(d, range))
  t.same(included(0), [b, h, l])
  t.same(included(3), [c, g, l])
  t.same(included(4), [f, j, kk])
  t.same(included(6), [i, kk])
  const grown = (m: number) => consistencyRanges(m, 7).map((range) => rootOf(d, range))
  t.same(grown(3), [c, at(3, 4), g, l])
  t.same(grown(4), [l])
  t.same(grown(6), [i, j, kk])
  t.ok(a)
})

t.test('proofs match the definitions of RFC 9162 and verify, for any tree', async (t) => {
  const sizes = fc.integer({ min: 1, max: 300 })
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(), (size, seed, other) => {
      const d = entries(size)
      const index = seed % size
      const root = rootOf(d, { from: 0, to: size })
      const proof = inclusionRanges(index, size).map((range) => rootOf(d, range))
      if (!root.equals(mth(d))) return false
      if (!Buffer.concat(proof).equals(Buffer.concat([...path(index, d)]))) return false
      const leaf = leafHash(d[index] as Buffer)
      const inclusion = { leaf, index, size, proof, root }
      const wrong = (index + 1 + (other % Math.max(1, size - 1))) % size
      return (
        isIncluded(inclusion) &&
        !isIncluded({ ...inclusion, leaf: leafHash(leaf) }) &&
        (wrong === index || !isIncluded({ ...inclusion, index: wrong })) &&
        !isIncluded({ ...inclusion, proof: [...proof, root] })
      )
    }),
  )
  fc.assert(
    fc.property(sizes, fc.nat(), (to, seed) => {
      const d = entries(to)
      const from = 1 + (seed % to)
      const fromRoot = rootOf(d.slice(0, from), { from: 0, to: from })
      const toRoot = rootOf(d, { from: 0, to })
      const proof = consistencyRanges(from, to).map((range) => rootOf(d, range))
      if (!Buffer.concat(proof).equals(Buffer.concat([...subproof(from, d, true)]))) return false
      const consistency = { from, fromRoot, to, toRoot, proof }
      const changed = entries(from).with(from - 1, Buffer.from('another'))
      const otherRoot = rootOf(changed, { from: 0, to: from })
      return isConsistent(consistency) && !isConsistent({ ...consistency, fromRoot: otherRoot })
    }),
  )
  t.pass('for every tree that was tried')
})

t.test('a tree grown in any steps has the same root as one built at once', async (t) => {
  const steps = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 8 })
  fc.assert(
    fc.property(steps, (lengths) => {
      let edge: Edge = []
      let size = 0
      const d = entries(lengths.reduce((sum, length) => sum + length, 0))
      for (const length of lengths) {
        const hashes = d.slice(size, size + length).map(leafHash)
        edge = appendLeaves(edge, size, hashes).edge
        size += length
        if (!edgeRoot(edge, size).equals(rootOf(d.slice(0, size), { from: 0, to: size })))
          return false
      }
      return edge.every((tail) => tail.length < 256)
    }),
    { numRuns: 30 },
  )
  t.pass('for all steps that were tried')
})
