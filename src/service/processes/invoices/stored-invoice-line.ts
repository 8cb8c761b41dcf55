import type { Json } from '../../domain/decider.ts'
import type { LineKind } from '../../domain/invoices/line-kind.ts'
import type { InvoiceLineSealer } from '../../security/encryption/own-key.ts'

/**
 * The details of a line beside its guide, amount and currency. They may be personal, so they are
 * sealed.
 */
type LineDetails = {
  readonly weightGrams: number | null
  /** A day, as the courier prints it. */
  readonly date: string | null
  readonly clientReference: string | null
}

/** A line of an invoice as it was read. */
export type NewInvoiceLine = LineDetails & {
  readonly line: number
  readonly kind: LineKind
  readonly guideNumber: string
  readonly amount: number
  readonly currency: string
}

/** Identifies the content of a line, regardless of its line number. */
export function contentOf(line: Omit<NewInvoiceLine, 'line'>): string {
  const { kind, guideNumber, amount, currency, weightGrams, date, clientReference } = line
  const content = [guideNumber, amount, currency, weightGrams, date, clientReference]
  // The content of a charge is what it was when all lines were charges: its digest is stored.
  return JSON.stringify(kind === 'charge' ? content : [...content, kind])
}

const noDetails: LineDetails = { weightGrams: null, date: null, clientReference: null }

/** Null for a line without details. */
export function sealDetails(
  sealer: InvoiceLineSealer,
  { version, line }: { readonly version: number; readonly line: number },
  { weightGrams, date, clientReference }: LineDetails,
): Buffer | null {
  if (weightGrams === null && date === null && clientReference === null) return null
  const content: Json = [weightGrams, date, clientReference]
  return sealer.seal({ version, line, what: 'details' }, content)
}

type SealedDetails = {
  readonly version: number
  readonly line: number
  readonly details: Buffer | null
}

/** Without a sealer, because the key is destroyed, all details are null. */
export function openDetails(
  sealer: InvoiceLineSealer | null,
  { version, line, details }: SealedDetails,
): LineDetails {
  if (details === null || sealer === null) return noDetails
  const opened = sealer.open({ version, line, what: 'details' }, details)
  const [weightGrams, date, clientReference] = opened as [
    number | null,
    string | null,
    string | null,
  ]
  return { weightGrams, date, clientReference }
}

/**
 * A person's note on a decision, with the name of who decided if the key belongs to no operator.
 */
export type DecisionNote = { readonly note: string; readonly decided_by?: string }

export function openNote(
  sealer: InvoiceLineSealer | null,
  { version, line, note }: { version: number; line: number; note: Buffer | null },
): DecisionNote | null {
  if (note === null || sealer === null) return null
  return sealer.open({ version, line, what: 'note' }, note) as DecisionNote
}
