import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookRefused } from 'shipping-ledger/client'

// Two while one of them is rotated.
const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(' ')
const seen = new Set<string>()
// The newest version of each resource. Answers have it as `version`, errors as `shipmentVersion`.
export const versions = new Map<string, number>()

export const server = createServer(async (request, response) => {
  try {
    // The raw body, before anything parses it.
    const event = await verifyWebhook(await buffer(request), request.headers, secrets)
    // The same event may come twice: its id is the same then.
    if (!seen.has(event.id)) console.log(`received ${event.type}`)
    seen.add(event.id)
    // Events come in any order, and an answer may be newer: only a higher version is stored.
    const { id, version } = event.resource
    if (version !== null && version > (versions.get(id) ?? 0)) versions.set(id, version)
    response.writeHead(204).end()
  } catch (error) {
    response.writeHead(error instanceof WebhookRefused ? 400 : 500).end()
  }
})
