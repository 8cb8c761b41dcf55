import t from 'tap'
import { leafHash } from '../../src/service/domain/ledger/merkle.ts'
import { appendLeaves, edgeRoot } from '../../src/service/domain/ledger/merkle-tiles.ts'
import { type Claim, treeCheck } from '../../src/service/ledger/check/check-tree.ts'
import { findings } from '../../src/service/ledger/findings.ts'
import { signedNote, signerOf } from '../../src/service/ledger/signed-note.ts'

const signer = signerOf('shipping-ledger/test', Buffer.alloc(32, 1))

function leavesOf(history: string): readonly Buffer[] {
  return [...history].map((event) => Buffer.from(event))
}

/** Checkpoints of the first `sizes` events of a history, as one source yields them. */
async function* checkpoints(where: string, history: string, sizes: readonly number[]) {
  for (const size of sizes) {
    const hashes = leavesOf(history.slice(0, size)).map((leaf) => leafHash(leaf))
    const root = edgeRoot(appendLeaves([], 0, hashes).edge, size)
    const note = signedNote({ origin: signer.name, size, root, signedAt: 0 }, [signer])
    yield { note, where: `${where} ${size}`, isOutside: false } satisfies Claim
  }
}

/** The problems of a ledger, with checkpoints from the sources. */
async function problemsOf(history: string, sources: readonly AsyncIterator<Claim>[]) {
  const found = findings()
  const check = await treeCheck({ sources, verifiers: [signer], found, confirmed: () => undefined })
  const at = leavesOf(history).map((leaf, index) => ({ leaf, position: String(index + 1) }))
  await check.add(at)
  await check.end(() => false)
  return found.list.map(({ problem }) => problem)
}

t.test('a wrong checkpoint names the events since the last right one', async (t) => {
  const problems = await problemsOf('abX', [checkpoints('file', 'abc', [1, 3])])
  t.same(problems, [
    'file 3 does not match the seals: one of the events at positions 2 to 3 is not what was signed',
  ])
})

for (const [first, second] of [
  ['kept', 'stored'],
  ['stored', 'kept'],
]) {
  t.test(
    `a wrong checkpoint beside a right one is of another history (${first} first)`,
    async (t) => {
      const sources = [first, second].map((where) =>
        checkpoints(String(where), where === 'kept' ? 'abcde' : 'abX', [1, 3]),
      )
      t.same(await problemsOf('abX', sources), [
        'kept 3 does not match the seals, but another checkpoint of that size does: there are two histories, as after a backup was restored',
      ])
    },
  )
}
