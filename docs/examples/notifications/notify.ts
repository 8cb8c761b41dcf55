// Sends the recipient one e-mail for each status of the parcel. The addresses are the shop's own: a
// webhook has no personal data. The table `mails` says what was sent.
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import { createClient, isNewer, type Schemas, verifyWebhook } from 'shipping-ledger/client'
import { send } from './send.ts'

type Update = Schemas['TrackingUpdate']

const { env } = process
const secret = env.WEBHOOK_SECRET ?? ''
const baseUrl = env.SHIPPING_LEDGER_URL ?? 'http://127.0.0.1:3000'
const client = createClient({ baseUrl, apiKey: env.SHIPPING_LEDGER_KEY ?? '' })
const texts = JSON.parse(readFileSync(new URL('texts.json', import.meta.url), 'utf8'))
const db = new DatabaseSync(env.SHOP_DB ?? 'shop.db')
db.exec('CREATE TABLE IF NOT EXISTS mails (shipment TEXT, status TEXT, version INTEGER)')
/** Subject and paragraphs; null if the status is not told. The pickup code is there if the shop has it. */
function wording(language: unknown, status: unknown, code: string | null) {
  const [subject, text, before] = texts[String(language)]?.[String(status)] ?? []
  if (subject === undefined) return null
  return { subject, paragraphs: [text, before !== undefined && code !== null && before + code] }
}
const app = Fastify()
// The raw bytes, because the signature is over what was sent.
app.addContentTypeParser(
  'application/json',
  { parseAs: 'buffer' },
  async (_: unknown, body: Buffer) => body,
)

// The shop's own logic.
async function notify({ shipment_id: id, status, version, tracking_url }: Update): Promise<void> {
  const told = db.prepare('SELECT status, version FROM mails WHERE shipment = ?').all(id)
  // The status was told, or a later one.
  if (told.some((it) => it.status === status || !isNewer(Number(it.version), { version }))) return
  const parcel = await client.shipments.get({ id })
  const order = db.prepare('SELECT * FROM orders WHERE id = ?').get(parcel.external_reference)
  const words = wording(order?.language, status, parcel.pickup_code)
  if (!order?.email || words === null) return
  const paragraphs = [...words.paragraphs, tracking_url]
  await send({ ...words, paragraphs, to: String(order.email), id: `${id}.${status}` })
  db.prepare('INSERT INTO mails VALUES (?, ?, ?)').run(id, status, version)
}

// One after the other, so that two webhooks about one status do not both find it untold.
let working = Promise.resolve()
app.post('/webhooks', async (request, reply) => {
  const event = await verifyWebhook(request.body as Buffer, request.headers, secret)
  if (event.type !== 'tracking.updated') return reply.code(204).send()
  working = working.catch(() => undefined).then(() => notify(event.data.object))
  // A webhook whose e-mail could not be sent yet is not answered with 204, so it comes again.
  await working
  return reply.code(204).send()
})
await app.listen({ port: Number(env.PORT ?? 4000), host: '127.0.0.1' })
