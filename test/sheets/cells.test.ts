import fc from 'fast-check'
import t from 'tap'
import { batchColumns, batchMetadataColumn } from '../../src/service/sheets/batch-columns.ts'
import { batchLine } from '../../src/service/sheets/batch-line.ts'
import { neutralised } from '../../src/service/sheets/cell-values.ts'
import { batchTemplate, csvText } from '../../src/service/sheets/csv-text.ts'
import { plainName } from '../../src/service/sheets/plain-name.ts'
import {
  type Cells,
  csv,
  example,
  fieldsOf,
  file,
  mark,
  names,
  ndjson,
  required,
} from './read-lines.ts'

t.test('each field of a shipment has one column, described by the schema', async (t) => {
  t.same(new Set(batchColumns.map(({ name }) => name)).size, batchColumns.length)
  const byName = Object.fromEntries(batchColumns.map((column) => [column.name, column]))
  t.match(byName.weight_kg, { pointer: '/package/weight_kg', type: 'decimal', isRequired: true })
  t.match(byName.quantity, { type: 'integer', example: 1 })
  t.match(byName.document_type, { type: 'choice', choices: ['DNI', 'CE', 'RUC', 'PASSPORT'] })
  t.match(byName.service_mode, { pointer: '/service/mode', example: 'terrestrial' })
  t.match(byName.origin_agency, { pointer: '/origin/agency_id', type: 'name', isRequired: true })
  t.match(byName.quote_id, { type: 'id', isRequired: false })
  t.match(byName.origin_agency_id?.description, /parcel is dropped off.* `GET \/v1\/agencies`/)
  for (const column of [...batchColumns, batchMetadataColumn])
    t.match(column.description, /\w+.*\.$/)
  const mayBeAbsent = (pointer: string) => {
    const field = pointer.split('/')[1] as keyof typeof batchLine.shape
    // The batch may name these two for every line.
    const isOfBatch = field === 'workspace_id' || field === 'courier_connection_id'
    if (isOfBatch || batchLine.shape[field].safeParse(undefined).success) return true
    const { shape: person } = batchLine.shape.recipient
    const inside = pointer.split('/')[2] as keyof typeof person
    return field === 'recipient' && person[inside].safeParse(undefined).success
  }
  for (const { name, pointer, isRequired } of batchColumns)
    t.equal(isRequired, !mayBeAbsent(pointer), name)
})

t.test('each name of a column is in the form that headers are compared in', async (t) => {
  const all = batchColumns.flatMap(({ name, otherNames = [], measure }) => [
    name,
    ...otherNames,
    ...(measure?.names ?? []),
  ])
  t.same(all.map(plainName), all)
  t.equal(new Set(all).size, all.length, 'and means one column')
})

t.test('the template is read as the example shipment, with names', async (t) => {
  const template = batchTemplate()
  t.ok(template.startsWith(`${mark}idempotency_key,external_reference,`))
  const [line] = csv(template)
  const { origin, destination, package: parcel, ...rest } = example
  const { product_id, ...size } = parcel
  t.same(line?.fields, { ...rest, origin: {}, destination: {}, package: size })
  t.same(
    line?.names?.map(({ pointer }) => pointer),
    ['/origin/agency_id', '/destination/agency_id', '/package/product_id'],
  )
})

t.test('a choice is read in Spanish, in any case, and with dots or without', async (t) => {
  const read = async (cells: Cells) => fieldsOf(file([cells]))[0]
  const cases = {
    service_mode: { Terrestre: 'terrestrial', AEREO: 'air', 'aéreo ': 'air', Air: 'air' },
    payer: { Remitente: 'sender', DESTINATARIO: 'recipient' },
  }
  for (const [cell, mode] of Object.entries(cases.service_mode)) {
    t.equal((await read({ service_mode: cell })).service.mode, mode)
  }
  for (const [cell, payer] of Object.entries(cases.payer)) {
    t.equal((await read({ payer: cell })).service.payer, payer)
  }
  const documents = {
    dni: 'DNI',
    'D.N.I.': 'DNI',
    'C. E.': 'CE',
    'Carne de extranjeria': 'CE',
    'carnet de extranjería': 'CE',
    'R.U.C': 'RUC',
    Pasaporte: 'PASSPORT',
    cedula: 'cedula',
    DNII: 'DNII',
  }
  for (const [cell, type] of Object.entries(documents)) {
    t.equal((await read({ document_type: cell })).recipient.document_type, type)
  }
  const [strict] = ndjson(JSON.stringify({ ...example, service: { mode: 'terrestre' } }))
  t.match(strict?.fields, { service: { mode: 'terrestre' } }, 'NDJSON is read as it is')
})

t.test('numbers are read as they are written, or refused with the reason', async (t) => {
  const read = async (cell: string, separator: string, others: Cells = {}) => {
    const [line] = csv(file([{ ...others, weight_kg: `"${cell}"` }], separator))
    const parcel = line?.fields?.package as { weight_kg: number } | undefined
    return line?.errors[0]?.reason ?? parcel?.weight_kg
  }
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ['12', 12, 12],
    [' 1.5 ', 1.5, 'mixed_decimals'],
    ["'2", 2, 2],
    ['-3', -3, -3],
    ['0,8', 0.8, 0.8],
    ['0,850', 0.85, 0.85],
    ['12,5', 12.5, 12.5],
    ['1,234', 'thousands_separator', 1.234],
    ['1,234.5', 'thousands_separator', 'thousands_separator'],
    ['1.234,5', 'thousands_separator', 'thousands_separator'],
    ['1 234', 'thousands_separator', 'thousands_separator'],
    ["1'234", 'thousands_separator', 'thousands_separator'],
    ['1,234,567', 'thousands_separator', 'thousands_separator'],
    ['8E-1', 'spreadsheet_error', 'spreadsheet_error'],
    ['1,5E+05', 'spreadsheet_error', 'spreadsheet_error'],
    ['1e5', 'invalid_type', 'invalid_type'],
    ['0x10', 'invalid_type', 'invalid_type'],
    ['Infinity', 'invalid_type', 'invalid_type'],
    ['1 kg', 'invalid_type', 'invalid_type'],
    ['.', 'invalid_type', 'invalid_type'],
    ['#¡VALOR!', 'spreadsheet_error', 'spreadsheet_error'],
  ]
  for (const [cell, comma, other] of cases) {
    const whole = { height_m: '1', length_m: '1', width_m: '1' }
    t.equal(await read(cell, ',', whole), comma, `${cell} between commas`)
    const decimals = { height_m: '0,05', length_m: '0,2', width_m: '0,15' }
    for (const separator of [';', '\t']) {
      const found = await read(cell, separator, decimals)
      t.equal(found, other, `${cell} between ${JSON.stringify(separator)}`)
    }
  }
  t.equal(await read('1.234', ';'), 1.234, 'without a comma, a point is a decimal point')
})

t.test('an error that a spreadsheet shows is refused in every column', async (t) => {
  const errors = ['#N/A', '#REF!', '#¡REF!', '#N/D', '#VALUE!', '#NAME?', '#DIV/0!', '#ERROR!']
  const columns = names.filter((name) => name !== 'service_mode')
  for (const error of [...errors, ' #n/a ', '#¿NOMBRE?', '#NUM!', '########']) {
    const cells = Object.fromEntries(columns.map((name) => [name, error]))
    const [line] = csv(file([{ ...cells, 'metadata.note': error }], ';', ['metadata.note']))
    t.strictSame(
      line?.errors.map(({ reason }) => reason),
      [...columns, 'metadata.note'].map(() => 'spreadsheet_error'),
      error,
    )
  }
  for (const text of ['#1001', '#N', 'N/A', '#REF', '# 1', '#1', '###', '#N/A-7']) {
    const [line] = csv(file([{ external_reference: text }]))
    t.equal(line?.fields?.external_reference, text)
  }
})

t.test('digits that a spreadsheet has replaced are refused, with what it did', async (t) => {
  for (const cell of ['4.5679E+07', '"4,5679E+07"', '1E+14', '4.5679e+07']) {
    const [line] = csv(file([{ document: cell, external_reference: cell }]))
    t.same(
      line?.errors.map(({ pointer, reason }) => [pointer, reason]),
      [
        ['/external_reference', 'spreadsheet_error'],
        ['/recipient/document', 'spreadsheet_error'],
      ],
    )
    t.match(line?.errors[1]?.detail, /^Column `document`: A spreadsheet has replaced the digits/)
  }
  const passport = { document_type: 'PASSPORT', document: '12E4567' }
  t.match(fieldsOf(file([passport])), [{ recipient: passport }])
  t.match(fieldsOf(file([{ document: "'4.5679E+07" }])), [
    { recipient: { document: '4.5679E+07' } },
  ])
})

t.test('an apostrophe that protects a text is taken off, and that of a name is kept', async (t) => {
  const read = async (cell: string) => fieldsOf(file([{ last_name: cell }]))[0].recipient.last_name
  t.equal(await read("'01234567"), '01234567')
  t.equal(await read("'=1+1"), '=1+1')
  t.equal(await read("''01"), "'01")
  t.equal(await read("'t Hooft"), "'t Hooft")
  t.equal(await read("O'Higgins"), "O'Higgins")
  t.equal(await read('"\'-a"'), '-a')
})

t.test('what we write for spreadsheets is read back the same', async (t) => {
  for (const cell of ['=1+1', '+51 999', '-5', '@a', '\ta', '\ra', '\na', '＝1', '1E+05']) {
    t.equal(neutralised(cell), `'${cell}`)
  }
  for (const cell of ['Ana', '45678912', "'t Hooft", '']) t.equal(neutralised(cell), cell)
  t.equal(
    csvText([
      ['a;b', 1.5, null],
      ['=1', 'say "x"', ' '],
    ]),
    '"a;b",1.5,\r\n\'=1,"say ""x"""," "\r\n',
  )
  const pieces = [
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    "'",
    '"',
    ',',
    ';',
    ' ',
    '1',
    'E+5',
    'ñ',
    '😀',
  ]
  const cell = fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join('')),
    )
    .filter((text) => text.trim() !== '')
  const header = [...names, 'metadata.a', 'metadata.b']
  const examples = required.map(({ example }) => example)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }), async (rows) => {
      const text = csvText([
        header,
        ...rows.map(([content, a, b]) => [
          ...examples.map((each, index) => (names[index] === 'declared_content' ? content : each)),
          a,
          b,
        ]),
      ])
      const read = csv(text)
      const found = read.map(({ fields }) => [fields?.declared_content, fields?.metadata])
      const expected = rows.map(([content, a, b]) => [content, { a, b }])
      return JSON.stringify(found) === JSON.stringify(expected)
    }),
    { numRuns: 300 },
  )
})

t.test('sums of a shipment name their currency in the header, the cell or a column', async (t) => {
  const required = batchColumns.filter(({ isRequired, type }) => isRequired && type !== 'name')
  const sums = (header: string, cells: string, separator = ',') => {
    const names = [...required.map(({ name }) => name), header].join(separator)
    const row = [...required.map(() => '1'), cells].join(separator)
    const [line] = csv(`${names}\n${row}\n`)
    const { cash_on_delivery, declared_value, recipient } = (line?.fields ?? {}) as Fields
    return { cash_on_delivery, declared_value, phone: recipient?.phone, errors: line?.errors }
  }
  const collected = { amount: 2_950, currency: 'PEN' }
  t.same(sums('cash_on_delivery,declared_value_currency,declared_value', 'S/ 29.50,USD,10'), {
    cash_on_delivery: collected,
    declared_value: { amount: 1_000, currency: 'USD' },
    phone: undefined,
    errors: [],
  })
  t.same(sums('Contra entrega (S/);Valor declarado (S/)', '29,50;', ';'), {
    cash_on_delivery: collected,
    declared_value: undefined,
    phone: undefined,
    errors: [],
  })
  const columns = 'cash_on_delivery_minor,cash_on_delivery_currency,recipient_phone'
  t.match(sums(columns, "2950,PEN,'+51987654321"), {
    cash_on_delivery: collected,
    phone: '+51987654321',
  })
})

type Fields = {
  readonly cash_on_delivery?: object
  readonly declared_value?: object
  readonly recipient?: { readonly phone?: string }
}
