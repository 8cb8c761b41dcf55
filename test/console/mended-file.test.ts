import t from 'tap'
import { mendedFile, rowsWith } from '../../src/console/sheets/mended-file.ts'
import type { SheetCheck, SheetError } from '../../src/console/sheets/use-sheet-check.ts'
import { readSheet, type SheetLine } from '../../src/service/sheets/read-sheet.ts'

const header = ['Pedido', 'Peso (kg)', 'Contenido', 'Contenido']
const columns = header.map((name) => ({ header: name, field: null, unit: null }))

function errorAt(line: number, column: string, value: string): SheetError {
  const named = { external_reference: null, guide_number: null, suggestions: [] }
  return { line, column, pointer: '', value, reason: '', detail: '', ...named }
}

function fileOf(content: string | Uint8Array<ArrayBuffer>) {
  return { id: 'f', version: 1, name: 'orders.csv', content }
}

type Written = NonNullable<SheetCheck['file']>

async function mended(
  content: string | Uint8Array<ArrayBuffer>,
  file: Written,
  error: SheetError,
  text: string,
) {
  return await mendedFile(fileOf(content), { file, columns }, { error, text })
}

t.test('one cell is corrected, and every other one stays as it was', async (t) => {
  const rows = ['a;900;"x; ""y""";libros', '', '"b\nc";1,5;p;q']
  const text = ['sep=;', header.join(';'), ...rows].join('\r\n')
  const file = { charset: 'utf-8', separator: ';' } as const
  const heavy = await mended(text, file, errorAt(2, 'Peso (kg)', '900'), '0,9')
  const expected = ['sep=;', header.join(';'), '"a";"0,9";"x; ""y""";libros'.replaceAll('"a"', 'a')]
  t.equal(heavy?.content, [...expected, '', '"b\nc";"1,5";p;q', ''].join('\r\n'))
  t.match(heavy, { id: 'f', version: 2, name: 'orders.csv' })
  const last = await mended(text, file, errorAt(4, 'Contenido', 'q'), 'r;s')
  t.match(last?.content, /"b\nc";"1,5";p;"r;s"\r\n$/, 'the second column of this name')
  t.equal(await mended(text, file, errorAt(9, 'Pedido', 'x'), 'y'), null, 'no such row')
  t.equal(await mended(text, file, errorAt(2, 'Ancho', 'x'), 'y'), null, 'no such column')
})

t.test('a file in another charset is corrected as text', async (t) => {
  const windows = Uint8Array.from(Buffer.from('Pedido,Peso (kg)\nI\xf1\xe9s,1\n', 'latin1'))
  const inWindows = { charset: 'windows-1252', separator: ',' } as const
  const spanish = await mended(windows, inWindows, errorAt(2, 'Peso (kg)', '1'), '2')
  t.equal(spanish?.content, 'Pedido,Peso (kg)\r\nIñés,2\r\n')
  const utf16 = Uint8Array.from(Buffer.from('\ufeffPedido\tPeso (kg)\nñ\t1\n', 'utf16le'))
  const inUtf16 = { charset: 'utf-16le', separator: '\t' } as const
  const wide = await mended(utf16, inUtf16, errorAt(2, 'Peso (kg)', '1'), '2')
  t.equal(wide?.content, 'Pedido\tPeso (kg)\r\nñ\t2\r\n')
})

t.test('the service reads the corrected file as it read the first one', async (t) => {
  const text = 'sep=;\r\nPedido;Peso (kg);Contenido\r\n\r\na;900;"x\ny"\r\nb;1,5;"say ""hi"""\r\n'
  const read = (content: string) => {
    const lines: SheetLine<unknown>[] = []
    const format = { type: 'csv', charset: null, columns: {}, values: {} } as const
    const request = { kind: 'batch', format, forAll: {}, errorsMax: 0, isCheck: true } as const
    const { header: found } = readSheet(Buffer.from(content), request, (line) => lines.push(line))
    return { lines: lines.map(({ line, cells }) => [line, ...(cells ?? [])]), found }
  }
  const before = read(text)
  const file = before.found?.written
  if (file === undefined) throw new Error('the file has no header')
  t.same(file, { charset: 'utf-8', separator: ';' })
  const shown = before.found?.shown ?? []
  const error = errorAt(3, 'Peso (kg)', '900')
  const fixed = await mendedFile(
    fileOf(text),
    { file, columns: [...shown] },
    { error, text: '0,9' },
  )
  const after = read(String(fixed?.content))
  t.same(before.lines, [
    [3, 'a', '900', 'x\ny'],
    [4, 'b', '1,5', 'say "hi"'],
  ])
  t.same(after.lines, [
    [3, 'a', '0,9', 'x\ny'],
    [4, 'b', '1,5', 'say "hi"'],
  ])
})

t.test('the rows with errors are saved whole, with what is wrong', async (t) => {
  const content = ['sep=;', header.join(';'), 'a;900;x;"y;z"', 'b;1;p;q', 'c;x;p'].join('\r\n')
  const check = { file: { charset: 'utf-8', separator: ';' } as const }
  const texts = new Map([
    [2, 'At most 20 kg.'],
    [4, 'Not a number; too short.'],
  ])
  t.equal(
    await rowsWith(fileOf(content), check, { name: 'What is wrong', texts }),
    [
      `${header.join(';')};What is wrong`,
      'a;900;x;"y;z";At most 20 kg.',
      'c;x;p;"Not a number; too short."',
      '',
    ].join('\r\n'),
  )
})
