import { isConsistent, isIncluded, leafHash } from '../domain/ledger/merkle.ts'
import { type CheckedEvent, eventChecker } from './check/check-event.ts'
import { believedKeys, checkFirstKey } from './check/check-keys.ts'
import { streamsCheck } from './check/check-streams.ts'
import { treeCheck } from './check/check-tree.ts'
import {
  type EventLine,
  type ExportFooter,
  type ExportHeader,
  eventLineSchema,
  footerSchema,
  headerSchema,
  type StreamLine,
  streamLineSchema,
  unstatedFormat,
} from './export-format.ts'
import { linesOf, parsedLine } from './export-lines.ts'
import { type Finding, type Findings, findings } from './findings.ts'
import { readNote, readVerifier, signersOf, type TreeHead, type Verifier } from './signed-note.ts'
import {
  type Consistency,
  checkTrusted,
  sizesOf,
  type TrustedCheckpoint,
  type TrustedCheckResult,
} from './trusted-checkpoints.ts'

export type VerifiedFile = {
  readonly events: number
  readonly notSealed: number
  readonly scope: ExportHeader['scope'] | null
  /** The size of the tree that the proofs lead to. */
  readonly treeSize: number
  /** The id of the trusted key that signed the checkpoint; null if none did. */
  readonly signedBy: string | null
  /** Whether the format requires a statement about the streams. */
  readonly isStated: boolean
  /** Whether the file proves that nothing of its scope is missing, up to its checkpoint. */
  readonly isComplete: boolean
  readonly held: TrustedCheckResult
  readonly findings: readonly Finding[]
  readonly problems: number
}

export type VerifyFileOptions = {
  /** Checkpoints that the user holds, and proofs that lead from or to them. */
  readonly held?: readonly TrustedCheckpoint[]
  readonly consistency?: readonly Consistency[]
  /** Called for each line with its number of bytes. */
  readonly progress?: (bytes: number, events: number) => void
}

/**
 * Checks an exported file offline, without a database or a secret. It uses the keys in the file, so
 * compare the key in the result with the one that you know, or pass that as `known`. Takes the name
 * of the file or its content.
 */
export async function verifyFile(
  file: string | Buffer,
  known: Verifier | null,
  options: VerifyFileOptions = {},
): Promise<VerifiedFile> {
  const found = findings()
  const { held: trusted = [] } = options
  const lines = linesOf(file)
  const header = parsedLine(headerSchema, (await lines.next()).value ?? null)
  if (header === null) {
    found.add(null, 'the first line is not the header of an export: this is not an exported file')
    await lines.return()
    return { ...nothing(trusted), findings: found.list, problems: found.count }
  }
  const head = signedHead(header, known, found)
  const check = await linesCheck(header, head, sizesOf(trusted), found)
  const footer = await checkLines(lines, check, found, options.progress)
  const hasEnd = await check.end(footer)
  const roots = new Map([...check.roots, ...consistentRoots(header, head, found)])
  const compared = head === null ? nothing(trusted).held : trustedBy(head, roots, found, options)
  return {
    events: check.count(),
    notSealed: footer?.not_sealed ?? 0,
    scope: header.scope,
    treeSize: head?.size ?? 0,
    signedBy: head?.signedBy ?? null,
    isStated: check.isStated,
    held: compared,
    isComplete: hasEnd && found.count === 0,
    findings: found.list,
    problems: found.count,
  }
}

const nothing = (trusted: readonly TrustedCheckpoint[]) => ({
  events: 0,
  notSealed: 0,
  scope: null,
  treeSize: 0,
  signedBy: null,
  isStated: false,
  isComplete: false,
  held: { confirmed: [], undecided: trusted },
})

/** Checks all lines after the header and returns the footer; null if it is missing. */
async function checkLines(
  lines: AsyncIterable<string | null>,
  check: Awaited<ReturnType<typeof linesCheck>>,
  found: Findings,
  progress: VerifyFileOptions['progress'] = () => undefined,
): Promise<ExportFooter | null> {
  let footer: ExportFooter | null = null
  let count = 1
  for await (const text of lines) {
    count++
    if (footer !== null) {
      found.add(null, 'the file continues after its last line')
      break
    }
    // Trying the wrong schema first is slow, so the likely one is chosen by the text.
    const stream = text?.includes('"last_revision":') ? parsedLine(streamLineSchema, text) : null
    const event = stream === null ? parsedLine(eventLineSchema, text) : null
    if (stream !== null) check.stream(stream)
    else if (event !== null) await check.event(event)
    else {
      footer = parsedLine(footerSchema, text)
      if (footer !== null) continue
      found.add(null, `line ${count} is not an event`)
      break
    }
    progress(Buffer.byteLength(text ?? '') + 1, event === null ? 0 : 1)
  }
  return footer
}

/** Compares the held checkpoints with the tree of the file. */
function trustedBy(
  { origin, size, root, verifiers }: Head,
  roots: ReadonlyMap<number, Buffer>,
  found: Findings,
  { held = [], consistency = [] }: VerifyFileOptions,
): TrustedCheckResult {
  const rootAt = (at: number) => (at === size ? root : (roots.get(at) ?? null))
  return checkTrusted({
    held,
    verifiers,
    found,
    against: { what: 'file', origin, size, rootAt },
    consistency,
  })
}

/** The roots of smaller trees that, as the header proves, the file's tree continues. */
function consistentRoots(
  header: ExportHeader,
  head: Head | null,
  found: Findings,
): ReadonlyMap<number, Buffer> {
  const roots = new Map<number, Buffer>()
  if (head === null || header.format === unstatedFormat) return roots
  for (const { size, root, proof } of header.consistency ?? []) {
    const bytes = Buffer.from(root, 'hex')
    const sizes = { from: size, fromRoot: bytes, to: head.size, toRoot: head.root }
    if (isConsistent({ ...sizes, proof: proof.map((hash) => Buffer.from(hash, 'hex')) })) {
      roots.set(size, bytes)
    } else {
      found.add(
        null,
        `the proof in the file that the tree of ${size} events is the beginning of its own does not hold`,
      )
    }
  }
  return roots
}

type Head = TreeHead & {
  readonly note: string
  readonly signedBy: string
  readonly verifiers: readonly Verifier[]
}

/** The tree that the proofs lead to, if a trusted key has signed it. */
function signedHead(header: ExportHeader, known: Verifier | null, found: Findings): Head | null {
  if (header.checkpoint === null) return null
  const verifiers = trustedKeys(header, known, found)
  const note = readNote(header.checkpoint)
  const [signedBy] = note === null ? [] : signersOf(note, verifiers)
  if (note === null || signedBy === undefined) {
    found.add(null, 'the checkpoint of the file is not signed by a key that can be trusted')
    return null
  }
  return { ...note.head, note: header.checkpoint, signedBy, verifiers }
}

/** The keys in the file that can be trusted, starting from the one that the user knows. */
function trustedKeys(
  header: ExportHeader,
  known: Verifier | null,
  found: Findings,
): readonly Verifier[] {
  const keys = header.keys.flatMap(({ verifier, introduced_by: introducedBy }) => {
    const key = readVerifier(verifier)
    if (key === null) found.add(null, 'a key in the file is malformed, or its id is not its own')
    return key === null ? [] : [{ ...key, introducedBy }]
  })
  checkFirstKey(keys, found)
  return believedKeys(keys, known, found)
}

async function linesCheck(
  header: ExportHeader,
  head: Head | null,
  wanted: readonly number[],
  found: Findings,
) {
  const isWhole = Object.values(header.scope).every((value) => value === null)
  const checker = eventChecker(header.scope.from === null)
  /** Whether the file must have a list of its streams and a signed statement about it. */
  const isStated = !isWhole && header.format !== unstatedFormat && header.checkpoint !== null
  const streams = isStated ? streamsCheck({ scope: header.scope, head, found }) : null
  let streamLines = 0
  let count = 0
  let last = -1
  /**
   * Missing events in an export of the whole ledger: its tree cannot be compared with the
   * checkpoint.
   */
  let lost = 0
  const roots = new Map<number, Buffer>()
  const tree = await treeOf(isWhole ? head : null, wanted, roots, found)
  return {
    count: () => count,
    isStated,
    /** The roots of the wanted sizes, if the file has all events of the ledger. */
    roots,
    async event(line: EventLine): Promise<void> {
      const { event, leaf_index: index } = line
      count++
      if (streamLines > 0) found.add(null, 'the file has events after its list of streams')
      streams?.event(line.stream, event.revision)
      const { position, type, shipment_id, recorded_at } = event
      const where = { position, type, shipment_id, recorded_at }
      const add = (problem: string) => found.add(where, problem)
      if (isWhole && index > last + 1) {
        checker.lose(index - last - 1)
        lost += index - last - 1
        found.add(null, `${missing(last + 1, index - 1)} in the file`)
      }
      const problem = checker.problemOf(checkedOf(line), null)
      if (problem !== null) add(problem)
      for (const outside of scopeProblems(line, header.scope)) add(outside)
      if (index <= last) add('it comes after an event that is later in the ledger')
      last = index
      const leaf = Buffer.from(event.leaf, 'hex')
      if (head === null || index >= head.size) add('the checkpoint of the file does not cover it')
      else if (isWhole && lost === 0) await tree.add([{ leaf, position: event.position }])
      else if (isWhole) return
      else if (!isProved(line, leaf, head))
        add('its proof does not lead to the checkpoint of the file')
    },
    stream(line: StreamLine): void {
      streamLines++
      streams?.line(line)
    },
    /**
     * Checks the end of the file. Returns whether the file proves that nothing of its scope is
     * missing.
     */
    async end(footer: ExportFooter | null): Promise<boolean> {
      await tree.end(() => lost > 0)
      if (footer === null) {
        found.add(null, 'the file has no last line: its end was cut off')
        return false
      }
      if (footer.events !== count + lost)
        found.add(null, `the file has ${count} events, but its last line says ${footer.events}`)
      if (streams !== null) return streams.end(footer.statement)
      if (streamLines > 0 || footer.statement !== undefined) found.add(null, unexpectedStreams)
      return isWhole && head !== null
    },
  }
}

/** Rebuilds the tree of a file of the whole ledger, and fills `roots` with the wanted roots. */
async function treeOf(
  head: Head | null,
  wanted: readonly number[],
  roots: Map<number, Buffer>,
  found: Findings,
) {
  const where = 'the checkpoint of the file'
  return await treeCheck({
    sources: head === null ? [] : [one({ note: head.note, where, isOutside: true })],
    verifiers: head?.verifiers ?? [],
    found,
    confirmed: () => undefined,
    wanted: head === null ? [] : wanted,
    root: (size, root) => roots.set(size, root),
  })
}

function checkedOf({ event, stream, organization_id: organizationId }: EventLine): CheckedEvent {
  return { object: event as CheckedEvent['object'], stream, organizationId }
}

const unexpectedStreams =
  'the file has a list of streams, or a statement, which its header does not allow'

/** The reasons why a line does not belong to the scope of the file. */
function scopeProblems(
  { organization_id: owner, event }: EventLine,
  { organization_id: organizationId, shipment_id: shipmentId, from, to }: ExportHeader['scope'],
): readonly string[] {
  const problems: string[] = []
  if (organizationId !== null && owner !== organizationId)
    problems.push("it belongs to a different organization from the file's")
  if (shipmentId !== null && event.shipment_id !== shipmentId)
    problems.push("it belongs to a different shipment from the file's")
  if (from !== null && event.recorded_at < from)
    problems.push('it was recorded before the period that the file is for')
  if (to !== null && event.recorded_at >= to)
    problems.push('it was recorded after the period that the file is for')
  return problems
}

function missing(from: number, to: number): string {
  return from === to
    ? `the event with leaf_index ${from} is missing`
    : `the events with leaf_index ${from} to ${to} are missing`
}

function isProved(line: EventLine, leaf: Buffer, head: Head): boolean {
  if (line.proof === undefined) return false
  return isIncluded({
    leaf: leafHash(leaf),
    index: line.leaf_index,
    size: head.size,
    proof: line.proof.map((hash) => Buffer.from(hash, 'hex')),
    root: head.root,
  })
}

async function* one<T>(value: T): AsyncGenerator<T> {
  yield value
}
