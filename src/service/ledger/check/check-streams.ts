import { shipmentIdOfStream, shipmentStreamPrefix } from '../../domain/ids.ts'
import type { ExportHeader, StreamLine } from '../export-format.ts'
import type { Findings } from '../findings.ts'
import type { TreeHead, Verifier } from '../signed-note.ts'
import { statementProblem, streamsDigest } from '../stream-statement.ts'

type Revisions = { readonly first: number; last: number }

type StreamsCheckOptions = {
  readonly scope: ExportHeader['scope']
  /** The checkpoint of the file, and the trusted keys. */
  readonly head: (TreeHead & { readonly verifiers: readonly Verifier[] }) | null
  readonly found: Findings
}

/**
 * Compares the events of a partial export with the list of streams at its end, and the list with
 * the signed statement. Uses a few hundred bytes per stream.
 */
export function streamsCheck({ scope, head, found }: StreamsCheckOptions) {
  const seen = new Map<string, Revisions>()
  const digest = streamsDigest()
  let before = ''
  return {
    event(stream: string, revision: number): void {
      const known = seen.get(stream)
      if (known === undefined) seen.set(stream, { first: revision, last: revision })
      else known.last = revision
    },
    line(line: StreamLine): void {
      digest.add(line)
      const { stream } = line
      if (stream <= before) found.add(null, `the list of streams is out of order at ${stream}`)
      before = stream
      const problem = streamProblem(line, seen.get(stream))
      if (problem !== null) found.add(null, problem)
      seen.delete(stream)
    },
    /** Whether the list and the statement prove that nothing of the file's scope is missing. */
    end(statement: string | undefined): boolean {
      for (const stream of seen.keys()) {
        found.add(
          null,
          `the file has events of ${nameOf(stream)}, which is not in its list of streams`,
        )
      }
      if (head === null) return false
      const problem =
        statement === undefined
          ? 'is missing, and every export of a part in this format has one in its last line'
          : statementProblem(statement, { scope, head, ...digest.result() }, head.verifiers)
      if (problem !== null) found.add(null, `the signed statement about the streams ${problem}`)
      return problem === null
    },
  }
}

function streamProblem(line: StreamLine, seen: Revisions | undefined): string | null {
  const { stream, first_revision: first, last_revision: last } = line
  const name = nameOf(stream)
  if (seen === undefined) return `the file has no event of ${name}, which is in its list of streams`
  if (seen.last < last) {
    return `the last events of ${name} are missing: the file has it up to revision ${seen.last}, and its list of streams up to ${last}`
  }
  if (seen.last > last) {
    return `the file has ${name} up to revision ${seen.last}, and its list of streams only up to ${last}`
  }
  if (seen.first !== first) {
    return `the file has ${name} from revision ${seen.first}, and its list of streams from ${first}`
  }
  return null
}

function nameOf(stream: string): string {
  return stream.startsWith(shipmentStreamPrefix)
    ? `the shipment ${shipmentIdOfStream(stream)}`
    : `the stream ${stream}`
}
