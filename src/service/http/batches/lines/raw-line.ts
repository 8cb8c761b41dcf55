import type { FieldError } from '../../../error-kinds.ts'
import { Problem } from '../../../errors.ts'

/** One line of a batch as it was read. It is not validated yet. */
export type RawLine = {
  /**
   * In NDJSON the line of the file, from 1. In CSV the row that a spreadsheet shows, with the header
   * as row 1: a line break inside a cell does not count, an empty row does.
   */
  readonly line: number
  /** In the shape of `POST /v1/shipments`, with an optional `idempotency_key`; null if `errors` has any. */
  readonly fields: Readonly<Record<string, unknown>> | null
  /** Why the line cannot be read. No detail repeats what is in a cell: it may be personal data. */
  readonly errors: readonly FieldError[]
  /** What a CSV names in place of ids, which are not in `fields` yet. */
  readonly names?: readonly LineName[]
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
/** With their validation, a slice of a few milliseconds. */
export const linesAtOnceMax = 50

/** A refusal of all lines, because those that follow cannot be read either. */
export function refusedFile(reason: string, detail: string): Problem {
  return new Problem('validation_failed', { detail, errors: [{ pointer: '', reason, detail }] })
}

/** `file` is what has the lines, such as "A batch". */
export function refuseTooMany(lines: number, file: string, linesMax: number): void {
  if (lines <= linesMax) return
  throw refusedFile('too_many_lines', `${file} has at most ${linesMax} lines. Send several.`)
}
