import fc from 'fast-check'
import t from 'tap'
import { batchSheet } from '../../src/service/sheets/batch-columns.ts'
import { readCsv } from '../../src/service/sheets/csv-lines.ts'
import { readNdjson } from '../../src/service/sheets/json-lines.ts'
import {
  csv,
  errorsOf,
  example,
  fieldsOf,
  file,
  mark,
  names,
  ndjson,
  refusalOf,
} from './read-lines.ts'

t.test('cells are read with every separator, encoding and line end', async (t) => {
  const rows = [{ first_name: 'Íñigo', last_name: 'Núñez 😀', weight_kg: '0.5' }]
  const plain = file(rows)
  const expected = fieldsOf(plain)
  t.match(expected, [{ recipient: { first_name: 'Íñigo', last_name: 'Núñez 😀' } }])
  t.equal(expected[0].package.weight_kg, 0.5)
  for (const separator of [',', ';', '\t']) {
    const text = file(rows, separator)
    for (const end of ['\r\n', '\n', '\r']) {
      const ended = text.replaceAll('\r\n', end)
      const little = Buffer.from(mark + ended, 'utf16le')
      for (const bytes of [ended, mark + ended, little, Buffer.from(little).swap16()]) {
        t.same(fieldsOf(bytes), expected)
      }
      t.same(fieldsOf(ended.slice(0, -end.length)), expected, 'without a last line end')
      t.same(fieldsOf(`sep=${separator}${end}${ended}`), expected)
      t.same(fieldsOf(`${mark}"SEP=${separator}"${end}${ended}`), expected)
    }
  }
  t.same(fieldsOf(plain.replace('\r\n', '\n')), expected, 'with mixed line ends')
  t.same(
    refusalOf(() => csv(`sep=|\r\n${plain}`)),
    [
      'unknown_separator: The separator that the first line declares must be a comma, a semicolon or a tab.',
    ],
  )
})

t.test('a file that Excel in Spanish saves as CSV UTF-8 or as Unicode text is read', async (t) => {
  const text = [
    'External_Reference;Origin_Agency_Id;Destination_Agency_Id;Product_Id;Quantity;Weight_Kg;Height_M;Length_M;Width_M;Service_Mode;Payer;Declared_Content;Document_Type;Document;First_Name;Last_Name;Metadata.Canal;;',
    'P-1;agy_1;agy_2;pkg_1;1;0,8;0,05;0,2;0,15;terrestrial;sender;"Libros; ""nuevos""";DNI;45678912;María;Peña;tienda;;',
    'P-2;agy_1;agy_2;pkg_1;2;12;1;1,25;0,15;terrestrial;sender;"dos\nlíneas";DNI;01234567;José;Ñáñez;;;',
    ';;;;;;;;;;;;;;;;;;',
    'P-3;agy_1;agy_2;pkg_1;1;1;1;1;1;air;recipient;Ropa;DNI;45678912;Ana;Torres',
    ';;;;;;;;;;;;;;;;;;',
    '',
    '',
  ].join('\r\n')
  const tabs = text.replace('"Libros; ""nuevos"""', '@').replaceAll(';', '\t')
  const unicode = tabs.replace('@', '"Libros; ""nuevos"""')
  for (const bytes of [mark + text, Buffer.from(mark + unicode, 'utf16le')]) {
    const lines = csv(bytes)
    t.same(
      lines.map(({ line, errors }) => [line, errors]),
      [
        [2, []],
        [3, []],
        [5, []],
      ],
    )
    t.same(lines[0]?.fields, {
      external_reference: 'P-1',
      origin: { agency_id: 'agy_1' },
      destination: { agency_id: 'agy_2' },
      package: {
        product_id: 'pkg_1',
        quantity: 1,
        weight_kg: 0.8,
        height_m: 0.05,
        length_m: 0.2,
        width_m: 0.15,
      },
      service: { mode: 'terrestrial', payer: 'sender' },
      declared_content: 'Libros; "nuevos"',
      recipient: {
        document_type: 'DNI',
        document: '45678912',
        first_name: 'María',
        last_name: 'Peña',
      },
      metadata: { Canal: 'tienda' },
    })
    t.match(lines[1]?.fields, {
      declared_content: 'dos\nlíneas',
      recipient: { document: '01234567' },
    })
    t.notOk(Object.hasOwn(lines[1]?.fields ?? {}, 'metadata'), 'an empty cell is an absent field')
  }
})

t.test('how a file is written is recognised, or declared', async (t) => {
  const text = file([{ last_name: 'Torres' }, { last_name: 'Peña' }, {}], ';')
  const header = file([{}]).replace('payer', 'Quién paga')
  for (const read of [text, header]) {
    const expected = fieldsOf(read)
    const latin = Buffer.from(read, 'latin1')
    t.same(fieldsOf(latin), expected, 'Windows-1252')
    t.same(fieldsOf(latin, { charset: 'windows-1252' }), expected)
    const unicode = Buffer.from(read, 'utf16le')
    t.same(fieldsOf(unicode), expected, 'UTF-16 without a byte-order mark')
    t.same(fieldsOf(Buffer.from(unicode).swap16()), expected)
    t.same(fieldsOf(unicode, { charset: 'utf-16le' }), expected)
    t.same(fieldsOf(mark + read, { charset: 'windows-1252' }), expected, 'a mark takes precedence')
  }
  const euro = Buffer.from(file([{ declared_content: 'a\u0080' }]), 'latin1')
  t.equal(fieldsOf(euro)[0].declared_content, 'a€', 'Latin-1 is read as Windows-1252')
  const declared = { charset: 'utf-8' } as const
  t.same(errorsOf(Buffer.from(text, 'latin1'), declared), [[3, '/recipient/last_name', 'not_utf8']])
  t.match(
    refusalOf(() => csv(Buffer.from(header, 'latin1'), declared)),
    [/^not_utf8: The file/],
  )
  const torn = Buffer.concat([Buffer.from(text), Buffer.from('P-9;'), Buffer.from([0xc3])])
  t.same(errorsOf(torn), [[5, '', 'wrong_cell_count']], 'UTF-8 that is torn stays UTF-8')
  const kept = file([{ last_name: 'a\ufffdb' }])
  t.equal(fieldsOf(kept)[0].recipient.last_name, 'a\ufffdb', 'if it is in the file')
  const broken = Buffer.concat([Buffer.from(mark, 'utf16le'), Buffer.from([0, 0xd8, 0x41, 0])])
  t.match(
    refusalOf(() => csv(broken)),
    [/^not_utf16/],
  )
})

t.test('the header is refused once, with the name of every wrong column', async (t) => {
  const rest = names.slice(1).join(',')
  const refused = (header: string) => refusalOf(() => csv(`${header}\r\n`))
  t.same(refused(`${names[0]},notas,${rest}`), ['unknown_column: There is no column `notas`.'])
  t.same(refused(rest), ['missing_column: The column `external_reference` is missing.'])
  t.same(refused(`${names[0]},${rest}`.replace('product_id,', '')), [
    'missing_column: The column `product_id` or `product` is missing.',
  ])
  t.same(refused(`${names[0]},${rest},DOCUMENT , document`), [
    'repeated_column: The column `document` occurs 3 times.',
  ])
  t.same(refused(`${names[0]},${rest},metadata.a,metadata. a`), [
    'repeated_column: The column `metadata.a` occurs 2 times.',
  ])
  t.same(refused(`${names[0]},,${rest}`), ['unknown_column: Column 2 has no name.'])
  for (const name of ['metadata.', 'metadata.__proto__', '__proto__', 'metadata', 'constructor']) {
    t.match(refused(`${names[0]},${name},${rest}`), [/^unknown_column: There is no column/])
  }
  t.same(refused(names.join('|')), [
    'unknown_column: The first line names no column of a shipment.',
  ])
  t.same(refused('45678912,Ana,Torres'), [
    'unknown_column: The first line names no column of a shipment.',
  ])
  t.equal(refused(`${rest}${',x'.repeat(50)}`).length, 20)
  t.same(refused(`${rest}${',x'.repeat(500)}`), [
    'too_many_columns: A file has at most 200 columns.',
  ])
  for (const empty of ['', mark, '\r\n\r\n', ',,,\r\n', 'sep=;']) {
    t.match(
      refusalOf(() => csv(empty)),
      [/^required: The file is empty/],
    )
  }
  t.match(
    refusalOf(() => csv(Buffer.from('PK\x03\x04…'))),
    [/^workbook/],
  )
})

t.test('column names may have capitals and spaces around them', async (t) => {
  const text = file([{}], ',', ['metadata.Shop Name'])
  const [header = '', ...rows] = text.split('\r\n')
  const odd = header.split(',').map((name) => ` "${name}" `.slice(1, -1))
  const spaced = [...odd.slice(0, -1).map((name) => name.toUpperCase()), '" METADATA.Shop Name "']
  const lines = [spaced.join(','), ...rows].join('\r\n').replace(/,\r\n$/, ',web\r\n')
  t.match(fieldsOf(lines), [{ ...pick(example), metadata: { 'Shop Name': 'web' } }])
})

function pick({ external_reference, recipient }: typeof example) {
  return { external_reference, recipient }
}

t.test('a header in Spanish is read, and a number only with its unit', async (t) => {
  const spanish = {
    external_reference: 'N° de pedido',
    origin_agency_id: 'ID agencia de origen',
    destination_agency_id: 'Agencia de destino',
    product_id: 'PRODUCTO',
    quantity: 'Cantidad',
    weight_kg: 'Peso (kg)',
    height_m: 'Alto (m)',
    length_m: 'Largo (m)',
    width_m: 'Ancho_m',
    service_mode: 'Servicio',
    payer: '¿Quién paga?',
    declared_content: 'Contenido',
    document_type: 'Tipo de documento',
    document: 'Nro. documento',
    first_name: 'Nombres',
    last_name: 'Apellidos',
  }
  const [, ...rows] = file([{}]).split('\r\n')
  const read = (header: Readonly<Record<string, string>>) =>
    csv([Object.values(header).join(','), ...rows].join('\r\n'))
  const { external_reference, package: parcel, recipient } = example
  t.match((await read(spanish))[0]?.fields, { external_reference, package: parcel, recipient })
  t.same(
    refusalOf(() => read({ ...spanish, weight_kg: 'Peso' })),
    [
      'unit_missing: The column `Peso` does not say its unit. Write `Peso (kg)` or `Peso (g)`.',
      'missing_column: The column `weight_kg` is missing.',
    ],
  )
  t.same(
    refusalOf(() => read({ ...spanish, first_name: 'DNI' })),
    [
      'repeated_column: The column `document` occurs 2 times.',
      'missing_column: The column `first_name` is missing.',
    ],
  )
})

t.test('a line has an id or a name, and a column of names may have ids', async (t) => {
  const [header = '', row = ''] = file([{}]).split('\r\n')
  const id = example.origin.agency_id
  const read = (...cells: readonly string[]) =>
    csv(`origin_agency,${header}\r\n${cells.map((cell) => `${cell}\r\n`).join('')}`)
  const without = row.replace(id, '')
  const [named, both, inNames, neither] = await read(
    `Agencia Íca,${without}`,
    `Agencia Ica,${row}`,
    `${id},${without}`,
    `,${without}`,
  )
  t.match(named, {
    names: [{ name: 'origin_agency', pointer: '/origin/agency_id', text: 'Agencia Íca' }],
    fields: { origin: {} },
  })
  t.match(both?.errors, [{ pointer: '/origin/agency_id', reason: 'id_and_name' }])
  t.match(inNames, { names: undefined, fields: { origin: { agency_id: id } } })
  t.match(neither, { names: undefined, fields: { origin: {} }, errors: [] })
})

t.test('a line may lack cells of optional columns, and only those', async (t) => {
  const text = file([{}, {}], ',', ['quote_id', 'metadata.a'])
  const short = text.replace(/,,\r\n/, '\r\n').replace(/,,\r\n/, ',,,,,\r\n')
  t.equal(fieldsOf(short).length, 2)
  const cut = file([{}]).replace(/,[^,]*\r\n$/, '\r\n')
  t.same(errorsOf(cut), [[2, '', 'wrong_cell_count']])
  t.same(errorsOf(file([{ weight_kg: '0,8' }, {}])), [[2, '', 'wrong_cell_count']])
  const [line] = csv(file([{ last_name: 'Torres,Ana' }]))
  t.equal(
    line?.errors[0]?.detail,
    'The line has 17 cells, and the header has 16. A cell with a separator in it must be in quotes.',
  )
})

t.test('quotes that cannot be read refuse the file and name the cell', async (t) => {
  const broken = (cell: string) => refusalOf(() => csv(file([{}, { first_name: cell }, {}])))
  const doubled = 'a quote inside a cell must be doubled, and the whole cell be in quotes.'
  t.same(broken('"Ana'), ['invalid_quotes: Row 3, cell 15: the quote is not closed.'])
  t.same(broken('Ana "A"'), [`invalid_quotes: Row 3, cell 15: ${doubled}`])
  t.same(broken('"Ana" A'), [`invalid_quotes: Row 3, cell 15: ${doubled}`])
  t.match(broken(`"${'x'.repeat(70_000)}"`), [/^too_large: Row 3 has more than 65536 bytes/])
  t.match(fieldsOf(file([{ first_name: '"Ana ""A"""' }])), [
    { recipient: { first_name: 'Ana "A"' } },
  ])
})

t.test('rows are counted as a spreadsheet shows them', async (t) => {
  const bad = { weight_kg: 'x' }
  const [header, good, wrong] = file([{ declared_content: '"two\r\nlines"' }, bad]).split(
    /\r\n(?=order)/,
  )
  const text = `sep=,\r\n${header}\r\n${good}\r\n\r\n\r\n,,,\r\n${wrong}\r\n\r\n`
  t.same(
    csv(text).map(({ line }) => line),
    [2, 6],
  )
  t.same(errorsOf(text), [[6, '/package/weight_kg', 'invalid_type']])
})

t.test('ten thousand lines are read, and one more is refused', async (t) => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    external_reference: `order-${index}`,
  }))
  const request = JSON.stringify(example)
  for (const [lines, first] of [
    [csv(file(rows)), 2],
    [ndjson(`${request}\n`.repeat(10_000)), 1],
  ] as const) {
    t.equal(lines.length, 10_000)
    const odd = lines.findIndex(({ line, errors }, at) => errors.length > 0 || line !== at + first)
    t.equal(odd, -1)
  }
  const tooMany = ['too_many_lines: A batch has at most 10000 lines. Send several.']
  t.same(
    refusalOf(() => csv(file([...rows, {}]))),
    tooMany,
  )
  t.same(
    refusalOf(() => ndjson(`${request}\n`.repeat(10_001))),
    tooMany,
  )
  const blank = `${','.repeat(names.length - 1)}\r\n`
  t.equal(csv(file([{}]) + blank.repeat(20_000)).length, 1, 'with many empty rows')
  t.match(
    refusalOf(() => csv(file([{}]) + blank.repeat(100_000))),
    [/^too_many_rows/],
  )
})

t.test('a caller may stop reading lines early', async (t) => {
  const rows = Array.from({ length: 1_000 }, () => ({}))
  const seen: number[] = []
  const take = ({ line }: { readonly line: number }) => seen.push(line) < 2
  const request = { charset: null, columns: {}, values: {} }
  readCsv(Buffer.from(file(rows)), batchSheet, request, { header: () => true, line: take })
  t.same(seen, [2, 3])
  readNdjson(Buffer.from(`${JSON.stringify(example)}\n`.repeat(9)), batchSheet, take)
  t.same(seen, [2, 3, 1])
})

t.test('no bytes make the reading of lines fail in another way', async () => {
  const start = Buffer.from(file([{}], ';'))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(start.length), (bytes, at) => {
      const body = Buffer.concat([start.subarray(0, at), bytes, start.subarray(at)])
      for (const read of [csv, ndjson]) {
        for (const each of [body, Buffer.from(bytes)]) refusalOf(() => read(each))
      }
    }),
  )
})

t.test('NDJSON has one JSON object a line, read as strictly as a body', async (t) => {
  const given = { ...example, idempotency_key: 'k-1' }
  const lines = [
    mark + JSON.stringify(given),
    '',
    '  \r',
    '{"a":1,"a":2}',
    '{"recipient":{"__proto__":{}}}',
    `{"a":${'['.repeat(16)}${']'.repeat(16)}}`,
    '{"a":',
    '[]',
    'null',
    `"${'x'.repeat(65_536)}"`,
    '{"b":1}\r',
  ].join('\n')
  const read = ndjson(Buffer.concat([Buffer.from(`${lines}\n`), Buffer.from([0x22, 0xff])]))
  t.same(read[0], { line: 1, fields: given, errors: [] })
  t.same(
    read.slice(1).map(({ line, errors: [error] }) => [line, error?.pointer, error?.reason]),
    [
      [4, '/a', 'duplicate_field'],
      [5, '/recipient/__proto__', 'unknown_field'],
      [6, '/a/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0', 'too_deep'],
      [7, '', 'invalid_json'],
      [8, '', 'invalid_type'],
      [9, '', 'invalid_type'],
      [10, '', 'too_large'],
      [11, undefined, undefined],
      [12, '', 'not_utf8'],
    ],
  )
  t.same(read[8]?.fields, { b: 1 })
  t.same(ndjson(''), [])
})
