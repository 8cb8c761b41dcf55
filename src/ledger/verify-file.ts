import { isIncluded, leafHash } from '../domain/merkle.ts'
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
  /** What the events were proved against. */
  readonly treeSize: number
  /** The id of the key that vouches for the checkpoint; null = none does. */
  readonly signedBy: string | null
  readonly findings: readonly Finding[]
  readonly problems: number
}

/**
 * Checks an exported file by itself, without database or key of ours. The keys are those that the file
 * brings along, so compare the one that is answered with what you know, or give it as `known`.
 */
export async function verifyFile(file: string, known: Verifier | null): Promise<VerifiedFile> {
  const found = findings()
  const lines = linesOf(file)
  const header = parsedLine(headerSchema, (await lines.next()).value ?? null)
  if (header === null) {
    found.add(null, 'the first line is not the header of an export')
    await lines.return()
    return { ...nothing, findings: found.list, problems: found.count }
  }
  const head = signedHead(header, known, found)
  const check = await linesCheck(header, head, found)
  let footer: { readonly events: number; readonly not_sealed: number } | null = null
  for await (const text of lines) {
    if (footer !== null) {
      found.add(null, 'there are lines after the last one')
      break
    }
    const line = parsedLine(eventLineSchema, text)
    if (line !== null) await check.event(line)
    else {
      footer = parsedLine(footerSchema, text)
      if (footer === null) found.add(null, `line ${check.count() + 2} is no event`)
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

/** The tree that the file is proved against, if somebody who may be believed has signed it. */
function signedHead(header: ExportHeader, known: Verifier | null, found: Findings): Head | null {
  if (header.checkpoint === null) return null
  const keys = header.keys.flatMap(({ verifier, introduced_by: introducedBy }) => {
    const key = readVerifier(verifier)
    if (key === null) found.add(null, 'a key of the file is none, or its id is not its own')
    return key === null ? [] : [{ ...key, introducedBy }]
  })
  const verifiers = believedKeys(keys, known, found)
  const note = readNote(header.checkpoint)
  const [signedBy] = note === null ? [] : signersOf(note, verifiers)
  if (note === null || signedBy === undefined) {
    found.add(null, 'the checkpoint of the file is not signed by a key that can be believed')
    return null
  }
  return { ...note.head, note: header.checkpoint, signedBy, verifiers }
}

async function linesCheck(header: ExportHeader, head: Head | null, found: Findings) {
  const { organization_id: organizationId, shipment_id: shipmentId, from, to } = header.scope
  const isWhole = Object.values(header.scope).every((value) => value === null)
  const problemOf = eventChecker(from === null)
  let count = 0
  let last = -1
  const tree = await treeCheck({
    sources:
      isWhole && head !== null
        ? [one({ note: head.note, where: 'the checkpoint of the file' })]
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
      const add = (problem: string) => found.add(event.position, problem)
      const problem = problemOf({
        object: event as CheckedEvent['object'],
        stream: line.stream,
        organizationId: line.organization_id,
      })
      if (problem !== null) add(problem)
      if (organizationId !== null && line.organization_id !== organizationId)
        add('it is of another organization')
      if (shipmentId !== null && event.shipment_id !== shipmentId) add('it is of another shipment')
      if (from !== null && event.recorded_at < from) add('it was recorded before the period')
      if (to !== null && event.recorded_at >= to) add('it was recorded after the period')
      if (index <= last) add('it stands after an event that is later in the ledger')
      if (isWhole && index !== last + 1) add(`event number ${last + 1} is missing before it`)
      last = index
      const leaf = Buffer.from(event.leaf, 'hex')
      if (head === null || index >= head.size) add('no checkpoint covers it')
      else if (isWhole) await tree.add([{ leaf, position: event.position }])
      else if (!isProved(line, leaf, head)) add('its proof does not lead to the checkpoint')
    },
    async end(events: number | null): Promise<void> {
      if (events === null) found.add(null, 'the file ends before its last line: it was cut off')
      else if (events !== count)
        found.add(null, `there are ${count} events, and the last line says ${events}`)
      await tree.end(() => false)
    },
  }
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
