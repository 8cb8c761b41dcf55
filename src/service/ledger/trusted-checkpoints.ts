import { rfc3339 } from '../domain/decider.ts'
import { isConsistent } from '../domain/ledger/merkle.ts'
import { readNotes } from './checkpoint-files.ts'
import type { Findings } from './findings.ts'
import { readNote, signersOf, type Verifier } from './signed-note.ts'

/*
 * Checkpoints that the auditor stored. Unlike the service's own copies, nobody else can have
 * removed them, so they reveal a history that was truncated or forked after it was signed.
 */

type TrustedNote = NonNullable<ReturnType<typeof readNote>>

export type TrustedCheckpoint = TrustedNote & {
  /** The name of its file, as the user gave it. */
  readonly file: string
}

/** The checkpoints in a file that the user holds. */
type TrustedText = {
  readonly checkpoints: readonly TrustedCheckpoint[]
  /** The number of parts that are not checkpoints and cannot be checked. */
  readonly broken: number
  /**
   * The file has other damage than a crash of the service leaves: the beginning of a note between
   * others.
   */
  readonly isDamaged: boolean
}

export function trustedIn(file: string, text: string): TrustedText {
  const { notes, broken, isDamaged } = readNotes(text)
  const read = notes.map((note) => readNote(note))
  const checkpoints = read.flatMap((note) =>
    note === null || note.head.size === 0 ? [] : [{ ...note, file }],
  )
  const unread = notes.length - checkpoints.length
  return { checkpoints, broken: broken + unread, isDamaged: isDamaged || unread > 0 }
}

/** The sizes at which `treeCheck` must report roots. */
export function sizesOf(trusted: readonly TrustedCheckpoint[]): readonly number[] {
  return [...new Set(trusted.map(({ head }) => head.size))].sort((a, b) => a - b)
}

/** A proof that a smaller tree is the beginning of a larger one. The roots are not part of it. */
export type Consistency = {
  readonly from: number
  readonly to: number
  readonly proof: readonly Buffer[]
  /** The proof's source, as the subject of a sentence. */
  readonly where: string
}

export type TrustedCheckOptions = {
  readonly held: readonly TrustedCheckpoint[]
  /** The keys of the ledger and those that the user trusts. */
  readonly verifiers: readonly Verifier[]
  readonly found: Findings
  /** What they are compared with: the ledger itself, or a file with its checkpoint. */
  readonly against: {
    readonly what: 'ledger' | 'file'
    /** Null if the ledger has no name, because nothing has been sealed yet. */
    readonly origin: string | null
    readonly size: number
    /** The root of the tree of this size; null if it is unknown. */
    rootAt(size: number): Buffer | null
  }
  /** Proofs given by the user, for sizes whose root is unknown. */
  readonly consistency?: readonly Consistency[]
}

export type TrustedCheckResult = {
  /** Checkpoints that belong to this history. */
  readonly confirmed: readonly TrustedCheckpoint[]
  /** Checkpoints that cannot be decided without another proof. */
  readonly undecided: readonly TrustedCheckpoint[]
}

type Verdict = 'confirmed' | 'undecided' | { readonly kind: string; readonly problem: string }

/** Compares held checkpoints with the ledger or file, and reports those that contradict it. */
export function checkTrusted(options: TrustedCheckOptions): TrustedCheckResult {
  const confirmed: TrustedCheckpoint[] = []
  const undecided: TrustedCheckpoint[] = []
  /**
   * One problem per kind and file: a daily file can have thousands that are wrong for the same
   * reason.
   */
  const wrong = new Map<string, { readonly problem: string; readonly count: number }>()
  for (const one of options.held.toSorted((a, b) => a.head.size - b.head.size)) {
    const verdict = verdictOn(one, options)
    if (verdict === 'confirmed') confirmed.push(one)
    else if (verdict === 'undecided') undecided.push(one)
    else {
      const key = `${verdict.kind} ${one.file}`
      const before = wrong.get(key)
      const isLastBest = verdict.kind === 'cut'
      const problem = before === undefined || isLastBest ? verdict.problem : before.problem
      wrong.set(key, { problem, count: (before?.count ?? 0) + 1 })
    }
  }
  for (const { problem, count } of wrong.values()) {
    const more = count === 1 ? '' : `; ${count} checkpoints of that file show it`
    options.found.add(null, `${problem}${more}`)
  }
  return { confirmed, undecided }
}

function verdictOn(one: TrustedCheckpoint, options: TrustedCheckOptions): Verdict {
  const { against, verifiers } = options
  const { origin, size, root } = one.head
  const held = nameOf(one)
  const wrong = (kind: string, problem: string): Verdict => ({ kind, problem })
  if (against.origin !== null && origin !== against.origin) {
    return wrong(
      'foreign',
      `${held} is of another ledger, ${origin}: this one is ${against.origin}`,
    )
  }
  if (against.origin !== null && signersOf(one, verifiers).length === 0) {
    return wrong('unsigned', `${held} is not signed by a key of this ledger`)
  }
  if (against.what === 'ledger' && size > against.size) {
    return wrong(
      'cut',
      `the ledger has only ${against.size} sealed events; ${held} covers ${size}: events were cut off`,
    )
  }
  const known = against.rootAt(size)
  if (known === null) return byConsistency(one, options)
  if (known.equals(root)) return 'confirmed'
  return wrong(
    'forked',
    `${held} has another root than the first ${size} events of the ${against.what}: history was rewritten after it was signed, or there are two histories`,
  )
}

function byConsistency(one: TrustedCheckpoint, options: TrustedCheckOptions): Verdict {
  const { against, consistency = [] } = options
  const toRoot = against.rootAt(against.size)
  const theirs = { size: against.size, root: toRoot ?? Buffer.alloc(0) }
  const [from, to] = one.head.size < theirs.size ? [one.head, theirs] : [theirs, one.head]
  const given = consistency.filter((each) => each.from === from.size && each.to === to.size)
  const [first] = given
  if (toRoot === null || first === undefined) return 'undecided'
  const sizes = { from: from.size, fromRoot: from.root, to: to.size, toRoot: to.root }
  if (given.some(({ proof }) => isConsistent({ ...sizes, proof }))) return 'confirmed'
  const problem = `${first.where} does not prove that ${nameOf(one)} and the checkpoint of the ${against.what} (${against.size} events) are of one history: there are two histories, or the proof is not the right one`
  return { kind: 'not proved', problem }
}

/** Names the checkpoint's file, size and time, as the subject of a sentence. */
function nameOf({ file, head }: TrustedCheckpoint): string {
  const { size, signedAt } = head
  return `the checkpoint you hold in ${file} (${size} events, signed ${rfc3339(signedAt)})`
}
