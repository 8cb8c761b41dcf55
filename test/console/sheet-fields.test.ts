import { readFile } from 'node:fs/promises'
import { i18n } from '@lingui/core'
import t from 'tap'
import { batchFields, invoiceFields } from '../../src/console/sheets/generated-fields.ts'
import type { SheetFields } from '../../src/console/sheets/sheet-field.ts'
import { columnsOf, fieldOf, fieldsOf, templateOf } from '../../src/console/sheets/sheet-fields.ts'
import { batchSheet } from '../../src/service/sheets/batch-columns.ts'
import { invoiceSheet } from '../../src/service/sheets/invoice-columns.ts'
import { plainName } from '../../src/service/sheets/plain-name.ts'
import { readSheet } from '../../src/service/sheets/read-sheet.ts'
import { moneyNamed, namesOf, type Sheet } from '../../src/service/sheets/sheet-columns.ts'

const es = JSON.parse(
  await readFile(new URL('../../src/console/languages/es.json', import.meta.url), 'utf8'),
)
i18n.load({ en: {}, es })
i18n.activate('en')

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
    for (const field of fieldsOf(fields)) {
      for (const { column } of columnsOf(field)) {
        const plain = plainName(column)
        const named = namesOf(columns).get(plain) ?? moneyNamed(plain, columns)
        t.equal(named?.column.pointer, field.pointer, column)
      }
    }
  }
})

function readTemplate(kind: 'batch' | 'invoice', fields: SheetFields) {
  const ids = { workspace_id: 'ws_0aB1cD2eF3gH4iJ5kL6mN7' }
  const forAll =
    kind === 'batch' ? { ...ids, courier_connection_id: 'ccn_0aB1cD2eF3gH4iJ5kL6mN7' } : {}
  const format = { type: 'csv', charset: null, columns: {}, values: {} } as const
  const request = { kind, format, forAll, errorsMax: 0, isCheck: true }
  const lines: object[] = []
  const { header } = readSheet(Buffer.from(templateOf(fields)), request, ({ body, errors }) => {
    lines.push({ ...body, declared_content: '', errors })
  })
  return { lines, errors: header?.errors }
}

t.test('the service reads the template of each language as the same line', async (t) => {
  for (const [kind, fields] of [
    ['batch', batchFields],
    ['invoice', invoiceFields],
  ] as const) {
    i18n.activate('en')
    const english = readTemplate(kind, fields)
    t.match(english, { lines: [{ errors: undefined }], errors: [] }, kind)
    i18n.activate('es')
    t.notMatch(templateOf(fields), /weight_kg/)
    t.same(readTemplate(kind, fields), english, kind)
  }
})
