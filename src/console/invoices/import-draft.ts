import { useDraft } from '../forms/use-draft.ts'
import { useConnectionChoices } from './connection-choice.tsx'
import { lastDayOf } from './invoice-findings.ts'

export type Period = {
  readonly kind: 'month' | 'days' | 'none'
  /** `2026-02` */
  readonly month: string
  readonly from: string
  readonly to: string
}

type ChosenFile = { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }

/** What was chosen and typed. It outlives the screen, but not the session. */
type Draft = {
  readonly connectionId: string | null
  readonly reference: string
  readonly period: Period
  readonly file: ChosenFile | null
  /** What was sent last. The same again gets the same key, so that it is imported once. */
  readonly sent: { readonly what: readonly unknown[]; readonly key: string } | null
}

const empty: Draft = {
  connectionId: null,
  reference: '',
  period: { kind: 'month', month: '', from: '', to: '' },
  file: null,
  sent: null,
}

export type ImportDraft = ReturnType<typeof useImportDraft>

export function useImportDraft() {
  const [draft, set, forget] = useDraft<Draft>('new-invoice', empty)
  const { choices } = useConnectionChoices()
  const [only, second] = choices ?? []
  const connectionId = draft.connectionId ?? (second === undefined ? (only?.id ?? '') : '')
  return {
    draft,
    connectionId,
    courier: choices?.find(({ id }) => id === connectionId)?.provider_code ?? null,
    change: (part: Partial<Draft>) => set({ ...draft, ...part }),
    forget,
  }
}

/** The days of a period; null: it is not complete. Undefined: the invoice names none. */
export function daysOf({ kind, month, from, to }: Period) {
  if (kind === 'none') return undefined
  if (kind === 'days') return from === '' || to === '' ? null : { from, to }
  if (!isMonth(month)) return null
  return { from: `${month}-01`, to: lastDayOf(month) }
}

export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text)
}
