import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type DiscardLimits, discardLimits } from '../../../src/service/http/rules/discard-rest.ts'
import { aKey, anOrganization, serverUnderTest } from '../server-under-test.ts'

const body = Buffer.alloc(5 * 1024 * 1024, 'x')
const chunked = Buffer.concat([
  Buffer.from(`${body.length.toString(16)}\r\n`),
  body,
  Buffer.from('\r\n0\r\n\r\n'),
])

async function listening(t: Test, discard: DiscardLimits) {
  const server = await serverUnderTest(t, { discard })
  const { key } = await aKey(server, await anOrganization(server))
  const accepted: Socket[] = []
  server.app.server.on('connection', (socket) => accepted.push(socket))
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.app.server.address() as AddressInfo
  return { port, key, accepted }
}

type Head = {
  readonly path?: string
  readonly key: string
  readonly type?: string
  readonly more?: readonly string[]
}

function head({
  path = '/v1/workspaces',
  key,
  type = 'application/json',
  more = [],
}: Head): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type}`,
    ...more,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Discards as much as the service does, without its time limit. */
const unhurried = { ...discardLimits, ms: 600_000 }

const sized = `Content-Length: ${body.length}`
const coded = 'Transfer-Encoding: chunked'
const closing = 'Connection: close'

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

/**
 * What a client receives that reads only after writing everything, and closes after this many
 * answers.
 */
async function writtenThenRead(
  port: number,
  bytes: readonly (string | Buffer)[],
  answers = 1,
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const isOver = closed(socket)
  let text = ''
  socket.on('error', (error) => {
    text += String(error)
  })
  socket.pause()
  for (const each of bytes) {
    await new Promise<void>((resolve) => void socket.write(each, () => resolve()))
    await setImmediate()
  }
  socket.on('data', (chunk) => {
    text += chunk
    if (text.split('"request_id"').length > answers) socket.end()
  })
  socket.resume()
  await isOver
  return text
}

const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, s]) => s)

function pieces(bytes: Buffer, length: number): Buffer[] {
  const count = Math.ceil(bytes.length / length)
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * length, (n + 1) * length))
}

t.test('a client that reads only after writing everything still gets the refusal', async (t) => {
  const { port, key } = await listening(t, unhurried)
  const unknown = 'sl_test_unknown'
  const cases: readonly (readonly [string, Head, Buffer[], string])[] = [
    ['too large', { key, more: [sized] }, [body], '413'],
    ['too large and chunked', { key, more: [coded] }, [chunked], '413'],
    ['too large, piece by piece', { key, more: [sized] }, pieces(body, 100_000), '413'],
    ['too large and chunked, in pieces', { key, more: [coded] }, pieces(chunked, 100_000), '413'],
    ['too large, then closed', { key, more: [sized, closing] }, [body], '413'],
    ['no such route', { key, path: '/v1/nowhere', more: [sized] }, [body], '413'],
    ['no such page', { key, path: '/nowhere', more: [coded] }, [chunked], '413'],
    ['no key', { key: unknown, more: [sized] }, [body], '401'],
    ['no key, then closed', { key: unknown, more: [sized, closing] }, [body], '401'],
    ['no key and chunked, then closed', { key: unknown, more: [coded, closing] }, [chunked], '401'],
    ['no JSON', { key, type: 'text/plain', more: [sized] }, [body], '415'],
    ['no JSON, then closed', { key, type: 'text/plain', more: [sized, closing] }, [body], '415'],
    ['a strange coding', { key, more: ['Transfer-Encoding: gzip, chunked'] }, [chunked], '400'],
  ]
  for (const [what, asked, bytes, status] of cases) {
    const text = await writtenThenRead(port, [head(asked), ...bytes])
    t.strictSame(statusesIn(text), [status], `${what}: ${text.slice(0, 60)}`)
  }
})

t.test('a connection stays usable after a refused body', async (t) => {
  const { port, key } = await listening(t, unhurried)
  const refused = head({ key: 'sl_test_unknown', more: [sized] })
  const next = head({ key, more: ['Content-Length: 2', closing] })
  const text = await writtenThenRead(port, [refused, body, next, '{}'], 2)
  t.strictSame(statusesIn(text), ['401', '422'])
})

/**
 * Writes for as long as the server reads, and returns how many bytes it had read when it closed.
 */
async function readUntilCutOff(t: Test, discard: DiscardLimits, asked: string): Promise<number> {
  const { port, key, accepted } = await listening(t, discard)
  const socket = connect(port, '127.0.0.1')
  const isOver = closed(socket)
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(head({ key: asked === '401' ? 'sl_test_unknown' : key, more: [coded] }))
  const piece = Buffer.concat([
    Buffer.from('10000\r\n'),
    Buffer.alloc(65_536, 'x'),
    Buffer.from('\r\n'),
  ])
  const write = () => {
    while (socket.writable && socket.write(piece));
  }
  socket.on('drain', write)
  write()
  await isOver
  if (text !== '') t.strictSame(statusesIn(text), [asked])
  return accepted[0]?.bytesRead ?? Number.NaN
}

t.test('a client that keeps sending a refused body is cut off', async (t) => {
  const discard = { ...unhurried, bytesMax: 1024 * 1024 }
  for (const asked of ['413', '401']) {
    const bytes = await readUntilCutOff(t, discard, asked)
    t.ok(bytes > discard.bytesMax && bytes < 2 * discard.bytesMax, `${asked} after ${bytes} bytes`)
  }
})

t.test('a client that stalls in a refused body is answered and cut off', async (t) => {
  const { port, key } = await listening(t, { bytesMax: body.length, ms: 50 })
  for (const [asked, status] of [
    [key, '413'],
    ['sl_test_unknown', '401'],
  ] as const) {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.write(head({ key: asked, more: [sized] }))
    socket.write('{')
    await once(socket, 'end')
    t.strictSame(statusesIn(text), [status])
    t.match(text, /\r\n\r\n\{.*\}$/, 'the answer is whole')
    socket.destroy()
  }
})
