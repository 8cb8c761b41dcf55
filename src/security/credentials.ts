import { newDataKey, SealBroken, seal, unseal, unwrapKey, wrapKey } from './encryption.ts'
import { type MasterKeys, masterKeyIdLength, type SealedFields } from './secrets-types.ts'

/*
 * One bytea column: format byte | 8 bytes of master key id | length of the wrapped key (2 bytes)
 * | wrapped key | sealed credentials. The row's own data key is wrapped by the master key, and both
 * seals name the organization and the connection: moved to another row, nothing opens.
 */
const formatVersion = 1
const idBytes = masterKeyIdLength / 2
const headBytes = 1 + idBytes + 2

export type CredentialsPlace = {
  readonly organizationId: string
  readonly connectionId: string
}

function place(at: CredentialsPlace): readonly string[] {
  return ['courier credentials v1', at.organizationId, at.connectionId]
}

/** What `courier_connections.credentials` holds. */
export function sealCredentials(
  keys: MasterKeys,
  at: CredentialsPlace & { readonly credentials: SealedFields },
): Buffer {
  const dataKey = newDataKey()
  const { username, password } = at.credentials
  const sealed = seal(dataKey, Buffer.from(JSON.stringify({ username, password })), place(at))
  return assemble(keys, dataKey, sealed, at)
}

/** The credentials of that very row. Throws SealBroken for any other. */
export function openCredentials(
  keys: MasterKeys,
  at: CredentialsPlace & { readonly sealed: Buffer },
): SealedFields {
  const { wrapped, sealed } = takeApart(at.sealed)
  const dataKey = unwrapKey(keys, wrapped, place(at))
  const fields = JSON.parse(unseal(dataKey, sealed, place(at)).toString('utf8')) as SealedFields
  return { username: fields.username, password: fields.password }
}

/** The same credentials under the current master key; null when they already are. */
export function rewrapCredentials(
  keys: MasterKeys,
  at: CredentialsPlace & { readonly sealed: Buffer },
): Buffer | null {
  const { wrapped, sealed } = takeApart(at.sealed)
  if (wrapped.masterKeyId === keys.current.id) return null
  return assemble(keys, unwrapKey(keys, wrapped, place(at)), sealed, at)
}

function assemble(keys: MasterKeys, dataKey: Buffer, sealed: Buffer, at: CredentialsPlace): Buffer {
  const { masterKeyId, wrappedKey } = wrapKey(keys, dataKey, place(at))
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
