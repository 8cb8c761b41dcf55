import type { Socket } from 'node:net'
import t from 'tap'
import { Pool } from 'undici'
import {
  type Connector,
  type ConnectorOptions,
  connector,
} from '../../src/service/couriers/connector.ts'
import type { GuideCall } from '../../src/service/couriers/courier.ts'
import { deadlineIn } from '../../src/service/couriers/deadline.ts'
import { clocks } from '../support/clocks.ts'
import { createCall, createdBody, httpAnswer, type RawServer, rawServer } from './support.ts'

type Test = { teardown(end: () => Promise<void>): void }

async function against(
  test: Test,
  onRequest: (socket: Socket, ordinal: number) => void,
  options: Partial<ConnectorOptions> & { onConnection?: (socket: Socket) => void } = {},
): Promise<{ courier: Connector; server: RawServer }> {
  const teardown = (end: () => Promise<void>) => test.teardown(end)
  const server = await rawServer(teardown, onRequest, options.onConnection)
  const courier = connector({ baseUrl: server.url, callMs: 3_000, ...options })
  teardown(() => courier.close())
  return { courier, server }
}

/** The same, over one connection: the second call must reuse it. */
async function overOneConnection(test: Test, onRequest: (socket: Socket) => void) {
  const teardown = (end: () => Promise<void>) => test.teardown(end)
  const server = await rawServer(teardown, onRequest)
  const dispatcher = new Pool(server.url, { connections: 1, pipelining: 1 })
  teardown(() => dispatcher.destroy())
  return { server, courier: connector({ baseUrl: server.url, callMs: 3_000, dispatcher }) }
}

/** A call about an existing guide. */
function guideCall(): GuideCall {
  const { requestId, organizationId, credentials, sandbox, clientReference } = createCall()
  return { requestId, organizationId, credentials, sandbox, clientReference, guideNumber: 'G1' }
}

function unknown(cause: string) {
  return { kind: 'unknown', cause }
}

const answers: readonly (readonly [name: string, answer: Buffer, expected: object])[] = [
  ['a readable success gives a guide', httpAnswer(200, createdBody), { kind: 'created' }],
  ['201 is also a success', httpAnswer(201, createdBody), { kind: 'created' }],
  [
    '200 with success false is a refusal with its code and text',
    httpAnswer(200, '{"success":false,"code":"no_such_place","message":"No."}'),
    { kind: 'rejected', code: 'no_such_place', text: 'No.' },
  ],
  [
    '422 with success false is a refusal',
    httpAnswer(422, '{"success":false,"code":"no_such_place"}'),
    { kind: 'rejected', code: 'no_such_place', text: null },
  ],
  [
    'an invalid refusal code is dropped from the result',
    httpAnswer(200, '{"success":false,"code":"DNI 12345678 is wrong","message":"x"}'),
    { kind: 'rejected', code: null, text: 'x' },
  ],
  [
    'a price-changed refusal carries the new price',
    httpAnswer(
      409,
      '{"success":false,"code":"quote_price_changed","price":{"amount":900,"currency":"PEN"}}',
    ),
    {
      kind: 'rejected',
      code: 'quote_price_changed',
      newPrice: { amount: 900, currency: 'PEN' },
    },
  ],
  [
    'an unreadable new price is dropped, and the refusal stands',
    httpAnswer(409, '{"success":false,"code":"quote_price_changed","price":{"amount":"9.00"}}'),
    { kind: 'rejected', code: 'quote_price_changed', newPrice: null },
  ],
  [
    'a price with any other refusal is ignored',
    httpAnswer(409, '{"success":false,"code":"closed","price":{"amount":900,"currency":"PEN"}}'),
    { kind: 'rejected', code: 'closed', newPrice: null },
  ],
  ['401 is unauthorized, whatever its body', httpAnswer(401, 'no'), { kind: 'unauthorized' }],
  [
    '429 is throttled, with its Retry-After',
    httpAnswer(429, '', { 'retry-after': '2' }),
    { kind: 'throttled', retryAfterMs: 2_000 },
  ],
  [
    '429 with a date in Retry-After is throttled, without a wait',
    httpAnswer(429, '', { 'retry-after': 'Wed, 01 Jan 2031 00:00:00 GMT' }),
    { kind: 'throttled', retryAfterMs: null },
  ],
  [
    '412 too_late with executed false counts as not sent',
    httpAnswer(412, '{"success":false,"executed":false,"code":"too_late"}'),
    { kind: 'not_sent', cause: 'too_late' },
  ],
  ['412 without a body is an unknown outcome', httpAnswer(412, ''), unknown('response_unreadable')],
  [
    '404 from a proxy is an unknown outcome',
    httpAnswer(404, '<html>'),
    unknown('response_unreadable'),
  ],
  [
    'a redirect is not followed and is an unknown outcome',
    httpAnswer(307, '', { location: '/' }),
    unknown('response_unreadable'),
  ],
  [
    '500 is an unknown outcome',
    httpAnswer(500, '{"success":false,"code":"x"}'),
    unknown('courier_error'),
  ],
  [
    '503 is an unknown outcome',
    httpAnswer(503, '', { 'retry-after': '1' }),
    unknown('courier_error'),
  ],
  [
    'a success without a guide number is an unknown outcome',
    httpAnswer(200, '{"success":true,"guide":{"pickup_code":null,"price":null}}'),
    unknown('response_unreadable'),
  ],
  [
    'a wrong content type is an unknown outcome',
    httpAnswer(200, createdBody, { 'content-type': 'text/html' }),
    unknown('response_unreadable'),
  ],
  [
    'invalid UTF-8 is an unknown outcome',
    httpAnswer(
      200,
      Buffer.concat([
        Buffer.from(createdBody.slice(0, -3)),
        Buffer.from([0xff]),
        Buffer.from('"}}'),
      ]),
    ),
    unknown('response_unreadable'),
  ],
  [
    'an unrequested content encoding is an unknown outcome',
    httpAnswer(200, createdBody, { 'content-encoding': 'gzip' }),
    unknown('response_unreadable'),
  ],
  [
    'huge headers are an unknown outcome',
    httpAnswer(200, createdBody, { 'x-huge': 'x'.repeat(40_000) }),
    unknown('response_unreadable'),
  ],
  [
    'a response that is not HTTP is an unknown outcome',
    Buffer.from('SSH-2.0-nothing\r\n\r\n'),
    unknown('response_unreadable'),
  ],
  [
    'an unexpected 100 Continue is an unknown outcome',
    Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'),
    unknown('response_lost'),
  ],
]

t.test('each response of a connector has one meaning', async (t) => {
  let next: Buffer = Buffer.alloc(0)
  const { courier, server } = await against(t, (socket) => socket.write(next))
  for (const [name, answer, expected] of answers) {
    await t.test(name, async (t) => {
      next = answer
      const before = server.requests.length
      t.match(await courier.createGuide(createCall()), expected)
      t.equal(server.requests.length, before + 1, 'it was asked once')
    })
  }
})

t.test('a guide with an unreadable price still counts as a guide', async (t) => {
  const body = '{"success":true,"guide":{"guide_number":"G1","pickup_code":7,"price":"S/ 10"}}'
  const { courier } = await against(t, (socket) => socket.write(httpAnswer(200, body)))
  t.strictSame(await courier.createGuide(createCall()), {
    kind: 'created',
    guide: { guideNumber: 'G1', pickupCode: null, price: null },
  })
})

t.test('a call to a host name that does not resolve counts as not sent', async (t) => {
  const courier = connector({ baseUrl: 'http://nowhere.invalid', callMs: 3_000 })
  t.teardown(() => courier.close())
  t.strictSame(await courier.createGuide(createCall()), { kind: 'not_sent', cause: 'unreachable' })
})

t.test('a call to a closed port counts as not sent', async (t) => {
  const courier = connector({ baseUrl: 'http://127.0.0.1:1', callMs: 3_000 })
  t.teardown(() => courier.close())
  t.strictSame(await courier.createGuide(createCall()), { kind: 'not_sent', cause: 'unreachable' })
})

t.test('a call to a server that does not speak TLS counts as not sent', async (t) => {
  const { server } = await against(t, () => {}, {
    onConnection: (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  })
  const courier = connector({ baseUrl: server.url.replace('http:', 'https:'), callMs: 3_000 })
  t.teardown(() => courier.close())
  t.strictSame(await courier.createGuide(createCall()), { kind: 'not_sent', cause: 'unreachable' })
})

t.test('a call whose TLS handshake times out counts as not sent', async (t) => {
  const { server } = await against(t, () => {})
  const baseUrl = server.url.replace('http:', 'https:')
  const courier = connector({ baseUrl, callMs: 300 })
  t.teardown(() => courier.close())
  t.strictSame(await courier.createGuide(createCall()), { kind: 'not_sent', cause: 'unreachable' })
})

t.test('a call after its deadline is never written to the socket', async (t) => {
  const { courier, server } = await against(t, (socket) =>
    socket.write(httpAnswer(200, createdBody)),
  )
  const late = createCall({ notAfter: deadlineIn(-1) })
  t.strictSame(await courier.createGuide(late), { kind: 'not_sent', cause: 'too_late' })
  t.equal(server.requests.length, 0)
})

t.test('a call keeps its deadline when the wall clock is set back', async (t) => {
  const { setWall, pass } = clocks(t)
  const { courier, server } = await against(t, (socket) =>
    socket.write(httpAnswer(200, createdBody)),
  )
  const call = createCall({ notAfter: deadlineIn(20_000) })
  setWall(-3_600_000)
  pass(20_000)
  t.strictSame(await courier.createGuide(call), { kind: 'not_sent', cause: 'too_late' })
  t.equal(server.requests.length, 0)
})

t.test('a call is not written if the wall clock has passed its deadline', async (t) => {
  const { setWall } = clocks(t)
  const { courier, server } = await against(t, (socket) =>
    socket.write(httpAnswer(200, createdBody)),
  )
  const call = createCall({ notAfter: deadlineIn(20_000) })
  setWall(3_600_000)
  t.strictSame(await courier.createGuide(call), { kind: 'not_sent', cause: 'too_late' })
  t.equal(server.requests.length, 0)
})

t.test('a connection that is reset on connecting is not retried', async (t) => {
  const { courier, server } = await against(t, () => {}, {
    onConnection: (socket) => socket.resetAndDestroy(),
  })
  const answer = await courier.createGuide(createCall())
  // Depending on the timing, either connecting fails or the request was already written.
  if (answer.kind === 'not_sent') t.equal(server.sockets[0]?.bytesRead ?? 0, 0)
  else t.strictSame(answer, unknown('response_lost'))
  t.equal(server.sockets.length, 1)
})

t.test('a connection reset before the request is read is an unknown outcome', async (t) => {
  const { courier, server } = await against(t, () => {}, {
    onConnection: (socket) => {
      socket.removeAllListeners('data')
      socket.once('readable', () => socket.resetAndDestroy())
    },
  })
  t.strictSame(await courier.createGuide(createCall()), unknown('response_lost'))
  t.equal(server.sockets.length, 1)
})

t.test(
  'a connection reset after the request is unknown, and the request is not resent',
  async (t) => {
    const { courier, server } = await against(t, (socket) => socket.resetAndDestroy())
    t.strictSame(await courier.createGuide(createCall()), unknown('response_lost'))
    t.equal(server.requests.length, 1)
  },
)

t.test('a connection closed without a response is an unknown outcome', async (t) => {
  const { courier, server } = await against(t, (socket) => socket.end())
  t.strictSame(await courier.createGuide(createCall()), unknown('response_lost'))
  t.equal(server.requests.length, 1)
})

t.test('a connection reset after one byte of the response is an unknown outcome', async (t) => {
  const { courier } = await against(t, (socket) => {
    socket.write('H', () => socket.resetAndDestroy())
  })
  t.match(await courier.createGuide(createCall()), { kind: 'unknown' })
})

t.test('a truncated success body is an unknown outcome', async (t) => {
  const whole = httpAnswer(200, createdBody)
  const { courier, server } = await against(t, (socket) => socket.end(whole.subarray(0, -20)))
  t.strictSame(await courier.createGuide(createCall()), unknown('response_unreadable'))
  t.equal(server.requests.length, 1)
})

t.test(
  'a kept-alive connection that is reset by the next request is an unknown outcome',
  async (t) => {
    // From the second request on, the server resets as soon as any byte of it arrives.
    const { courier, server } = await overOneConnection(t, (socket) => {
      socket.write(httpAnswer(200, createdBody), () => {
        socket.prependListener('data', () => socket.resetAndDestroy())
      })
    })
    t.match(await courier.createGuide(createCall()), { kind: 'created' })
    t.strictSame(await courier.createGuide(createCall()), unknown('response_lost'))
    t.equal(server.sockets.length, 1, 'it was the same connection, and no other was tried')
  },
)

t.test('a read over a reset kept-alive connection is not silently repeated', async (t) => {
  const body = '{"success":true,"agencies":[]}'
  const { courier, server } = await overOneConnection(t, (socket) => {
    socket.write(httpAnswer(200, body), () => {
      socket.prependListener('data', () => socket.resetAndDestroy())
    })
  })
  t.match(await courier.agencies(), { kind: 'listed' })
  t.strictSame(await courier.agencies(), unknown('response_lost'))
  t.equal(server.sockets.length, 1)
})

t.test('a dispatcher that resends is stopped before it writes a byte again', async (t) => {
  const server = await rawServer(
    (end) => t.teardown(end),
    (socket) => socket.resetAndDestroy(),
  )
  const pool = new Pool(server.url)
  t.teardown(() => pool.destroy())
  let repetitions = 0
  const dispatcher = pool.compose((dispatch) => (options, handler) => {
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onResponseStart: () => {},
      onResponseData: () => {},
      onResponseEnd: () => {},
      onResponseError(controller, error) {
        if (repetitions++ === 0) dispatch(options, this)
        else handler.onResponseError?.(controller, error)
      },
    })
  })
  const courier = connector({ baseUrl: server.url, callMs: 3_000, dispatcher })
  t.strictSame(await courier.createGuide(createCall()), unknown('response_lost'))
  t.ok(repetitions >= 1, 'it tried')
  t.equal(server.requests.length, 1, 'and was stopped')
})

t.test('a kept-alive connection that the courier closed is replaced before sending', async (t) => {
  const { courier, server } = await against(t, (socket, ordinal) => {
    socket.write(httpAnswer(200, createdBody))
    if (ordinal === 1) socket.end()
  })
  t.match(await courier.createGuide(createCall()), { kind: 'created' })
  const [first] = server.sockets
  if (first && !first.closed) await new Promise((resolve) => first.once('close', resolve))
  t.match(await courier.createGuide(createCall()), { kind: 'created' })
  t.equal(server.requests.length, 2)
})

t.test('a courier that never responds times out as an unknown outcome', async (t) => {
  const { courier } = await against(t, () => {}, { callMs: 200 })
  const before = Date.now()
  t.strictSame(await courier.createGuide(createCall()), unknown('response_lost'))
  t.ok(Date.now() - before < 1_500)
})

t.test('a courier with no response by the call deadline ends as deadline_passed', async (t) => {
  const { courier } = await against(t, () => {})
  const call = createCall({ notAfter: deadlineIn(200) })
  t.strictSame(await courier.createGuide(call), unknown('deadline_passed'))
})

t.test('the wait for a response ends at answerByMs', async (t) => {
  const { courier } = await against(t, () => {})
  const call = createCall({ answerByMs: performance.now() + 200 })
  t.strictSame(await courier.createGuide(call), unknown('response_lost'))
})

t.test("a slow response is limited by the whole call's timeout, not per byte", async (t) => {
  const whole = httpAnswer(200, createdBody)
  const { courier } = await against(
    t,
    (socket) => {
      let sent = 0
      const drip = setInterval(() => socket.write(whole.subarray(sent, ++sent)), 40)
      socket.on('close', () => clearInterval(drip))
    },
    { callMs: 300 },
  )
  const before = Date.now()
  t.strictSame(await courier.createGuide(createCall()), unknown('response_lost'))
  t.ok(Date.now() - before < 1_500)
})

t.test('a response over the size limit is cut off and its connection closed', async (t) => {
  const bytesMax = 10 * 1024 * 1024
  const { courier, server } = await against(t, (socket) => {
    socket.write(httpAnswer(200, '', { 'content-length': String(bytesMax) }))
    const chunk = Buffer.alloc(64 * 1024, ' ')
    const pour = () => {
      while (!socket.destroyed && socket.bytesWritten < bytesMax && socket.write(chunk));
    }
    socket.on('drain', pour)
    pour()
  })
  t.strictSame(await courier.createGuide(createCall()), unknown('response_unreadable'))
  const [socket] = server.sockets
  if (socket && !socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  t.ok((socket?.bytesWritten ?? bytesMax) < bytesMax, 'the rest was never read')
})

t.test(
  'sockets to one courier are limited; calls still waiting for one are not sent',
  async (t) => {
    const written = Promise.withResolvers<void>()
    const { courier, server } = await against(t, (_socket, ordinal) => {
      if (ordinal === 64) written.resolve()
    })
    const calls = Array.from({ length: 100 }, (_, number) =>
      courier.createGuide(createCall({ organizationId: `org_${number % 2}` })),
    )
    await written.promise
    await courier.close()
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind)
    t.equal(server.sockets.length, 64)
    t.equal(
      kinds.filter((kind) => kind === 'unknown').length,
      64,
      'calls that were written are unknown',
    )
    t.equal(
      kinds.filter((kind) => kind === 'not_sent').length,
      36,
      'calls that never left count as not sent',
    )
    t.equal(server.requests.length, 64)
  },
)

t.test('a call that times out waiting for a socket is never written', async (t) => {
  const { courier, server } = await overOneConnection(t, () => {})
  const first = courier.createGuide(createCall())
  const waiting = createCall({ answerByMs: performance.now() + 100 })
  t.strictSame(await courier.createGuide(waiting), { kind: 'not_sent', cause: 'unreachable' })
  for (const socket of server.sockets) socket.destroy()
  t.strictSame(await first, unknown('response_lost'))
  const third = courier.createGuide(createCall({ answerByMs: performance.now() + 100 }))
  t.strictSame(await third, unknown('response_lost'))
  t.equal(server.requests.length, 2, 'the first and the third')
})

t.test('closing cuts off calls in flight, and their outcome is unknown', async (t) => {
  const { courier, server } = await against(t, () => void courier.close())
  t.strictSame(await courier.createGuide(createCall()), unknown('response_lost'))
  t.equal(server.requests.length, 1)
  t.strictSame(await courier.createGuide(createCall()), { kind: 'not_sent', cause: 'unreachable' })
})

t.test('tracking counts malformed events and keeps the others', async (t) => {
  const event = { id: '1', code: 'in_transit', occurred_at: '2030-01-01T00:00:00Z' }
  const events = [
    event,
    { ...event, occurred_at: 'yesterday' },
    7,
    { ...event, code: 'zzz', text: 'x'.repeat(600) },
  ]
  const body = JSON.stringify({ success: true, eta: 'soon', events })
  const { courier } = await against(t, (socket) => socket.write(httpAnswer(200, body)))
  const answer = await courier.track(guideCall())
  t.match(answer, { kind: 'tracked', malformed: 2, eta: null })
  if (answer.kind !== 'tracked') return
  t.strictSame(
    answer.events.map(({ code }) => code),
    ['in_transit', 'zzz'],
  )
  t.equal(answer.events[1]?.text?.length, 500)
})

t.test(
  'a label that is not a PDF is reported as such; 202 and label_not_ready are not ready',
  async (t) => {
    const replies = [
      httpAnswer(200, '<html>', { 'content-type': 'application/pdf' }),
      httpAnswer(200, '', { 'content-type': 'application/pdf' }),
      httpAnswer(200, '%PDF-1.7', { 'content-type': 'text/html' }),
      httpAnswer(202, ''),
      httpAnswer(409, '{"success":false,"code":"label_not_ready"}'),
      httpAnswer(200, '%PDF-1.7', { 'content-type': 'application/pdf' }),
    ]
    const { courier } = await against(t, (socket, ordinal) =>
      socket.write(replies[ordinal - 1] ?? ''),
    )
    const label = () => courier.label({ ...guideCall(), size: 'a6' })
    for (let count = 0; count < 3; count++) t.strictSame(await label(), { kind: 'not_a_pdf' })
    t.strictSame(await label(), { kind: 'not_ready' })
    t.strictSame(await label(), { kind: 'not_ready' })
    t.match(await label(), { kind: 'label' })
  },
)

t.test("requests keep the connector's base path, with its token and our request id", async (t) => {
  const { server } = await against(t, (socket) => socket.write(httpAnswer(200, createdBody)))
  const courier = connector({ baseUrl: `${server.url}/base/`, token: 'token-1', callMs: 3_000 })
  t.teardown(() => courier.close())
  t.match(await courier.createGuide(createCall()), { kind: 'created' })
  const head = server.requests[0]?.head ?? ''
  t.match(head, /^POST \/base\/guides HTTP\/1.1/)
  t.match(head, /authorization: Bearer token-1/i)
  t.match(head, /x-request-id: req_0000000000000000000001/i)
})
