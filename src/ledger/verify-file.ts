import { isIncluded, leafHash } from '../domain/ledger/merkle.ts'
import { type CheckedEvent, eventChecker } from './check-event.ts'
import { believedKeys } from './check-keys.ts'
import { treeCheck } from './check-tree.ts'
import {
  type EventLine,
  type ExportHeader,
  eventLineSchema,
  footerSchema,
  headerSchema,
} from './export-format.ts'
import { linesOf, parsedLine } from './export-lines.ts'
import { type Finding, type Findings, findings } from './findings.ts'
import { readNote, readVerifier, signersOf, type TreeHead, type Verifier } from './signed-note.ts'

export type VerifiedFile = {
  readonly events: number
  readonly notSealed: number
  readonly scope: ExportHeader['scope'] | null
  /** The size of the tree that the events were proved against. */
  readonly treeSize: number
  /** The id of the key that vouches for the checkpoint; null = none does. */
  readonly signedBy: string | null
  readonly findings: readonly Finding[]
  readonly problems: number
}

/**
 * Checks an exported file by itself, without a database or a key of ours. The keys are those in the
 * file, so compare the key in the answer with the one you know, or pass it as `known`. Reports for
 * each event how many bytes of the file it took.
 */
export async function verifyFile(
  file: string,
  known: Verifier | null,
  progress: (bytes: number, events: number) => void = () => undefined,
): Promise<VerifiedFile> {
  const found = findings()
  const lines = linesOf(file)
  const header = parsedLine(headerSchema, (await lines.next()).value ?? null)
  if (header === null) {
    found.add(null, 'the first line is not the header of an export: this is no exported file')
    await lines.return()
    return { ...nothing, findings: found.list, problems: found.count }
  }
  const head = signedHead(header, known, found)
  const check = await linesCheck(header, head, found)
  let footer: { readonly events: number; readonly not_sealed: number } | null = null
  for await (const text of lines) {
    if (footer !== null) {
      found.add(null, 'the file continues after its last line')
      break
    }
    const line = parsedLine(eventLineSchema, text)
    if (line !== null) {
      await check.event(line)
      progress(Buffer.byteLength(text ?? '') + 1, 1)
    } else {
      footer = parsedLine(footerSchema, text)
      if (footer === null) found.add(null, `line ${check.count() + 2} is not an event`)
    }
    if (found.count > 0 && footer === null && line === null) break
  }
  await check.end(footer?.events ?? null)
  return {
    events: check.count(),
    notSealed: footer?.not_sealed ?? 0,
    scope: header.scope,
    treeSize: head?.size ?? 0,
    signedBy: head?.signedBy ?? null,
    findings: found.list,
    problems: found.count,
  }
}

const nothing = { events: 0, notSealed: 0, scope: null, treeSize: 0, signedBy: null }

type Head = TreeHead & {
  readonly note: string
  readonly signedBy: string
  readonly verifiers: readonly Verifier[]
}

/** The tree that the file is proved against, if a trusted key has signed it. */
function signedHead(header: ExportHeader, known: Verifier | null, found: Findings): Head | null {
  if (header.checkpoint === null) return null
  const keys = header.keys.flatMap(({ verifier, introduced_by: introducedBy }) => {
    const key = readVerifier(verifier)
    if (key === null) found.add(null, 'a key in the file is malformed, or its id is not its own')
    return key === null ? [] : [{ ...key, introducedBy }]
  })
  const verifiers = believedKeys(keys, known, found)
  const note = readNote(header.checkpoint)
  const [signedBy] = note === null ? [] : signersOf(note, verifiers)
  if (note === null || signedBy === undefined) {
    found.add(null, 'the checkpoint of the file is not signed by a key that can be trusted')
    return null
  }
  return { ...note.head, note: header.checkpoint, signedBy, verifiers }
}

async function linesCheck(header: ExportHeader, head: Head | null, found: Findings) {
  const { organization_id: organizationId, shipment_id: shipmentId, from, to } = header.scope
  const isWhole = Object.values(header.scope).every((value) => value === null)
  const checker = eventChecker(from === null)
  let count = 0
  let last = -1
  /** Missing events of a whole ledger: then its tree cannot be compared with the checkpoint. */
  let lost = 0
  const tree = await treeCheck({
    sources:
      isWhole && head !== null
        ? [one({ note: head.note, where: 'the checkpoint of the file', isOutside: true })]
        : [],
    verifiers: head?.verifiers ?? [],
    found,
    confirmed: () => undefined,
  })
  return {
    count: () => count,
    async event(line: EventLine): Promise<void> {
      const { event, leaf_index: index } = line
      count++
      const { position, type, shipment_id, recorded_at } = event
      const where = { position, type, shipment_id, recorded_at }
      const add = (problem: string) => found.add(where, problem)
      const checked = {
        object: event as CheckedEvent['object'],
        stream: line.stream,
        organizationId: line.organization_id,
      }
      if (isWhole && index > last + 1) {
        checker.lose(index - last - 1)
        lost += index - last - 1
        found.add(null, `${missing(last + 1, index - 1)} in the file`)
      }
      const problem = checker.problemOf(checked, null)
      if (problem !== null) add(problem)
      if (organizationId !== null && line.organization_id !== organizationId)
        add("it belongs to a different organization from the file's")
      if (shipmentId !== null && event.shipment_id !== shipmentId)
        add("it belongs to a different shipment from the file's")
      if (from !== null && event.recorded_at < from)
        add('it was recorded before the period that the file is for')
      if (to !== null && event.recorded_at >= to)
        add('it was recorded after the period that the file is for')
      if (index <= last) add('it comes after an event that is later in the ledger')
      last = index
      const leaf = Buffer.from(event.leaf, 'hex')
      if (head === null || index >= head.size) add('the checkpoint of the file does not cover it')
      else if (isWhole && lost === 0) await tree.add([{ leaf, position: event.position }])
      else if (isWhole) return
      else if (!isProved(line, leaf, head))
        add('its proof does not lead to the checkpoint of the file')
    },
    async end(events: number | null): Promise<void> {
      if (events === null) found.add(null, 'the file has no last line: its end was cut off')
      else if (events !== count + lost)
        found.add(null, `the file has ${count} events, but its last line says ${events}`)
      await tree.end(() => lost > 0)
    },
  }
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
