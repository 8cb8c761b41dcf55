import { i18n } from '@lingui/core'
import { csvOf } from '../lists/csv.ts'
import { choiceWord, fieldTitles } from './field-titles.ts'
import type { SheetField, SheetFields } from './sheet-field.ts'

type ColumnOption = { readonly column: string; readonly label: string }

/** The columns that a header may stand for, one for each unit. */
export function columnsOf(field: FieldAt): readonly ColumnOption[] {
  const { column, units, kind } = field
  const label = titleOf(field)
  if (units !== undefined) {
    return units.map((unit) => ({ column: `${column}_${unit}`, label: `${label} (${unit})` }))
  }
  const own = { column, label }
  if (kind !== 'money') return [own]
  return [
    own,
    { column: `${column}_minor`, label: i18n.t('{field} in minor units', { field: label }) },
  ]
}

export type FieldAt = SheetField & { readonly pointer: string }

export function fieldsOf(fields: SheetFields): readonly FieldAt[] {
  return Object.entries(fields).map(([pointer, field]) => ({ ...field, pointer }))
}

/** The title of a field for people. A column of metadata is called as it is. */
export function titleOf({ pointer, column }: Pick<FieldAt, 'pointer' | 'column'>): string {
  return titleAt(pointer) ?? column
}

function titleAt(pointer: string): string | undefined {
  const titles: Readonly<Record<string, string>> = fieldTitles()
  return titles[pointer]
}

/** The field of a service's column. Columns of metadata have a field each. */
export function fieldOf(fields: SheetFields, name: string): FieldAt {
  const found = fieldsOf(fields).find(
    (field) => field.idColumn === name || columnsOf(field).some(({ column }) => column === name),
  )
  return found ?? { pointer: `/${name.replace('.', '/')}`, column: name }
}

/** The title at a pointer. One that is unknown or empty still says something. */
export function labelAt(pointer: string): string {
  if (pointer === '') return i18n.t('The whole line')
  return titleAt(pointer) ?? pointer.slice(1).replaceAll('/', '.')
}

/** A header and an example. The byte-order mark makes spreadsheets save UTF-8. */
export function templateOf(fields: SheetFields): string {
  const needed = fieldsOf(fields).filter(({ example }) => example !== undefined)
  return `\ufeff${csvOf(needed.map(templateName), [needed.map(exampleOf)])}`
}

/** The service reads the Spanish titles too, but not all the English ones. */
function templateName(field: FieldAt): string {
  const [option] = columnsOf(field)
  return (i18n.locale === 'es' ? option?.label : option?.column) ?? field.column
}

/** A value as a person would write it. */
export function exampleOf({ example = '', choices }: SheetField): string {
  if (choices !== undefined) return choiceWord(example)
  return example === 'Books' ? i18n.t('Books') : example
}
