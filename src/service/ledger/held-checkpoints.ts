import { rfc3339 } from '../domain/decider.ts'
import { isConsistent } from '../domain/ledger/merkle.ts'
import { readNotes } from './checkpoint-files.ts'
import type { Findings } from './findings.ts'
import { readNote, signersOf, type Verifier } from './signed-note.ts'

/*
 * Checkpoints in the hands of the person who checks. Unlike those of the service, none of them can
 * have been taken back, so they expose a history that was cut off or forked after it was signed.
 */

type HeldNote = NonNullable<ReturnType<typeof readNote>>

export type HeldCheckpoint = HeldNote & {
  /** The name of its file, as the user gave it. */
  readonly file: string
}

/** The checkpoints in a text that the user holds. */
type HeldText = {
  readonly checkpoints: readonly HeldCheckpoint[]
  /** Parts that are not checkpoints, of which nothing can be said. */
  readonly broken: number
  /** More than what a crash of the service leaves in its own files: the beginning of a note, between others. */
  readonly isDamaged: boolean
}

export function heldIn(file: string, text: string): HeldText {
  const { notes, broken, isDamaged } = readNotes(text)
  const read = notes.map((note) => readNote(note))
  const checkpoints = read.flatMap((note) =>
    note === null || note.head.size === 0 ? [] : [{ ...note, file }],
  )
  const unread = notes.length - checkpoints.length
  return { checkpoints, broken: broken + unread, isDamaged: isDamaged || unread > 0 }
}

/** The sizes at which roots are needed, as `treeCheck` takes them. */
export function sizesOf(held: readonly HeldCheckpoint[]): readonly number[] {
  return [...new Set(held.map(({ head }) => head.size))].sort((a, b) => a - b)
}

/** A proof that a smaller tree is the beginning of a larger one, for whatever roots. */
export type Consistency = {
  readonly from: number
  readonly to: number
  readonly proof: readonly Buffer[]
  /** Where it is, as the subject of a sentence. */
  readonly where: string
}

export type HeldCheckOptions = {
  readonly held: readonly HeldCheckpoint[]
  /** Keys of the ledger, and those that the user trusts. */
  readonly verifiers: readonly Verifier[]
  readonly found: Findings
  /** What is checked: the ledger itself, or a file with its checkpoint. */
  readonly against: {
    readonly what: 'ledger' | 'file'
    /** Null = the ledger has no name, because nothing was ever sealed in it. */
    readonly origin: string | null
    readonly size: number
    /** The root of the tree of this size; null = it cannot be known. */
    rootAt(size: number): Buffer | null
  }
  /** Given by the user, to decide where the root of a size cannot be known. */
  readonly consistency?: readonly Consistency[]
}

export type HeldResult = {
  /** Those that are of this history. */
  readonly confirmed: readonly HeldCheckpoint[]
  /** Those about which nothing can be decided without another proof. */
  readonly undecided: readonly HeldCheckpoint[]
}

type Verdict = 'confirmed' | 'undecided' | { readonly kind: string; readonly problem: string }

/** Compares held checkpoints with the ledger or the file, and reports those that contradict it. */
export function checkHeld(options: HeldCheckOptions): HeldResult {
  const confirmed: HeldCheckpoint[] = []
  const undecided: HeldCheckpoint[] = []
  /** A file of one day can hold thousands that are wrong for the same reason: one is reported. */
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

function verdictOn(one: HeldCheckpoint, options: HeldCheckOptions): Verdict {
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

function byConsistency(one: HeldCheckpoint, options: HeldCheckOptions): Verdict {
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

/** With its file, size and time, as the subject of a sentence. */
function nameOf({ file, head }: HeldCheckpoint): string {
  const { size, signedAt } = head
  return `the checkpoint you hold in ${file} (${size} events, signed ${rfc3339(signedAt)})`
}
