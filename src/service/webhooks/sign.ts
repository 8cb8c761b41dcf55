import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/**
 * The headers of every delivery, after Standard Webhooks 1.0 and the specification's own signature.
 */
type SignatureHeaders = {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
  readonly 'webhook-body-signature': string
}

const secretPrefix = 'whsec_'
/** As long as the digest: HMAC-SHA256 gains nothing from a longer key. */
const newSecretBytes = 32
/** The minimum of Standard Webhooks: 192 bits. */
const secretBytesMin = 24
/** Its maximum, and the block size of SHA-256, beyond which HMAC hashes the key first. */
const secretBytesMax = 64
/** The secret, and during a rotation its predecessor. */
const secretsMax = 2

/** A new secret for an endpoint. */
export function newSecret(): Buffer {
  return randomBytes(newSecretBytes)
}

/** The secret as shown, once: `whsec_` and base64. */
export function secretText(bytes: Buffer): string {
  requireSecret(bytes)
  return secretPrefix + bytes.toString('base64')
}

/** The bytes of a text that `secretText` wrote; throws for any other, without quoting it. */
export function secretBytes(text: string): Buffer {
  const bytes = Buffer.from(text.slice(secretPrefix.length), 'base64')
  if (secretText(bytes) !== text) throw new TypeError('A webhook secret is whsec_ and base64.')
  return bytes
}

/** The secret as a signing key; creating it once saves most of the cost of a signature. */
export function signingKey(bytes: Buffer): KeyObject {
  requireSecret(bytes)
  return createSecretKey(bytes)
}

/**
 * The headers of one attempt at a delivery. `secrets` has the new one first, and during a rotation
 * the old one after it: each signature header then carries one of each, separated by a space.
 * `timestampSeconds` is the attempt's, not the event's. Only `webhook-signature` binds id and time;
 * `webhook-body-signature` is over the body alone.
 */
export function webhookHeaders(
  secrets: readonly KeyObject[],
  id: string,
  timestampSeconds: number,
  body: Buffer,
): SignatureHeaders {
  if (secrets.length < 1 || secrets.length > secretsMax) {
    throw new RangeError(`A webhook is signed with 1 to ${secretsMax} secrets.`)
  }
  // With a dot, one id and time could be read as another's.
  if (!/^[\w-]+$/.test(id)) throw new TypeError('A webhook id is letters, digits, _ and -.')
  if (!Number.isSafeInteger(timestampSeconds) || timestampSeconds < 0) {
    throw new RangeError('A webhook timestamp is whole seconds.')
  }
  const head = `${id}.${timestampSeconds}.`
  const signatures = secrets.map((secret) => `v1,${hmac(secret, head, body).toString('base64')}`)
  const ofBody = secrets.map((secret) => `sha256=${hmac(secret, '', body).toString('hex')}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
    'webhook-body-signature': ofBody.join(' '),
  }
}

function hmac(secret: KeyObject, head: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(head).update(body).digest()
}

function requireSecret({ length }: Buffer): void {
  if (length < secretBytesMin || length > secretBytesMax) {
    throw new RangeError(`A webhook secret is ${secretBytesMin} to ${secretBytesMax} bytes.`)
  }
}
