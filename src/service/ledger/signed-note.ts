import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import {
  fromBase64,
  keyHash,
  keyIdBytes,
  keyText,
  type NoteKey,
  readKey,
} from '../domain/ledger/note-key.ts'

/**
 * Checkpoints in the C2SP format: a tlog-checkpoint (origin, size, root) in a signed-note with
 * Ed25519 signatures, which tools for transparency logs can read. The line with the time after the
 * root is our extension.
 */

const signatureBytes = 64
/** DER prefixes of Ed25519 private and public keys; the key itself follows. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** A public key and the name in its signatures, which is the origin of the tree. */
export type Verifier = NoteKey
export type Signer = Verifier & { readonly privateKey: KeyObject }

export function signerOf(name: string, seed: Buffer): Signer {
  const der = Buffer.concat([privatePrefix, seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { name, privateKey, publicKey: spki.subarray(publicPrefix.length) }
}

/** The key's id, eight hexadecimal digits, as in its text and its signatures. */
export function keyIdOf(verifier: Verifier): string {
  return keyHash('note', verifier).toString('hex')
}

/** The key as text, in the C2SP form that other tools accept. */
export function verifierText(verifier: Verifier): string {
  return keyText('note', verifier)
}

/** Null if the text is not a key, or the id does not match the key. */
export function readVerifier(text: string): Verifier | null {
  return readKey('note', text)
}

export type TreeHead = {
  readonly origin: string
  readonly size: number
  readonly root: Buffer
  /** Milliseconds since 1970. */
  readonly signedAt: number
}

/** The note, signed by each of the keys. */
export function signedNote(head: TreeHead, signers: readonly Signer[]): string {
  const time = new Date(head.signedAt).toISOString()
  const text = `${head.origin}\n${head.size}\n${head.root.toString('base64')}\ntime ${time}\n`
  return `${text}\n${signers.map((signer) => signatureOver(text, signer)).join('')}`
}

/** The signature line of a text, which ends with a line feed. */
export function signatureOver(text: string, signer: Signer): string {
  const signature = sign(null, Buffer.from(text), signer.privateKey)
  return signatureLineOf(signer.name, Buffer.concat([keyHash('note', signer), signature]))
}

/** Whether one of the keys made this signature line over the text. */
export function isSignedBy(text: string, line: string, verifiers: readonly Verifier[]): boolean {
  const [signature] = readSignatures(`${line}\n`) ?? []
  return verifiers.some(
    (verifier) =>
      verifier.name === signature?.name &&
      keyIdOf(verifier) === signature.keyId &&
      holds(text, signature.bytes, verifier),
  )
}

/** A signature line. The bytes begin with the key's id. */
export function signatureLineOf(name: string, bytes: Buffer): string {
  return `— ${name} ${bytes.toString('base64')}\n`
}

/** A signature of any kind. The meaning of its bytes depends on the key. */
type Signature = { readonly name: string; readonly keyId: string; readonly bytes: Buffer }

/** A text and its signatures. */
export type Note = { readonly text: string; readonly signatures: readonly Signature[] }

const heads = /^(\S+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\ntime (\S+)\n$/
const linePattern = /^— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/

/** Whether a line has the length of a signature line, and so was not cut off. */
export function isWholeSignature(line: string): boolean {
  const [, , encoded = ''] = line.split(' ')
  return Buffer.from(encoded, 'base64').length >= keyIdBytes + signatureBytes
}

/** The signatures in these lines, each ended by a line feed; null if one is not a signature. */
export function readSignatures(lines: string): readonly Signature[] | null {
  if (!lines.endsWith('\n')) return null
  const signatures: Signature[] = []
  for (const line of lines.slice(0, -1).split('\n')) {
    const [, name = '', encoded = ''] = linePattern.exec(line) ?? []
    const blob = fromBase64(encoded)
    if (name === '' || blob === null || blob.length <= keyIdBytes) return null
    const keyId = blob.subarray(0, keyIdBytes).toString('hex')
    signatures.push({ name, keyId, bytes: blob.subarray(keyIdBytes) })
  }
  return signatures
}

/**
 * Null if the text is not a checkpoint. Does not verify the signatures. Signatures of other keys
 * may be of any kind and length.
 */
export function readNote(note: string): (Note & { readonly head: TreeHead }) | null {
  const end = note.indexOf('\n\n')
  if (end === -1) return null
  const text = note.slice(0, end + 1)
  const [, origin = '', size, encoded = '', time = ''] = heads.exec(text) ?? []
  const root = fromBase64(encoded)
  if (size === undefined || root === null || !isTimestamp(time)) return null
  const signatures = readSignatures(note.slice(end + 2))
  if (signatures === null) return null
  const head = { origin, size: Number(size), root, signedAt: Date.parse(time) }
  return { head, text, signatures }
}

/** RFC 3339 in UTC with milliseconds, and a real date: `Date` reads 31 November as 1 December. */
export function isTimestamp(text: string): boolean {
  const isFormed = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)
  return isFormed && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text
}

/**
 * The ids of the keys that signed it; a key signs only for the tree that it is named after. Empty
 * if a line in the name of one of them is invalid: it was added to mislead another reader.
 */
export function signersOf(
  note: Note & { readonly head: Pick<TreeHead, 'origin'> },
  verifiers: readonly Verifier[],
): readonly string[] {
  const found: string[] = []
  for (const verifier of verifiers) {
    if (verifier.name !== note.head.origin) continue
    const keyId = keyIdOf(verifier)
    const own = note.signatures.filter((one) => one.name === verifier.name && one.keyId === keyId)
    if (!own.every(({ bytes }) => holds(note.text, bytes, verifier))) return []
    if (own.length > 0) found.push(keyId)
  }
  return found
}

/** Whether these bytes are the key's Ed25519 signature over the text. */
export function holds(text: string, signature: Buffer, { publicKey }: Verifier): boolean {
  if (signature.length !== signatureBytes) return false
  const der = Buffer.concat([publicPrefix, publicKey])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), key, signature)
}
