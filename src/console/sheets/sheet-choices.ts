import { useDraft } from '../forms/use-draft.ts'
import type { SheetError } from './use-sheet-check.ts'

/** The id that a name in the file stands for, and the error that asked for it. */
export type ChosenName = {
  readonly id: string
  /** What a person knows it by, if the error did not suggest it. */
  readonly label?: string
  readonly asked: SheetError
}

type Kept = {
  /** By header: the service's column, or null for one that is left out. */
  readonly columns: Readonly<Record<string, string | null>>
  /** By the service's column: the text of every line without one. */
  readonly values: Readonly<Record<string, string>>
  /** By the name in the file. The same names mean other ids at other couriers. */
  readonly names: Readonly<Record<string, ChosenName>>
}

const none: Kept = { columns: {}, values: {}, names: {} }

/** Columns that are not recognised are left out: a shop's export has many. */
const others = { '*': null }

export type SheetChoices = ReturnType<typeof useSheetChoices>

/**
 * How the user wants columns and names to be read. Kept for the session by header and name, so that
 * the corrected file, or the next day's, is read the same way. The service ignores what a file does
 * not have.
 */
export function useSheetChoices(draft: string) {
  const [kept, keep] = useDraft<Kept>(draft, none)
  const { columns, values, names } = kept
  return {
    ...kept,
    setColumn: (header: string, column: string | null) =>
      keep({ ...kept, columns: { ...columns, [header]: column } }),
    setValue: (column: string, text: string) =>
      keep({ ...kept, values: { ...values, [column]: text } }),
    setName: (text: string, chosen: ChosenName) =>
      keep({ ...kept, names: { ...names, [text]: chosen } }),
    forgetNames: () => keep({ ...kept, names: {} }),
    /** Sent to the service with the file. */
    query: {
      columns: { ...others, ...columns },
      values: Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== '')),
    },
    namesQuery: Object.fromEntries(
      Object.entries(names).flatMap(([text, { id }]) => (id === '' ? [] : [[text, id]])),
    ),
  }
}
