import { leafHash } from '../../domain/ledger/merkle.ts'
import { type Added, appendLeaves, type Edge, edgeRoot } from '../../domain/ledger/merkle-tiles.ts'
import type { Findings } from '../findings.ts'
import { readNote, signersOf, type Verifier } from '../signed-note.ts'

/** A checkpoint to check. `where` names it as the subject of a sentence. */
export type Claim = {
  readonly note: string
  readonly where: string
  /** It was stored outside the database. */
  readonly isOutside: boolean
  /** The position of its last event, if it was stored with the checkpoint. */
  readonly position?: string
}

type Leaf = { readonly leaf: Buffer; readonly position: string | null }

/** Rebuilds the tree, leaf by leaf, and compares each checkpoint with it on the way. */
type TreeCheck = {
  size(): number
  /** Adds leaves, and returns what they add to the higher tiers. */
  add(leaves: readonly Leaf[]): Promise<readonly Added[]>
  /**
   * Reports the checkpoints that cover more leaves than were added, unless `mayCover` allows it.
   */
  end(mayCover: (size: number) => boolean): Promise<void>
}

/** The next checkpoint of a source, parsed and with its signature verified. */
type Next = {
  readonly size: number
  readonly root: Buffer
  readonly claim: Claim
  readonly source: AsyncIterator<Claim>
}

type TreeCheckOptions = {
  readonly sources: readonly AsyncIterator<Claim>[]
  readonly verifiers: readonly Verifier[]
  readonly found: Findings
  /** Called for each correct checkpoint, with the number of events it covers. */
  readonly confirmed: (size: number, claim: Claim) => void
  /** Sizes, ascending and without repetition, at which `root` is called with the tree's root. */
  readonly wanted?: readonly number[]
  readonly root?: (size: number, root: Buffer) => void
}

/**
 * Each source yields checkpoints of ascending size. A checkpoint must be signed by one of the keys.
 */
export async function treeCheck(options: TreeCheckOptions): Promise<TreeCheck> {
  const { found } = options
  let edge: Edge = []
  let size = 0
  let lastRight = 0
  /** The position of the first event after them; null if no event follows yet. */
  let suspect: string | null = null
  /** A wrong checkpoint was reported. Later ones are wrong for the same reason. */
  let isOff = false
  const next = new Set<Next>()
  const roots = rootReporter(options)

  const read = async (source: AsyncIterator<Claim>): Promise<void> => {
    const claim = await nextClaim(source, size, options)
    if (claim !== null) next.add(claim)
  }
  const compare = async (position: string | null): Promise<void> => {
    for (const { due, isRight } of correctFirst(next, size, edgeRoot(edge, size))) {
      next.delete(due)
      if (isRight) {
        lastRight = size
        suspect = null
        isOff = false
        options.confirmed(size, due.claim)
        checkPosition(due.claim, position, found)
      } else if (!isOff) {
        isOff = true
        found.add(null, `${due.claim.where} ${mismatch(suspect, position, lastRight === size)}`)
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
        const due = Math.min(...[...next].map((one) => one.size), roots.next())
        const part = leaves.slice(at, at + Math.max(1, due - size))
        if (size === lastRight) suspect = part[0]?.position ?? null
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
        roots.reached(size, edge)
      }
      return added
    },
    async end(mayCover) {
      for (const { size: covered, claim, source } of next) {
        // The following checkpoints cover even more.
        await source.return?.()
        if (mayCover(covered)) continue
        found.add(
          null,
          `${claim.where} covers ${covered} events, but only ${size} are left: the last were removed`,
        )
      }
    },
  }
}

/** Checks that a checkpoint is stored with the position of its last event. */
function checkPosition(claim: Claim, position: string | null, found: Findings): void {
  const { where, position: recorded = position } = claim
  if (recorded === position) return
  found.add(null, `${where} names position ${recorded}, but its last event is at ${position}`)
}

/** Calls `root` at the wanted sizes as the tree grows. */
function rootReporter({ wanted = [], root }: TreeCheckOptions) {
  let at = 0
  return {
    next: () => wanted[at] ?? Number.POSITIVE_INFINITY,
    reached(size: number, edge: Edge): void {
      if (wanted[at] !== size) return
      root?.(size, edgeRoot(edge, size))
      at++
    },
  }
}

/**
 * The checkpoints of this size, correct ones first: a wrong one is then known to be of another
 * history.
 */
function correctFirst(next: ReadonlySet<Next>, size: number, root: Buffer) {
  return [...next]
    .filter((due) => due.size === size)
    .map((due) => ({ due, isRight: due.root.equals(root) }))
    .sort((a, b) => Number(b.isRight) - Number(a.isRight))
}

function mismatch(first: string | null, last: string | null, isOther: boolean): string {
  if (isOther) {
    return 'does not match the seals, but another checkpoint of that size does: there are two histories, as after a backup was restored'
  }
  const where =
    first === last
      ? `the event at position ${last}`
      : `one of the events at positions ${first} to ${last}`
  return `does not match the seals: ${where} is not what was signed`
}

function headProblem(covered: number, size: number): string | null {
  if (covered > 0 && covered >= size) return null
  return `covers fewer events (${covered}) than an earlier one (${size})`
}

/** The next signed checkpoint that covers at least as much as was already compared. */
async function nextClaim(
  source: AsyncIterator<Claim>,
  size: number,
  { verifiers, found }: TreeCheckOptions,
): Promise<Next | null> {
  for (let step = await source.next(); step.done !== true; step = await source.next()) {
    const claim = step.value
    const note = readNote(claim.note)
    const problem = note === null ? 'is not a checkpoint' : headProblem(note.head.size, size)
    if (note === null || problem !== null) {
      found.add(null, `${claim.where} ${problem}`)
    } else if (signersOf(note, verifiers).length === 0) {
      found.add(null, `${claim.where} is not signed by a key of this ledger`)
    } else {
      return { size: note.head.size, root: note.head.root, claim, source }
    }
  }
  return null
}
