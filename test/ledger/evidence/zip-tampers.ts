import { type Files, zipOf } from './bundle-files.ts'

/* ZIPs in which other programs could find different files than a verifier: none may be accepted. */

const endBytes = 22
const forgery = Buffer.from('%PDF-1.7 paid\n')

/** The offsets in a ZIP that a tamper changes. */
type Places = { readonly zip: Buffer; readonly end: number; readonly directory: number }

function changed(zip: Buffer, change: (places: Places) => Buffer | undefined): Buffer {
  const copy = Buffer.from(zip)
  const end = copy.length - endBytes
  return change({ zip: copy, end, directory: copy.readUInt32LE(end + 16) }) ?? copy
}

/** Writes a two-byte number into both headers of the first entry. */
const inBoth = (zip: Buffer, offset: number, value: number) =>
  changed(zip, ({ zip: copy, directory }) => {
    copy.writeUInt16LE(value, offset)
    copy.writeUInt16LE(value, directory + offset + 2)
    return copy
  })

/** Bytes between the last entry and the directory. */
function withGap(zip: Buffer, more: Buffer): Buffer {
  return changed(zip, ({ zip: copy, end, directory }) => {
    copy.writeUInt32LE(directory + more.length, end + 16)
    return Buffer.concat([copy.subarray(0, directory), more, copy.subarray(directory)])
  })
}

/** By description. */
export function zipTampers(files: Files): ReadonlyMap<string, Buffer> {
  const zip = zipOf(files)
  const hidden = changed(zipOf([...files, ['report.pdf', forgery]]), ({ zip: copy, end }) => {
    copy.writeUInt16LE(files.size, end + 8)
    copy.writeUInt16LE(files.size, end + 10)
    return copy
  })
  return new Map([
    ['a second report that its end record does not count', hidden],
    ['a second report that is in the directory', zipOf([...files, ['report.pdf', forgery]])],
    [
      'a second report that is not in the directory',
      withGap(zip, zipOf([['report.pdf', forgery]])),
    ],
    [
      'a directory that is longer than it says',
      changed(zip, ({ zip: copy, end }) => {
        copy.writeUInt32LE(copy.readUInt32LE(end + 12) - 1, end + 12)
        return copy
      }),
    ],
    [
      'a ZIP on two disks',
      changed(zip, ({ zip: copy, end }) => {
        copy.writeUInt16LE(1, end + 4)
        return copy
      }),
    ],
    ['an encrypted entry', inBoth(zip, 6, 1)],
    ['an entry that is packed in another way', inBoth(zip, 8, 12)],
    ['an entry with a wrong CRC', inBoth(zip, 14, 1)],
    [
      'an entry with another name in its own header',
      changed(zip, ({ zip: copy }) => {
        copy[30] = (copy[30] ?? 0) ^ 1
        return copy
      }),
    ],
    [
      'a ZIP with a comment',
      changed(zip, ({ zip: copy, end }) => {
        copy.writeUInt16LE(4, end + 20)
        return Buffer.concat([copy, Buffer.from('paid')])
      }),
    ],
    ['a ZIP with bytes after it', Buffer.concat([zip, Buffer.from('paid')])],
    ['a ZIP with bytes before it', Buffer.concat([Buffer.from('paid'), zip])],
    ['a ZIP with bytes between', withGap(zip, Buffer.from('paid'))],
  ])
}
