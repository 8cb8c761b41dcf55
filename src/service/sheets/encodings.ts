import { isUtf8 } from 'node:buffer'
import { refusedFile } from './sheet-line.ts'

export const charsets = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Charset = (typeof charsets)[number]

const byteOrderMarks = [
  { mark: Buffer.from([0xef, 0xbb, 0xbf]), charset: 'utf-8' },
  { mark: Buffer.from([0xff, 0xfe]), charset: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), charset: 'utf-16be' },
] as const
/** How .xlsx and .xls files begin. */
const workbooks = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])]
/** Enough to tell how a file is written. */
const lookedAtBytes = 4_096

export type Decoded = {
  /** In UTF-8, without a byte-order mark. */
  readonly bytes: Buffer
  readonly charset: Charset
  /** Whether a replacement character in it may stand for bytes that are not UTF-8. */
  readonly hasBrokenText: boolean
}

/**
 * The file in UTF-8. A byte-order mark overrides the declared charset; without both the charset is
 * recognised. Throws a Problem if the file is a workbook, or is not in its charset.
 */
export function decoded(body: Buffer, declared: Charset | null): Decoded {
  if (workbooks.some((start) => begins(body, start))) {
    throw refusedFile('workbook', 'The file is a workbook. Save the sheet as “CSV UTF-8”.')
  }
  const found = byteOrderMarks.find(({ mark }) => begins(body, mark))
  const bytes = body.subarray(found?.mark.length ?? 0)
  const charset = found?.charset ?? declared ?? recognised(bytes)
  if (charset === 'utf-8') return { bytes, charset, hasBrokenText: !isUtf8(bytes) }
  try {
    const text = new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
    return { bytes: Buffer.from(text), charset, hasBrokenText: false }
  } catch {
    throw refusedFile(
      'not_utf16',
      'The file begins like UTF-16 or is declared so, but is not. Save it as “CSV UTF-8”.',
    )
  }
}

function begins(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}

function recognised(bytes: Buffer): Charset {
  const head = bytes.subarray(0, lookedAtBytes)
  const zeros = [0, 0]
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]! += 1
  // In UTF-16 half of the bytes of most letters are zero.
  const [even = 0, odd = 0] = zeros
  const many = head.length / 8
  if (odd > many && even < many) return 'utf-16le'
  if (even > many && odd < many) return 'utf-16be'
  return isUtf8(bytes) || hasUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

/** Whether it has letters in UTF-8 that nobody writes in Windows-1252, such as `Ã±`. */
function hasUtf8(bytes: Buffer): boolean {
  let valid = 0
  let invalid = 0
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] as number
    if (lead < 0x80) continue
    const next = bytes[at + 1] ?? 0
    if (lead >= 0xc2 && lead <= 0xf4 && next >= 0x80 && next <= 0xbf) {
      valid += 1
      at += lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
    } else invalid += 1
  }
  return valid > invalid
}
