import t from 'tap'
import { errorTable } from '../../src/service/errors.ts'
import { lineTexts } from '../../src/service/http/batches/line-texts.ts'
import { claimTexts } from '../../src/service/http/courier-invoices/claim-texts.ts'
import { invoiceReadmeTexts } from '../../src/service/http/courier-invoices/invoice-readme.ts'
import { spanishTitles } from '../../src/service/http/problems/spanish-titles.ts'
import { pageTexts } from '../../src/service/http/recipient-page/page-texts.ts'
import { readmePages } from '../../src/service/ledger/evidence/readme.ts'
import { checkTexts } from '../../src/service/ledger/evidence/report/check-texts.ts'
import { eventLabels } from '../../src/service/ledger/evidence/report/event-labels.ts'
import { orderTexts } from '../../src/service/ledger/evidence/report/order-texts.ts'
import { summaryTexts } from '../../src/service/ledger/evidence/report/summary-texts.ts'
import { tableTexts } from '../../src/service/ledger/evidence/report/table-texts.ts'
import { fileNames } from '../../src/service/processes/documents/document-name.ts'
import { exclusionTexts } from '../../src/service/processes/documents/exclusion-reason.ts'
import { printable } from '../../src/service/processes/documents/print/font.ts'
import { printTexts } from '../../src/service/processes/documents/print/print-texts.ts'

const titles = Object.fromEntries(
  Object.entries(errorTable).map(([reason, { title }]) => [reason, title]),
)
/** The texts of all documents. Those of events are compared where events are described. */
const tables: Readonly<Record<string, { readonly en: unknown; readonly es: unknown }>> = {
  checkTexts,
  claimTexts,
  eventLabels,
  exclusionTexts,
  fileNames,
  invoiceReadmeTexts,
  lineTexts,
  orderTexts,
  pageTexts,
  printTexts,
  readmePages,
  summaryTexts,
  tableTexts,
  titles: { en: titles, es: spanishTitles },
}
/** These are the same word in both languages. */
const alike: readonly string[] = ['claimTexts.total', 'tableTexts.exchanges.sent.no']

/** The texts below this value, by path: strings, and the code of functions that fill them. */
function textsOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value)]]
  return Object.entries(value ?? {}).flatMap(([name, part]) => textsOf(part, `${path}.${name}`))
}

const english = new Map(Object.entries(tables).flatMap(([name, { en }]) => textsOf(en, name)))
const spanish = new Map(Object.entries(tables).flatMap(([name, { es }]) => textsOf(es, name)))

t.test('every text of a document is in both languages, and no other than in English', async (t) => {
  t.ok(english.size > 250, `${english.size} texts`)
  t.strictSame([...spanish.keys()].sort(), [...english.keys()].sort())
  const same = [...spanish].filter(([path, text]) => english.get(path) === text)
  t.strictSame(
    same.map(([path]) => path).sort(),
    alike,
    'texts that are the same in both languages',
  )
})

t.test('the font has every letter of the Spanish texts', async (t) => {
  for (const [path, text] of spanish) t.equal(printable(text), text.normalize('NFC'), path)
  for (const letter of 'áéíóúñüÁÉÍÓÚÑÜ¿¡“”') t.equal(printable(letter), letter)
})

t.test('no English word is left in a Spanish text', async (t) => {
  const left = /\b(the|and|is|was|not|with|of|for|guide|shipment|order|courier's)\b/
  for (const [path, text] of spanish) {
    if (text.includes('=>')) continue
    t.notMatch(text, left, path)
  }
})
