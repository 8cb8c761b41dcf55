import { createHash } from 'node:crypto'

/** Identifier prefixes; an id is `<prefix>_<value>`, its value base62 and opaque to clients. */
const idPrefixes = [
  'org',
  'key',
  'ws',
  'ccn',
  'agy',
  'pkg',
  'quo',
  'shp',
  'op',
  'evt',
  'whe',
  'dlv',
  'req',
  'opr',
  'cmt',
  'alr',
  'bat',
  'inv',
] as const
export type IdPrefix = (typeof idPrefixes)[number]

export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Pattern of a guide number typed by a person. */
export const guideNumberForm = /^[0-9A-Za-z-]{1,64}$/

/** Characters in an id's value: 22 of base62 hold 131 bits, more than a UUID's 122. */
export const idValueLength = 22
/**
 * Attempts per stream, creations and cancellations together. Two base62 digits number them.
 */
export const operationsPerShipmentMax = 1000

/** The last `length` base62 digits of the bytes, read as one unsigned number, most significant first. */
export function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let i = 0; i < length; i++) {
    text = base62Alphabet.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}

/** A deterministic value derived from the parts alone, which reveals nothing about them. */
export function derivedValue(...parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part}`)
  return base62(hash.digest(), idValueLength)
}

type KeyNamespace = {
  readonly organizationId: string
  readonly workspaceId: string
  readonly livemode: boolean
  readonly idempotencyKey: string
}

/** The shipment id for this key: known before the shipment exists, and the same for every request. */
export function shipmentIdOf(key: KeyNamespace): string {
  const mode = key.livemode ? 'live' : 'test'
  return `shp_${derivedValue(key.organizationId, key.workspaceId, mode, key.idempotencyKey)}`
}

export const shipmentStreamPrefix = 'shipment-'
export const auditStreamPrefix = 'audit-'
/** Every stream of the ledger begins with one of these. */
export const ledgerPrefixes = [shipmentStreamPrefix, auditStreamPrefix] as const

export function shipmentStream(shipmentId: string): string {
  return shipmentStreamPrefix + idValue(shipmentId)
}

/** The audit stream for what belongs to no organization, like couriers and plans. */
export const platform = 'platform'

export function auditStream(organizationId: string): string {
  return auditStreamPrefix + idValue(organizationId)
}

export function shipmentIdOfStream(stream: string): string {
  return `shp_${stream.slice(shipmentStreamPrefix.length)}`
}

/** The operation id of the stream's n-th attempt (from 1): the shipment's value and two base62 digits. */
export function operationIdOf(shipmentId: string, ordinal: number): string {
  return `op_${idValue(shipmentId)}${base62(Buffer.from(ordinal.toString(16).padStart(4, '0'), 'hex'), 2)}`
}

export function shipmentIdOfOperation(operationId: string): string {
  return `shp_${operationId.slice(3, 3 + idValueLength)}`
}

/** The shipment that a vault row's owner belongs to: notes and comments are owned by an operation. */
export function shipmentIdOfOwner(id: string): string {
  return isId('op', id) ? shipmentIdOfOperation(id) : id
}

function idValue(id: string): string {
  return id.slice(id.indexOf('_') + 1)
}

const patterns = new Map<IdPrefix, RegExp>(
  idPrefixes.map((prefix) => {
    const length = prefix === 'op' ? idValueLength + 2 : idValueLength
    return [prefix, new RegExp(`^${prefix}_[0-9A-Za-z]{${length}}$`)]
  }),
)

export function isId(prefix: IdPrefix, text: string): boolean {
  return patterns.get(prefix)?.test(text) === true
}
