import { createHmac, randomBytes } from 'node:crypto'
import type { Schemas } from '../methods.ts'

type Forwarded = { readonly line: string; readonly isTaken: boolean }

/** Where events are sent, once each, signed with this secret. Null = events are only printed. */
export type Forwarding = { readonly url: string; readonly secret: Buffer } | null

/** As long as a delivery waits for a receiver. */
const answerMsMax = 15_000
const secretPrefix = 'whsec_'
/** As long as the digest: HMAC-SHA256 gains nothing from a longer key. */
const newSecretBytes = 32
/** The limits of Standard Webhooks. */
const secretBytesMin = 24
const secretBytesMax = 64

/** Sends an event as a delivery would: the same body, signed now. */
export async function forwardWebhook(
  event: Schemas['WebhookEvent'],
  to: Forwarding,
): Promise<Forwarded> {
  const told = `${event.timestamp}  ${event.type}  ${event.id}`
  if (to === null) return { line: told, isTaken: true }
  const { object: _object, created_at: _createdAt, ...payload } = event
  const body = JSON.stringify(payload)
  try {
    const answer = await fetch(to.url, {
      method: 'POST',
      headers: headersOf(event.id, body, to.secret),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMsMax),
    })
    await answer.body?.cancel()
    return { line: `${told}  ${answer.status}`, isTaken: answer.ok }
  } catch (error) {
    return { line: `${told}  not sent: ${causeOf(error)}`, isTaken: false }
  }
}

/** The headers of a delivery, after Standard Webhooks 1.0 and the service's own signature. */
function headersOf(id: string, body: string, secret: Buffer): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1_000)
  const hmac = (text: string) => createHmac('sha256', secret).update(text).digest()
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${hmac(`${id}.${seconds}.${body}`).toString('base64')}`,
    'webhook-body-signature': `sha256=${hmac(body).toString('hex')}`,
  }
}

/** `ECONNREFUSED`, or the name of the error. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}

export function newSecret(): Buffer {
  return randomBytes(newSecretBytes)
}

/** The secret as an endpoint shows it, once: `whsec_` and base64. */
export function secretText(bytes: Buffer): string {
  return secretPrefix + bytes.toString('base64')
}

/** The bytes of a secret; null for any other text. */
export function secretBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text.slice(secretPrefix.length), 'base64')
  const isLong = bytes.length >= secretBytesMin && bytes.length <= secretBytesMax
  return isLong && secretText(bytes) === text ? bytes : null
}
