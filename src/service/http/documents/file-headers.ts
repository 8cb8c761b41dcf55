import { create } from 'content-disposition'
import type { PrintedMedia } from '../../processes/documents/print-messages.ts'

const extensions: Readonly<Record<PrintedMedia | 'text/csv', string>> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/zpl': 'zpl',
  'image/png': 'png',
  'text/csv': 'csv',
}

type Named = {
  /** Without extension; see `documentName`. */
  readonly name: string
  readonly media: keyof typeof extensions
}

/** Headers of a file. Browsers show PDFs and images, and save all others. */
export function fileHeaders({ name, media }: Named) {
  const isShown = media === 'application/pdf' || media === 'image/png'
  return {
    'content-disposition': dispositionOf(`${name}.${extensions[media]}`, isShown),
    'content-type': media,
  }
}

function dispositionOf(fileName: string, isShown: boolean): string {
  // For clients that cannot read other letters.
  const fallback = fileName
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
  return create(fileName, { type: isShown ? 'inline' : 'attachment', fallback })
}
