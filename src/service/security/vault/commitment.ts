import { createHmac, type KeyObject } from 'node:crypto'
import { deriveKey } from '../encryption/encryption.ts'

/**
 * What an event leaves in the vault it commits to: HMAC-SHA-256 under a key derived from the data key
 * of the vault's row. It shows that nothing was exchanged while the key exists, and says nothing
 * about the content once the key is destroyed.
 */
export type Commitments = ReadonlyMap<string, string>

export function commitmentKeyOf(dataKey: KeyObject): KeyObject {
  return deriveKey(dataKey, 'commitment v1')
}

/** In hexadecimal: over `vault `, the reference, a line feed and the content as it is sealed. */
export function commitmentTo(key: KeyObject, ref: string, content: Uint8Array): string {
  return createHmac('sha256', key).update(`vault ${ref}\n`).update(content).digest('hex')
}

/** In hexadecimal: over `body`, a line feed and the body of a request to a courier or its answer. */
export function bodyDigest(key: KeyObject, body: Uint8Array): string {
  return createHmac('sha256', key).update('body\n').update(body).digest('hex')
}
