import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { isNewer, verifyWebhook, WebhookRefused } from 'shipping-ledger/client'

// Two during a rotation.
const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(' ')
const seen = new Set<string>()
// The newest version of each resource: `version` of a response, `shipmentVersion` of an error.
export const versions = new Map<string, number>()

export const server = createServer(async (request, response) => {
  try {
    // The raw body, before any parsing.
    const event = await verifyWebhook(await buffer(request), request.headers, secrets)
    // The same event may arrive twice, with the same id.
    if (!seen.has(event.id)) console.log(`received ${event.type}`)
    seen.add(event.id)
    // Events arrive in any order, and a response may be newer: store only a higher version.
    const { id, version } = event.resource
    if (version !== null && isNewer(versions.get(id), event)) versions.set(id, version)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookRefused ? 400 : 500).end()
  }
})
