import type { Schemas } from '../../../client/methods.ts'
import { isDelivered } from '../../domain/webhooks/webhook-delivery.ts'
import type { WebhookSender } from '../../webhooks/send.ts'
import { signingKey, webhookHeaders } from '../../webhooks/sign.ts'

type Forwarded = { readonly line: string; readonly isTaken: boolean }

/** Where events are sent, once each, signed with this secret. Null = events are only printed. */
export type Forwarding = {
  readonly sender: WebhookSender
  readonly url: string
  readonly secret: Buffer
} | null

/** Sends an event as a delivery would: the same body, signed now. */
export async function forwardWebhook(
  event: Schemas['WebhookEvent'],
  to: Forwarding,
): Promise<Forwarded> {
  const told = `${event.timestamp}  ${event.type}  ${event.id}`
  if (to === null) return { line: told, isTaken: true }
  const { object: _object, created_at: _createdAt, ...payload } = event
  const body = Buffer.from(JSON.stringify(payload))
  const seconds = Math.floor(Date.now() / 1_000)
  const answer = await to.sender.send({
    url: to.url,
    livemode: false,
    allowPrivate: true,
    headers: webhookHeaders([signingKey(to.secret)], event.id, seconds, body),
    body,
  })
  const said = answer.statusCode ?? `not sent: ${answer.error}`
  return { line: `${told}  ${said}`, isTaken: isDelivered(answer) }
}
