import pdfmake from 'pdfmake'
import type { Report } from '../report.ts'
import { roboto } from './font.ts'
import { documentOf, tableLayouts } from './report-layout.ts'

const { folder, ...files } = roboto
pdfmake.setFonts({ Roboto: files })
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path.startsWith(folder))
pdfmake.setTableLayouts(tableLayouts)

export async function drawReport(report: Report): Promise<Uint8Array> {
  return await pdfmake.createPdf(documentOf(report)).getBuffer()
}
