import { createCipheriv, createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto'
import { base62, base62Alphabet, idValueLength } from '../../domain/ids.ts'

/*
 * A token is HMAC-SHA-256 over the shipment's id and the number of the link, cut to 128 bits, and
 * the same two encrypted under it (AES-256-CTR with the HMAC as the counter block, the construction
 * of RFC 5297). So it can be read without a table, it says nothing without the keys, and it cannot
 * be guessed.
 */
const tagBytes = 16
/** An id's value is less than 62^22, which is less than 2^136. */
const valueBytes = 17
const numberBytes = 1
const contentBytes = valueBytes + numberBytes
const tokenBytes = tagBytes + contentBytes
/** Base62 needs this many digits for the bytes. */
const tokenLength = 46
const tokenForm = new RegExp(`^[0-9A-Za-z]{${tokenLength}}$`)
const keyBytes = 32

export type LinkedShipment = { readonly shipmentId: string; readonly number: number }

export type TrackingTokens = {
  /** The token of a link, always the same. */
  readonly of: (link: LinkedShipment) => string
  /** The link of a token; null for any other text. */
  readonly read: (text: string) => LinkedShipment | null
}

/** Derived from the pepper, which is kept as long as the data: a printed link must keep working. */
export function trackingTokens(pepper: Buffer): TrackingTokens {
  const derived = hkdfSync('sha256', pepper, '', 'shipping-ledger tracking links v1', 2 * keyBytes)
  // Key objects, because a key of bytes is checked and copied for each token.
  const macKey = createSecretKey(Buffer.from(derived, 0, keyBytes))
  const cipherKey = createSecretKey(Buffer.from(derived, keyBytes, keyBytes))
  const tagOf = (content: Buffer) =>
    createHmac('sha256', macKey).update(content).digest().subarray(0, tagBytes)
  const crypted = (tag: Buffer, content: Buffer) =>
    createCipheriv('aes-256-ctr', cipherKey, tag).update(content)
  return {
    of(link) {
      const content = contentOf(link)
      const tag = tagOf(content)
      return base62(Buffer.concat([tag, crypted(tag, content)]), tokenLength)
    },
    read(text) {
      const bytes = bytesOf(text)
      if (bytes === null) return null
      const given = bytes.subarray(0, tagBytes)
      const content = crypted(given, bytes.subarray(tagBytes))
      return timingSafeEqual(given, tagOf(content)) ? linkOf(content) : null
    },
  }
}

function contentOf({ shipmentId, number }: LinkedShipment): Buffer {
  const value = shipmentId.slice(-idValueLength)
  return Buffer.concat([bytesFrom(value, valueBytes), Buffer.of(number)])
}

function linkOf(content: Buffer): LinkedShipment {
  const value = base62(content.subarray(0, valueBytes), idValueLength)
  return { shipmentId: `shp_${value}`, number: content[valueBytes] ?? 0 }
}

/** Null for a text that is no token, also if another text has the same bytes. */
function bytesOf(text: string): Buffer | null {
  if (!tokenForm.test(text)) return null
  const number = numberFrom(text)
  return number < 1n << BigInt(8 * tokenBytes) ? bytesOfNumber(number, tokenBytes) : null
}

function bytesFrom(text: string, length: number): Buffer {
  return bytesOfNumber(numberFrom(text), length)
}

function numberFrom(text: string): bigint {
  let number = 0n
  for (const digit of text) number = number * 62n + BigInt(base62Alphabet.indexOf(digit))
  return number
}

function bytesOfNumber(number: bigint, length: number): Buffer {
  return Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex')
}
