import { createHash } from 'node:crypto'
import { leafHash, nodeHash } from '../../../src/service/domain/ledger/merkle.ts'
import { type Signer, signedNote } from '../../../src/service/ledger/signed-note.ts'

/** A ledger in memory whose proofs are computed slowly, straight from the definition. */
export type GrowingLedger = {
  root(size: number): Buffer
  /** The checkpoint of the first events. */
  note(size: number): string
  proof(from: number, to: number): readonly Buffer[]
  /** The body of a submission. */
  body(old: number, size: number): string
}

/** Ledgers with the same origin and a different `history` are forks from that event on. */
export function growingLedger(
  signer: Signer,
  history: { readonly name: string; readonly from: number } = { name: '', from: 0 },
): GrowingLedger {
  const hashOf = (index: number): Buffer => {
    const name = index >= history.from ? history.name : ''
    return leafHash(createHash('sha256').update(`${name}${index}`).digest())
  }
  const over = (from: number, to: number): Buffer => {
    if (to - from === 1) return hashOf(from)
    const middle = from + splitOf(to - from)
    return nodeHash(over(from, middle), over(middle, to))
  }
  // RFC 9162, 2.1.4.1.
  const subproof = (m: number, from: number, to: number, isWhole: boolean): readonly Buffer[] => {
    const count = to - from
    if (m === count) return isWhole ? [] : [over(from, to)]
    const middle = splitOf(count)
    return m <= middle
      ? [...subproof(m, from, from + middle, isWhole), over(from + middle, to)]
      : [...subproof(m - middle, from + middle, to, false), over(from, from + middle)]
  }
  const root = (size: number) => (size === 0 ? createHash('sha256').digest() : over(0, size))
  const note = (size: number) => {
    const head = { origin: signer.name, size, root: root(size), signedAt: 1_700_000_000_000 + size }
    return signedNote(head, [signer])
  }
  const proof = (from: number, to: number) =>
    from === 0 || from >= to ? [] : subproof(from, 0, to, true)
  return {
    root,
    note,
    proof,
    body(old, size) {
      const hashes = proof(old, size).map((hash) => `${hash.toString('base64')}\n`)
      return `old ${old}\n${hashes.join('')}\n${note(size)}`
    },
  }
}

function splitOf(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}
