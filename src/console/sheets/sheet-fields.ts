import { csvOf } from '../lists/csv.ts'

/** A field of a line, in the words of these pages, and the service's columns for it. */
export type SheetField = {
  readonly label: string
  /** The service's column. With units, its name without the unit. */
  readonly column: string
  /** The service's column for an id, where `column` takes a name or an id. */
  readonly idColumn?: string
  /** The units that a column may have. The first is that of the field. */
  readonly units?: readonly string[]
  /** How a value is shown, if not as it is. */
  readonly kind?: 'agency' | 'product' | 'money'
  readonly choices?: readonly string[]
  /** Fields with an example are in the template. */
  readonly example?: string
}

/** By JSON pointer. */
export type SheetFields = Readonly<Record<string, SheetField>>

type ColumnOption = { readonly column: string; readonly label: string }

/** The columns that a header may stand for, one for each unit. */
export function columnsOf({ label, column, units, kind }: SheetField): readonly ColumnOption[] {
  if (units !== undefined) {
    return units.map((unit) => ({ column: `${column}_${unit}`, label: `${label} (${unit})` }))
  }
  const own = { column, label }
  if (kind !== 'money') return [own]
  return [own, { column: `${column}_minor`, label: `${label} in minor units` }]
}

export type FieldAt = SheetField & { readonly pointer: string }

/** The field of a service's column. Columns of metadata have a field each. */
export function fieldOf(fields: SheetFields, name: string): FieldAt {
  const found = Object.entries(fields).find(
    ([, field]) =>
      field.idColumn === name || columnsOf(field).some(({ column }) => column === name),
  )
  if (found === undefined)
    return { pointer: `/${name.replace('.', '/')}`, label: name, column: name }
  return { ...found[1], pointer: found[0] }
}

/** The name of a field for people. A pointer that is unknown or empty still says something. */
export function labelAt(fields: SheetFields, pointer: string): string {
  if (pointer === '') return 'The whole line'
  return fields[pointer]?.label ?? pointer.slice(1).replaceAll('/', '.')
}

/** A header and an example. The byte-order mark makes spreadsheets save UTF-8. */
export function templateOf(fields: SheetFields): string {
  const needed = Object.values(fields).filter(({ example }) => example !== undefined)
  const header = needed.map((field) => columnsOf(field)[0]?.column ?? field.column)
  return `\ufeff${csvOf(header, [needed.map(({ example = '' }) => example)])}`
}
