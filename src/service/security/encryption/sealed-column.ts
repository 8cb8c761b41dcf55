import type { KeyObject } from 'node:crypto'
import { newDataKey, SealBroken, seal, unseal, unwrapKey, wrapKey } from './encryption.ts'
import { type MasterKeys, masterKeyIdLength } from './master-keys.ts'

/**
 * One bytea column: format byte | 8 bytes of master key id | length of the wrapped key (2 bytes) |
 * wrapped key | sealed bytes. The row's own data key is wrapped by the master key. Both seals are
 * bound to the row, so a value that is moved to another row cannot be decrypted.
 */
const formatVersion = 1
const idBytes = masterKeyIdLength / 2
const headBytes = 1 + idBytes + 2

/** What identifies the row: its kind and its ids. */
export type Place = readonly string[]

export function sealColumn(keys: MasterKeys, place: Place, plaintext: Buffer): Buffer {
  const dataKey = newDataKey()
  return assemble(keys, dataKey, seal(dataKey, plaintext, place), place)
}

/** Decrypts the content of this place. Throws SealBroken for content of another place. */
export function openColumn(keys: MasterKeys, place: Place, column: Buffer): Buffer {
  const { wrapped, sealed } = takeApart(column)
  return unseal(unwrapKey(keys, wrapped, place), sealed, place)
}

/** The column rewrapped under the current master key; null if it already is. */
export function rewrapColumn(keys: MasterKeys, place: Place, column: Buffer): Buffer | null {
  const { wrapped, sealed } = takeApart(column)
  if (wrapped.masterKeyId === keys.current.id) return null
  return assemble(keys, unwrapKey(keys, wrapped, place), sealed, place)
}

function assemble(keys: MasterKeys, dataKey: KeyObject, sealed: Buffer, place: Place): Buffer {
  const { masterKeyId, wrappedKey } = wrapKey(keys, dataKey, place)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(wrappedKey.length)
  const id = Buffer.from(masterKeyId, 'hex')
  return Buffer.concat([Buffer.of(formatVersion), id, length, wrappedKey, sealed])
}

function takeApart(blob: Buffer) {
  if (blob.length < headBytes || blob[0] !== formatVersion) throw new SealBroken()
  const end = headBytes + blob.readUInt16BE(1 + idBytes)
  const masterKeyId = blob.subarray(1, 1 + idBytes).toString('hex')
  const wrapped = { masterKeyId, wrappedKey: blob.subarray(headBytes, end) }
  return { wrapped, sealed: blob.subarray(end) }
}
