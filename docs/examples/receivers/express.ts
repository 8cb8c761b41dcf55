// A receiver of webhooks on Express, with the typed client's verifier.

import express from 'express'
import { verifyWebhook, WebhookRefused } from 'shipping-ledger/client'

const app = express()
// The raw bytes: the signature is over what was sent, before anything parses it.
app.post('/', express.raw({ type: 'application/json' }), async (request, response) => {
  try {
    const event = await verifyWebhook(
      request.body,
      request.headers,
      process.env.WEBHOOK_SECRET ?? '',
    )
    // First store it, once for each event.id; work on it after the answer. Let it overwrite only what
    // has a lower version than event.resource.version, whether that came in a webhook or an answer.
    console.log(event.type, event.id)
    response.sendStatus(204)
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error
    response.sendStatus(400)
  }
})
app.listen(Number(process.env.PORT), '127.0.0.1')
