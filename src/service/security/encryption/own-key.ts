import type { Json } from '../../domain/decider.ts'
import { newDataKey, seal, unseal, unwrapKey, type WrappedKey, wrapKey } from './encryption.ts'
import type { MasterKeys } from './master-keys.ts'

/** Seals the parts of a resource that has its own data key. */
type PartSealer<Part> = {
  readonly seal: (part: Part, content: Json) => Buffer
  /** Throws SealBroken for data that was sealed in another place. */
  readonly open: (part: Part, sealed: Buffer) => Json
}

type OwnKeySealer<Place, Part> = {
  /** Creates a data key. Store `wrapped` with the resource. */
  readonly begin: (at: Place) => PartSealer<Part> & { readonly wrapped: WrappedKey }
  /** Throws SealBroken if no available master key opens the data key in this place. */
  readonly open: (at: Place, wrapped: WrappedKey) => PartSealer<Part>
  /** The data key, rewrapped under the current master key. */
  readonly rewrap: (at: Place, wrapped: WrappedKey) => WrappedKey
}

/**
 * The associated data that binds a sealed part to its place: names of the resource and of the part.
 */
type Names<Place, Part> = {
  readonly resource: (at: Place) => readonly string[]
  readonly part: (part: Part) => readonly string[]
}

function ownKeySealer<Place, Part>(
  keys: MasterKeys,
  names: Names<Place, Part>,
): OwnKeySealer<Place, Part> {
  const under = (dataKey: ReturnType<typeof newDataKey>, at: Place): PartSealer<Part> => {
    const partsOf = (part: Part) => [...names.resource(at), ...names.part(part)]
    return {
      seal: (part, content) => seal(dataKey, Buffer.from(JSON.stringify(content)), partsOf(part)),
      open: (part, sealed) =>
        JSON.parse(unseal(dataKey, sealed, partsOf(part)).toString('utf8')) as Json,
    }
  }
  return {
    begin(at) {
      const dataKey = newDataKey()
      return { ...under(dataKey, at), wrapped: wrapKey(keys, dataKey, names.resource(at)) }
    },
    open: (at, wrapped) => under(unwrapKey(keys, wrapped, names.resource(at)), at),
    rewrap(at, wrapped) {
      const parts = names.resource(at)
      return wrapKey(keys, unwrapKey(keys, wrapped, parts), parts)
    },
  }
}

type BatchPlace = { readonly organizationId: string; readonly batchId: string }
type LinePart = { readonly line: number; readonly what: 'body' | 'refusal' }

/** Seals the stored data of a batch's lines under the batch's own data key. */
export type LineSealer = PartSealer<LinePart>
export type BatchSealer = OwnKeySealer<BatchPlace, LinePart>

export function batchSealer(keys: MasterKeys): BatchSealer {
  return ownKeySealer(keys, {
    resource: ({ organizationId, batchId }) => ['batch v1', organizationId, batchId],
    part: ({ line, what }) => [String(line), what],
  })
}

type InvoicePlace = { readonly organizationId: string; readonly invoiceId: string }

/** A field of a line, or the digest of a version's content (line 0). */
type InvoicePart = {
  readonly version: number
  readonly line: number
  readonly what: 'details' | 'note' | 'content' | 'invalid'
}

/** Seals the stored data of an invoice under the invoice's own data key. */
export type InvoiceLineSealer = PartSealer<InvoicePart>
export type InvoiceSealer = OwnKeySealer<InvoicePlace, InvoicePart>

export function invoiceSealer(keys: MasterKeys): InvoiceSealer {
  return ownKeySealer(keys, {
    resource: ({ organizationId, invoiceId }) => ['courier invoice v1', organizationId, invoiceId],
    part: ({ version, line, what }) => [String(version), String(line), what],
  })
}
