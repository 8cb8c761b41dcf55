import { sign } from 'node:crypto'
import { keyHash, keyText, readKey } from '../../domain/ledger/note-key.ts'
import {
  holds,
  type Note,
  readNote,
  type Signer,
  signatureLineOf,
  type Verifier,
} from '../signed-note.ts'

/**
 * Cosignatures of witnesses in the format of C2SP tlog-cosignature (Ed25519, cosignature/v1). A
 * cosignature states that at this time the checkpoint's tree is the largest one of its origin that
 * the witness has seen, and that it continues every smaller one.
 */

const timeBytes = 8
const signatureBytes = 64
/** The largest time, in seconds, that JavaScript can represent. */
const secondsMax = 8_640_000_000_000n

export type Cosignature = {
  readonly witness: Verifier
  readonly keyId: string
  /** The signature line, with its line feed. */
  readonly line: string
  /** The time in the cosignature, in milliseconds since 1970. */
  readonly at: number
}

/** The key's id, eight hexadecimal digits, as in its text and its cosignatures. */
export function witnessIdOf(witness: Verifier): string {
  return keyHash('cosignature', witness).toString('hex')
}

/** A witness's key as text, `<name>+<id>+<base64>`. */
export function witnessText(witness: Verifier): string {
  return keyText('cosignature', witness)
}

/** Null if the text is not a witness's key, or the id does not match the key. */
export function readWitness(text: string): Verifier | null {
  return readKey('cosignature', text)
}

/** The cosignature line for a checkpoint's text. */
export function cosign(text: string, signer: Signer, seconds: bigint): string {
  const signature = sign(null, Buffer.from(cosignedText(text, seconds)), signer.privateKey)
  const time = Buffer.alloc(timeBytes)
  time.writeBigUInt64BE(seconds)
  const blob = Buffer.concat([keyHash('cosignature', signer), time, signature])
  return signatureLineOf(signer.name, blob)
}

function cosignedText(text: string, seconds: bigint): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`
}

/**
 * The valid cosignatures of these witnesses, at most one for each. Ignores all other signatures.
 */
export function cosignaturesOf(
  { text, signatures }: Note,
  witnesses: readonly Verifier[],
): readonly Cosignature[] {
  const found: Cosignature[] = []
  for (const witness of witnesses) {
    const keyId = witnessIdOf(witness)
    for (const { name, keyId: signedBy, bytes } of signatures) {
      if (name !== witness.name || signedBy !== keyId) continue
      if (bytes.length !== timeBytes + signatureBytes) continue
      const seconds = bytes.readBigUInt64BE()
      if (seconds > secondsMax) continue
      if (!holds(cosignedText(text, seconds), bytes.subarray(timeBytes), witness)) continue
      const line = signatureLineOf(name, Buffer.concat([Buffer.from(keyId, 'hex'), bytes]))
      found.push({ witness, keyId, line, at: Number(seconds) * 1_000 })
      break
    }
  }
  return found
}

/** The witnesses that have not cosigned a checkpoint. Does not verify the ledger's signature. */
export function missingWitnesses(
  note: string,
  witnesses: readonly Verifier[],
): readonly Verifier[] {
  const read = readNote(note)
  const found = read === null ? [] : cosignaturesOf(read, witnesses)
  return witnesses.filter((one) => !found.some(({ witness }) => witness === one))
}
