import type { MasterKeys } from './master-keys.ts'
import { type OwnKeySealer, ownKeySealer, type PartSealer } from './own-key.ts'

type InvoicePlace = { readonly organizationId: string; readonly invoiceId: string }

/** What is sealed: something of a line, or the digest of a version's content (line 0). */
type InvoicePart = {
  readonly version: number
  readonly line: number
  readonly what: 'details' | 'note' | 'content'
}

/** Seals what an invoice keeps under its own data key. */
export type InvoiceLineSealer = PartSealer<InvoicePart>
export type InvoiceSealer = OwnKeySealer<InvoicePlace, InvoicePart>

export function invoiceSealer(keys: MasterKeys): InvoiceSealer {
  return ownKeySealer(keys, {
    resource: ({ organizationId, invoiceId }) => ['courier invoice v1', organizationId, invoiceId],
    part: ({ version, line, what }) => [String(version), String(line), what],
  })
}
