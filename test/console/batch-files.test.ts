import fc from 'fast-check'
import t from 'tap'
import { sentCsv } from '../../src/console/batches/file/batch-csv.ts'
import { checkLines } from '../../src/console/batches/file/check-lines.ts'
import { decodedText, readCsv, UnreadableFile } from '../../src/console/batches/file/csv-file.ts'
import {
  columnOf,
  guessedMapping,
  leftOut,
  lineColumns,
  missingColumns,
} from '../../src/console/batches/file/line-columns.ts'
import { secondGuides } from '../../src/console/batches/file/second-guides.ts'
import {
  agenciesNamed,
  type NameAnswer,
  namesIn,
  searchOf,
} from '../../src/console/batches/names/name-cells.ts'
import { agencyIndex } from '../../src/service/couriers/agency-index.ts'
import { agencyNames } from '../../src/service/couriers/agency-names.ts'
import { batchLine } from '../../src/service/http/batches/batch-schema.ts'
import { openCsv } from '../../src/service/http/batches/lines/csv-rows.ts'
import { linesOfCsv } from '../../src/service/http/batches/lines/lines-of-csv.ts'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { fieldErrors } from '../../src/service/http/rules/validation.ts'
import { csv, file, mark, names } from '../http/batches/read-lines.ts'

const { workspace_id, courier_connection_id } = exampleShipmentRequest('any')
const forAll = { workspace_id, courier_connection_id }
const known = { workspaceId: workspace_id, answers: new Map() }

/** As the service takes them. */
const linesMax = 10_000

const isBlank = (cell: string) => cell.trim() === ''

/** The rows that the service reads; null if it refuses the file. */
async function servedRows(text: string) {
  try {
    const rows = []
    const expected = { linesMax, charset: 'utf-8' } as const
    const file = await openCsv(Buffer.from(text), expected, async () => {})
    for await (const row of file.rows()) rows.push(row)
    return rows.filter(({ cells }) => !cells.every(isBlank))
  } catch {
    return null
  }
}

function browserRows(text: string) {
  try {
    const { header, lines } = readCsv(text)
    return [header, ...lines]
  } catch (error) {
    if (error instanceof UnreadableFile) return null
    throw error
  }
}

t.test('the browser reads the rows of a file as the service does', async (t) => {
  const pieces = ['a', 'b c', '"', '""', '"x"', '"a,b"', '"\n"', ',', ';', '\t', '\n', '\r', '\r\n']
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((all) => all.join(''))
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const served = await servedRows(text)
      // A file without a line below its header is refused here, and there when it is sent.
      if (served !== null && served.length < 2) return browserRows(text) === null
      return JSON.stringify(browserRows(text)) === JSON.stringify(served)
    }),
    { numRuns: 2_000 },
  )
  t.pass('no counterexample')
})

t.test('a file is decoded as spreadsheets save it', async (t) => {
  t.same(decodedText(Buffer.from(`${mark}Ñ`)), { text: 'Ñ', isGuessed: false })
  t.same(decodedText(Buffer.from(`${mark}Ñ`, 'utf16le')), { text: 'Ñ', isGuessed: false })
  t.same(decodedText(Buffer.from('Ñandú €', 'latin1')), { text: 'Ñandú \u00ac', isGuessed: true })
  t.throws(() => decodedText(Buffer.from('PK\x03\x04')), { message: /is a workbook/ })
  t.throws(() => decodedText(Buffer.from([0xff, 0xfe, 0x00, 0xd8])), { message: /cannot be read/ })
  t.throws(() => decodedText(Buffer.alloc(8 * 1024 * 1024 + 1)), { message: /larger than 8 MB/ })
  t.throws(() => readCsv('sep=|\na|b\n1|2\n'), { message: /^The separator/ })
})

/** Line and column of each error that the service finds when it reads the lines. */
async function refusals(text: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { line, fields, errors } of linesOfCsv(Buffer.from(text))) {
    const whole = { ...forAll, ...fields }
    const parsed = batchLine.safeParse(whole)
    const all =
      parsed.success || fields === null ? errors : fieldErrors(parsed.error.issues, '', whole)
    found.push(...all.map(({ pointer }) => `${line} ${columnOf(pointer)}`))
  }
  return found
}

t.test('the browser finds what the service would refuse, line by line', async (t) => {
  const cases: readonly Readonly<Record<string, string>>[] = [
    {},
    { weight_kg: '0' },
    { weight_kg: '0.8001' },
    { weight_kg: '4.5679E+07' },
    { quantity: '1.5' },
    { quantity: '100' },
    { height_m: '1 m' },
    { length_m: '1001' },
    { payer: 'shop' },
    { service_mode: 'air' },
    { document_type: 'dni' },
    { document: '1234567' },
    { document_type: 'PASSPORT', document: 'A1234567' },
    { document_type: 'RUC', document: '30123456789' },
    { first_name: '' },
    { last_name: 'x'.repeat(101) },
    { declared_content: '"two\nlines"' },
    { origin_agency_id: 'Lima' },
    { service_mode: 'Aéreo', payer: 'destinatario' },
    { document_type: 'Carné de extranjería', document: '12345678' },
    { document_type: 'pasaporte', document: 'A12' },
    { document_type: 'D.N.I.', document: '4567891' },
    { document_type: 'cédula' },
    { external_reference: "'0012" },
  ]
  for (const separator of [',', ';']) {
    const rows = cases.map((cells, at) => ({ external_reference: `order-${at}`, ...cells }))
    const text = file(rows, separator)
    const read = readCsv(text)
    const mapping = guessedMapping(read.header)
    t.same(missingColumns(mapping), [])
    const checked = checkLines(read, mapping, known)
    t.same(
      checked.faults.map(({ line, column }) => `${line} ${column}`),
      await refusals(text),
    )
    const sent = sentCsv(read, checked)
    t.same(await refusals(sent), [], 'of the good lines none is refused')
    const lines: number[] = []
    for await (const { line } of linesOfCsv(Buffer.from(sent))) lines.push(line)
    t.same(
      lines,
      checked.good.map(({ row }) => row),
      'each in its row of the file',
    )
  }
})

/** Cells as people write them, and some that only look like it. */
const written = {
  service_mode: ['terrestre', 'AÉREO', 'a.e.r.e.o', 'air', 'tierra', 'aére o', ''],
  payer: ['Remitente', 'destinatario', 'Sender', 'shop', 'remitentes'],
  document_type: ['dni', 'D.N.I.', 'c.e.', 'Carne de Extranjeria', 'pasaporte', 'RUC', 'DNIS'],
  document: ['45678912', 'A1234567', '20100070970', '001234567', '1'],
  origin_agency: ['', 'Agencia Lima', 'agy_0aB1cD2eF3gH4iJ5kL6mN7', 'pkg_0aB1cD2eF3gH4iJ5kL6mN7'],
  origin_agency_id: ['', 'agy_0aB1cD2eF3gH4iJ5kL6mN7', 'Lima'],
  product: ['', 'Sobre', 'pkg_0aB1cD2eF3gH4iJ5kL6mN7'],
  product_id: ['', 'pkg_0aB1cD2eF3gH4iJ5kL6mN7'],
  weight_kg: ['0.8', '1', 'x'],
}
const idOf = { origin: 'agency_id', destination: 'agency_id', package: 'product_id' } as const

/** Line and pointer of each error, as if every name were known. */
async function servedFaults(text: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { line, fields, errors, names: named = [] } of linesOfCsv(Buffer.from(text))) {
    const whole: Record<string, unknown> = { ...forAll, ...fields }
    for (const { pointer } of named) {
      const group = pointer.split('/')[1] as keyof typeof idOf
      const id = pointer.includes('product') ? 'pkg' : 'agy'
      whole[group] = { ...(whole[group] as object), [idOf[group]]: `${id}_0aB1cD2eF3gH4iJ5kL6mN7` }
    }
    const parsed = batchLine.safeParse(whole)
    const all =
      parsed.success || fields === null ? errors : fieldErrors(parsed.error.issues, '', whole)
    found.push(...all.map(({ pointer }) => `${line} ${pointer}`))
  }
  return found
}

t.test('browser and service agree on lines with names and Spanish words', async () => {
  const headers = Object.keys(written)
  const cells = fc.tuple(...Object.values(written).map((choices) => fc.constantFrom(...choices)))
  const all = [...new Set([...names, ...headers])]
  await fc.assert(
    fc.asyncProperty(fc.array(cells, { minLength: 1, maxLength: 8 }), async (rows) => {
      const own = rows.map((row, at) => ({
        ...Object.fromEntries(headers.map((name, index) => [name, row[index] ?? ''])),
        external_reference: `order-${at}`,
      }))
      const text = file(own, ';', all.slice(names.length))
      const read = readCsv(text)
      const { faults } = checkLines(read, guessedMapping(read.header), known)
      const pointerOf = (column: string | null) =>
        lineColumns.find(({ name }) => name === column)?.pointer ?? ''
      const seen = faults.map(({ line, column }) => `${line} ${pointerOf(column)}`)
      const served = await servedFaults(text)
      // Each may stop at another fault of the same line.
      const rowsOf = (each: readonly string[]) => [...new Set(each.map((one) => one.split(' ')[0]))]
      const agreed = rowsOf(served.filter((one) => seen.includes(one)))
      const expected = JSON.stringify(rowsOf(served))
      return JSON.stringify(rowsOf(seen)) === expected && JSON.stringify(agreed) === expected
    }),
    { numRuns: 300 },
  )
})

t.test('browser and service find the same agencies by a name', async () => {
  const words = ['Ate', 'ate', 'Íca', 'Ica', 'Sur', '1', '-']
  const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  const named = text.map((all) => all.join(' '))
  const agency = fc.record({
    name: named,
    district: fc.constantFrom('Ate', 'Ica', 'Sur'),
    province: fc.constantFrom('Ate', 'Ica 1'),
    department: fc.constantFrom('Ica', 'Sur'),
  })
  const base = { address: 'Uno 1', capabilities: ['pickup' as const] }
  await fc.assert(
    fc.asyncProperty(fc.array(agency, { maxLength: 12 }), named, async (all, wanted) => {
      const agencies = all.map((one, at) => ({ ...one, ...base, id: `agy_${at}`, code: `${at}` }))
      const served = (await agencyNames(agencies))(wanted)
      const found = agenciesNamed(wanted, agencies)
      const name = { key: '', column: 'destination_agency', text: wanted }
      const { items, page } = await agencyIndex(agencies)
      const listed = page({ search: searchOf(name) }, { after: null, limit: items.length }) ?? []
      return (
        JSON.stringify(found) === JSON.stringify(served) &&
        served.every((one) => listed.includes(one))
      )
    }),
    { numRuns: 1_000 },
  )
})

t.test('a name is sent as the id that it stands for, in every line that has it', async (t) => {
  const header = 'origin_agency,destination_agency,product'
  const [own = '', row = ''] = file([{}, {}, {}]).split('\r\n')
  const ids = Object.fromEntries(own.split(',').map((name, at) => [name, at]))
  const without = (reference: string) =>
    row
      .split(',')
      .map((cell, at) => (String(at) === String(ids.external_reference) ? reference : cell))
      .map((cell) => (/^(?:agy|pkg)_/.test(cell) ? '' : cell))
      .join(',')
  const id = (n: number) => `agy_${String(n).padStart(22, '0')}`
  const text = [
    `${header},${own}`,
    `Agencia Centro,AGENCIA SUR,${'pkg_'.padEnd(26, '0')},${without('a')}`,
    `agencia centro,${id(3)},Sobre,${without('b')}`,
    `Agencia Norte,Agencia Sur,Sobre,${without('c')}`,
  ].join('\r\n')
  const read = readCsv(text)
  const mapping = guessedMapping(read.header)
  t.same(
    namesIn(read, mapping).map(({ key }) => key),
    [
      'origin_agency agencia centro',
      'destination_agency agencia sur',
      'product sobre',
      'origin_agency agencia norte',
    ],
  )
  const answers = new Map<string, NameAnswer>([
    ['origin_agency agencia centro', { id: id(1) }],
    ['destination_agency agencia sur', { id: id(2) }],
    ['origin_agency agencia norte', { detail: 'None.', candidates: [] }],
  ])
  const checked = checkLines(read, mapping, { ...known, answers })
  t.match(checked.faults, [{ line: 4, column: 'origin_agency', detail: 'None. Correct the file.' }])
  const sent = await csv(sentCsv(read, checked))
  t.match(sent[0]?.fields, { origin: { agency_id: id(1) }, destination: { agency_id: id(2) } })
  t.match(sent[1]?.fields, { origin: { agency_id: id(1) }, destination: { agency_id: id(3) } })
  t.match(sent[1]?.names, [{ name: 'product', text: 'Sobre' }], 'the service looks it up')
})

t.test('browser and service find the same columns in a header', async (t) => {
  const words = lineColumns.flatMap(({ name, otherNames = [] }) => [name, ...otherNames])
  for (const word of words) {
    for (const written of [
      word,
      word.toUpperCase(),
      `N° de ${word}`,
      word.replaceAll('_', ' de '),
    ]) {
      const mapping = guessedMapping({ row: 1, cells: [written] })
      const [found] = Object.entries(mapping).filter(([, { from }]) => from !== null)
      const text = `${written}\n1\n`
      const refused = await csv(text).catch((error) => error.options.errors)
      const isKnown = !refused.some(({ reason }: { reason: string }) => reason === 'unknown_column')
      t.equal(found !== undefined, isKnown, written)
    }
  }
})

t.test('columns are found by the names that people use, and others are named', async (t) => {
  const { header } = readCsv('DNI;Nombres;Peso (kg);Peso (g);Notas;metadata.canal\n1;2;3;4;5;6\n')
  const mapping = guessedMapping(header)
  const found = names.filter((name) => mapping[name]?.from !== null)
  t.same(found, ['weight_kg', 'document', 'first_name'])
  t.equal(mapping.weight_kg?.from, 2)
  t.same(leftOut(header, mapping), ['Peso (g)', 'Notas'])
  t.equal(missingColumns(mapping).length, names.length - found.length)
})

t.test('columns are found by Spanish names with articles and abbreviations', async (t) => {
  const named = {
    external_reference: 'N° Pedido',
    origin_agency: 'Agencia de origen',
    destination_agency: 'Agencia de destino',
    product: 'Tipo de paquete',
    payer: 'Quién paga',
    document_type: 'Tipo doc.',
    document: 'Nro. de documento',
  }
  const { header } = readCsv(`${Object.values(named).join(';')}\n1;2;3;4;5;6;7\n`)
  const mapping = guessedMapping(header)
  t.same(
    Object.keys(named).map((name) => mapping[name]?.from),
    [0, 1, 2, 3, 4, 5, 6],
  )
})

t.test('a line of another workspace, or twice the same order, is not sent', async (t) => {
  const header = `${names.join(',')},workspace_id`
  const [, line = ''] = file([{}]).split('\r\n')
  const read = readCsv(
    [header, `${line},${workspace_id}`, `${line},`, `${line},ws_other`].join('\n'),
  )
  const { good, faults } = checkLines(read, guessedMapping(read.header), known)
  t.same(
    good.map(({ row }) => row),
    [2],
  )
  t.match(faults, [
    { line: 3, column: 'external_reference', detail: /^Line 2 has the same reference/ },
    { line: 4, column: 'workspace_id', detail: 'It is another workspace.' },
  ])
})

t.test('an order that would get a second guide under the same reference is named', async (t) => {
  const derived = (n: number) => `batch-${String(n).padStart(43, '0')}`
  const sent = (reference: string, key = derived(1)) => ({ reference, key, shipmentId: 'shp_1' })
  const line = (reference: string, key = '', at = 2) => ({ line: at, reference, key })
  const lost = (lines: Parameters<typeof secondGuides>[0], ...before: ReturnType<typeof sent>[]) =>
    secondGuides(lines, before).map(({ order }) => order.line)

  t.same(lost([line('00123')], sent('00123')), [], 'the same line')
  t.same(lost([line('124')], sent('00123')), [], 'another order')
  for (const reference of ['123', ' 00123', '00\u200b123']) {
    t.same(lost([line(reference)], sent('00123')), [2], JSON.stringify(reference))
  }
  t.same(lost([line('pen\u0303a')], sent('Peña')), [2], 'as a Mac writes it')
  t.same(lost([line('0')], sent('00')), [2])
  t.same(lost([line('7', 'own-7')], sent('7')), [2], 'it got a key')
  t.same(lost([line('7')], sent('7', 'own-7')), [2], 'it lost its key')
  t.same(lost([line('7', 'own-7')], sent('7', 'own-7')), [], 'the same key')
  t.same(lost([line('7'), line('7', 'second', 3)], sent('7')), [], 'a second parcel')
  t.same(lost([line('7', 'a'), line('7', 'b', 3)], sent('7')), [2, 3], 'a key for each line')
  t.same(lost([line('7'), line('07', '', 3)], sent('7')), [], 'another order beside it')
})
