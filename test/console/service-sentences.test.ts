import { readFile } from 'node:fs/promises'
import { i18n } from '@lingui/core'
import t from 'tap'
import { sentenceWords } from '../../src/console/forms/service-sentences.ts'
import { errorSentence } from '../../src/console/sheets/use-sheet-check.ts'
import { batchSheet } from '../../src/service/sheets/batch-columns.ts'
import { invoiceSheet } from '../../src/service/sheets/invoice-columns.ts'
import { type Bodies, readSheet } from '../../src/service/sheets/read-sheet.ts'
import type { Sheet } from '../../src/service/sheets/sheet-columns.ts'

const es = JSON.parse(
  await readFile(new URL('../../src/console/languages/es.json', import.meta.url), 'utf8'),
)
i18n.load({ en: {}, es })

/** What people and spreadsheets write into cells that cannot be read. */
const wrongCells = [
  ...['', 'x', '-1', '0', '1,5,2', '1,234', '0.12345', '100000000', '4.5679E+07', '#N/A'],
  ...['x'.repeat(600), 'a\u0007b', '"a\nb"', '\u200b', 'EUR 5', '12-03-2026', 'Ñandú'],
]

function sentencesAbout(kind: keyof Bodies, { columns }: Sheet): readonly string[] {
  const named = columns.filter(({ type, example }) => type !== 'name' && example !== null)
  const sentences: string[] = []
  for (const wrong of wrongCells) {
    for (const { name: of } of named) {
      const cells = named.map(({ name, example }) => (name === of ? wrong : String(example)))
      const file = `${named.map(({ name }) => name).join(';')}\r\n${cells.join(';')}\r\n`
      const csv = { type: 'csv', charset: null, columns: {}, values: {} } as const
      const request = { kind, format: csv, forAll: {}, errorsMax: 0, isCheck: true } as const
      readSheet(Buffer.from(file), request, ({ errors = [] }) => {
        sentences.push(...errors.map(errorSentence))
      })
    }
  }
  return [...new Set(sentences)]
}

t.test('what the service says about a cell is known here, and in Spanish', async (t) => {
  const said = [...sentencesAbout('batch', batchSheet), ...sentencesAbout('invoice', invoiceSheet)]
  t.ok(said.length > 30, `${said.length} sentences`)
  i18n.activate('en')
  t.same(
    said.filter((sentence) => sentenceWords(sentence) !== sentence),
    [],
    'known',
  )
  i18n.activate('es')
  t.same(
    said.filter((sentence) => sentenceWords(sentence) === sentence),
    [],
    'in Spanish',
  )
})
