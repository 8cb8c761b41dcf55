import { crc32, deflateSync } from 'node:zlib'
import type { GrayImage } from './rasterise.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const bitDepth = 8
const grayscale = 0
const perMeter = 1
const inchesPerMeter = 39.37

/** A grayscale PNG that says its resolution, so that it is printed at its real size. */
export function pngOf({ width, height, pixels }: GrayImage, dpi: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bitDepth, grayscale], 8)
  const resolution = Buffer.alloc(9)
  const dotsPerMeter = Math.round(dpi * inchesPerMeter)
  resolution.writeUInt32BE(dotsPerMeter, 0)
  resolution.writeUInt32BE(dotsPerMeter, 4)
  resolution[8] = perMeter
  // Each row begins with its filter; 0 is none.
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('pHYs', resolution),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const named = Buffer.concat([Buffer.from(type), data])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
