import type { z } from 'zod'
import { plainName } from './plain-name.ts'

/** A column that a sheet may have: the rules for its header and its cells. */
export type SheetColumn = {
  readonly name: string
  /** Other names that a header may use, in the form of `plainName`. */
  readonly otherNames?: readonly string[]
  /**
   * Where the value belongs in a line as JSON. A column of type `name` has the pointer of the id that
   * it stands for; a line fills one of the two.
   */
  readonly pointer: string
  readonly type: 'text' | 'id' | 'name' | 'choice' | 'integer' | 'decimal' | 'money' | 'day'
  /** What a cell of type `choice` may be. */
  readonly choices?: readonly string[]
  /** Other words for each choice. */
  readonly otherWords?: Readonly<Record<string, readonly string[]>>
  readonly measure?: Measure
  /** Whether the header must name it, or another column of the same pointer. */
  readonly isRequired: boolean
  readonly description: string
  readonly example: string | number | null
}

/** A weight or a size. Its header names one of the units, as in `Peso (g)` or `height_cm`. */
type Measure = {
  /** The names without a unit, in the form of `plainName`. */
  readonly names: readonly string[]
  readonly units: Units
}

type Units = Readonly<Record<string, Unit>>
type Unit = {
  /** The power of ten that makes the field's own unit of it. */
  readonly exponent: number
  /** Other names of the unit in a header. */
  readonly otherNames: readonly string[]
}

export const weightUnits = {
  kg: { exponent: 0, otherNames: ['kgs', 'kilo', 'kilos', 'kilogramo', 'kilogramos', 'kilograms'] },
  g: { exponent: -3, otherNames: ['gr', 'grs', 'gramo', 'gramos', 'gram', 'grams'] },
} as const satisfies Units

export const sizeUnits = {
  m: { exponent: 0, otherNames: ['mt', 'mts', 'metro', 'metros', 'meter', 'meters'] },
  cm: { exponent: -2, otherNames: ['cms', 'centimetro', 'centimetros', 'centimeters'] },
  mm: { exponent: -3, otherNames: ['milimetro', 'milimetros', 'millimeters'] },
} as const satisfies Units

/** A kind of sheet. */
export type Sheet = {
  readonly columns: readonly SheetColumn[]
  /** Whether it may also have columns for keys of `metadata`. */
  readonly hasMetadata: boolean
  /** The schema of a line as JSON. */
  readonly line: z.ZodType
  /** What errors call a file and a line of it. */
  readonly words: { readonly file: string; readonly line: string }
  readonly linesMax: number
  /** Whether rows of totals and taxes are neither lines nor errors. */
  readonly setsTotalsAside?: boolean
}

export const metadataPrefix = 'metadata.'

/** The column and the unit that a header names. */
export type NamedColumn = {
  readonly column: SheetColumn
  /** The unit of a measure, a currency, or `minor`. Null if the column has none. */
  readonly unit: string | null
}

/** Names of a column that lack the unit they need. */
type WithoutUnit = { readonly column: SheetColumn; readonly isUnitMissing: true }

/** Every header that a kind of sheet knows, by its plain name. */
type Names = ReadonlyMap<string, NamedColumn | WithoutUnit>

const namesOfSheets = new WeakMap<readonly SheetColumn[], Names>()

/** Names in the table come before other names. */
export function namesOf(columns: readonly SheetColumn[]): Names {
  const known = namesOfSheets.get(columns)
  if (known !== undefined) return known
  const names = new Map<string, NamedColumn | WithoutUnit>()
  const add = (name: string, named: NamedColumn | WithoutUnit) => {
    if (!names.has(name)) names.set(name, named)
  }
  for (const column of columns) add(plainName(column.name), { column, unit: unitIn(column) })
  for (const column of columns) {
    for (const name of column.otherNames ?? []) add(name, { column, unit: null })
    const { names: bare = [], units = {} } = column.measure ?? {}
    for (const name of bare) {
      for (const [unit, { otherNames }] of Object.entries(units)) {
        for (const each of [unit, ...otherNames]) add(`${name}_${each}`, { column, unit })
      }
      add(name, { column, isUnitMissing: true })
    }
  }
  namesOfSheets.set(columns, names)
  return names
}

/** The unit of the column's own name, such as `kg` of `weight_kg`. */
function unitIn({ name, measure }: SheetColumn): string | null {
  if (measure === undefined) return null
  return Object.keys(measure.units).find((unit) => name.endsWith(`_${unit}`)) ?? null
}

const symbols: Readonly<Record<string, string>> = {
  s: 'PEN',
  sol: 'PEN',
  soles: 'PEN',
  us: 'USD',
  dolar: 'USD',
  dolares: 'USD',
  dollars: 'USD',
}
const minorUnits: ReadonlySet<string> = new Set([
  'minor',
  'minor_units',
  'cents',
  'centimos',
  'centavos',
])
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** A column of money whose header ends in a currency or in `minor`: `Importe (S/)`. */
export function moneyNamed(plain: string, columns: readonly SheetColumn[]): NamedColumn | null {
  for (const column of columns.filter(({ type }) => type === 'money')) {
    for (const name of [column.name, ...(column.otherNames ?? [])]) {
      if (!plain.startsWith(`${name}_`)) continue
      const word = plain.slice(name.length + 1)
      if (minorUnits.has(word)) return { column, unit: 'minor' }
      const currency = symbols[word] ?? word.toUpperCase()
      if (currencies.has(currency)) return { column, unit: currency }
    }
  }
  return null
}
