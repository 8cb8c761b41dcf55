import { randomBytes } from 'node:crypto'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import t from 'tap'
import { inclusionRanges, leafHash, nodeHash } from '../../src/service/domain/ledger/merkle.ts'
import { signedNote, signerOf, verifierText } from '../../src/service/ledger/signed-note.ts'
import {
  canonical,
  checkpointSigners,
  isIncluded,
  ledgerKey,
  readCheckpoint,
  readKey,
} from '../../src/verifier/verify.mjs'

/* What the console takes from verify.mjs, against the definitions and the service's own code. */

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** The root as RFC 9162 defines it in section 2.1.1. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 1) return hashes[0] as Buffer
  const half = 2 ** Math.ceil(Math.log2(hashes.length) - 1)
  return nodeHash(rootOf(hashes.slice(0, half)), rootOf(hashes.slice(half)))
}

/** Larger trees only repeat these shapes. */
const sizeMax = 17

t.test("the verifier accepts every leaf's inclusion proof and rejects false ones", async (t) => {
  const wrong: string[] = []
  for (let size = 1; size <= sizeMax; size++) {
    const leaves = Array.from({ length: size }, () => randomBytes(32))
    const hashes = leaves.map(leafHash)
    const rootIn = (from: number, to: number) => rootOf(hashes.slice(from, to))
    const tree = { size, root: rootIn(0, size) }
    for (const [index, bytes] of leaves.entries()) {
      const leaf = hex(bytes)
      const proof = inclusionRanges(index, size).map(({ from, to }) => hex(rootIn(from, to)))
      const verdicts = [
        !(await isIncluded(leaf, index, proof, tree)),
        await isIncluded(hex(randomBytes(32)), index, proof, tree),
        await isIncluded(leaf, index, [...proof, hex(tree.root)], tree),
        await isIncluded(leaf, index + size, proof, tree),
        await isIncluded(leaf, -1, proof, tree),
        await isIncluded(leaf, index + 0.5, proof, tree),
        size > 1 && (await isIncluded(leaf, index, proof.slice(1), tree)),
        size > 1 && (await isIncluded(leaf, (index + 1) % size, proof, tree)),
        size > 1 && (await isIncluded(leaf.toUpperCase(), index, proof, tree)),
      ]
      if (verdicts.includes(true)) wrong.push(`${index} of ${size}: ${verdicts}`)
    }
  }
  t.same(wrong, [])
})

t.test('the verifier serializes JSON as RFC 8785 requires', async (t) => {
  const value = fc.jsonValue({ noUnicodeString: false })
  fc.assert(fc.property(value, (any) => canonical(any) === canonicalize(any)))
  t.equal(canonical({ b: [1e21, -0, '\u2028'], a: null }), '{"a":null,"b":[1e+21,0,"\u2028"]}')
})

t.test(
  "the verifier accepts a checkpoint only unchanged and signed by its ledger's key",
  async (t) => {
    const [own, other] = [
      signerOf('ledger/one', randomBytes(32)),
      signerOf('ledger/one', randomBytes(32)),
    ]
    const root = randomBytes(32)
    const head = { origin: 'ledger/one', size: 7, root, signedAt: Date.now() }
    const note = signedNote(head, [own])
    const isSignedBy = async (text: string, verifier: string) => {
      const [checkpoint, key] = [readCheckpoint(text), await readKey(verifier, ledgerKey)]
      if (checkpoint === null || key === null) return false
      return (await checkpointSigners(checkpoint, [key])).length === 1
    }
    t.match(readCheckpoint(note), { origin: 'ledger/one', size: 7 })
    t.equal(hex(readCheckpoint(note)?.root ?? Buffer.alloc(0)), hex(root))
    t.equal(await isSignedBy(note, verifierText(own)), true)
    t.equal(await isSignedBy(note, verifierText(other)), false)
    t.equal(await isSignedBy(note.replace('\n7\n', '\n8\n'), verifierText(own)), false)
    const renamed = signerOf('ledger/two', randomBytes(32))
    t.equal(await isSignedBy(signedNote(head, [renamed]), verifierText(renamed)), false)
    const otherId = verifierText(own).replace(/\+[0-9a-f]{8}\+/, '+00000000+')
    t.equal(await isSignedBy(note, otherId), false, 'an id belongs to one key')
    const noKey = verifierText(own).replace(/.{4}$/, '!!!!')
    t.equal(await isSignedBy(note, noKey), false, 'a text that is no key')
    t.equal(readCheckpoint('ledger/one\n7\n\n'), null)
  },
)
