import t from 'tap'
import { languages } from '../../../src/service/domain/language.ts'
import { reasons } from '../../../src/service/errors.ts'
import { lineTexts } from '../../../src/service/http/batches/line-texts.ts'
import { exclusionTexts } from '../../../src/service/processes/documents/exclusion-reason.ts'
import { printCover } from '../../../src/service/processes/documents/print/print-cover.ts'
import { plain } from '../../support/label-style.ts'
import { readPdf } from '../../support/read-pdf.ts'

for (const language of languages) {
  t.test(`the narrowest cover has room for every reason in ${language}`, async (t) => {
    const { byStatus, labels } = exclusionTexts[language]
    const { refusedAs, waiting, creating, notBegun, refused } = lineTexts[language]
    const texts = [
      ...Object.values(byStatus).flatMap((why) => why ?? []),
      ...Object.values(labels),
      ...reasons.map(refusedAs),
      waiting,
      creating,
      notBegun,
      refused,
    ]
    const excluded = texts.map((why, index) => ({ shipmentId: '', reference: `R-${index}`, why }))
    const style = { ...plain, size: '80mm', language } as const
    const pages = readPdf(await printCover({ excluded, requested: texts.length }, style))
    const printed = pages.map(({ text }) => text).join(' ')
    for (const why of texts) t.ok(printed.includes(why), why)
  })
}
