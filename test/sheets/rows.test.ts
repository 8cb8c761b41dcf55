import fc from 'fast-check'
import t from 'tap'
import { Problem } from '../../src/service/errors.ts'
import { type CsvRow, openCsv } from '../../src/service/sheets/csv-rows.ts'
import { readSheet, type SheetRequest } from '../../src/service/sheets/read-sheet.ts'

/** The rows of a file, or the reason why it is refused. */
function rowsOf(text: string | Buffer) {
  const rows: CsvRow[] = []
  try {
    const file = openCsv(Buffer.from(text as string), { linesMax: 10_000, charset: null })
    file.forEachRow((row) => rows.push(row) > 0)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.options.errors?.[0]?.reason
  }
  return rows.map(({ cells }) => cells)
}

const invalid = 'invalid_quotes'

/** What parsers of CSV are tested with, and what comes of it here. */
const cases: readonly (readonly [what: string, text: string, rows: unknown])[] = [
  ['one row', 'A,b,c', [['A', 'b', 'c']]],
  ['spaces around a cell are kept', 'a,  b  ,c', [['a', '  b  ', 'c']]],
  ['a quoted cell', 'A,"B",C', [['A', 'B', 'C']]],
  ['spaces in quotes', 'A," B  ",C', [['A', ' B  ', 'C']]],
  ['a separator in quotes', 'A,"B,B",C', [['A', 'B,B', 'C']]],
  ['a line break in quotes', 'A,"B\nB",C', [['A', 'B\nB', 'C']]],
  ['CRLF in quotes', 'A,"B\r\nB",C', [['A', 'B\r\nB', 'C']]],
  ['CR in quotes', 'A,"B\rB",C', [['A', 'B\rB', 'C']]],
  [
    'quoted cells with breaks at the end of rows',
    'a,"b,c\n",d\ne,"f\n\ng"\n',
    [
      ['a', 'b,c\n', 'd'],
      ['e', 'f\n\ng'],
    ],
  ],
  ['doubled quotes', 'A,"B""B""B",C', [['A', 'B"B"B', 'C']]],
  ['doubled quotes at both ends', 'A,"""B""",C', [['A', '"B"', 'C']]],
  ['only doubled quotes', 'A,"""",C', [['A', '"', 'C']]],
  ['quotes around a separator', 'A,""",""",C', [['A', '","', 'C']]],
  ['a quote to the right of a separator', 'A,",""",C', [['A', ',"', 'C']]],
  ['a quote to the left of a separator', 'A,""",",C', [['A', '",', 'C']]],
  ['five quotes in a row', '"1","n="""",c=""""","2"', [['1', 'n="",c=""', '2']]],
  ['a quote at the end of a cell without quotes', 'A,B",C', invalid],
  ['spaces before a quote', 'A, "B" ,C', invalid],
  ['spaces after a quote', 'A,"B" ,C', invalid],
  ['a quote in the middle', 'A,B "B",C', invalid],
  ['a quote that is not closed', 'a,"b,c\nd,e,f', invalid],
  ['a letter after a closing quote', '"a"b,c', invalid],
  ['a quote after a doubled one', 'a,"b""c"d"\n', invalid],
  ['an empty cell at the start of a line', ',b\n', [['', 'b']]],
  ['an empty cell at the end of a line', 'a,\n', [['a', '']]],
  [
    'empty quotes at the end of the file',
    'a,b\nc,""',
    [
      ['a', 'b'],
      ['c', ''],
    ],
  ],
  [
    'a quoted end before an empty start',
    'a,"b"\n,c',
    [
      ['a', 'b'],
      ['', 'c'],
    ],
  ],
  [
    'empty cells in a row',
    'a,,,b\n,,c,',
    [
      ['a', '', '', 'b'],
      ['', '', 'c', ''],
    ],
  ],
  ['a line with quotes only is no empty line', '""\na', [[''], ['a']]],
  ['nothing', '', []],
  ['only a separator', ',', [['', '']]],
  ['only a word', 'Abc', [['Abc']]],
  [
    'a line that begins with # is no comment',
    '#a,b\nc,d',
    [
      ['#a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'rows that end with CR',
    'A,b\rd,E',
    [
      ['A', 'b'],
      ['d', 'E'],
    ],
  ],
  [
    'rows that end with CRLF',
    'A,b\r\nd,E',
    [
      ['A', 'b'],
      ['d', 'E'],
    ],
  ],
  [
    'mixed ends',
    'a,b\nc,d\re,f\r\ng,h',
    [
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'f'],
      ['g', 'h'],
    ],
  ],
  [
    'CR in the quotes of a header, LF elsewhere',
    '"a\rb",c\nd,e',
    [
      ['a\rb', 'c'],
      ['d', 'e'],
    ],
  ],
  [
    'empty lines everywhere',
    '\n\na,b\n\n\nc,d\n\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a line of spaces', 'a,b\n  \nc,d', [['a', 'b'], ['  '], ['c', 'd']]],
  ['too few and too many cells', 'a,b\nc\nd,e,f', [['a', 'b'], ['c'], ['d', 'e', 'f']]],
  ['one column', 'a\nb\n\nc', [['a'], ['b'], ['c']]],
  [
    'tabs',
    'a\tb\nc\td,e',
    [
      ['a', 'b'],
      ['c', 'd,e'],
    ],
  ],
  [
    'semicolons with decimal commas',
    'a;b\n1,5;2,5',
    [
      ['a', 'b'],
      ['1,5', '2,5'],
    ],
  ],
  [
    'separators in quotes are not counted',
    '"a,b,c,d";e\nf;g',
    [
      ['a,b,c,d', 'e'],
      ['f', 'g'],
    ],
  ],
  ['a pipe is no separator', 'a|b\nc|d', [['a|b'], ['c|d']]],
  ['a declared separator', 'sep=;\na,b;c', [['a,b', 'c']]],
  ['a quoted declaration', '"sep=\t"\r\na,b\tc', [['a,b', 'c']]],
  [
    'names of objects',
    '__proto__,constructor\n1,2',
    [
      ['__proto__', 'constructor'],
      ['1', '2'],
    ],
  ],
  [
    'letters of more than one unit',
    '😀,ñ\n"é","\u{1f1f5}"',
    [
      ['😀', 'ñ'],
      ['é', '\u{1f1f5}'],
    ],
  ],
]

t.test('rows are read as tests of other parsers expect, or refused', async (t) => {
  for (const [what, text, rows] of cases) {
    t.strictSame(rowsOf(text), rows, what)
    if (text === '') continue
    t.strictSame(rowsOf(`\ufeff${text}`), rows, `${what}, with a byte-order mark`)
    const unicode = Buffer.from(`\ufeff${text}`, 'utf16le')
    t.strictSame(rowsOf(unicode), rows, `${what}, in UTF-16`)
    t.strictSame(
      rowsOf(Buffer.from(unicode).swap16()),
      rows,
      `${what}, in UTF-16 of the other order`,
    )
  }
})

t.test('a row keeps the number that a spreadsheet shows', async (t) => {
  const rows: number[] = []
  const text = 'a,b\n\n"c\n\nd",e\r\n\r\nf,g'
  const file = openCsv(Buffer.from(text), { linesMax: 10, charset: null })
  file.forEachRow(({ row }) => rows.push(row) > 0)
  t.same(rows, [1, 3, 5])
})

const pieces = [
  'Peso (g)',
  'guide_number',
  'amount',
  'external_reference',
  'metadata.a',
  'sep=;',
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '\ufeff',
  '\u0000',
  '\ud800',
  '#N/A',
  '1,234.5',
  '1.5E+10',
  "'=1+1",
  'S/ 12,50',
  '{"external_reference":1}',
  '__proto__',
]
const texts = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const bodies = fc.oneof(
  texts.map((text) => Buffer.from(text)),
  texts.map((text) => Buffer.from(text, 'utf16le')),
  texts.map((text) => Buffer.from(text, 'latin1')),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
)
const words = fc.dictionary(fc.constantFrom(...pieces), fc.constantFrom(...pieces), { maxKeys: 3 })
const requests = fc.record({
  kind: fc.constantFrom('batch' as const, 'invoice' as const),
  type: fc.constantFrom('csv' as const, 'ndjson' as const),
  charset: fc.constantFrom(null, 'utf-8' as const, 'utf-16le' as const, 'windows-1252' as const),
  columns: words,
  values: words,
  isCheck: fc.boolean(),
})

t.test('no file makes the reader fail in another way than by a refusal', async () => {
  fc.assert(
    fc.property(bodies, requests, (body, { kind, type, charset, columns, values, isCheck }) => {
      const format = type === 'csv' ? { type, charset, columns, values } : { type }
      const request: SheetRequest = { kind, format, forAll: {}, errorsMax: 0, isCheck }
      let last = 0
      try {
        const { lines } = readSheet(body, request, ({ line, body: read, errors = [] }) => {
          if (line <= last) throw new Error('lines are not in order')
          if (read !== null && errors.length > 0) throw new Error('a good line has errors')
          last = line
        })
        return lines >= 0
      } catch (error) {
        if (error instanceof Problem) return true
        throw error
      }
    }),
    { numRuns: 2_000 },
  )
})
