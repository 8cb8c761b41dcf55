import { request } from 'undici'
import type { Schemas } from '../../client/methods.ts'
import { signingKey, webhookHeaders } from '../../webhooks/sign.ts'

/** As long as a delivery waits for its receiver. */
const answerMs = 15_000

type Forwarded = { readonly line: string; readonly isTaken: boolean }

/**
 * Sends each event as a delivery would: the same body, signed now with this secret. Sent once; a
 * receiver that refuses or does not answer is told in the line. Without an address it is only told.
 */
export function forwarder(address: string | null, secret: Buffer) {
  const keys = [signingKey(secret)]
  return async (event: Schemas['WebhookEvent']): Promise<Forwarded> => {
    const { object: _object, created_at: _createdAt, ...payload } = event
    const told = `${event.timestamp}  ${event.type}  ${event.id}`
    if (address === null) return { line: told, isTaken: true }
    const body = Buffer.from(JSON.stringify(payload))
    const headers = webhookHeaders(keys, event.id, Math.floor(Date.now() / 1_000), body)
    try {
      const answer = await request(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(answerMs),
      })
      await answer.body.dump()
      const { statusCode: status } = answer
      return { line: `${told}  ${status}`, isTaken: status >= 200 && status < 300 }
    } catch (error) {
      const { code, name } = error as Error & { code?: unknown }
      return { line: `${told}  not sent: ${code ?? name}`, isTaken: false }
    }
  }
}
