// A receiver of webhooks on Fastify, with the typed client's verifier.
import Fastify from 'fastify'
import { verifyWebhook, WebhookRefused } from 'shipping-ledger/client'

const app = Fastify()
// The raw bytes: the signature is over what was sent, before anything parses it.
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body)
})
app.post('/', async (request, reply) => {
  try {
    const body = request.body as Buffer
    const event = await verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET ?? '')
    // First store it, once for each event.id; work on it after the answer. Let it overwrite only what
    // has a lower version than event.resource.version, whether that came in a webhook or an answer.
    console.log(event.type, event.id)
    return reply.code(204).send()
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error
    return reply.code(400).send()
  }
})
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
