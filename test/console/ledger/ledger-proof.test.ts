import { randomBytes } from 'node:crypto'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import t from 'tap'
import {
  canonical,
  isSignedBy,
  provedRoot,
  treeOf,
} from '../../../src/console/proofs/ledger-proof.ts'
import { inclusionRanges, leafHash, nodeHash } from '../../../src/service/domain/ledger/merkle.ts'
import { signedNote, signerOf, verifierText } from '../../../src/service/ledger/signed-note.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** The root as RFC 9162 defines it in section 2.1.1. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 1) return hashes[0] as Buffer
  const half = 2 ** Math.ceil(Math.log2(hashes.length) - 1)
  return nodeHash(rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half)))
}

/** Larger trees only repeat these shapes. */
const sizeMax = 17

t.test("the browser verifies every leaf's inclusion proof and rejects false ones", async (t) => {
  let wrong = 0
  for (let size = 1; size <= sizeMax; size++) {
    const leaves = Array.from({ length: size }, () => randomBytes(32))
    const hashes = leaves.map(leafHash)
    const rootIn = (from: number, to: number) => hex(rootOf(hashes.slice(from, to)))
    const root = rootIn(0, size)
    for (const [index, leaf] of leaves.entries()) {
      const proof = inclusionRanges(index, size).map(({ from, to }) => rootIn(from, to))
      const inclusion = { leaf: hex(leaf), index, size, hashes: proof }
      const falseRoots = [
        await provedRoot({ ...inclusion, leaf: hex(randomBytes(32)) }),
        await provedRoot({ ...inclusion, hashes: [...proof, root] }),
        await provedRoot({ ...inclusion, index: index + size }),
        ...(size === 1 ? [] : [await provedRoot({ ...inclusion, hashes: proof.slice(1) })]),
        ...(size === 1 ? [] : [await provedRoot({ ...inclusion, index: (index + 1) % size })]),
      ]
      if ((await provedRoot(inclusion)) !== root || falseRoots.includes(root)) wrong += 1
    }
  }
  t.equal(wrong, 0)
})

t.test('the browser serializes JSON as RFC 8785 requires', async (t) => {
  const value = fc.jsonValue({ noUnicodeString: false })
  fc.assert(fc.property(value, (any) => canonical(any) === canonicalize(any)))
  t.equal(canonical({ b: [1e21, -0, '\u2028'], a: null }), '{"a":null,"b":[1e+21,0,"\u2028"]}')
})

t.test(
  "the browser accepts a checkpoint only unchanged and signed by its ledger's key",
  async (t) => {
    const [own, other] = [
      signerOf('ledger/one', randomBytes(32)),
      signerOf('ledger/one', randomBytes(32)),
    ]
    const root = randomBytes(32)
    const head = { origin: 'ledger/one', size: 7, root, signedAt: Date.now() }
    const note = signedNote(head, [own])
    t.same(treeOf(note), { origin: 'ledger/one', size: 7, rootHash: hex(root) })
    t.equal(await isSignedBy(note, verifierText(own)), true)
    t.equal(await isSignedBy(note, verifierText(other)), false)
    t.equal(await isSignedBy(note.replace('\n7\n', '\n8\n'), verifierText(own)), false)
    const renamed = signerOf('ledger/two', randomBytes(32))
    t.equal(await isSignedBy(signedNote(head, [renamed]), verifierText(renamed)), false)
    const otherId = verifierText(own).replace(/\+[0-9a-f]{8}\+/, '+00000000+')
    t.equal(await isSignedBy(note, otherId), false, 'an id is its own')
    t.throws(() => treeOf('ledger/one\n0\n\n'))
  },
)
