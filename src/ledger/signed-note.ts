import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'

/**
 * Checkpoints in the form of C2SP: tlog-checkpoint (origin, size, root) in a signed-note with
 * Ed25519 signatures, so that tools for transparency logs can read them. The line after the root is
 * ours: the time.
 */

const algorithmEd25519 = 0x01
const keyHashBytes = 4
const signatureBytes = 64
/** DER prefixes of Ed25519 private and public keys; the key itself follows. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** A key's public half, under the name that its signatures bear: the origin of the tree. */
export type Verifier = { readonly name: string; readonly publicKey: Buffer }
export type Signer = Verifier & { readonly privateKey: KeyObject }

export function signerOf(name: string, seed: Buffer): Signer {
  const der = Buffer.concat([privatePrefix, seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return { name, privateKey, publicKey: spki.subarray(publicPrefix.length) }
}

function keyHash({ name, publicKey }: Verifier): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(algorithmEd25519))
    .update(publicKey)
    .digest()
    .subarray(0, keyHashBytes)
}

/** Eight hexadecimal digits, as in the key's text and in its signatures. */
export function keyIdOf(verifier: Verifier): string {
  return keyHash(verifier).toString('hex')
}

/**
 * The key as text, `<name>+<id>+<base64>`: the form in which other tools take a key to check
 * signatures.
 */
export function verifierText(verifier: Verifier): string {
  const key = Buffer.concat([Buffer.of(algorithmEd25519), verifier.publicKey]).toString('base64')
  return `${verifier.name}+${keyIdOf(verifier)}+${key}`
}

/** Null if the text is not a key, or the id does not match the key. */
export function readVerifier(text: string): Verifier | null {
  const [, name = '', id, encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  const key = Buffer.from(encoded, 'base64')
  if (key.length !== 33 || key[0] !== algorithmEd25519) return null
  const verifier = { name, publicKey: key.subarray(1) }
  return keyIdOf(verifier) === id ? verifier : null
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
  const blob = Buffer.concat([keyHash(signer), signature]).toString('base64')
  return `— ${signer.name} ${blob}\n`
}

/** Whether one of the keys made this signature line over the text. */
export function isSignedBy(text: string, line: string, verifiers: readonly Verifier[]): boolean {
  const [, name = '', encoded = ''] = signatureLine.exec(line) ?? []
  const blob = Buffer.from(encoded, 'base64')
  return verifiers.some(
    (verifier) =>
      verifier.name === name &&
      blob.length === keyHashBytes + signatureBytes &&
      keyHash(verifier).equals(blob.subarray(0, keyHashBytes)) &&
      holds(text, blob.subarray(keyHashBytes), verifier),
  )
}

function holds(text: string, signature: Buffer, { publicKey }: Verifier): boolean {
  const der = Buffer.concat([publicPrefix, publicKey])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(text), key, signature)
}

type Signature = { readonly name: string; readonly keyId: string; readonly bytes: Buffer }
type Note = {
  readonly head: TreeHead
  /** The signed text. */
  readonly text: string
  readonly signatures: readonly Signature[]
}

const heads = /^(\S+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\ntime (\S+)\n$/
const signatureLine = /^— (\S+) ([A-Za-z0-9+/=]+)$/

/** Whether a line is as long as a signature line: one that was cut off is not. */
export function isWholeSignature(line: string): boolean {
  const [, , encoded = ''] = line.split(' ')
  return Buffer.from(encoded, 'base64').length >= keyHashBytes + signatureBytes
}

/** Null if the text is not a checkpoint; does not check the signatures. */
export function readNote(note: string): Note | null {
  const end = note.indexOf('\n\n')
  if (end === -1 || !note.endsWith('\n')) return null
  const text = note.slice(0, end + 1)
  const [, origin = '', size, root = '', time = ''] = heads.exec(text) ?? []
  const signedAt = Date.parse(time)
  if (size === undefined || Number.isNaN(signedAt)) return null
  const signatures: Signature[] = []
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name = '', encoded = ''] = signatureLine.exec(line) ?? []
    const blob = Buffer.from(encoded, 'base64')
    if (name === '' || blob.length !== keyHashBytes + signatureBytes) return null
    const keyId = blob.subarray(0, keyHashBytes).toString('hex')
    signatures.push({ name, keyId, bytes: blob.subarray(keyHashBytes) })
  }
  const head = { origin, size: Number(size), root: Buffer.from(root, 'base64'), signedAt }
  return { head, text, signatures }
}

/** The ids of the keys that signed it; a key signs only for the tree that it is named after. */
export function signersOf(note: Note, verifiers: readonly Verifier[]): readonly string[] {
  const found: string[] = []
  for (const verifier of verifiers) {
    if (verifier.name !== note.head.origin) continue
    const keyId = keyIdOf(verifier)
    const signature = note.signatures.find(
      (one) => one.name === verifier.name && one.keyId === keyId,
    )
    if (signature !== undefined && holds(note.text, signature.bytes, verifier)) found.push(keyId)
  }
  return found
}
