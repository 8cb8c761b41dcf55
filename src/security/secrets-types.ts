import { createHash, createSecretKey, type KeyObject } from 'node:crypto'

/** A 32-byte key that wraps data keys. `id` tells which one wrapped a row and says nothing of it. */
export type MasterKey = { readonly id: string; readonly key: KeyObject }

/** `current` wraps what is new; `previous` only opens what is older, until it is wrapped again. */
export type MasterKeys = {
  readonly current: MasterKey
  readonly previous: readonly MasterKey[]
}

export const masterKeyBytes = 32
/** Hexadecimal characters of a master key's id: 64 bits, far more than the keys one place ever has. */
export const masterKeyIdLength = 16

/** The id and the key of a base64 secret; throws when it is not exactly 32 bytes. */
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

/** What a courier account is opened with. */
export type SealedFields = { readonly username: string; readonly password: string }
