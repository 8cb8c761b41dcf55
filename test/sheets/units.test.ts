import t from 'tap'
import { invoiceSheet } from '../../src/service/sheets/invoice-columns.ts'
import { csv, fieldsOf, file, names, refusalOf } from './read-lines.ts'

/** The weight and height of a line whose headers are these. */
function measured(
  headers: Readonly<Record<string, string>>,
  cells: Readonly<Record<string, string>>,
) {
  const [header = '', ...rows] = file([cells], ';').split('\r\n')
  const renamed = header.split(';').map((name) => headers[name] ?? name)
  const [line] = fieldsOf([renamed.join(';'), ...rows].join('\r\n'))
  return [line.package.weight_kg, line.package.height_m]
}

t.test('a measure is converted by the unit of its header, without rounding', async (t) => {
  const cases: readonly (readonly [string, string, number])[] = [
    ['Peso (kg)', '0,85', 0.85],
    ['Peso (g)', '850', 0.85],
    ['Peso (g)', '1', 0.001],
    ['peso_gramos', '1234,5', 1.2345],
    ['Peso en kilos', '2', 2],
    ['Weight (grams)', '333', 0.333],
    ['WEIGHT_KG', '1', 1],
  ]
  for (const [header, cell, kilograms] of cases) {
    t.equal(
      measured(
        { weight_kg: header },
        { weight_kg: cell, height_m: '1', length_m: '1', width_m: '1' },
      )[0],
      kilograms,
      header,
    )
  }
  const sizes: readonly (readonly [string, string, number])[] = [
    ['Alto (cm)', '12,5', 0.125],
    ['Altura [mm]', '7', 0.007],
    ['height in cm', '110', 1.1],
    ['alto_m', '0,3', 0.3],
  ]
  for (const [header, cell, meters] of sizes) {
    t.equal(
      measured(
        { height_m: header },
        { height_m: cell, weight_kg: '1', length_m: '1', width_m: '1' },
      )[1],
      meters,
      header,
    )
  }
})

t.test('a measure without a unit, or with one that is not known, is not guessed', async (t) => {
  const refused = (header: string) =>
    refusalOf(() => csv(`${names.join(',').replace('weight_kg', header)}\r\n`))[0]
  t.match(refused('Peso'), /^unit_missing: .*`Peso \(kg\)` or `Peso \(g\)`/)
  t.match(refused('alto'), /^unit_missing: .*`alto \(m\)` or `alto \(cm\)` or `alto \(mm\)`/)
  t.match(refused('Peso (lb)'), /^unknown_column: There is no column `Peso \(lb\)`/)
})

/** The amount and currency that a cell means, or the reason why it is refused. */
function billed(header: string, cell: string, separator = ';') {
  const text = [`guide_number${separator}${header}`, `G1${separator}"${cell}"`].join('\r\n')
  const [line] = csv(text, {}, invoiceSheet)
  const { amount, currency } = { ...line?.fields }
  return line?.errors[0]?.reason ?? `${currency} ${amount}`
}

t.test(
  'money is decimal, with the currency of its header, unless it has minor units',
  async (t) => {
    const soles: readonly (readonly [string, string])[] = [
      ['29,50', 'PEN 2950'],
      ['29.5', 'PEN 2950'],
      ['29', 'PEN 2900'],
      ['0,07', 'PEN 7'],
      ['1.234,50', 'PEN 123450'],
      ['1,234.50', 'PEN 123450'],
      ['1.234.567,5', 'PEN 123456750'],
      ['1 234,50', 'PEN 123450'],
      ['S/ 29,50', 'PEN 2950'],
      ['S/.29.50', 'PEN 2950'],
      ['PEN 29.50', 'PEN 2950'],
      ['29.50 PEN', 'PEN 2950'],
      ['-3', 'PEN -300'],
      ['1.234', 'thousands_separator'],
      ['1,234', 'thousands_separator'],
      ['29,505', 'thousands_separator'],
      ['0,005', 'too_many_decimals'],
      ['US$ 3', 'currency_mismatch'],
      ['29,5o', 'invalid_type'],
      ['2.95E+01', 'spreadsheet_error'],
      ['#N/A', 'spreadsheet_error'],
    ]
    for (const header of ['Importe (S/)', 'Monto S/.', 'amount_pen', 'Total (soles)']) {
      for (const [cell, expected] of soles) {
        for (const separator of [';', ','])
          t.equal(billed(header, cell, separator), expected, `${header} ${cell}`)
      }
    }
    t.equal(billed('Importe (US$)', '3,5'), 'USD 350')
    t.equal(billed('Amount (JPY)', '350'), 'JPY 350', 'a currency without minor units')
    t.equal(billed('Amount (KWD)', '0,5'), 'KWD 500', 'and one with a thousand')
  },
)

t.test('amounts with tens of thousands of spaces are refused', (t) => {
  // They take minutes if a pattern tries every way to share out the spaces.
  const cell = `1${' '.repeat(60_000)}x`
  const rows = Array.from({ length: 20 }, (_, at) => `G${at};${cell}\r\n`)
  const lines = csv(`guide_number;Importe (S/)\r\n${rows.join('')}`, {}, invoiceSheet)
  t.same(new Set(lines.map(({ errors: [error] }) => error?.reason)), new Set(['invalid_type']))
  t.equal(lines.length, rows.length)
  t.end()
})

t.test('minor units have no mark, and a line may name its currency', async (t) => {
  const read = (header: string, cells: string) => {
    const [line] = csv(`guide_number;${header};currency\r\nG1;${cells}`, {}, invoiceSheet)
    return line?.errors[0]?.reason ?? line?.fields?.amount
  }
  for (const header of [
    'amount_minor',
    'Importe (céntimos)',
    'Amount (minor units)',
    'amount_cents',
  ]) {
    t.equal(read(header, '1450;PEN'), 1_450, header)
    t.equal(read(header, '14,50;PEN'), 'invalid_type', header)
  }
  t.equal(read('amount', '14,50;USD'), 1_450)
  t.equal(read('Importe (S/)', '14,50;USD'), 'currency_mismatch')
  t.equal(read('amount', 'S/ 14,50;'), 1_450)
})

t.test('a day is written with the year first, or with the day first', async (t) => {
  const read = (cell: string) => {
    const [line] = csv(`guide_number;amount_pen;fecha\r\nG1;1;${cell}\r\n`, {}, invoiceSheet)
    return line?.errors[0]?.reason ?? line?.fields?.date
  }
  for (const cell of ['2026-03-01', '01/03/2026', '1/3/2026', '1.3.2026', '01-03-2026 0:00:00'])
    t.equal(read(cell), '2026-03-01', cell)
  for (const cell of ['03/27/2026', '1/3/26', '1/3-2026', 'March 1']) {
    t.equal(read(cell), 'invalid_format', cell)
  }
})
