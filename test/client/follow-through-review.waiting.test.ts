import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { createClient } from '../../src/client/create-client.ts'
import type { ShipmentRequest } from '../../src/client/ensure-shipped.ts'
import { eventually } from '../support/eventually.ts'
import { watchProcess, withoutPython } from '../support/run-process.ts'
import { type Service, service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'

const shop = await service(t)
const scenario = 'lost_response_human_review'

/** Passes requests on, and records which operations were read with which result. */
async function observed(t: Test) {
  const read = new Map<string, string | null>()
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const body = await buffer(request)
    const sent = new Headers()
    for (const name of ['authorization', 'accept', 'content-type', 'idempotency-key']) {
      const value = headers[name]
      if (value !== undefined) sent.set(name, String(value))
    }
    const asked = headers['sandbox-scenario']
    if (asked !== undefined) sent.set('sandbox-scenario', String(asked))
    const content = body.length === 0 ? {} : { body }
    const answer = await fetch(shop.url + url, { method, headers: sent, ...content })
    const text = await answer.text()
    if (url.startsWith('/v1/operations/')) read.set(url.slice(15), JSON.parse(text).result)
    const retryAfter = answer.headers.get('retry-after')
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(retryAfter === null ? {} : { 'retry-after': retryAfter }),
    })
    response.end(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, read }
}

/**
 * Moves what is open to review, waits until a client has read that, and then lets a look find the
 * guide.
 */
async function endedByLook(home: Service, read: ReadonlyMap<string, string | null>) {
  const ids = await eventually(
    async () => [...read.keys()],
    (known) => known.length > 0,
  )
  await home.advance('PT8H1M')
  await eventually(
    () => ids.every((id) => read.get(id) === 'human_review'),
    (haveRead) => haveRead,
    60_000,
  )
  await home.advance('PT17H')
  const [id = ''] = ids
  const { body } = await home.call(`/v1/operations/${id}`)
  return body
}

t.test('the client follows an operation through human_review to a later look', async (t) => {
  const { url, read } = await observed(t)
  const client = createClient({ baseUrl: url, apiKey: shop.seeded.shopKey })
  const told: string[] = []
  const request = shop.bodyOf('reviewed') as ShipmentRequest
  const following = client.ensureShipped('reviewed', request, {
    scenario,
    onChange: ({ status }, operation) => void told.push(`${status} ${operation?.status ?? 'none'}`),
  })
  const operation = await endedByLook(shop, read)
  t.match(operation, { result: 'guide_exists', resolution: { by: 'reconciliation' } })
  const result = await following
  t.equal(result.kind, 'created')
  t.same(
    [...new Set(told)],
    [
      'unknown_outcome none',
      'unknown_outcome reconciling',
      'unknown_outcome needs_review',
      'unknown_outcome resolved',
      'created resolved',
    ],
  )
  t.match(result, { shipment: { status: 'created', guide_number: String } })
})

const skip = withoutPython()
t.test('the Python client does the same', { skip }, async (t) => {
  const { url, read } = await observed(t)
  const program = `
import json, os
from shipping_ledger import Client
client = Client(os.environ["BASE_URL"], os.environ["SHOP_KEY"])
result = client.ensure_shipped(
    "reviewed-py", json.loads(os.environ["ORDER"]), scenario="${scenario}"
)
print(result.kind, result.shipment["status"])`
  const running = watchProcess(
    spawn('python3', ['-B', '-c', program], {
      cwd: join(projectRoot, 'src', 'client-python'),
      env: {
        ...process.env,
        BASE_URL: url,
        SHOP_KEY: shop.seeded.shopKey,
        ORDER: JSON.stringify(shop.bodyOf('reviewed-py')),
      },
      stdio: 'pipe',
    }),
  )
  t.teardown(() => running.child.kill('SIGKILL'))
  t.match(await endedByLook(shop, read), { result: 'guide_exists' })
  const { stdout, stderr } = await running.ended
  t.match(stdout, /^created created/, stderr)
})
