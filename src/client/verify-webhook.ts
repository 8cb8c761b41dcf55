import type { Schemas } from './methods.ts'

/** How old a signature may be, or how far in the future because of clock skew. */
const toleranceDefaultSeconds = 300
/** Receivers have two secrets during a rotation, never many. */
const secretsMax = 10
/** How many signatures are read from the header. */
const signaturesMax = 10
/** HMAC-SHA256. */
const signatureBytes = 32

export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type WebhookOptions = {
  readonly toleranceSeconds?: number
  /** The current time in milliseconds; the default is now. */
  readonly now?: number
}

/**
 * A union by `type`, which may get more types: ignore those that you do not know. `id` is the same
 * on every delivery. For one resource, a higher `resource.version` is newer.
 */
export type WebhookEvent = Schemas['WebhookPayload']

export type WebhookRefusal = 'header_missing' | 'outside_tolerance' | 'wrong_signature' | 'not_json'

/** The body must not be trusted. Respond with 400. */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused'
  /** Fastify, Express and others respond with the status of the error that a handler throws. */
  readonly statusCode = 400
  readonly reason: WebhookRefusal
  constructor(reason: WebhookRefusal) {
    super(`The webhook was refused: ${reason}.`)
    this.reason = reason
  }
}

/**
 * Verifies a webhook as in Standard Webhooks 1.0 and returns the event; throws `WebhookRefused`.
 * The body must be the raw bytes or text as received, before any parsing. Several secrets can be
 * given, so that both sides need not rotate at the same moment. Signatures are compared in constant
 * time by the platform.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: WebhookOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const given = headerOf(headers, 'webhook-signature')
  requireFresh(timestamp, options)
  const raw = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), raw)
  const signatures = given.split(' ', signaturesMax).flatMap(signatureOf)
  const keys = await Promise.all([secrets].flat().slice(0, secretsMax).map(importSecret))
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)),
  )
  if (!(await Promise.all(checks)).includes(true)) throw new WebhookRefused('wrong_signature')
  return parsed(raw)
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw new WebhookRefused('header_missing')
  return value
}

/** Accepts only whole seconds, not text that merely begins with a number. */
function requireFresh(timestamp: string, { toleranceSeconds, now }: WebhookOptions): void {
  const apartMs = Math.abs((now ?? Date.now()) - Number(timestamp) * 1_000)
  const allowedMs = (toleranceSeconds ?? toleranceDefaultSeconds) * 1_000
  const isFresh = /^[0-9]{1,12}$/.test(timestamp) && apartMs <= allowedMs
  if (!isFresh) throw new WebhookRefused('outside_tolerance')
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

/** Skips unknown versions, because others may be added besides `v1`. */
function signatureOf(text: string): Uint8Array<ArrayBuffer>[] {
  if (!text.startsWith('v1,')) return []
  const bytes = decoded(text.slice(3))
  return bytes?.length === signatureBytes ? [bytes] : []
}

function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

async function importSecret(secret: string) {
  const bytes = secret.startsWith('whsec_') ? decoded(secret.slice('whsec_'.length)) : null
  if (bytes === null || bytes.length === 0) {
    // The message does not quote the value, because an invalid secret may still be secret.
    throw new TypeError('A webhook secret must be whsec_ followed by base64.')
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
}

function parsed(raw: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    throw new WebhookRefused('not_json')
  }
}
