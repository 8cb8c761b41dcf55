import { hashBytes } from '../../domain/ledger/merkle.ts'
import { type Note, readSignatures } from '../signed-note.ts'
import { readSize } from './add-checkpoint.ts'

/**
 * A checkpoint of any ledger. Further lines after the root are covered by the signature and
 * ignored.
 */
type AnyCheckpoint = Note & {
  readonly origin: string
  readonly size: number
  readonly root: Buffer
}

/** More signatures than a ledger and its witnesses have. */
const signaturesMax = 64

/** Null if the text is not a C2SP tlog-checkpoint. Does not verify the signatures. */
export function readCheckpoint(note: string): AnyCheckpoint | null {
  if (/[^\P{Cc}\n]/u.test(note)) return null
  const end = note.indexOf('\n\n')
  if (end === -1) return null
  const text = note.slice(0, end + 1)
  const [origin = '', size = '', encoded = ''] = text.split('\n')
  const root = Buffer.from(encoded, 'base64')
  const count = readSize(size)
  const signatures = readSignatures(note.slice(end + 2))
  if (origin === '' || count === null || signatures === null) return null
  if (root.length !== hashBytes || root.toString('base64') !== encoded) return null
  if (signatures.length > signaturesMax) return null
  return { text, signatures, origin, size: count, root }
}
