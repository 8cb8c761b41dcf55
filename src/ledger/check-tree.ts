import { leafHash } from '../domain/merkle.ts'
import { type Added, appendLeaves, type Edge, edgeRoot } from '../domain/merkle-tiles.ts'
import type { Findings } from './findings.ts'
import { readNote, signersOf, type Verifier } from './signed-note.ts'

/** A checkpoint that is to be checked, and where it stands. */
export type Claim = { readonly note: string; readonly where: string }

export type Leaf = { readonly leaf: Buffer; readonly position: string | null }

/** Makes the tree again, leaf by leaf, and compares each checkpoint with it on the way. */
export type TreeCheck = {
  size(): number
  /** Adds leaves, and gives what they add to the tiers above. */
  add(leaves: readonly Leaf[]): Promise<readonly Added[]>
  /** Says which checkpoints speak of more leaves than there were, but for those that may. */
  end(mayCover: (size: number) => boolean): Promise<void>
}

/** The next checkpoint of a source, read, its signature checked. */
type Next = {
  readonly size: number
  readonly root: Buffer
  readonly claim: Claim
  readonly source: AsyncIterator<Claim>
}

export type TreeCheckOptions = {
  readonly sources: readonly AsyncIterator<Claim>[]
  readonly verifiers: readonly Verifier[]
  readonly found: Findings
  /** Told of each checkpoint that is right how many events it covers. */
  readonly confirmed: (size: number) => void
}

/** `sources` give checkpoints whose sizes grow; one counts when one of the keys has signed it. */
export async function treeCheck(options: TreeCheckOptions): Promise<TreeCheck> {
  const { found } = options
  let edge: Edge = []
  let size = 0
  let lastRight = 0
  const next = new Set<Next>()

  const read = async (source: AsyncIterator<Claim>): Promise<void> => {
    const claim = await nextClaim(source, size, options)
    if (claim !== null) next.add(claim)
  }
  const compare = async (position: string | null): Promise<void> => {
    for (const due of [...next].filter((one) => one.size === size)) {
      next.delete(due)
      if (edgeRoot(edge, size).equals(due.root)) {
        lastRight = size
        options.confirmed(size)
      } else {
        const since = `among the events after the first ${lastRight}`
        found.add(position, `${due.claim.where}: what was signed is another ledger, ${since}`)
      }
      await read(due.source)
    }
  }
  for (const source of options.sources) await read(source)

  return {
    size: () => size,
    async add(leaves) {
      const added: Added[] = []
      for (let at = 0; at < leaves.length; ) {
        const due = Math.min(...[...next].map((one) => one.size))
        const part = leaves.slice(at, at + Math.max(1, due - size))
        const grown = appendLeaves(
          edge,
          size,
          part.map(({ leaf }) => leafHash(leaf)),
        )
        added.push(...grown.added)
        edge = grown.edge
        size += part.length
        at += part.length
        while ([...next].some((one) => one.size === size))
          await compare(part.at(-1)?.position ?? null)
      }
      return added
    },
    async end(mayCover) {
      for (const { size: covered, claim, source } of next) {
        // Those that follow cover even more.
        await source.return?.()
        if (mayCover(covered)) continue
        found.add(
          null,
          `${claim.where}: it covers ${covered} events, and there are ${size}: the last are missing`,
        )
      }
    },
  }
}

function headProblem(covered: number, size: number): string | null {
  return covered > 0 && covered >= size ? null : `it covers ${covered} events, after one of ${size}`
}

/** The next checkpoint that was signed and does not speak of less than what was compared already. */
async function nextClaim(
  source: AsyncIterator<Claim>,
  size: number,
  { verifiers, found }: TreeCheckOptions,
): Promise<Next | null> {
  for (let step = await source.next(); step.done !== true; step = await source.next()) {
    const claim = step.value
    const note = readNote(claim.note)
    const problem = note === null ? 'it is no checkpoint' : headProblem(note.head.size, size)
    if (note === null || problem !== null) {
      found.add(null, `${claim.where}: ${problem}`)
    } else if (signersOf(note, verifiers).length === 0) {
      found.add(null, `${claim.where}: it is not signed by a key of this ledger`)
    } else {
      return { size: note.head.size, root: note.head.root, claim, source }
    }
  }
  return null
}
