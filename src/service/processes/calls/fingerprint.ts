import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Json, JsonObject } from '../../domain/decider.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import {
  clearPart,
  partIn,
  personalPart,
  placement,
  type ShipmentPayload,
} from '../../domain/shipment/shipment-payload.ts'

/**
 * The version of the canonical form below. Changing the form needs a new number: old keys keep the
 * old form.
 */
const fingerprintVersion = 1

type Fingerprint = Shipment['request']['fingerprint']

/** The parts of a request that a repetition must have in common with it. */
type Compared = {
  readonly body: ShipmentPayload
  /** Null in live mode. */
  readonly scenario: string | null
}

/** `key` belongs to the request's vault row and is destroyed with it. */
export function fingerprintOf(request: Compared, key: KeyObject): Fingerprint {
  return {
    version: fingerprintVersion,
    open: openFingerprint(request),
    personal: personalFingerprint(personalPart(request.body), key),
  }
}

/** Once the personal part is erased, `key` is null and only the rest is compared. */
export function hasFingerprint(
  request: Compared,
  first: Fingerprint,
  key: KeyObject | null,
): boolean {
  const isSameOpen = sameDigest(openFingerprint(request), first.open)
  if (key === null) return isSameOpen
  return (
    isSameOpen &&
    equivalents(personalPart(request.body)).some((part) =>
      sameDigest(personalFingerprint(part, key), first.personal),
    )
  )
}

/**
 * The bodies that are equivalent to this one: absent metadata and `{}`. A fingerprint is made of
 * the body as it was sent, so a repetition is compared with each form.
 */
function equivalents(personal: Body): readonly Body[] {
  const { metadata = {}, ...rest } = personal
  return isEmpty(metadata) ? [rest, { ...rest, metadata: {} }] : [personal]
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/**
 * Whether a request matches a shipment whose text was stored before the service normalised text to
 * NFC. `payload` is its personal part; null once that is erased.
 */
export function isSameInNfc(
  request: Compared,
  first: Shipment['request'],
  payload: JsonObject | null,
): boolean {
  const { sandbox_scenario: scenario } = first
  const clear = {
    ...partIn<keyof typeof placement>('clear', first, placement),
    scenario: scenario ?? undefined,
  }
  if (clearFingerprint(inNfc(clear)) !== openFingerprint(request)) return false
  if (payload === null) return true
  const stored = canonical(inNfc(payload))
  return equivalents(personalPart(request.body)).some((part) => canonical(part) === stored)
}

/**
 * Combining marks do not compose with JSON punctuation, so normalising the serialised text
 * normalises each string by itself.
 */
function inNfc(value: Body): JsonObject {
  return JSON.parse(JSON.stringify(value).normalize('NFC')) as JsonObject
}

function openFingerprint({ body, scenario }: Compared): string {
  return clearFingerprint({ ...clearPart(body), scenario: scenario ?? undefined })
}

function canonical(value: { readonly [key: string]: Json | undefined }): string {
  const text = canonicalize(value)
  if (text === undefined) throw new Error('bug: a request body is not JSON')
  return text
}

type Body = { readonly [key: string]: Json | undefined }

/** The fingerprint of the part of a body that its events hold in clear. */
export function clearFingerprint(clear: Body): string {
  return createHash('sha256')
    .update(`v1\n${canonical(clear)}`)
    .digest('hex')
}

/**
 * An HMAC of the personal part. Its key is destroyed with the data key, so the content cannot be
 * guessed afterwards.
 */
export function personalFingerprint(personal: Body, key: KeyObject): string {
  return createHmac('sha256', key)
    .update(`v1\n${canonical(personal)}`)
    .digest('hex')
}

export function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
