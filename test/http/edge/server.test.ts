import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { Problem } from '../../../src/service/errors.ts'
import {
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
} from '../../../src/service/event-store/event-store.ts'
import { eventLoopLateness, lateMaxMs } from '../../../src/service/http/rules/overload.ts'
import type { RegisterRoutes } from '../../../src/service/http/server.ts'
import { aKey, anOrganization, client, serverUnderTest } from '../server-under-test.ts'

/** Routes that fail in every possible way. */
const faults: Record<string, () => unknown> = {
  bug: () => {
    throw new Error('canary-internal: select * from secrets')
  },
  overloaded: () => {
    throw new EventStoreOverloaded('full')
  },
  unavailable: () => {
    throw new EventStoreUnavailable('gone')
  },
  unknown: () => {
    throw new AppendUnknown('lost')
  },
  refused: () => {
    throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  },
  terminated: () => {
    throw new Error('Connection terminated unexpectedly')
  },
  problem: () => {
    throw new Problem('unknown_outcome', {
      operationId: 'op_1',
      shipment: { id: 'shp_1', version: 3 },
      headers: { location: '/v1/operations/op_1' },
    })
  },
  leak: () => ({ shown: 'yes', hidden: 'canary-hidden' }),
  unserializable: () => ({ shown: 1 }),
}

const running: (() => void)[] = []
const extra: RegisterRoutes = (app) => {
  for (const method of ['GET', 'POST'] as const) {
    for (const [name, fault] of Object.entries(faults)) {
      app.route({
        method,
        url: `/v1/faults/${name}`,
        config: { collectionScope: null },
        schema: { hide: true, response: { 200: z.object({ shown: z.string() }) } },
        handler: async () => fault() as { shown: string },
      })
    }
  }
  app.route({
    method: 'POST',
    url: '/v1/slow',
    config: { collectionScope: null },
    schema: { hide: true, response: { 200: z.object({ done: z.boolean() }) } },
    handler: async () => {
      await new Promise<void>((resolve) => {
        running.push(resolve)
      })
      return { done: true }
    },
  })
}

let lateMs = 0
const lateness = { read: () => lateMs, stop: () => undefined }
const server = await serverUnderTest(t, { more: [extra], lateness })
const { key } = await aKey(server, await anOrganization(server))
const call = client(server.app, key)

for (const [fault, status, reason, outcome] of [
  ['bug', 500, 'internal_error', 'unknown'],
  ['overloaded', 503, 'overloaded', 'not_executed'],
  ['unavailable', 503, 'dependency_unavailable', 'not_executed'],
  ['unknown', 503, 'dependency_unavailable', 'unknown'],
  ['refused', 503, 'dependency_unavailable', 'not_executed'],
  ['terminated', 503, 'dependency_unavailable', 'unknown'],
  ['unserializable', 500, 'internal_error', 'unknown'],
] as const) {
  t.test(`a fault (${fault}) is reported with its true outcome and no internals`, async (t) => {
    const keyed = { 'idempotency-key': 'any' }
    const changing = await call('POST', `/v1/faults/${fault}`, undefined, keyed)
    t.equal(changing.status, status)
    t.match(changing.body, { reason, outcome, request_id: changing.headers['x-request-id'] })
    t.notMatch(JSON.stringify(changing.body), /canary|select/)
    if (status === 503) {
      t.match(changing.headers['retry-after'], /^\d+$/)
      t.equal(changing.body.retryable, true)
      t.match(changing.body.detail, /may have succeeded/)
    }
    const reading = await call('GET', `/v1/faults/${fault}`)
    t.equal(reading.status, status)
    t.notOk('outcome' in reading.body, 'a read has no outcome')
    const keyless = await call('POST', `/v1/faults/${fault}`)
    t.notMatch(keyless.body.detail, /may have succeeded/, 'no key, no earlier request with it')
    const logged = server.lines.filter((line) =>
      line.includes(String(changing.headers['x-request-id'])),
    )
    t.ok(logged.length >= 2, 'the fault and the request are logged with the request id')
  })
}

t.test('a problem carries its operation, its shipment and its headers', async (t) => {
  const answer = await call('POST', '/v1/faults/problem')
  t.equal(answer.status, 409)
  t.equal(answer.headers.location, '/v1/operations/op_1')
  t.match(answer.body, {
    type: '/docs/errors#unknown_outcome',
    reason: 'unknown_outcome',
    outcome: 'unknown',
    retryable: false,
    operation_id: 'op_1',
    shipment_id: 'shp_1',
  })
})

t.test('a response contains only the fields of its schema', async (t) => {
  const answer = await call('GET', '/v1/faults/leak')
  t.strictSame(answer.body, { shown: 'yes' })
})

t.test('readyz says what is not ready, healthz only that the process is alive', async (t) => {
  const ready = await server.app.inject({ url: '/readyz' })
  t.equal(ready.statusCode, 200)
  t.strictSame(ready.json(), { status: 'ready', checks: { database: 'ok', server: 'ok' } })
  const checks = server.deps.readiness as Record<string, () => Promise<string | null>>
  checks.projections = async () => 'tracking is 12 events behind'
  checks.store = async () => {
    throw new Error('canary: password in a connection string')
  }
  const not = await server.app.inject({ url: '/readyz' })
  t.equal(not.statusCode, 503)
  t.strictSame(not.json(), {
    status: 'not_ready',
    checks: {
      database: 'ok',
      projections: 'tracking is 12 events behind',
      store: 'failed',
      server: 'ok',
    },
  })
  t.equal((await server.app.inject({ url: '/healthz' })).statusCode, 200)
})

await server.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.app.server.address() as AddressInfo

async function dial(t: Test): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('utf8')
  socket.on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Sends the text and returns everything received until the server closes. */
async function exchange(t: Test, text: string): Promise<string> {
  const socket = await dial(t)
  let received = ''
  socket.on('data', (chunk: string) => {
    received += chunk
  })
  socket.write(text)
  await once(socket, 'close')
  return received
}

function bodyOf(reply: string): Record<string, unknown> {
  return JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4))
}

const auth = `authorization: Bearer ${key}\r\n`

t.test('requests that Node itself refuses get a problem as their answer too', async (t) => {
  for (const [what, text, status, reason] of [
    ['no HTTP', 'hello\r\n\r\n', 400, 'invalid_request'],
    [
      'large headers',
      `GET /v1/key HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(17 * 1024)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'two lengths',
      'POST /v1/slow HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'a body that is coded',
      `POST /v1/workspaces HTTP/1.1\r\nhost: x\r\n${auth}connection: close\r\ncontent-type: application/json\r\ntransfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      400,
      'invalid_request',
    ],
    ['no host', `GET /v1/key HTTP/1.1\r\n${auth}connection: close\r\n\r\n`, 400, 'invalid_request'],
  ] as const) {
    const reply = await exchange(t, text)
    t.match(reply, new RegExp(`^HTTP/1.1 ${status} `), what)
    t.match(reply.toLowerCase(), 'application/problem+json', what)
    t.match(reply.toLowerCase(), /x-request-id: req_/, what)
    t.match(bodyOf(reply), { status, reason }, what)
  }
})

t.test('a repeated Authorization or Idempotency-Key header is refused', async (t) => {
  const two = await exchange(
    t,
    `GET /v1/key HTTP/1.1\r\nhost: x\r\n${auth}${auth}connection: close\r\n\r\n`,
  )
  t.match(bodyOf(two), { reason: 'unauthenticated' })
  const body = '{"name":"x","external_reference":"doubled"}'
  const keys = await exchange(
    t,
    `POST /v1/workspaces HTTP/1.1\r\nhost: x\r\n${auth}idempotency-key: a\r\nidempotency-key: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
  )
  t.match(bodyOf(keys), { reason: 'idempotency_key_invalid', outcome: 'not_executed' })
})

t.test(
  'the refusal of a malformed request is not sent as the answer to the one before it',
  async (t) => {
    const socket = await dial(t)
    let received = ''
    socket.on('data', (chunk: string) => {
      received += chunk
    })
    socket.write(`POST /v1/slow HTTP/1.1\r\nhost: x\r\n${auth}\r\n`)
    await until(() => running.length === 1)
    socket.write('nonsense\r\n\r\n')
    await once(socket, 'close')
    t.notMatch(received, /invalid_request/)
    running.pop()?.()
  },
)

t.test('a request that arrives too slowly gets 408 and is not executed', async (t) => {
  const own = server.app.server
  const { requestTimeout, headersTimeout } = own
  Object.assign(own, { requestTimeout: 200, headersTimeout: 200 })
  t.teardown(() => Object.assign(own, { requestTimeout, headersTimeout }))
  const head = `POST /v1/workspaces HTTP/1.1\r\nhost: x\r\n${auth}`
  const body = 'content-type: application/json\r\ncontent-length: 7\r\n\r\n{"a'
  for (const reply of await Promise.all([exchange(t, head), exchange(t, head + body)])) {
    t.match(reply, /^HTTP\/1.1 408 /)
    t.match(bodyOf(reply), { reason: 'request_timeout', outcome: 'not_executed' })
  }
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

t.test(
  'while the event loop is late, requests get 503 unexecuted, except health checks',
  async (t) => {
    t.teardown(() => {
      lateMs = 0
    })
    const made = { name: 'x', external_reference: 'while it was late' }
    lateMs = lateMaxMs + 1
    const shed = await call('POST', '/v1/workspaces', made)
    t.match(shed, { status: 503, body: { reason: 'overloaded', outcome: 'not_executed' } })
    t.equal(shed.headers['retry-after'], '1')
    t.equal((await server.app.inject({ url: '/healthz' })).statusCode, 200)
    lateMs = lateMaxMs
    t.equal((await call('POST', '/v1/workspaces', made)).status, 201, 'nothing was made before')
  },
)

function turn(lengthMs: number): void {
  const end = performance.now() + lengthMs
  while (performance.now() < end);
}

/** The highest lateness measured during this many long turns and the second after them. */
async function highestLateness(measured: ReturnType<typeof eventLoopLateness>, turns: number) {
  let left = turns
  let most = 0
  let end = Number.POSITIVE_INFINITY
  await until(() => {
    if (left-- > 0) turn(lateMaxMs + 300)
    else end = Math.min(end, performance.now() + 1_000)
    most = Math.max(most, measured.read())
    return performance.now() > end
  })
  return most
}

t.test('the event loop counts as late after four long turns, and then recovers', async (t) => {
  const measured = eventLoopLateness()
  t.teardown(async () => measured.stop())
  t.ok((await highestLateness(measured, 2)) < 200, 'not for two long turns, as of a start')
  const most = await highestLateness(measured, 4)
  t.ok(most > lateMaxMs, `four are too many: ${most} ms`)
  t.ok(measured.read() < lateMaxMs, 'and over, once they are')
})

t.test(
  'connections beyond the limit are closed at once, and the others keep working',
  async (t) => {
    const own = server.app.server
    const { maxConnections } = own
    t.ok(maxConnections >= 1_000 && maxConnections <= 10_000, 'there is a limit')
    t.teardown(() => Object.assign(own, { maxConnections }))
    const first = await dial(t)
    const { promise, resolve } = Promise.withResolvers<number>()
    own.getConnections((_error, count) => resolve(count))
    own.maxConnections = await promise
    const [refused] = await Promise.all(
      [dial(t)].map(async (dialled) => once(await dialled, 'close')),
    )
    t.ok(refused)
    first.write(`GET /v1/key HTTP/1.1\r\nhost: x\r\n${auth}\r\n`)
    const [received] = await once(first, 'data')
    t.match(received, /^HTTP\/1.1 200 /)
  },
)

t.test('pipelined requests are answered in order', async (t) => {
  const paths = ['/v1/key', '/v1/nothing', '/v1/usage']
  const asked = paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n${auth}`)
  const reply = await exchange(t, `${asked.join('\r\n')}connection: close\r\n\r\n`)
  const statuses = [...reply.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)
  t.same(statuses, ['200', '404', '200'])
})

t.test('every response has headers for caching, content sniffing and referrers', async (t) => {
  for (const url of ['/v1/key', '/openapi.json', '/healthz', '/nowhere']) {
    const { headers } = await server.app.inject({ url })
    t.equal(headers['x-content-type-options'], 'nosniff', url)
    t.equal(headers['cache-control'], 'no-store', url)
    t.equal(headers['referrer-policy'], 'no-referrer', url)
  }
})

t.test('metrics count requests by route', async (t) => {
  await call('GET', '/v1/workspaces')
  const text = await server.metrics.registry.metrics()
  t.match(
    text,
    /http_request_duration_seconds_count\{method="GET",route="\/v1\/workspaces",status="200"\} 1/,
  )
})

t.test('closing finishes running requests and accepts no new connections', async (t) => {
  const socket = await dial(t)
  let received = ''
  socket.on('data', (chunk: string) => {
    received += chunk
  })
  socket.write(`POST /v1/slow HTTP/1.1\r\nhost: x\r\n${auth}\r\n`)
  await until(() => running.length === 1)
  const idle = await dial(t)
  const closed = server.app.close()
  await once(idle, 'close')
  const refused = connect(port, '127.0.0.1')
  const [error] = await once(refused, 'error')
  t.equal(error.code, 'ECONNREFUSED')
  const answered = once(socket, 'close')
  running.pop()?.()
  await closed
  await answered
  t.match(received, /^HTTP\/1.1 200 /)
  t.match(received.toLowerCase(), /connection: close/)
  t.match(bodyOf(received), { done: true })
})
