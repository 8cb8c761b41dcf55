import type { MasterKeys } from './master-keys.ts'
import { openColumn, type Place, rewrapColumn, sealColumn } from './sealed-column.ts'

/** The credentials of a courier account. */
type Credentials = { readonly [name: string]: string }

type CredentialsPlace = {
  readonly organizationId: string
  readonly connectionId: string
}

function place(at: CredentialsPlace): Place {
  return ['courier credentials v1', at.organizationId, at.connectionId]
}

/** The content of `courier_connections.credentials`. */
export function sealCredentials(
  keys: MasterKeys,
  at: CredentialsPlace & { readonly credentials: Credentials },
): Buffer {
  return sealColumn(keys, place(at), Buffer.from(JSON.stringify(at.credentials)))
}

/** Decrypts the credentials of this row. Throws SealBroken for those of another row. */
export function openCredentials(
  keys: MasterKeys,
  at: CredentialsPlace & { readonly sealed: Buffer },
): Credentials {
  const opened = openColumn(keys, place(at), at.sealed).toString('utf8')
  return JSON.parse(opened) as Credentials
}

/** The credentials rewrapped under the current master key; null if they already are. */
export function rewrapCredentials(
  keys: MasterKeys,
  at: CredentialsPlace & { readonly sealed: Buffer },
): Buffer | null {
  return rewrapColumn(keys, place(at), at.sealed)
}

function tokenPlace(providerCode: string): Place {
  return ['connector token v1', providerCode]
}

/** The content of `couriers.token`. */
export function sealConnectorToken(keys: MasterKeys, providerCode: string, token: string): Buffer {
  return sealColumn(keys, tokenPlace(providerCode), Buffer.from(token))
}

/** Decrypts the token of this courier. Throws SealBroken for that of another courier. */
export function openConnectorToken(keys: MasterKeys, providerCode: string, sealed: Buffer): string {
  return openColumn(keys, tokenPlace(providerCode), sealed).toString('utf8')
}

/** The token rewrapped under the current master key; null if it already is. */
export function rewrapConnectorToken(
  keys: MasterKeys,
  providerCode: string,
  sealed: Buffer,
): Buffer | null {
  return rewrapColumn(keys, tokenPlace(providerCode), sealed)
}

/**
 * Seals and opens the credentials of connections, each bound to its organization and connection.
 */
export function credentialsSealer(keys: MasterKeys) {
  return {
    seal: (at: Parameters<typeof sealCredentials>[1]) => sealCredentials(keys, at),
    open: (at: Parameters<typeof openCredentials>[1]) => openCredentials(keys, at),
  }
}

/** Seals and opens the tokens of connectors, each bound to its courier. */
export function connectorTokenSealer(keys: MasterKeys) {
  return {
    seal: (code: string, token: string) => sealConnectorToken(keys, code, token),
    open: (code: string, sealed: Buffer) => openConnectorToken(keys, code, sealed),
  }
}
