import { connect, createServer, type Socket } from 'node:net'
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls'
import t from 'tap'
import { type WebhookSenderOptions, webhookSender } from '../../src/service/webhooks/send.ts'
import { eventually } from '../support/eventually.ts'
import { type Receiver, receiver } from './receiver.ts'
import { selfSigned } from './self-signed.ts'

type Test = { teardown(end: () => Promise<void>): void }

const body = Buffer.from('{"id":"evt_1","city":"Ñaña"}')
const headers = { 'webhook-id': 'evt_1', 'user-agent': 'mine' }
const post = { headers, body, livemode: false, allowPrivate: true } as const

function sender(test: Test, options: WebhookSenderOptions = {}) {
  const made = webhookSender(options)
  test.teardown(() => made.close())
  return made
}

function httpAnswer(status: number, text: string | Buffer = '', more: readonly string[] = []) {
  const bytes = Buffer.from(text)
  const lines = [`HTTP/1.1 ${status} Told`, `content-length: ${bytes.length}`, ...more]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes])
}

/** The answer of a receiver that behaves like this, to one send of a new sender. */
async function answerOf(
  test: Test,
  onRequest: Parameters<typeof receiver>[1],
  options: WebhookSenderOptions = {},
) {
  const there = await receiver(test, onRequest)
  return { answer: await sender(test, options).send({ ...post, url: there.url }), there }
}

t.test(
  'a delivery is one POST with its exact bytes on a connection that is kept alive',
  async (t) => {
    const there = await receiver(t, (socket) => socket.write(httpAnswer(204)))
    const { send } = sender(t)
    const answer = await send({ ...post, url: `${there.url}in?key=1` })
    t.match(answer, { statusCode: 204, error: null, excerpt: null, retryAfterMs: null })
    t.ok(Number.isInteger(answer.latencyMs) && answer.latencyMs >= 0)
    t.match(there.heads[0], /^POST \/in\?key=1 HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\n/)
    t.match(there.heads[0], /\r\ncontent-type: application\/json\r\n/)
    t.match(there.heads[0], /\r\nuser-agent: shipping-ledger-webhooks\/1\r\n/)
    t.notMatch(there.heads[0], /mine/)
    t.equal(there.bodies[0], body.toString())
    for (let sent = 0; sent < 5; sent++) await send({ ...post, url: there.url })
    t.equal(there.connections.opened(), 1)
    await Promise.all(Array.from({ length: 9 }, () => send({ ...post, url: there.url })))
    t.equal(there.connections.opened(), 9, 'each of many at once has its own')
  },
)

t.test('any status is the answer, and a redirect is not followed', async (t) => {
  const target = await receiver(t, (socket) => socket.write(httpAnswer(200)))
  const { send } = sender(t)
  for (const status of [200, 201, 299, 301, 302, 307, 308, 400, 404, 410, 500, 503]) {
    const reply = httpAnswer(status, 'so', [`location: ${target.url}`])
    const there = await receiver(t, (socket) => socket.write(reply))
    const answer = await send({ ...post, url: there.url })
    t.match(answer, { statusCode: status, error: null, excerpt: 'so' }, String(status))
    t.equal(there.heads.length, 1, 'asked once')
  }
  t.equal(target.heads.length, 0)
})

t.test('Retry-After is read as seconds or as a date, and otherwise ignored', async (t) => {
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
  const asked = ['17', '99999999999999999999', '0', 'Sun, 06 Nov 1994 08:49:37 GMT', inAnHour]
  const odd = ['-5', '1.5', 'soon', '2030-01-01', '']
  const all = [...asked, ...odd]
  const there = await receiver(t, (socket, ordinal) =>
    socket.write(httpAnswer(429, '', [`retry-after: ${all[ordinal - 1]}`])),
  )
  const { send } = sender(t)
  const waits: (number | null)[] = []
  for (const _ of all) waits.push((await send({ ...post, url: there.url })).retryAfterMs)
  t.same(waits.slice(0, 4), [17_000, Number.MAX_SAFE_INTEGER, 0, 0])
  t.ok(Number(waits[4]) > 3_590_000 && Number(waits[4]) <= 3_600_000)
  t.same(waits.slice(5), [null, null, null, null, null])
})

t.test(
  'the excerpt of an answer is at most 2 KiB of text that is safe to store and show',
  async (t) => {
    const replies: readonly (readonly [Buffer, string | null])[] = [
      [httpAnswer(500, `${'a'.repeat(2_047)}ñ…`), 'a'.repeat(2_047)],
      [httpAnswer(500, `${'a'.repeat(2_046)}ñ…`), `${'a'.repeat(2_046)}ñ`],
      [httpAnswer(500, 'a\0b\x1b[31m\r\nc\td\u202e'), 'a\ufffdb\ufffd[31m\nc\td\ufffd'],
      [httpAnswer(500, Buffer.from([0x61, 0xff, 0xfe, 0x62])), 'a\ufffd\ufffdb'],
      [httpAnswer(500, Buffer.from('1f8b0800', 'hex'), ['content-encoding: gzip']), null],
    ]
    const there = await receiver(t, (socket, ordinal) =>
      socket.write(replies[ordinal - 1]?.[0] ?? ''),
    )
    const { send } = sender(t)
    for (const [, excerpt] of replies) {
      t.equal((await send({ ...post, url: there.url })).excerpt, excerpt)
    }
  },
)

t.test('a receiver that is silent or never finishes is timed out', async (t) => {
  const trickled = (text: string) => (socket: Parameters<Parameters<typeof receiver>[1]>[0]) => {
    let at = 0
    const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), 10)
    socket.once('close', () => clearInterval(timer))
  }
  const started = 'HTTP/1.1 202 OK\r\ncontent-length: 9999\r\n\r\nthank you'
  const times = { connectMs: 250, totalMs: 400 }
  const [silent, headless, bodiless] = await Promise.all([
    answerOf(t, () => {}, { times }),
    answerOf(t, trickled('HTTP/1.1 200 OK\r\nx: '.padEnd(999, 'y')), { times }),
    answerOf(
      t,
      (socket) => {
        socket.write(started)
        trickled('.')(socket)
      },
      { times: { totalMs: 10_000, bodyMs: 150 } },
    ),
  ])
  for (const { answer, there } of [silent, headless]) {
    t.match(answer, { statusCode: null, error: 'timeout', excerpt: null })
    t.ok(answer.latencyMs >= 395 && answer.latencyMs < 5_000, String(answer.latencyMs))
    await there.connections.closed(1)
  }
  const { answer } = bodiless
  t.match(answer, { statusCode: 202, error: null, excerpt: /^thank you\.+$/ }, 'the status decides')
  t.ok(answer.latencyMs >= 145 && answer.latencyMs < 9_000, 'and its body is not awaited')
  await bodiless.there.connections.closed(1)
})

t.test(
  'a connection that breaks before the status is a reset; after it the status counts',
  async (t) => {
    const resets: readonly string[] = ['', 'HTTP/1.1 200 OK\r\ncontent-le']
    for (const text of resets) {
      const { answer } = await answerOf(t, (socket) => {
        if (text === '') socket.resetAndDestroy()
        else socket.write(text, () => socket.resetAndDestroy())
      })
      t.match(answer, { statusCode: null, error: 'reset' }, text)
    }
    const ended = await answerOf(t, (socket) => socket.end())
    t.match(ended.answer, { statusCode: null, error: 'reset' })
    for (const status of [200, 500]) {
      const { answer } = await answerOf(t, (socket) => {
        const cut = httpAnswer(status, 'half of it').subarray(0, -3)
        socket.write(cut, () => socket.resetAndDestroy())
      })
      t.match(answer, { statusCode: status, error: null }, `${status} and half a body`)
    }
  },
)

t.test('an answer that is not HTTP or has endless headers is a protocol error', async (t) => {
  const wrong = [
    'SSH-2.0-OpenSSH_9.6\r\n',
    '\0\x01\x02garbage\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    `HTTP/1.1 200 OK\r\n${'name: value\r\n'.repeat(5_000)}`,
    'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
  ]
  const checks = wrong.map(async (text) => {
    const { answer, there } = await answerOf(t, (socket) => socket.write(text))
    t.match(answer, { statusCode: null, error: 'protocol' }, text.slice(0, 30))
    await there.connections.closed(1)
  })
  await Promise.all(checks)
})

t.test('an endless answer is cut off early, and memory stays flat', async (t) => {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const there = await receiver(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n')
    const more = () => {
      while (!socket.closed && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  })
  const sockets: Socket[] = []
  const { send } = sender(t, {
    openSocket: (options) => {
      const socket = connect(options)
      sockets.push(socket)
      return socket
    },
  })
  const sendMany = () =>
    Promise.all(Array.from({ length: 32 }, () => send({ ...post, url: there.url })))
  await sendMany()
  const heldBytes = () => process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
  const before = heldBytes()
  const answers = [...(await sendMany()), ...(await sendMany())]
  const cut = { statusCode: 200, error: null, excerpt: 'x'.repeat(2_048) }
  t.match(answers, Array(64).fill(cut))
  await there.connections.closed(96)
  t.ok(heldBytes() - before < 24 * 1024 * 1024, `${heldBytes() - before} bytes more are held`)
  const readMost = Math.max(...sockets.map(({ bytesRead }) => bytesRead))
  t.ok(readMost <= 3 * 64 * 1024, `${readMost} bytes were read of the longest`)
})

t.test('failures to connect are told apart: refused, no such name, timeout, TLS', async (t) => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const address = closed.address()
  const port = typeof address === 'object' ? address?.port : 0
  await new Promise((resolve) => closed.close(resolve))
  const tarpit = await receiver(t, () => {})
  const plain = await receiver(t, () => {}, {
    onConnection: (socket) => socket.end('220 ready\r\n'),
  })
  const cut = await receiver(t, () => {}, {
    onConnection: (socket) => socket.once('data', () => socket.resetAndDestroy()),
  })
  const { send } = sender(t, { times: { connectMs: 250 } })
  const overTls = (there: Receiver) => there.url.replace('http:', 'https:')
  const expected = {
    [`http://127.0.0.1:${port}/`]: 'connect',
    'http://127.0.0.1:0/': 'blocked',
    'http://there-is-no-such-name.invalid/': 'dns',
    [overTls(tarpit)]: 'timeout',
    [overTls(plain)]: 'tls',
    [overTls(cut)]: 'tls',
  }
  for (const [url, error] of Object.entries(expected)) {
    t.match(await send({ ...post, url }), { statusCode: null, error, excerpt: null }, url)
  }
  await tarpit.connections.closed(1)
})

t.test('delivery works over IPv6 and TLS, and an untrusted certificate is refused', async (t) => {
  const six = await receiver(t, (socket) => socket.write(httpAnswer(200)), { host: '::1' })
  const { key, cert } = selfSigned('receiver.example')
  const server = createTlsServer({ key, cert }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write(httpAnswer(202, socket.servername || 'no name')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const { send, close } = sender(t, { lookup })
  const untrusted = await send({ ...post, url: `https://receiver.example:${port}/` })
  t.match(untrusted, { statusCode: null, error: 'tls' })
  const before = getCACertificates('default')
  t.teardown(() => setDefaultCACertificates(before))
  setDefaultCACertificates([...before, cert])
  const sent = await send({ ...post, url: `https://receiver.example:${port}/` })
  t.match(sent, { statusCode: 202, error: null, excerpt: 'receiver.example' })
  const dotted = await send({ ...post, url: `https://receiver.example.:${port}/` })
  t.match(dotted, { statusCode: 202, excerpt: 'receiver.example' })
  const misnamed = await send({ ...post, url: `https://other.example:${port}/` })
  t.match(misnamed, { statusCode: null, error: 'tls' }, 'the certificate is for another name')
  t.match(await send({ ...post, url: six.url }), { statusCode: 200, error: null })
  await close()
  await new Promise((resolve) => server.close(resolve))
})

t.test('a connection that the receiver closed is not used again', async (t) => {
  const closing = await receiver(t, (socket) => socket.end(httpAnswer(200)))
  const { send } = sender(t)
  for (let sent = 1; sent <= 20; sent++) {
    t.match(await send({ ...post, url: closing.url }), { statusCode: 200, error: null })
  }
  t.equal(closing.heads.length, 20)
})

t.test('at most 512 idle connections are kept, however many origins there are', async (t) => {
  const there = await receiver(t, (socket) => socket.write(httpAnswer(200)))
  const port = new URL(there.url).port
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const { send, close } = sender(t, { lookup })
  for (let origin = 0; origin < 550; origin += 50) {
    const some = Array.from({ length: 50 }, (_, at) => `http://a${origin + at}.example:${port}/`)
    await Promise.all(some.map((url) => send({ ...post, url })))
  }
  t.equal(there.heads.length, 550)
  await there.connections.closed(38)
  t.equal(there.connections.open(), 512)
  await close()
  await there.connections.closed(550)
})

t.test('closing ends running sends and refuses later ones', async (t) => {
  const there = await receiver(t, () => {})
  const unanswered = await receiver(t, () => {})
  const { send, close } = webhookSender()
  const sent = [there.url, unanswered.url.replace('http:', 'https:')].map((url) =>
    send({ ...post, url }),
  )
  await eventually(
    () => there.heads.length + unanswered.received(),
    (some) => some > 1,
  )
  await close()
  for (const answer of await Promise.all(sent)) {
    t.match(answer, { statusCode: null, error: 'closed' })
  }
  await there.connections.closed(1)
  await unanswered.connections.closed(1)
  t.match(await send({ ...post, url: there.url }), { statusCode: null, error: 'closed' })
  await close()
})

t.test('sends beyond the limit of the process are refused, not queued', async (t) => {
  const { send, close } = webhookSender({ lookup: () => new Promise(() => {}) })
  const sent = Array.from({ length: 1_024 }, () => send({ ...post, url: 'http://a.example/' }))
  t.match(await send({ ...post, url: 'http://a.example/' }), { error: 'overloaded' })
  await close()
  t.same(new Set((await Promise.all(sent)).map(({ error }) => error)), new Set(['closed']))
})
