import type { LabelLayout, PaperAnswer, PaperMessage, PaperQuestion } from './paper-messages.ts'
import { LabelFile, TooManyPages } from './print/label-file.ts'
import { printCover } from './print/print-cover.ts'
import { printManifest } from './print/print-manifest.ts'

/** Read by the other side in one turn of its event loop. */
const partBytesMax = 1024 * 1024

/** The labels of the turn that has begun last. */
let labels: {
  readonly turn: number
  readonly layout: LabelLayout
  readonly file: LabelFile
} | null = null

function send(message: PaperMessage): void {
  process.send?.(message)
}

function printed(pdf: Uint8Array): PaperAnswer {
  for (let at = 0; at < pdf.length; at += partBytesMax) {
    send({ part: pdf.subarray(at, at + partBytesMax) })
  }
  return { kind: 'printed' }
}

/** Labels of one turn never get into the file of another. */
function ofTurn(turn: number) {
  if (labels?.turn !== turn) throw new Error('The labels of this turn were not begun here.')
  return labels
}

async function answerTo({ turn, ask }: PaperQuestion): Promise<PaperAnswer> {
  switch (ask.do) {
    case 'begin_labels':
      labels = { turn, layout: ask.layout, file: await LabelFile.begin(ask.layout) }
      return { kind: 'begun' }
    case 'add_label':
      return await added(ofTurn(turn).file, ask.pdf)
    case 'end_labels': {
      const { file, layout } = ofTurn(turn)
      labels = null
      const cover = ask.cover === null ? null : await printCover(ask.cover, layout)
      return printed(await file.end(cover))
    }
    case 'print_manifest':
      return printed(await printManifest(ask.manifest))
  }
}

async function added(file: LabelFile, pdf: Uint8Array): Promise<PaperAnswer> {
  try {
    return { kind: 'read', read: await file.add(pdf) }
  } catch (error) {
    if (error instanceof TooManyPages) return { kind: 'too_large' }
    throw error
  }
}

process.on('message', async (question: PaperQuestion) => {
  try {
    send({ answer: await answerTo(question) })
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : 'unknown' })
  }
})
process.on('disconnect', () => process.exit())
