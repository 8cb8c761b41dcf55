import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { type MasterKeys, masterKeyBytes } from './master-keys.ts'

/**
 * Keys are KeyObjects: bytes would be converted for each use, which takes five times as long as the
 * use itself.
 *
 * AES-256-GCM. A sealed blob is: version byte | 12 bytes of IV | ciphertext | 16 bytes of tag. The
 * tag is cut out by position and its length is always passed: without `authTagLength` Node accepts
 * a tag of 4 bytes, which can be guessed.
 */
const blobVersion = 1
const ivBytes = 12
const tagBytes = 16
const headBytes = 1 + ivBytes
/** The bytes that sealing adds to a plaintext. */
export const sealedOverheadBytes = headBytes + tagBytes
const dataKeyBytes = 32
const gcm = { authTagLength: tagBytes } as const

/**
 * The blob cannot be decrypted: a different key, different associated parts, or changed bytes. The
 * error never says which.
 */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
  constructor(cause?: unknown) {
    super('Sealed data cannot be opened with this key in this place.', { cause })
  }
}

/**
 * Each part is preceded by its length, so two different lists of parts never give the same bytes.
 */
export function associatedData(parts: readonly string[]): Buffer {
  const lengths = parts.map((part) => Buffer.byteLength(part))
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 0))
  let at = 0
  parts.forEach((part, index) => {
    at = bytes.writeUInt32BE(lengths[index] ?? 0, at)
    at += bytes.write(part, at)
  })
  return bytes
}

/** Encrypts with a fresh random IV. Only the same key and the same parts can decrypt it. */
export function seal(key: KeyObject, plaintext: Uint8Array, parts: readonly string[]): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv, gcm).setAAD(associatedData(parts))
  const body = cipher.update(plaintext)
  return Buffer.concat([Buffer.of(blobVersion), iv, body, cipher.final(), cipher.getAuthTag()])
}

/** The plaintext of a blob made by `seal`. Throws SealBroken. */
export function unseal(key: KeyObject, blob: Uint8Array, parts: readonly string[]): Buffer {
  if (blob.length < sealedOverheadBytes || blob[0] !== blobVersion) throw new SealBroken()
  const iv = blob.subarray(1, headBytes)
  const body = blob.subarray(headBytes, blob.length - tagBytes)
  const tag = blob.subarray(blob.length - tagBytes)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, gcm)
    decipher.setAAD(associatedData(parts)).setAuthTag(tag)
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch (cause) {
    throw new SealBroken(cause)
  }
}

export type WrappedKey = { readonly masterKeyId: string; readonly wrappedKey: Buffer }

export function newDataKey(): KeyObject {
  return createSecretKey(randomBytes(dataKeyBytes))
}

/** A data key under the current master key, bound to the parts and to that master key's id. */
export function wrapKey(
  keys: MasterKeys,
  dataKey: KeyObject,
  parts: readonly string[],
): WrappedKey {
  const { id, key } = keys.current
  return { masterKeyId: id, wrappedKey: seal(key, dataKey.export(), ['key', id, ...parts]) }
}

/** The unwrapped data key. Throws SealBroken, also if no master key with that id is available. */
export function unwrapKey(
  keys: MasterKeys,
  wrapped: WrappedKey,
  parts: readonly string[],
): KeyObject {
  const { masterKeyId, wrappedKey } = wrapped
  const master = [keys.current, ...keys.previous].find((candidate) => candidate.id === masterKeyId)
  if (master === undefined) throw new SealBroken()
  const dataKey = unseal(master.key, wrappedKey, ['key', masterKeyId, ...parts])
  if (dataKey.length !== dataKeyBytes) throw new SealBroken()
  return createSecretKey(dataKey)
}

/**
 * Derives a key for one purpose. Neither `key` nor the key of another purpose can be computed from
 * it.
 */
export function deriveKey(key: KeyObject, purpose: string): KeyObject {
  const salt = Buffer.alloc(0)
  const info = `shipping-ledger ${purpose}`
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, salt, info, masterKeyBytes)))
}
