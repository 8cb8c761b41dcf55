import { hashBytes } from '../../domain/ledger/merkle.ts'

/** The body of `POST /add-checkpoint`, as in C2SP tlog-witness. */
type Submission = {
  /** The size of the tree that the witness presumably cosigned last. */
  readonly old: number
  /** Proves that the checkpoint's tree continues the tree of that size. */
  readonly proof: readonly Buffer[]
  /** The checkpoint with its signatures. */
  readonly note: string
}

export const sizeContentType = 'text/x.tlog.size'
/** The protocol's limit: more hashes than a proof can have. */
const proofMax = 63
const hashPattern = /^[A-Za-z0-9+/]{43}=$/

export function submissionText({ old, proof, note }: Submission): string {
  const hashes = proof.map((hash) => `${hash.toString('base64')}\n`)
  return `old ${old}\n${hashes.join('')}\n${note}`
}

/** Null if the text is malformed. */
export function readSubmission(text: string): Submission | null {
  const end = text.indexOf('\n\n')
  if (end === -1) return null
  const [first = '', ...hashes] = text.slice(0, end).split('\n')
  const old = first.startsWith('old ') ? readSize(first.slice('old '.length)) : null
  if (old === null || hashes.length > proofMax) return null
  const proof: Buffer[] = []
  for (const hash of hashes) {
    const bytes = Buffer.from(hash, 'base64')
    if (!hashPattern.test(hash) || bytes.length !== hashBytes) return null
    if (bytes.toString('base64') !== hash) return null
    proof.push(bytes)
  }
  return { old, proof, note: text.slice(end + 2) }
}

/** Reads a decimal size without leading zeros; null unless it is a safe integer. */
export function readSize(text: string): number | null {
  const size = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(size) ? size : null
}
