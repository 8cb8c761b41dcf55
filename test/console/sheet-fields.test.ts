import t from 'tap'
import { batchFields, invoiceFields } from '../../src/console/sheets/generated-fields.ts'
import { columnsOf, fieldOf, type SheetFields } from '../../src/console/sheets/sheet-fields.ts'
import { batchSheet } from '../../src/service/sheets/batch-columns.ts'
import { invoiceSheet } from '../../src/service/sheets/invoice-columns.ts'
import { plainName } from '../../src/service/sheets/plain-name.ts'
import { moneyNamed, namesOf, type Sheet } from '../../src/service/sheets/sheet-columns.ts'

const sheets: readonly (readonly [SheetFields, Sheet])[] = [
  [batchFields, batchSheet],
  [invoiceFields, invoiceSheet],
]

t.test('the console offers each column that the service reads, and no other', async (t) => {
  for (const [fields, { columns }] of sheets) {
    for (const { name, pointer, type, choices, measure, isRequired } of columns) {
      const field = fieldOf(fields, name)
      t.equal(field.pointer, pointer, name)
      if (type === 'choice') t.same(field.choices, choices, name)
      if (measure !== undefined) t.same(field.units, Object.keys(measure.units), name)
      if (isRequired) t.ok(field.example, name)
    }
    for (const [pointer, field] of Object.entries(fields)) {
      for (const { column } of columnsOf(field)) {
        const plain = plainName(column)
        const named = namesOf(columns).get(plain) ?? moneyNamed(plain, columns)
        t.equal(named?.column.pointer, pointer, column)
      }
    }
  }
})
