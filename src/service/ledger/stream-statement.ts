import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { ExportHeader, StreamLine } from './export-format.ts'
import {
  isSignedBy,
  isTimestamp,
  type Signer,
  signatureOver,
  type TreeHead,
  type Verifier,
} from './signed-note.ts'

/*
 * The signed statement about a partial export: the first and last revision of each stream in its
 * scope, at its checkpoint. It is a signed note like a checkpoint, but its first line differs and
 * its second line is not a size, so neither can be used as the other.
 */

type Stated = {
  readonly scope: ExportHeader['scope']
  readonly head: Pick<TreeHead, 'origin' | 'size' | 'root'>
  readonly streams: number
  /** The digest of the list of streams, from `streamsDigest`. */
  readonly digest: Buffer
}

/** Hashes the list of streams line by line, in the order of the file. */
export function streamsDigest() {
  const hash = createHash('sha256')
  let streams = 0
  return {
    add(line: StreamLine): void {
      hash.update(`${canonicalize(line)}\n`)
      streams++
    },
    /** Call it once, at the end. */
    result: () => ({ streams, digest: hash.digest() }),
  }
}

/** The signed lines without the last one, the time. */
function linesOf({ scope, head, streams, digest }: Stated): readonly string[] {
  return [
    `${head.origin}/streams`,
    `scope ${canonicalize(scope)}`,
    `checkpoint ${head.size} ${head.root.toString('base64')}`,
    `streams ${streams} ${digest.toString('base64')}`,
  ]
}

export function signStatement(stated: Stated, signer: Signer, at: Date): string {
  const text = [...linesOf(stated), `time ${at.toISOString()}`, ''].join('\n')
  return `${text}\n${signatureOver(text, signer)}`
}

/** The problem for each line of a statement that differs. */
const differences = [
  'is of another ledger, or is not a statement',
  'is for another scope',
  'is for another checkpoint',
  'does not match the list of streams: the list was changed',
  'has no time',
]

/** What is wrong with a statement, as a sentence without its subject; null if it is valid. */
export function statementProblem(
  note: string,
  stated: Stated,
  verifiers: readonly Verifier[],
): string | null {
  const [, text = '', line = ''] = /^(.*\n)\n(— [^\n]+)\n$/s.exec(note) ?? []
  if (!isSignedBy(text, line, verifiers)) return 'is not signed by a key that can be trusted'
  const expected = linesOf(stated)
  const lines = text.split('\n').slice(0, -1)
  const differing = expected.findIndex((one, at) => lines[at] !== one)
  if (differing !== -1) return differences[differing] ?? null
  const [time = '', ...more] = lines.slice(expected.length)
  const isTimed = time.startsWith('time ') && isTimestamp(time.slice('time '.length))
  return more.length === 0 && isTimed ? null : (differences.at(-1) ?? null)
}
