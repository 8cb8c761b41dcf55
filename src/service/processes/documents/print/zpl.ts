import { deflateSync } from 'node:zlib'
import type { GrayImage } from './rasterise.ts'

/** Darker pixels are printed. */
const printedBelow = 128

/**
 * One label in ZPL II: a graphic that fills the page, in the format Z64 (zlib, base64 and a
 * checksum), which Zebra printers have read since firmware V60.13.
 */
export function zplOf({ width, height, pixels }: GrayImage): string {
  const rowBytes = Math.ceil(width / 8)
  const bits = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((pixels[y * width + x] as number) < printedBelow) {
        const at = y * rowBytes + (x >> 3)
        bits[at] = (bits[at] as number) | (0x80 >> (x & 7))
      }
    }
  }
  const packed = deflateSync(bits, { level: 9 }).toString('base64')
  const size = bits.length
  const graphic = `^GFA,${size},${size},${rowBytes},:Z64:${packed}:${crc16(packed)}`
  return `^XA^PW${width}^LL${height}^LH0,0^FO0,0${graphic}^FS^XZ\n`
}

/** CRC-16 with the polynomial of CCITT and initial value 0, as four hexadecimal digits. */
function crc16(text: string): string {
  let crc = 0
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at) << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
