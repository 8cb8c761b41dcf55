import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import t from 'tap'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { agent } from '../client/agent.ts'
import { service } from '../support/service.ts'

/**
 * A proxy to the API that may let a process die at a POST: before the request is passed on, or
 * after the service has answered and before the answer is.
 */
let dieAt: { readonly place: 'before' | 'after'; readonly kill: () => void } | null = null

const shop = await service(t)

async function pass(near: IncomingMessage, answer: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of near) chunks.push(chunk as Buffer)
  const isPost = near.method === 'POST'
  if (isPost && dieAt?.place === 'before') return dieAt.kill()
  const { host: _, connection: _1, 'content-length': _2, ...headers } = near.headers
  const reply = await fetch(new URL(near.url ?? '/', shop.url), {
    method: near.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  })
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (isPost && dieAt !== null) return dieAt.kill()
  const type = reply.headers.get('content-type') ?? 'application/json'
  answer.writeHead(reply.status, { 'content-type': type }).end(bytes)
}

const proxy = createServer((near, answer) => {
  pass(near, answer).catch(() => near.socket.destroy())
})
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
t.teardown(async () => {
  proxy.closeAllConnections()
  await new Promise((resolve) => proxy.close(resolve))
})
const address = proxy.address()
if (address === null || typeof address === 'string') throw new Error('no port')
const settings = {
  url: `http://127.0.0.1:${address.port}`,
  key: shop.seeded.shopKey,
  flags: ['--write', '--wait', '1'],
}

/** Calls a tool in a new process, which is killed at the place. */
async function killed(place: 'before' | 'after', name: string, args: object): Promise<void> {
  const one = await agent(t, settings)
  dieAt = { place, kill: () => process.kill(one.pid, 'SIGKILL') }
  await one.call(name, args).then(
    () => Promise.reject(new Error('it was not killed')),
    (error: unknown) => {
      if (!/closed/i.test(String(error))) throw error
    },
  )
  dieAt = null
}

for (const place of ['before', 'after'] as const) {
  t.test(`an agent's server killed ${place} the answer ships and cancels once`, async (t) => {
    const { external_reference, ...fields } = exampleShipmentRequest(`killed-${place}`, shop.seeded)
    const order = { order: external_reference, ...fields }
    const before = shop.record.guideCount()
    for (let time = 0; time < 2; time++) await killed(place, 'create_shipment', order)
    const one = await agent(t, settings)
    const ids = new Set<string>()
    for (let time = 0; time < 5; time++) {
      const { said, text } = await one.call('create_shipment', order)
      t.equal(said.result, 'created', text)
      ids.add(said.shipment.id)
    }
    t.equal(ids.size, 1)
    t.equal(shop.record.guideCount(), before + 1, 'one guide')
    const [id = ''] = ids
    await killed(place, 'cancel_shipment', { id })
    const next = await agent(t, settings)
    for (let time = 0; time < 5; time++) {
      const { said, text } = await next.call('cancel_shipment', { id })
      t.equal(said.result, 'cancelled', text)
    }
    const types = (await shop.events(id)).map(({ type }) => type)
    t.equal(types.filter((type) => type === 'CancellationRequested').length, 1, types.join(' '))
    t.equal(shop.record.guideCount(), before + 1, 'and still one')
  })
}
