import type { Kysely } from 'kysely'
import { type Dispatcher, request } from 'undici'
import type { Tables } from '../../../../projections/tables.ts'
import { consistencyRanges } from '../../domain/ledger/merkle.ts'
import type { Checkpoint } from '../checkpoints.ts'
import { readNote, readSignatures, type Verifier } from '../signed-note.ts'
import { TreeReader } from '../tree.ts'
import { readSize, sizeContentType, submissionText } from './add-checkpoint.ts'
import { type Cosignature, cosignaturesOf } from './cosignature.ts'

/** A witness that the ledger submits its checkpoints to. */
export type Witness = Verifier & {
  /** The prefix of its submission URL, without a trailing slash. */
  readonly url: string
}

/** The timeout of a submission, for which the next checkpoint waits. */
const answerMs = 5_000
/** Room for several cosignatures with post-quantum keys. */
const answerBytesMax = 64 * 1024

/**
 * How a submission ended. `contradicted`: the witness has cosigned a different history; its size is
 * null if our tree does not continue the witness's tree. `rolled_back`: the witness has lost
 * checkpoints that it cosigned. In both cases something was lost or changed. `refused`: any other
 * answer than success. `invalid`: the answer has no cosignature of the expected key. `unreachable`:
 * no answer.
 */
export type Submitted =
  | { readonly outcome: 'cosigned'; readonly cosignature: Cosignature }
  | { readonly outcome: 'contradicted'; readonly size: number | null }
  | { readonly outcome: 'rolled_back'; readonly size: number }
  | { readonly outcome: 'refused'; readonly status: number }
  | { readonly outcome: 'invalid' }
  | { readonly outcome: 'unreachable'; readonly cause: unknown }

type SubmitDeps = {
  readonly db: Kysely<Tables>
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
}

/**
 * Submits a checkpoint, and once more if the witness reports a different size from `known`, the
 * size that it has certainly cosigned. Throws only if the tree cannot be read.
 */
export async function submit(
  deps: SubmitDeps,
  witness: Witness,
  checkpoint: Pick<Checkpoint, 'size' | 'note'>,
  known: number,
): Promise<Submitted> {
  const { size, note } = checkpoint
  const reader = new TreeReader(deps.db)
  let old = known
  for (let isRepeat = false; ; isRepeat = true) {
    const proof = old === 0 ? [] : await reader.rootsOf(consistencyRanges(old, size))
    const answer = await post(deps, witness, submissionText({ old, proof, note }))
    if ('cause' in answer) return { outcome: 'unreachable', cause: answer.cause }
    if (answer.status === 200) return cosignedBy(witness, note, answer.text)
    if (answer.status === 422) return { outcome: 'contradicted', size: null }
    const told = answer.status === 409 ? sizeIn(answer) : null
    if (told === null) return { outcome: 'refused', status: answer.status }
    if (told < known) return { outcome: 'rolled_back', size: told }
    if (told > size || told === old) return { outcome: 'contradicted', size: told }
    if (isRepeat) return { outcome: 'refused', status: answer.status }
    old = told
  }
}

function cosignedBy(witness: Witness, note: string, lines: string): Submitted {
  const signatures = readSignatures(lines)
  const text = readNote(note)?.text
  if (signatures === null || text === undefined) return { outcome: 'invalid' }
  const [cosignature] = cosignaturesOf({ text, signatures }, [witness])
  return cosignature === undefined ? { outcome: 'invalid' } : { outcome: 'cosigned', cosignature }
}

type Answer =
  | { readonly status: number; readonly contentType: string; readonly text: string }
  | { readonly cause: unknown }

function sizeIn(answer: { readonly contentType: string; readonly text: string }): number | null {
  if (answer.contentType !== sizeContentType || !answer.text.endsWith('\n')) return null
  return readSize(answer.text.slice(0, -1))
}

/** Does not follow redirects. */
async function post(
  { dispatcher, signal }: SubmitDeps,
  { url }: Witness,
  body: string,
): Promise<Answer> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error(`no answer in ${answerMs} ms`)), answerMs)
  try {
    const answer = await request(`${url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body,
      dispatcher,
      signal: AbortSignal.any([signal, late.signal]),
    })
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of answer.body) {
      bytes += part.length
      if (bytes > answerBytesMax) throw new Error('the answer is too long')
      parts.push(part)
    }
    const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0] ?? ''
    const text = Buffer.concat(parts).toString()
    return { status: answer.statusCode, contentType: type.trim().toLowerCase(), text }
  } catch (cause) {
    return { cause }
  } finally {
    clearTimeout(timer)
  }
}
