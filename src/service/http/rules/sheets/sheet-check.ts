import { z } from 'zod'
import { closest } from '../../../couriers/spelling.ts'
import { meaningsOf } from '../../../sheets/cell-values.ts'
import type { ReadHeader } from '../../../sheets/csv-lines.ts'
import { separators } from '../../../sheets/csv-rows.ts'
import { charsets } from '../../../sheets/encodings.ts'
import { lettersOf } from '../../../sheets/plain-name.ts'
import type { SheetLine } from '../../../sheets/read-sheet.ts'
import type { Sheet, SheetColumn } from '../../../sheets/sheet-columns.ts'
import type { SheetError, Suggestion } from '../../../sheets/sheet-line.ts'
import { typeOf } from '../../openapi/schemas.ts'

/** More are only counted. */
const errorsMax = 200
/** The most suggestions for a misspelt word. */
const choicesMax = 3
/** Longer texts of cells are truncated. */
const shownValueMax = 500
/** Enough to see whether the columns were understood. */
const sampleMax = 5

const suggestion = z
  .object({
    value: z.string().meta({
      description: 'What the file can have instead: an id, a word, or a column for `columns`.',
      example: 'agy_0aB1cD2eF3gH4iJ5kL6mN7',
    }),
    label: z.string().meta({
      description: 'What a person knows it by.',
      example: 'Agencia Cusco, Cusco, Cusco',
    }),
  })
  .meta({ id: 'SheetSuggestion', description: 'What a misspelt text may have meant.' })

export const sheetErrorSchema = z
  .object({
    line: z.int().meta({
      description:
        'The line, numbered as in the items of a batch: in a CSV the row that a spreadsheet shows.',
      example: 3,
    }),
    column: z.string().nullable().meta({
      description:
        'The header of the cell in the file. `null` for JSON, and if the error is not about one cell.',
      example: 'Destino',
    }),
    external_reference: z.string().nullable().meta({
      description:
        'The order reference of the line. `null` if it has none that can be read, and for a courier invoice.',
      example: 'order-5001',
    }),
    guide_number: z.string().nullable().meta({
      description:
        'The guide that the line of a courier invoice bills. `null` if it has none that can be read, and for a batch.',
      example: null,
    }),
    pointer: z.string().meta({
      description: 'The field of the line in JSON. Empty if the error is not about one field.',
      example: '/destination/agency_id',
    }),
    value: z.string().nullable().meta({
      description:
        'The text of the cell. `null` if it is empty or the error is not about one cell.',
      example: 'Agencia Cuzco',
    }),
    reason: z.string().meta({
      description: 'The reason, as in `errors` of a refused creation.',
      example: 'agency_not_found',
    }),
    detail: z.string().meta({
      description: 'What is wrong, as a sentence.',
      example: 'Column `destination_agency`: The courier has no agency of this name.',
    }),
    suggestions: z.array(suggestion).meta({
      description:
        'What the text may have meant, closest first. After these, products of the courier to choose from. Empty if there are none.',
    }),
  })
  .meta({ id: 'SheetError', description: 'An error of a line, or of the header.' })

const column = z
  .object({
    header: z.string().meta({ description: 'The header in the file.', example: 'Peso (g)' }),
    field: z.string().nullable().meta({
      description: 'The column that it stands for. `null` if it is not read.',
      example: 'weight_kg',
    }),
    unit: z.string().nullable().meta({
      description:
        'The unit of its cells, which are converted: `g`, `cm`, a currency, or `minor` for minor units. `null` if it has none.',
      example: 'g',
    }),
  })
  .meta({
    id: 'SheetColumn',
    description: 'A column of the file, and the field that it was read as.',
  })

const written = z
  .object({
    charset: z.enum(charsets).meta({
      description: 'The charset, declared, marked or recognised.',
      example: 'windows-1252',
    }),
    separator: z.enum(separators).meta({
      description: 'What stands between two cells.',
      example: ';',
    }),
  })
  .meta({ id: 'SheetFile', description: 'How a CSV is written.' })

const sampleLine = z
  .object({
    line: z.int().meta({ description: 'Numbered like the lines of errors.', example: 2 }),
    fields: z.record(z.string(), z.unknown()).meta({
      description: 'Its fields, with the ids of names. Fields that cannot be read are absent.',
    }),
  })
  .meta({ id: 'SheetLine', description: 'A line as it was understood.' })

/** The schema of what `validate=true` answers. */
export function checkSchema<Name extends string, Fields extends z.ZodRawShape>(
  name: Name,
  id: string,
  fields: Fields,
) {
  return z
    .object({
      object: typeOf(name),
      file: written.nullable().meta({
        description: 'How the CSV is written, for a program that corrects it. `null` for JSON.',
      }),
      columns: z.array(column).meta({ description: 'The columns of a CSV. Empty for JSON.' }),
      lines: z.int().meta({ description: 'The number of lines.', example: 120 }),
      good: z.int().meta({
        description:
          'How many lines have no error. 0 if the header has one: then the whole file would be refused.',
        example: 118,
      }),
      errors: z.array(sheetErrorSchema).meta({ description: `The first ${errorsMax} errors.` }),
      more_errors: z.int().meta({
        description: 'How many more errors there are.',
        example: 0,
      }),
      sample: z.array(sampleLine).meta({ description: `The first ${sampleMax} lines.` }),
      ...fields,
    })
    .meta({ id, description: 'What a creation of these lines would refuse. Nothing was stored.' })
}

type CheckError = z.infer<typeof sheetErrorSchema>

/** A line with its cells, if it is one of a CSV. */
type FromFile = Pick<SheetLine<unknown>, 'line' | 'cells' | 'names'>

/** Collects what a check answers. */
export class SheetCheck {
  #lines = 0
  #good = 0
  readonly #errors = new FirstErrors()
  /** Of lines that were good before: they come last, in the order of the lines too. */
  readonly #lateErrors = new FirstErrors()
  readonly #sample: z.infer<typeof sampleLine>[] = []
  readonly #columns: readonly SheetColumn[]
  readonly #header: ReadHeader | null

  constructor({ columns }: Pick<Sheet, 'columns'>, header: ReadHeader | null) {
    this.#columns = columns
    this.#header = header
    for (const error of header?.errors ?? []) {
      this.#errors.add({ line: header?.row ?? 1, ...this.#described(error, {}), ...named({}) })
    }
  }

  /** Call it once for each line, in order. */
  addLine(from: FromFile, fields: object | null, errors: readonly SheetError[]): void {
    this.#lines += 1
    if (this.#sample.length < sampleMax) {
      this.#sample.push({ line: from.line, fields: { ...fields } })
    }
    if (errors.length === 0) this.#good += 1
    for (const error of errors) {
      const cell = cellAt(this.#header, error.pointer, from)
      this.#errors.add({ line: from.line, ...this.#described(error, cell), ...named(fields) })
    }
  }

  /** For a line that was added as good: its order cannot be created. Call it in order too. */
  addLateError(line: number, error: SheetError, reference: string): void {
    this.#good -= 1
    const header = this.#header?.shown.find(({ pointer }) => pointer === error.pointer)?.header
    const cell = { ...(header === undefined ? {} : { header }), value: reference }
    this.#lateErrors.add({
      line,
      ...this.#described(error, cell),
      ...named({ external_reference: reference }),
    })
  }

  #described(error: SheetError, cell: Cell) {
    const suggestions = [...(error.suggestions ?? this.#choicesFor(error.pointer, cell.value))]
    return { ...errorOfCell(error, cell), suggestions }
  }

  /** The choices that a misspelt cell may have meant. */
  #choicesFor(pointer: string, value: string | undefined): readonly Suggestion[] {
    const column = this.#columns.find((each) => each.pointer === pointer && each.type === 'choice')
    if (column === undefined || value === undefined) return []
    const meanings = meaningsOf(column)
    const near = closest(lettersOf(value), [...meanings.keys()], choicesMax)
    const meant = new Set(near.map((word) => meanings.get(word) ?? word))
    return [...meant].map((choice) => ({ value: choice, label: choice }))
  }

  result() {
    const isRefused = (this.#header?.errors.length ?? 0) > 0
    const found = [this.#errors, this.#lateErrors]
    const all = found.flatMap(({ first }) => first).toSorted((a, b) => a.line - b.line)
    const errors = all.slice(0, errorsMax)
    const count = found.reduce((sum, each) => sum + each.count, 0)
    return {
      file: this.#header?.written ?? null,
      columns: (this.#header?.shown ?? []).map(({ header, field, unit }) => ({
        header,
        field,
        unit,
      })),
      lines: this.#lines,
      good: isRefused ? 0 : this.#good,
      errors,
      more_errors: count - errors.length,
      sample: this.#sample,
    }
  }
}

/** Keeps as many errors as a check shows, and counts the others. */
class FirstErrors {
  readonly first: CheckError[] = []
  count = 0

  add(error: CheckError): void {
    this.count += 1
    if (this.first.length < errorsMax) this.first.push(error)
  }
}

/** What a person finds the line by. */
function named(fields: object | null) {
  const text = (value: unknown) => (typeof value === 'string' ? shownText(value) : null)
  const { external_reference: reference, guide_number: guide } = (fields ?? {}) as Readonly<
    Record<string, unknown>
  >
  return { external_reference: text(reference), guide_number: text(guide) }
}

function shownText(text: string): string {
  return text.slice(0, shownValueMax).toWellFormed()
}

type Cell = { readonly header?: string; readonly value?: string }

function cellAt(
  header: ReadHeader | null,
  pointer: string,
  { cells = [], names = [] }: FromFile,
): Cell {
  const shown = header?.shown ?? []
  const places = shown.flatMap((column, at) => (column.pointer === pointer ? [at] : []))
  const place = places.find((at) => (cells[at] ?? '').trim() !== '') ?? places[0]
  const named = names.find((name) => name.pointer === pointer)
  if (place === undefined) return named === undefined ? {} : { value: named.text }
  const { header: column = '' } = shown[place] ?? {}
  const text = cells[place] ?? ''
  return text.trim() === '' ? { header: column } : { header: column, value: text }
}

function errorOfCell(error: SheetError, { header, value }: Cell) {
  return {
    column: error.column ?? header ?? null,
    pointer: error.pointer,
    value: value === undefined ? null : shownText(value),
    reason: error.reason,
    detail: error.detail,
  }
}

/** The errors of a line that is kept with them. */
export function errorsOfLine(
  header: ReadHeader | null,
  from: FromFile,
  errors: readonly SheetError[],
) {
  return errors.map((error) => errorOfCell(error, cellAt(header, error.pointer, from)))
}
