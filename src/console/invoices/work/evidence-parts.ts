import { i18n } from '@lingui/core'
import { ShippingLedgerError } from '../../../client/shipping-ledger-error.ts'

/** A range of lines for one evidence file. Null means the first or the last line. */
export type EvidencePart = {
  readonly first: number | null
  readonly last: number | null
}

export const wholeList: EvidencePart = { first: null, last: null }

/**
 * The two halves into which the service divides a range that is too large for one file. Null if the
 * error is another one, or if a single shipment is too large.
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

/** The label of the button that saves the part. */
export function saveTextOf({ first, last }: EvidencePart): string {
  if (first === null) {
    return last === null ? i18n.t('Save all lines') : i18n.t('Save lines up to {last}', { last })
  }
  if (last === null) return i18n.t('Save lines from {first}', { first })
  return first === last
    ? i18n.t('Save line {line}', { line: first })
    : i18n.t('Save lines {first} to {last}', { first, last })
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
