import pdfmake from 'pdfmake'
import { roboto } from '../../../processes/papers/print/font.ts'
import { documentOf, tableLayouts } from './layout.ts'
import type { Report } from './report.ts'

const { folder, ...files } = roboto
pdfmake.setFonts({ Roboto: files })
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path.startsWith(folder))
pdfmake.setTableLayouts(tableLayouts)

/** The report as a PDF. Can use several seconds of CPU time: run it in the thread. */
export async function printReport(report: Report): Promise<Buffer> {
  return await pdfmake.createPdf(documentOf(report)).getBuffer()
}
