// A shop that ships each order exactly once, whatever fails and whenever it is killed. The table of
// orders is also its queue: `due` counts the reasons to ship an order or to continue with it.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import type { Shipment, ShipmentRequest } from 'shipping-ledger/client'
import { createClient, isNewer, ShippingLedgerError, verifyWebhook } from 'shipping-ledger/client'

type Order = {
  id: string
  request: ShipmentRequest
  due: number
  /** Part of the key. It grows only when it is certain that the last key created no guide. */
  attempt: number
  /** What somebody must do about the order; null if nothing. */
  action: string | null
  label: boolean
  /** The newest version that is known. */
  shipment: Shipment | null
}

const { env } = process
const folder = env.SHOP_DATA ?? 'shop-data'
const baseUrl = env.SHIPPING_LEDGER_URL ?? 'http://127.0.0.1:3000'
const client = createClient({ baseUrl, apiKey: env.SHIPPING_LEDGER_KEY ?? '' })
const secret = env.WEBHOOK_SECRET ?? ''
const atOnceMax = 20
const attemptsMax = 3

mkdirSync(`${folder}/labels`, { recursive: true })
const db = new DatabaseSync(`${folder}/shop.db`)
db.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, body TEXT NOT NULL)')
function ordersWhere(condition: string, ...values: (string | number)[]): Order[] {
  const rows = db.prepare(`SELECT body FROM orders WHERE ${condition}`).all(...values)
  return rows.map(({ body }) => JSON.parse(String(body)))
}
const orderOf = (id: string) => ordersWhere('id = ?', id)[0]
const write = (order: Order) =>
  db.prepare('REPLACE INTO orders VALUES (?, ?)').run(order.id, JSON.stringify(order))
function update(id: string, change: (order: Order) => Partial<Order>): void {
  const order = orderOf(id)
  if (order) write({ ...order, ...change(order) })
}
const keyOf = ({ id, attempt }: Order) => `${id}-${attempt}`
const addReason = ({ due }: Order) => ({ due: due + 1 })

/** Stores a shipment from a response or a webhook, unless a newer version is known. */
function store(shipment: Shipment): void {
  update(shipment.external_reference, (order) => {
    const isOurs = shipment.idempotency_key === keyOf(order)
    return isOurs && isNewer(order.shipment, shipment) ? { shipment } : {}
  })
}

/** Ships what is due: each order by one call at a time, and no more than some at once. */
const running = new Map<string, Promise<void>>()
function work(): void {
  for (const order of ordersWhere("body ->> 'due' > 0 ORDER BY rowid LIMIT ?", atOnceMax)) {
    if (running.has(order.id) || running.size >= atOnceMax) continue
    const shipping = ship(order).catch((error) => `person: ${error}`)
    const ended = shipping.then((action) => {
      running.delete(order.id)
      update(order.id, ({ due }) => ({ action, due: due - order.due }))
      work()
    })
    running.set(order.id, ended)
  }
}

/** Ends with what somebody must do about the order; null if nothing. */
async function ship(order: Order): Promise<string | null> {
  const { id, request, attempt } = order
  const end = await client.ensureShipped(keyOf(order), request, { onChange: store })
  if (end.shipment) store(end.shipment)
  if (end.kind === 'created') await saveLabel(id)
  if (end.kind === 'nothing_created' && attempt < attemptsMax) {
    update(id, () => ({ attempt: attempt + 1, shipment: null }))
    return await ship({ ...order, attempt: attempt + 1 })
  }
  const needed = { created: null, rejected: 'fix', nothing_created: 'person' }
  if (end.kind !== 'needs_attention') return needed[end.kind]
  const isOpen = end.action === 'follow' || end.action === 'same_key'
  return isOpen ? await ship(order) : end.action
}

/** A label that is not ready yet is saved when the webhook `label.ready` arrives. */
async function saveLabel(id: string): Promise<void> {
  const { shipment, label } = orderOf(id) ?? {}
  if (!shipment || label) return
  const file = `${folder}/labels/${encodeURIComponent(id)}.pdf`
  try {
    const pdf = await client.documents.getLabel({ id: shipment.id, format: 'pdf' }, { wait: false })
    writeFileSync(`${file}.part`, pdf, { flush: true })
    renameSync(`${file}.part`, file)
    update(id, () => ({ label: true }))
  } catch (error) {
    if (!(error instanceof ShippingLedgerError && error.reason === 'label_not_ready')) throw error
  }
}

const app = Fastify()
// The raw bytes, because the signature is over what was sent.
app.addContentTypeParser(
  'application/json',
  { parseAs: 'buffer' },
  async (_request: unknown, body: Buffer) => body,
)

app.post('/orders', async (request, reply) => {
  const { id, shipment } = JSON.parse(String(request.body))
  const of = { workspace_id: env.WORKSPACE_ID, courier_connection_id: env.CONNECTION_ID }
  const body = { ...shipment, ...of, external_reference: id }
  const blank = { due: 0, attempt: 1, action: null, label: false, shipment: null }
  const order = orderOf(id) ?? { id, request: body, ...blank }
  write({ ...order, ...addReason(order) })
  work()
  return reply.code(202).send({ id })
})

app.get<{ Params: { id: string } }>('/orders/:id', async ({ params }, reply) => {
  const order = orderOf(params.id)
  return order ? { ...order, key: keyOf(order) } : reply.code(404).send()
})

// A repeated or late event is harmless, because only a higher version is stored. A webhook has no
// personal data and no pickup code, so the shipment is read.
app.post('/webhooks', async (request, reply) => {
  const event = await verifyWebhook(request.body as Buffer, request.headers, secret)
  const { object } = event.data
  if (object.object === 'shipment' || object.object === 'tracking') {
    store(await client.shipments.get({ id: object.id }))
  }
  if (object.object === 'operation') {
    update(object.external_reference, addReason)
    work()
  }
  if (event.type === 'label.ready') await saveLabel(event.data.object.external_reference)
  return reply.code(204).send()
})

for (const { id } of ordersWhere("NOT body ->> 'label'")) update(id, addReason)
console.log(await app.listen({ port: Number(env.PORT ?? 4000), host: '127.0.0.1' }))
work()
