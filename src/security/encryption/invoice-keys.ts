import type { KeyObject } from 'node:crypto'
import type { Json } from '../../domain/decider.ts'
import { newDataKey, seal, unseal, unwrapKey, type WrappedKey, wrapKey } from './encryption.ts'
import type { MasterKeys } from './master-keys.ts'

type InvoicePlace = { readonly organizationId: string; readonly invoiceId: string }

/** What is sealed: something of a line, or the digest of a version's content (line 0). */
type InvoicePart = {
  readonly version: number
  readonly line: number
  readonly what: 'details' | 'note' | 'content'
}

/** Seals what an invoice keeps under its own data key. */
export type InvoiceLineSealer = {
  readonly seal: (part: InvoicePart, content: Json) => Buffer
  /** Throws SealBroken for what was sealed in another place. */
  readonly open: (part: InvoicePart, sealed: Buffer) => Json
}

export type InvoiceSealer = {
  /** With a new data key, to be stored as it is wrapped. */
  readonly begin: (at: InvoicePlace) => InvoiceLineSealer & { readonly wrapped: WrappedKey }
  /** Throws SealBroken if no available master key opens the data key in this place. */
  readonly open: (at: InvoicePlace, wrapped: WrappedKey) => InvoiceLineSealer
}

function partsOf({ organizationId, invoiceId }: InvoicePlace): readonly string[] {
  return ['courier invoice v1', organizationId, invoiceId]
}

function lineSealer(dataKey: KeyObject, at: InvoicePlace): InvoiceLineSealer {
  const partsIn = ({ version, line, what }: InvoicePart) => [
    ...partsOf(at),
    String(version),
    String(line),
    what,
  ]
  return {
    seal: (part, content) => seal(dataKey, Buffer.from(JSON.stringify(content)), partsIn(part)),
    open: (part, sealed) =>
      JSON.parse(unseal(dataKey, sealed, partsIn(part)).toString('utf8')) as Json,
  }
}

export function invoiceSealer(keys: MasterKeys): InvoiceSealer {
  return {
    begin(at) {
      const dataKey = newDataKey()
      return { ...lineSealer(dataKey, at), wrapped: wrapKey(keys, dataKey, partsOf(at)) }
    },
    open: (at, wrapped) => lineSealer(unwrapKey(keys, wrapped, partsOf(at)), at),
  }
}

/** The data key under the current master key. */
export function rewrapInvoiceKey(
  keys: MasterKeys,
  at: InvoicePlace,
  wrapped: WrappedKey,
): WrappedKey {
  const parts = partsOf(at)
  return wrapKey(keys, unwrapKey(keys, wrapped, parts), parts)
}
