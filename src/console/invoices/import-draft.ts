import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Answered } from '../../client/methods.ts'
import { useDraft } from '../forms/use-draft.ts'
import { useSession } from '../session.tsx'
import { useSheetChoices } from '../sheets/sheet-choices.ts'
import type { SheetFile } from '../sheets/sheet-file.ts'
import { useSheetCheck } from '../sheets/use-sheet-check.ts'
import { useConnectionChoices } from './connection-choice.tsx'
import { type Invoice, lastDayOf } from './invoice-findings.ts'
import { type SentAs, sentDraft } from './invoice-frame.tsx'

export type Period = {
  readonly kind: 'month' | 'days' | 'none'
  /** `2026-02` */
  readonly month: string
  readonly from: string
  readonly to: string
}

/** What the user chose and typed. It is kept until the session ends. */
type Draft = {
  readonly connectionId: string | null
  readonly reference: string
  readonly period: Period
  readonly file: SheetFile | null
  /** Wrong lines stay in the invoice and bill nothing, instead of refusing the file. */
  readonly skipsInvalid: boolean
  /**
   * The last content sent and its key. Sending the same content again reuses the key, so it is
   * imported once.
   */
  readonly sent: { readonly what: readonly unknown[]; readonly key: string } | null
}

const empty: Draft = {
  connectionId: null,
  reference: '',
  period: { kind: 'month', month: '', from: '', to: '' },
  file: null,
  skipsInvalid: false,
  sent: null,
}

export type ImportDraft = ReturnType<typeof useImportDraft>

export function useImportDraft() {
  const { client } = useSession()
  const sheet = useSheetChoices('invoice-choices')
  const [draft, set, forget] = useDraft<Draft>('new-invoice', empty)
  const { choices } = useConnectionChoices()
  const [only, second] = choices ?? []
  const connectionId = draft.connectionId ?? (second === undefined ? (only?.id ?? '') : '')
  const check = useSheetCheck({
    file: connectionId === '' ? null : draft.file,
    query: { courier_connection_id: connectionId, ...sheet.query },
    check: (csv, of, options) => client.courierInvoices.checkCsv({ ...of, csv }, options),
  })
  return {
    draft,
    sheet,
    check,
    connectionId,
    courier: choices?.find(({ id }) => id === connectionId)?.provider_code ?? null,
    change: (part: Partial<Draft>) => set({ ...draft, ...part }),
    forget,
  }
}

/** The days of a period; null if it is incomplete, undefined if the invoice has no period. */
export function daysOf({ kind, month, from, to }: Period) {
  if (kind === 'none') return undefined
  if (kind === 'days') return from === '' || to === '' ? null : { from, to }
  if (!isMonth(month)) return null
  return { from: `${month}-01`, to: lastDayOf(month) }
}

export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text)
}

/** Opens an imported or fetched invoice, which then shows the result of the import. */
export function useImported() {
  const { drafts } = useSession()
  const queries = useQueryClient()
  const [, goTo] = useLocation()
  return async (invoice: Answered<Invoice>) => {
    const { replayed } = invoice.lastAnswer
    const { accepted, disputed } = invoice.decisions
    const sentAs: SentAs = {
      as: replayed ? 'the same' : invoice.version > 1 ? 'next version' : 'first',
      kept: accepted + disputed,
    }
    drafts.set(sentDraft(invoice.id), sentAs)
    await queries.invalidateQueries({ queryKey: ['invoices'] })
    goTo(`/courier-invoices/${invoice.id}`)
  }
}
