import { keepCompiled } from '../../compile-cache.ts'
import { drawManifest } from './print/draw-manifest.ts'
import { LabelFile, TooManyPages } from './print/label-file.ts'
import { LabelImages } from './print/label-images.ts'
import { printCover } from './print/print-cover.ts'
import { DrawingFailed } from './print/rasterise.ts'
import type {
  LabelStyle,
  LabelToAdd,
  PrintAnswer,
  PrintedMedia,
  PrintJob,
  PrintMessage,
} from './print-messages.ts'

/** The parent reads a part of this size in one turn of its event loop. */
const partBytesMax = 1024 * 1024

/** The labels of the print job that began last. */
let labels: {
  readonly job: number
  readonly style: LabelStyle
  readonly file: LabelFile | LabelImages
} | null = null

function send(message: PrintMessage): void {
  process.send?.(message)
}

function printed(bytes: Uint8Array, media: PrintedMedia): PrintAnswer {
  for (let at = 0; at < bytes.length; at += partBytesMax) {
    send({ part: bytes.subarray(at, at + partBytesMax) })
  }
  return { kind: 'printed', media }
}

/** Keeps labels of one print job out of the file of another. */
function ofJob(job: number) {
  if (labels?.job !== job) throw new Error('This print job was not begun in this process.')
  return labels
}

async function answerTo({ job, request: ask }: PrintJob): Promise<PrintAnswer> {
  switch (ask.do) {
    case 'begin_labels': {
      const { style } = ask
      const file = style.format === 'pdf' ? await LabelFile.begin(style) : new LabelImages(style)
      labels = { job, style, file }
      return { kind: 'begun' }
    }
    case 'add_label':
      return await added(ofJob(job).file, ask)
    case 'draw_page':
      return await drawn(ofJob(job).file)
    case 'end_labels': {
      const { file, style } = ofJob(job)
      labels = null
      const cover = ask.cover === null ? null : await printCover(ask.cover, style)
      if (file instanceof LabelFile) return printed(await file.end(cover), 'application/pdf')
      const { bytes, media } = await file.end(cover)
      return printed(bytes, media)
    }
    case 'print_manifest':
      return printed(await drawManifest(ask.manifest), 'application/pdf')
    case 'print_report': {
      // Loading it takes longer than printing labels.
      const { drawReport } = await import('./print/draw-report.ts')
      return printed(await drawReport(ask.report), 'application/pdf')
    }
  }
}

async function added(file: LabelFile | LabelImages, label: LabelToAdd): Promise<PrintAnswer> {
  if (file instanceof LabelFile) {
    return { kind: 'read', read: await file.add(label.pdf, label.caption), pagesToDraw: 0 }
  }
  const read = await file.add(label)
  return { kind: 'read', read, pagesToDraw: file.pagesToDraw }
}

async function drawn(file: LabelFile | LabelImages): Promise<PrintAnswer> {
  if (file instanceof LabelFile) throw new Error('bug: a page of a PDF is not drawn')
  await file.drawPage()
  return { kind: 'drawn' }
}

process.on('message', async (question: PrintJob) => {
  try {
    send({ answer: await answerTo(question) })
  } catch (error) {
    if (error instanceof DrawingFailed) process.exit(1)
    if (error instanceof TooManyPages) send({ answer: { kind: 'too_large' } })
    else send({ failed: error instanceof Error ? error.message : 'unknown' })
  }
  // Some libraries are loaded by the first request that needs them; otherwise this does nothing.
  keepCompiled()
})
process.on('disconnect', () => process.exit())
