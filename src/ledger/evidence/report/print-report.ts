import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pdfmake from 'pdfmake'
import { documentOf, tableLayouts } from './layout.ts'
import type { Report } from './report.ts'

const fonts = join(dirname(fileURLToPath(import.meta.resolve('pdfmake'))), '../fonts/Roboto')
pdfmake.setFonts({
  Roboto: {
    normal: join(fonts, 'Roboto-Regular.ttf'),
    bold: join(fonts, 'Roboto-Medium.ttf'),
    italics: join(fonts, 'Roboto-Italic.ttf'),
    bolditalics: join(fonts, 'Roboto-MediumItalic.ttf'),
  },
})
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path.startsWith(fonts))
pdfmake.setTableLayouts(tableLayouts)

/** The report as a PDF. Can use several seconds of CPU time: run it in the thread. */
export async function printReport(report: Report): Promise<Buffer> {
  return await pdfmake.createPdf(documentOf(report)).getBuffer()
}
