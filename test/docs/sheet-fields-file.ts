import type { SheetField } from '../../src/console/sheets/sheet-field.ts'
import { batchSheet } from '../../src/service/sheets/batch-columns.ts'
import { invoiceSheet } from '../../src/service/sheets/invoice-columns.ts'
import type { Sheet, SheetColumn } from '../../src/service/sheets/sheet-columns.ts'

/** What the console knows about the columns that the service reads. */
export function sheetFieldsFile(): string {
  return `// Generated from the tables in src/service/sheets by \`npm run generate\`.
import type { SheetFields } from './sheet-field.ts'

/** The fields of a batch's line. */
export const batchFields = ${written(batchSheet)} as const satisfies SheetFields

/** The fields of an invoice's line. */
export const invoiceFields = ${written(invoiceSheet)} as const satisfies SheetFields
`
}

function written({ columns }: Sheet): string {
  const byPointer = Object.groupBy(columns, ({ pointer }) => pointer)
  const fields = Object.entries(byPointer).map(([pointer, own = []]) => [pointer, fieldOf(own)])
  return JSON.stringify(Object.fromEntries(fields), null, 2)
}

/** The field of one column, or of two: one takes an id, the other a name. */
function fieldOf(columns: readonly SheetColumn[]): SheetField {
  const [id, named = id] = columns
  if (id === undefined || named === undefined) throw new Error('a field has no column')
  const { name, type, measure, example } = named
  const units = Object.keys(measure?.units ?? {})
  const isInTemplate = example !== null && (named.isRequired || type !== 'id')
  return {
    column: units.length === 0 ? name : name.slice(0, name.lastIndexOf('_')),
    ...(named === id ? {} : { idColumn: id.name }),
    ...(units.length === 0 ? {} : { units }),
    ...kindOf(named),
    ...(type === 'choice' ? { choices: named.choices ?? [] } : {}),
    ...(isInTemplate ? { example: String(example) } : {}),
  }
}

function kindOf({ type, pointer }: SheetColumn): Pick<SheetField, 'kind'> {
  if (type === 'money') return { kind: 'money' }
  if (pointer.endsWith('/agency_id')) return { kind: 'agency' }
  return pointer.endsWith('/product_id') ? { kind: 'product' } : {}
}
