import { createHmac, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import {
  newSecret,
  secretBytes,
  secretText,
  signingKey,
  webhookHeaders,
} from '../../src/service/webhooks/sign.ts'

const body = Buffer.from('{"id":"evt_1","type":"shipment.created","data":{"city":"Ñaña"}}')
const now = () => Math.floor(Date.now() / 1_000)
const [current, previous, foreign] = [newSecret(), newSecret(), newSecret()]

const signed = (secrets: readonly Buffer[], id: string, seconds: number, what: Buffer) =>
  webhookHeaders(secrets.map(signingKey), id, seconds, what)

/** Whether the independent reference implementation of Standard Webhooks accepts the webhook. */
function isAccepted(
  secret: Buffer,
  headers: ReturnType<typeof webhookHeaders>,
  received: Buffer = body,
): boolean {
  try {
    new Webhook(secretText(secret)).verify(received, { ...headers })
    return true
  } catch {
    return false
  }
}

t.test(
  'the reference verifier accepts a signed webhook and rejects any change of it',
  async (t) => {
    const headers = signed([current], 'evt_1', now(), body)
    t.ok(isAccepted(current, headers))
    t.notOk(isAccepted(foreign, headers), 'a wrong secret')
    for (const at of [0, body.length - 1]) {
      const changed = Buffer.from(body)
      changed[at] = (changed[at] ?? 0) ^ 1
      t.notOk(isAccepted(current, headers, changed), `byte ${at} is another`)
    }
    t.notOk(isAccepted(current, signed([current], 'evt_1', now() - 301, body)), 'too old')
    t.notOk(isAccepted(current, { ...headers, 'webhook-id': 'evt_2' }), 'another id')
    t.notOk(isAccepted(current, { ...headers, 'webhook-timestamp': String(now() + 1) }))
  },
)

t.test('during a rotation either secret verifies a webhook', async (t) => {
  const at = now()
  const headers = signed([current, previous], 'evt_1', at, body)
  t.ok(isAccepted(current, headers))
  t.ok(isAccepted(previous, headers))
  t.notOk(isAccepted(foreign, headers))
  t.equal(headers['webhook-signature'].split(' ').length, 2)
  const alone = signed([current], 'evt_1', at, body)
  t.equal(headers['webhook-signature'].split(' ')[0], alone['webhook-signature'], 'new first')
})

t.test('our own client verifies a webhook with either secret', async (t) => {
  const headers = signed([current, previous], 'evt_1', now(), body)
  for (const secret of [current, previous]) {
    t.match(await verifyWebhook(body, headers, secretText(secret)), { id: 'evt_1' })
  }
  const refused = await verifyWebhook(body, headers, secretText(foreign)).catch((thrown) => thrown)
  t.match(refused, { reason: 'wrong_signature' })
})

t.test('webhook-body-signature is the plain hex HMAC of the body for each secret', async (t) => {
  const hex = (key: Buffer) => createHmac('sha256', key).update(body).digest('hex')
  const headers = signed([current, previous], 'evt_1', 1_700_000_000, body)
  t.equal(headers['webhook-body-signature'], `sha256=${hex(current)} sha256=${hex(previous)}`)
  t.match(headers, { 'webhook-id': 'evt_1', 'webhook-timestamp': '1700000000' })
})

t.test(
  'a webhook secret is written as whsec_ and base64, and reads back to its bytes',
  async (t) => {
    const text = secretText(current)
    t.match(text, /^whsec_[A-Za-z0-9+/]{43}=$/)
    t.same(secretBytes(text), current)
    t.notSame(newSecret(), newSecret())
    const bare = text.slice('whsec_'.length)
    for (const odd of [
      bare,
      `WHSEC_${bare}`,
      `${text}\n`,
      'whsec_',
      'whsec_c2hvcnQ=',
      `${text}x`,
    ]) {
      t.throws(() => secretBytes(odd), /^A webhook secret is (whsec_ and base64|24 to 64 bytes)\.$/)
    }
  },
)

t.test(
  'a webhook secret has 24 to 64 bytes, and a timestamp is whole seconds from 0',
  async (t) => {
    for (const length of [24, 25, 63, 64]) {
      t.same(secretBytes(secretText(Buffer.alloc(length, 7))).length, length)
      t.ok(signingKey(Buffer.alloc(length, 7)))
    }
    for (const length of [0, 23, 65]) {
      t.throws(() => signingKey(Buffer.alloc(length, 7)), /24 to 64 bytes/, String(length))
    }
    t.match(signed([current], 'evt_1', 0, body), { 'webhook-timestamp': '0' })
    for (const seconds of [-1, 1.5, Number.NaN]) {
      t.throws(() => signed([current], 'evt_1', seconds, body), /whole seconds/, String(seconds))
    }
  },
)

t.test(
  'signing refuses missing, short or too many secrets and malformed ids or times',
  async (t) => {
    const sign = (secrets: readonly Buffer[], id = 'evt_1', seconds = 1) =>
      signed(secrets, id, seconds, body)
    t.throws(() => sign([]), RangeError)
    t.throws(() => sign([current, previous, foreign]), RangeError)
    t.throws(() => sign([randomBytes(8)]), RangeError)
    for (const id of ['a.b', '', 'a\r\nb', 'a b']) t.throws(() => sign([current], id), TypeError)
    for (const seconds of [1.5, -1, Number.NaN]) {
      t.throws(() => sign([current], 'evt_1', seconds), RangeError)
    }
  },
)
