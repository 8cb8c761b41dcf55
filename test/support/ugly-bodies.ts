import { batchColumns } from '../../src/service/sheets/batch-columns.ts'
import { committedDocument } from './declared-answers.ts'

/** A route with a request body, and the document's example of it. */
export type BodyRoute = {
  readonly method: string
  readonly path: string
  readonly example: Readonly<Record<string, unknown>>
  /** The field with the lines, if the body has lines. */
  readonly lines: 'items' | 'lines' | null
}

export type UglyBody = { readonly what: string; readonly type: string; readonly bytes: Buffer }

const kib = 1024
const mib = 1024 * kib
const bodyBytesMax = 64 * kib
const linesFields = { '/v1/batches': 'items', '/v1/courier-invoices': 'lines' } as const
const json = 'application/json'
const unknownId = '0'.repeat(22)

/** Every route of the committed document with a request body. The ids in its path do not exist. */
export const bodyRoutes: readonly BodyRoute[] = Object.entries(committedDocument.paths).flatMap(
  ([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const described = operation.requestBody?.content[json]
      if (described === undefined) return []
      const path = template
        .replace('{line}', '1')
        .replace('{id}', `${prefixOf(operation)}_${unknownId}`)
      const lines = linesFields[template as keyof typeof linesFields] ?? null
      const example = described.example as BodyRoute['example']
      return [{ method: method.toUpperCase(), path, example, lines }]
    }),
)

function prefixOf({ parameters = [] }: (typeof committedDocument.paths)[string][string]): string {
  const example = parameters.find((parameter) => parameter.in === 'path')?.schema.example
  return String(example).split('_')[0] ?? ''
}

type Ugly = (bytes: number) => string

function repeated(bytes: number, piece: (index: number) => string, separator = ','): string {
  const count = Math.floor(bytes / (piece(99_999).length + separator.length))
  return Array.from({ length: count }, (_, index) => piece(index)).join(separator)
}

const textOf =
  (piece: string): Ugly =>
  (bytes) =>
    `"${piece.repeat(Math.max(0, Math.floor((bytes - 2) / piece.length)))}"`

const objects = {
  'unknown fields': (bytes) => `{${repeated(bytes, (index) => `"${index.toString(36)}":0`)}}`,
  'fields whose pointers are escaped': (bytes) =>
    `{${repeated(bytes, (index) => `"~/${index.toString(36)}":0`)}}`,
  'one field again and again': (bytes) => `{${repeated(bytes, () => '"a":0')}}`,
  prototypes: (bytes) => `{${repeated(bytes, () => '"__proto__":0')}}`,
  'escaped names': (bytes) => `{${repeated(bytes, (index) => `"\\u0061${index.toString(36)}":0`)}}`,
} as const satisfies Record<string, Ugly>

const values = {
  'lists of numbers': (bytes) => `[${repeated(bytes, () => '1')}]`,
  'lists of objects': (bytes) => `[${repeated(bytes, () => '{}')}]`,
  'lists of texts': (bytes) => `[${repeated(bytes, () => '""')}]`,
  'deep lists': (bytes) => `[${repeated(bytes, () => `${'['.repeat(11)}${']'.repeat(11)}`)}]`,
  'objects of fields': objects['unknown fields'],
  'objects of texts': (bytes) =>
    `{${repeated(bytes, (index) => `"${index.toString(36)}":"\\u0000"`)}}`,
  blanks: textOf(' '),
  'control characters': textOf('\\u0000'),
  backslashes: textOf('\\\\'),
  'halves of characters': textOf('\\ud800'),
  accents: textOf('\u0301'),
  digits: (bytes) => '9'.repeat(bytes),
  fractions: (bytes) => `0.${'9'.repeat(bytes - 2)}`,
} as const satisfies Record<string, Ugly>

/** An object with an ugly value in every field of the example. */
function inFields(example: object, value: Ugly): Ugly {
  const names = Object.keys(example)
  return (bytes) => {
    const each = Math.floor((bytes - 200) / names.length) - 30
    return `{${names.map((name) => `${JSON.stringify(name)}:${value(each)}`).join(',')}}`
  }
}

/** Twenty objects, as texts of at most this many bytes. */
function uglyObjects(example: object): Readonly<Record<string, Ugly>> {
  const whole = JSON.stringify(example)
  const within = Object.entries(values).map(([what, value]) => [what, inFields(example, value)])
  return {
    ...objects,
    ...Object.fromEntries(within),
    'white space': (bytes) =>
      whole.replaceAll(
        ':',
        `:${' '.repeat(Math.max(0, Math.floor((bytes - whole.length) / (whole.split(':').length - 1))))}`,
      ),
    'a broken end': (bytes) => `${objects['unknown fields'](bytes - 10)},`,
  }
}

/** The ugliest bodies of a route, as large as it accepts, and larger for lines. */
export function uglyBodies({ example, lines }: BodyRoute): readonly UglyBody[] {
  if (lines === null) {
    return Object.entries(uglyObjects(example)).map(([what, text]) => ({
      what,
      type: json,
      bytes: Buffer.from(text(bodyBytesMax)),
    }))
  }
  const [line = {}] = example[lines] as readonly object[]
  const { [lines]: _, ...rest } = example
  const head = JSON.stringify(rest).slice(0, -1)
  const asJson = (items: readonly string[]) => `${head},"${lines}":[${items.join(',')}]}`
  const ofLines = Object.entries(uglyObjects(line)).flatMap(([what, text]) => [
    { what: `one line of ${what}`, type: json, bytes: Buffer.from(asJson([text(2 * mib - kib)])) },
    {
      what: `31 lines of ${what}`,
      type: json,
      bytes: Buffer.from(asJson(Array.from({ length: 31 }, () => text(64 * kib)))),
    },
    {
      what: `1,000 lines of ${what}`,
      type: json,
      bytes: Buffer.from(asJson(Array.from({ length: 1_000 }, () => text(2_000)))),
    },
  ])
  const sound = Array.from({ length: 1_000 }, (_, index) =>
    JSON.stringify({ ...line, ...(lines === 'items' && { external_reference: `order-${index}` }) }),
  )
  const whole = { what: '1,000 sound lines', type: json, bytes: Buffer.from(asJson(sound)) }
  const csv = lines === 'items' ? batchCsv() : invoiceCsv()
  return [...ofLines, whole, ...(lines === 'items' ? ndjsonOf(line) : []), ...csv]
}

function ndjsonOf(line: object): readonly UglyBody[] {
  const type = 'application/x-ndjson'
  const ugly = Object.entries(uglyObjects(line)).flatMap(([what, text]) => [
    { what: `NDJSON, 127 lines of ${what}`, bytes: 64 * kib, count: 127, text },
    { what: `NDJSON, 10,000 lines of ${what}`, bytes: 830, count: 10_000, text },
  ])
  const sound = Array.from({ length: 10_000 }, (_, index) =>
    JSON.stringify({ ...line, external_reference: `order-${index}` }),
  )
  return [
    ...ugly.map(({ what, bytes, count, text }) => ({
      what,
      type,
      bytes: Buffer.from(`${text(bytes)}\n`.repeat(count)),
    })),
    { what: 'NDJSON, 10,000 sound lines', type, bytes: Buffer.from(sound.join('\n')) },
    { what: 'NDJSON, only line ends', type, bytes: Buffer.alloc(8 * mib, '\n') },
  ]
}

const csvOf = (what: string, text: string, bytesMax: number): UglyBody => ({
  what: `CSV, ${what}`,
  type: 'text/csv',
  bytes: Buffer.from(text).subarray(0, bytesMax),
})

function uglyCsv(header: string, row: string, lines: number, bytesMax: number) {
  const cells = header.split(',').length
  const each = Math.floor(bytesMax / lines) - 40
  const wide = (cell: string) =>
    `${Array(cells)
      .fill(cell.repeat(Math.max(1, Math.floor(each / cells / cell.length))))
      .join(',')}\n`
  const file = (what: string, text: string) => csvOf(what, text, bytesMax)
  return [
    file(
      'sound lines',
      `${header}\n${row}\n${Array.from({ length: lines - 1 }, (_, index) => `${row.replace('order-5001', `o-${index}`)}\n`).join('')}`,
    ),
    file('a header of 30,000 names', `${Array(30_000).fill('a').join(',')}\n`),
    file('a header of 30,000 commas', `${header}${','.repeat(30_000)}\n${row}`),
    file('rows of commas', `${header}\n${`${','.repeat(60_000)}\n`.repeat(140)}`),
    file('rows of quotes', `${header}\n${`${'"",'.repeat(20_000)}\n`.repeat(140)}`),
    file('cells of blanks', `${header}\n${wide(' ').repeat(lines)}`),
    file('cells of letters', `${header}\n${wide('a').repeat(lines)}`),
    file('cells of digits', `${header}\n${wide('9').repeat(lines)}`),
    file('cells of accents', `${header}\n${wide('\u0301').repeat(lines)}`),
    file('cells of apostrophes', `${header}\n${wide("'=").repeat(lines)}`),
    file(
      'long cells',
      `${header}\n${`${'b '.repeat(30_000)}${','.repeat(cells - 1)}\n`.repeat(130)}`,
    ),
    file(
      'long cells at the end',
      `${header}\n${`${','.repeat(cells - 1)}${'b '.repeat(30_000)}\n`.repeat(130)}`,
    ),
    file('quotes that are not closed', `${header}\n"${'"" '.repeat(bytesMax / 3)}`),
    file('only line ends', `${header}\n${'\n'.repeat(bytesMax)}`),
    file('only commas', ','.repeat(bytesMax)),
    file('only quotes', '"'.repeat(bytesMax)),
    file('other bytes', `${header}\n${'\xff'.repeat(bytesMax)}`),
  ]
}

function batchCsv(): readonly UglyBody[] {
  const columns = batchColumns.filter(({ type, pointer, name }) =>
    pointer.endsWith('/agency_id') || pointer.endsWith('/product_id')
      ? type === 'name'
      : name !== 'idempotency_key',
  )
  const cell = ({ example, name }: (typeof columns)[number]) =>
    name === 'quote_id' ? '' : `"${example ?? ''}"`
  const header = columns.map(({ name }) => name).join(',')
  return uglyCsv(header, columns.map(cell).join(','), 10_000, 8 * mib)
}

function invoiceCsv(): readonly UglyBody[] {
  const header = 'guide_number,amount,currency,weight_kg,date,client_reference'
  return uglyCsv(header, 'G1,1450,PEN,0.8,2026-03-01,order-5001', 100_000, 16 * mib)
}
