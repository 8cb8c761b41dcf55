import { nodeHash, type Range } from '../../src/service/domain/ledger/merkle.ts'

/** The root over a range of at least one leaf. */
export function rootIn(leaves: readonly Buffer[], { from, to }: Range): Buffer {
  const [only] = leaves.slice(from, from + 1)
  if (only === undefined) throw new Error(`no leaf ${from}`)
  if (to - from === 1) return only
  let half = 1
  while (half * 2 < to - from) half *= 2
  const middle = from + half
  return nodeHash(rootIn(leaves, { from, to: middle }), rootIn(leaves, { from: middle, to }))
}

/** The hashes of a proof, in hexadecimal. */
export function proofIn(leaves: readonly Buffer[], ranges: readonly Range[]): readonly string[] {
  return ranges.map((range) => rootIn(leaves, range).toString('hex'))
}
