import { createHmac, type KeyObject } from 'node:crypto'
import { deriveKey } from '../encryption/encryption.ts'

/**
 * An event commits to the data that it stores in the vault: HMAC-SHA-256 under a key derived from
 * the data key of the vault row. While that key exists, the commitment shows that nothing was
 * exchanged; once it is destroyed, the commitment says nothing about the content.
 */
export type Commitments = ReadonlyMap<string, string>

export function commitmentKeyOf(dataKey: KeyObject): KeyObject {
  return deriveKey(dataKey, 'commitment v1')
}

/**
 * The HMAC in hexadecimal over `vault `, the reference, a line feed and the content before sealing.
 */
export function commitmentTo(key: KeyObject, ref: string, content: Uint8Array): string {
  return createHmac('sha256', key).update(`vault ${ref}\n`).update(content).digest('hex')
}

/**
 * The HMAC in hexadecimal over `body`, a line feed and the body of a courier request or its
 * response.
 */
export function bodyDigest(key: KeyObject, body: Uint8Array): string {
  return createHmac('sha256', key).update('body\n').update(body).digest('hex')
}
