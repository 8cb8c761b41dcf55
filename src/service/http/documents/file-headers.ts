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

/** RFC 9110: a name of these characters needs no quotes. */
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** RFC 6266: the name in ASCII, and all of it for clients that can read other letters. */
function dispositionOf(fileName: string, isShown: boolean): string {
  const type = isShown ? 'inline' : 'attachment'
  const ascii = fileName
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, '_')
  const name = token.test(ascii) ? ascii : `"${ascii.replace(/["\\]/g, '\\$&')}"`
  if (ascii === fileName) return `${type}; filename=${name}`
  const whole = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename=${name}; filename*=UTF-8''${whole}`
}
