import { createHash } from 'node:crypto'

/**
 * Keys as text, as in C2SP signed-note. The byte says what a key signs: notes, or a witness's
 * cosignatures of notes.
 */
const kinds = { note: 0x01, cosignature: 0x04 } as const
type KeyKind = keyof typeof kinds

export const keyIdBytes = 4
const publicKeyBytes = 32

/** The public half of an Ed25519 key, with the name that its signatures carry. */
export type NoteKey = { readonly name: string; readonly publicKey: Buffer }

/** The key id: the first bytes of each signature by the key. */
export function keyHash(kind: KeyKind, { name, publicKey }: NoteKey): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(kinds[kind]))
    .update(publicKey)
    .digest()
    .subarray(0, keyIdBytes)
}

/** `<name>+<id>+<base64>`: the form in which other tools accept a key to verify signatures. */
export function keyText(kind: KeyKind, key: NoteKey): string {
  const encoded = Buffer.concat([Buffer.of(kinds[kind]), key.publicKey]).toString('base64')
  return `${key.name}+${keyHash(kind, key).toString('hex')}+${encoded}`
}

/** Null unless the text is the canonical encoding of the bytes: padded, with unused bits zero. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

/** Null if the text is not a key of this kind, or the id does not match the key. */
export function readKey(kind: KeyKind, text: string): NoteKey | null {
  const [, name = '', id, encoded = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  const key = fromBase64(encoded)
  if (key === null || key.length !== 1 + publicKeyBytes || key[0] !== kinds[kind]) return null
  const found = { name, publicKey: key.subarray(1) }
  return keyHash(kind, found).toString('hex') === id ? found : null
}
