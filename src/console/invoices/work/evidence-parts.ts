import { ShippingLedgerError } from '../../../client/shipping-ledger-error.ts'

/** Lines that go into one file of evidence. Null: from the first, or up to the last. */
export type EvidencePart = {
  readonly first: number | null
  readonly last: number | null
}

export const wholeList: EvidencePart = { first: null, last: null }

/**
 * The two parts of what is too much for one file, as the service divides it. Null: the error is another
 * one, or there is nothing to divide because a single shipment is too large.
 */
export function dividedBy(error: unknown, part: EvidencePart): readonly EvidencePart[] | null {
  if (!(error instanceof ShippingLedgerError) || error.reason !== 'evidence_too_large') return null
  const said = /last_line=(\d+).*first_line=(\d+)/.exec(error.message)
  if (said === null) return null
  const [last, first] = [Number(said[1]), Number(said[2])]
  if (last < (part.first ?? 1)) return null
  return [
    { first: part.first, last },
    { first, last: part.last },
  ]
}

/** `lines 2 to 1001`, as a person reads it. */
export function wordsOf({ first, last }: EvidencePart): string {
  if (first === null) return last === null ? 'all lines' : `lines up to ${last}`
  if (last === null) return `lines from ${first}`
  return first === last ? `line ${first}` : `lines ${first} to ${last}`
}

export function fileNameOf(invoiceId: string, { first, last }: EvidencePart): string {
  if (first === null && last === null) return `evidence-${invoiceId}.zip`
  return `evidence-${invoiceId}-lines-${first ?? 'first'}-${last ?? 'last'}.zip`
}

export function rangeOf({ first, last }: EvidencePart) {
  return {
    ...(first === null ? {} : { first_line: String(first) }),
    ...(last === null ? {} : { last_line: String(last) }),
  }
}
