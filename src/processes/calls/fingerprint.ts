import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Json } from '../../domain/decider.ts'

/**
 * The version of the canonical form below. A change needs a new number: old keys keep the old form.
 */
export const fingerprintVersion = 1

function canonical(value: { readonly [key: string]: Json | undefined }): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('bug: a request body is not JSON')
  return text
}

type Body = { readonly [key: string]: Json | undefined }

/** The fingerprint of the part of a body that its events hold anyway. */
export function clearFingerprint(clear: Body): string {
  return createHash('sha256')
    .update(`v1\n${canonical(clear)}`)
    .digest('hex')
}

/**
 * An HMAC of the personal part. Its key is destroyed with the data key, so nothing can be guessed.
 */
export function personalFingerprint(personal: Body, key: KeyObject): string {
  return createHmac('sha256', key)
    .update(`v1\n${canonical(personal)}`)
    .digest('hex')
}

export function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
