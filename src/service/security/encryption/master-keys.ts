import { createHash, createSecretKey, type KeyObject } from 'node:crypto'

/**
 * A 32-byte key that wraps data keys. `id` says which master key wrapped a row and reveals nothing
 * about the key.
 */
type MasterKey = { readonly id: string; readonly key: KeyObject }

/** `current` wraps new data keys; `previous` only opens older data until it is rewrapped. */
export type MasterKeys = {
  readonly current: MasterKey
  readonly previous: readonly MasterKey[]
}

export const masterKeyBytes = 32
/**
 * Hexadecimal characters of a master key's id: 64 bits, far more than one installation's keys need.
 */
export const masterKeyIdLength = 16

/** The id and the key of a base64 secret. Throws unless it is exactly 32 bytes. */
export function masterKey(base64: string): MasterKey {
  const key = Buffer.from(base64, 'base64')
  if (key.length !== masterKeyBytes) {
    throw new Error(`A master key is ${masterKeyBytes} bytes in base64, this one is ${key.length}.`)
  }
  const digest = createHash('sha256').update('shipping-ledger master key id').update(key).digest()
  return { id: digest.toString('hex').slice(0, masterKeyIdLength), key: createSecretKey(key) }
}

export function masterKeys(current: string, previous: readonly string[] = []): MasterKeys {
  return { current: masterKey(current), previous: previous.map(masterKey) }
}
