import type { FieldError } from '../error-kinds.ts'
import { Problem } from '../errors.ts'

/** An error of a header or a line, with what helps to correct it. */
export type SheetError = FieldError & {
  /** The header in the file. Absent if the error is not about one column. */
  readonly column?: string
  readonly suggestions?: readonly Suggestion[]
}

/** What a misspelt text may have meant. */
export type Suggestion = {
  /** What the file or the query can have instead. */
  readonly value: string
  /** What a person knows it by. */
  readonly label: string
}

/** One line of a file or a body as it was read. Its fields are not validated yet. */
export type RawLine = {
  /**
   * In NDJSON the line of the file, from 1. In CSV the row that a spreadsheet shows, with the header
   * as row 1: a line break inside a cell does not count, an empty row does.
   */
  readonly line: number
  /** Null if nothing of the line can be read. */
  readonly fields: Readonly<Record<string, unknown>> | null
  /** No detail repeats what is in a cell: it may be personal data. */
  readonly errors: readonly FieldError[]
  /** Names that a sheet has instead of ids. Their ids are not in `fields` yet. */
  readonly names?: readonly LineName[]
  /** Only for a CSV. */
  readonly cells?: readonly string[]
  /** The fields without a column. They are errors of the header and not of the line. */
  readonly missing?: ReadonlySet<string>
  /** The text of a row of totals, which is no line. Only for a sheet that sets these aside. */
  readonly totalText?: string
}

/** A row of totals, taxes or notes: neither a line nor an error. */
export type SetAside = {
  /** Its first cell with text. */
  readonly text: string
  /** In minor units. Null if it has none that can be read. */
  readonly amount: number | null
  /** Its own, or that of the line before it. Null if there is no amount. */
  readonly currency: string | null
}

/** The cell of a column with names. */
export type LineName = {
  /** The column. */
  readonly name: string
  /** Where the id belongs. */
  readonly pointer: string
  readonly text: string
}

/** As long as the body of `POST /v1/shipments` may be. */
export const lineBytesMax = 64 * 1024

/** A refusal of all lines, because those that follow cannot be read either. */
export function refusedFile(reason: string, detail: string): Problem {
  return new Problem('validation_failed', { detail, errors: [{ pointer: '', reason, detail }] })
}

/** `file` is what has the lines, such as "A batch". */
export function refuseTooMany(lines: number, file: string, linesMax: number): void {
  if (lines <= linesMax) return
  throw refusedFile('too_many_lines', `${file} has at most ${linesMax} lines. Send several.`)
}
