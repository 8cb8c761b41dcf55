import t, { type Test } from 'tap'
import { reasons } from '../../../src/service/errors.ts'
import {
  type Answer,
  aConnection,
  aKey,
  anOrganization,
  aWorkspace,
  client,
  serverUnderTest,
} from '../server-under-test.ts'

const server = await serverUnderTest(t)
const organizationId = await anOrganization(server)
const { key } = await aKey(server, organizationId)
const call = client(server.app, key)
const workspaceId = await aWorkspace(call, 'shop')
const connectionId = await aConnection(call, workspaceId)

const good = {
  workspaces: { name: 'Shop', external_reference: 'abuse' },
  connections: {
    workspace_id: workspaceId,
    provider_code: 'mock',
    display_name: 'Account',
    credentials: { username: 'a', password: 'b' },
  },
}
/** Every route with a body, and a body that it accepts. */
const routes = [
  ['POST', '/v1/workspaces', good.workspaces],
  ['PATCH', `/v1/workspaces/${workspaceId}`, { name: 'Renamed' }],
  ['POST', '/v1/courier-connections', good.connections],
  ['PATCH', `/v1/courier-connections/${connectionId}`, { display_name: 'Renamed' }],
] as const

/** `expected` is the status and the reason. */
function isProblem(
  t: Test,
  answer: Answer,
  [status, reason]: readonly [number, string],
  what: string,
) {
  t.equal(answer.status, status, what)
  t.equal(answer.body.reason, reason, what)
  t.equal(answer.headers['content-type'], 'application/problem+json', what)
  t.equal(answer.body.status, status, what)
  t.equal(answer.body.request_id, answer.headers['x-request-id'], what)
  t.equal(answer.headers['cache-control'], 'no-store', what)
  t.equal(answer.headers['x-content-type-options'], 'nosniff', what)
  t.ok((reasons as string[]).includes(reason), what)
}

async function everything() {
  const { rows } = await countAll()
  return { rows, head: await server.store.head() }
}

async function countAll() {
  const workspaces = await server.db.selectFrom('workspaces').selectAll().execute()
  const connections = await server.db.selectFrom('courier_connections').selectAll().execute()
  return { rows: { workspaces, connections } }
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/**
 * A description, the body as sent, and the expected answer; the body belongs to a route that
 * accepts an object.
 */
const ugly: readonly (readonly [string, string | Buffer, number, string, string?])[] = [
  ['nothing', '', 422, 'validation_failed', ''],
  ['null', 'null', 422, 'validation_failed', ''],
  ['a number', '1', 422, 'validation_failed', ''],
  ['a string', '"x"', 422, 'validation_failed', ''],
  ['an array', '[]', 422, 'validation_failed', ''],
  ['half a body', '{"name":', 400, 'invalid_json'],
  ['NaN', '{"name":NaN}', 400, 'invalid_json'],
  ['a comment', '{/* */}', 400, 'invalid_json'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'invalid_json'],
  ['an unknown field', '{"na/me~":1}', 422, 'validation_failed', '/na~1me~0'],
  ['a prototype', '{"__proto__":{"admin":true}}', 422, 'validation_failed', '/__proto__'],
  ['a hidden prototype', '{"\\u005f_proto__":1}', 422, 'validation_failed', '/__proto__'],
  ['a constructor', '{"constructor":{"prototype":1}}', 422, 'validation_failed', '/constructor'],
  ['a field twice', '{"a":{"b":1,"b":2}}', 422, 'validation_failed', '/a/b'],
  ['deep nesting', `{"a":${nested(5_000)}}`, 422, 'validation_failed'],
  ['deep and broken nesting', '['.repeat(60_000), 422, 'validation_failed'],
  ['more than 64 KiB', JSON.stringify({ name: 'x'.repeat(65_536) }), 413, 'body_too_large'],
  ['a megabyte', JSON.stringify({ name: 'x'.repeat(1 << 20) }), 413, 'body_too_large'],
]

for (const [method, url] of routes) {
  t.test(`${method} ${url.replace(/_[0-9A-Za-z]{22}/, '')} refuses ugly bodies`, async (t) => {
    const before = await everything()
    for (const [what, body, status, reason, pointer] of ugly) {
      const headers = { 'content-type': 'application/json' }
      const answer = await call(method, url, body, headers)
      isProblem(t, answer, [status, reason], what)
      t.equal(answer.body.outcome, 'not_executed', what)
      if (pointer !== undefined) {
        t.ok(
          answer.body.errors.some((error: { pointer: string }) => error.pointer === pointer),
          `${what} at ${pointer}`,
        )
      }
    }
    t.strictSame(await everything(), before, 'nothing was appended or changed')
  })

  t.test(`${method} ${url.replace(/_[0-9A-Za-z]{22}/, '')} takes JSON in UTF-8 only`, async (t) => {
    const text = '{"name":"x"}'
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=latin1' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      { 'content-type': '' },
    ]) {
      const answer = await call(method, url, text, headers)
      isProblem(t, answer, [415, 'unsupported_media_type'], JSON.stringify(headers))
    }
    const unreadable = await call(method, url, text, { accept: 'text/html' })
    isProblem(t, unreadable, [406, 'not_acceptable'], 'a caller that cannot read the answer')
  })
}

t.test('each field is checked for its type, length and characters', async (t) => {
  const before = await everything()
  const fields = [
    [0, 'name', 200],
    [0, 'external_reference', 255],
    [1, 'name', 200],
    [2, 'workspace_id', null],
    [2, 'provider_code', 64],
    [2, 'display_name', 200],
    [2, 'credentials', null],
    [3, 'display_name', 200],
    [3, 'credentials', null],
  ] as const
  const values = [
    null,
    1,
    1e308,
    -0,
    2 ** 53,
    true,
    [],
    {},
    '',
    '   ',
    'a\u0000b',
    'a\u001bb',
    '\ud800',
    '\u200b',
    'a\u202eb',
    'a\uffff',
  ]
  for (const [n, field, lengthMax] of fields) {
    const [method, url, body] = routes[n]
    const tooLong = lengthMax === null ? [] : ['x'.repeat(lengthMax + 1)]
    for (const value of [...values, ...tooLong]) {
      const answer = await call(method, url, { ...body, [field]: value })
      const shown = JSON.stringify(value)
        ?.slice(0, 20)
        .replaceAll(/[^ -~]/g, '?')
      const what = `${method} ${field} ${shown}`
      isProblem(t, answer, [422, 'validation_failed'], what)
      const [error] = answer.body.errors
      t.ok(error.pointer.startsWith(`/${field}`), what)
      t.notMatch(JSON.stringify(answer.body), /xxxxx/, 'the value is not echoed')
    }
  }
  for (const days of [0, -1, 1.5, 3651, 1e308, '30', 2 ** 53]) {
    const [method, url] = routes[1]
    const answer = await call(method, url, { personal_data_retention_days: days })
    isProblem(t, answer, [422, 'validation_failed'], `${days} days`)
    t.equal(answer.body.errors[0].pointer, '/personal_data_retention_days')
  }
  t.strictSame(await everything(), before, 'nothing was appended or changed')
})

t.test('a password cannot contain control characters, and keeps its spaces', async (t) => {
  const [method, url, body] = routes[2]
  for (const password of ['b\u0000', 'a\nb', '\u0007x', '\u007f', '\u0085x', '\ud800']) {
    const answer = await call(method, url, { ...body, credentials: { username: 'u', password } })
    isProblem(t, answer, [422, 'validation_failed'], JSON.stringify(password))
    t.equal(answer.body.errors[0].pointer, '/credentials/password')
  }
  const spaced = { ...body, credentials: { username: 'u', password: ' p w ' } }
  t.equal((await call(method, url, spaced)).status, 201)
})

t.test('a validation error names each missing field', async (t) => {
  const answer = await call('POST', '/v1/courier-connections', { credentials: { username: 'a' } })
  t.same(
    answer.body.errors.map((error: { pointer: string; reason: string }) => [
      error.pointer,
      error.reason,
    ]),
    [
      ['/workspace_id', 'required'],
      ['/provider_code', 'required'],
      ['/display_name', 'required'],
    ],
  )
})

t.test('a malformed id gets the same 404 as an id that never existed', async (t) => {
  const headers = { 'x-request-id': 'req_000000000000000000same' }
  const absent = await call('GET', `/v1/workspaces/ws_${'0'.repeat(22)}`, undefined, headers)
  isProblem(t, absent, [404, 'not_found'], 'absent')
  for (const id of [
    'x',
    'ws_',
    `ws_${'0'.repeat(23)}`,
    connectionId,
    '%00',
    '%E0%A4%A',
    '..%2f..',
  ]) {
    const answer = await call('GET', `/v1/workspaces/${id}`, undefined, headers)
    t.equal(answer.status, 404, id)
    t.strictSame(answer.body, absent.body, id)
  }
  const long = await call('GET', `/v1/workspaces/${'x'.repeat(5_000)}`)
  isProblem(t, long, [404, 'not_found'], 'a very long id')
})

t.test('a malformed Idempotency-Key is refused with 400', async (t) => {
  const bad = ['', 'a b', 'é', 'x'.repeat(256), '"abc', '"a"b"', '""', '"a b"', 'a\tb']
  for (const [n, header] of bad.entries()) {
    const answer = await call('POST', '/v1/workspaces', good.workspaces, {
      'idempotency-key': header,
    })
    isProblem(t, answer, [400, 'idempotency_key_invalid'], `${n}: ${header.slice(0, 10)}`)
    t.equal(answer.body.outcome, 'not_executed')
  }
})

t.test('a query that is not percent-encoded UTF-8 is refused', async (t) => {
  for (const value of ['%ff', '%zz', '%C3%28', '%ED%A0%80', '%']) {
    const answer = await call('GET', `/v1/workspaces?external_reference=${value}`)
    isProblem(t, answer, [400, 'invalid_filter'], value)
  }
  t.equal((await call('GET', '/v1/workspaces?external_reference=%C3%B1+%25')).status, 200)
})

t.test('the pointer to a field name with a lone surrogate is well-formed', async (t) => {
  const [method, url, body] = routes[1]
  const answer = await call(method, url, { ...body, '\ud800': 1 })
  isProblem(t, answer, [422, 'validation_failed'], 'half a character')
  t.ok(JSON.stringify(answer.body).isWellFormed())
  t.notMatch(JSON.stringify(answer.body), /\\ud800/i)
})

t.test('a wrong method gets 405 with the allowed ones, an unknown path gets 404', async (t) => {
  const put = await call('PUT', '/v1/workspaces', { a: 1 })
  isProblem(t, put, [405, 'method_not_allowed'], 'PUT')
  t.equal(put.headers.allow, 'GET, HEAD, POST')
  t.equal(put.body.outcome, 'not_executed')
  const one = await call('POST', `/v1/workspaces/${workspaceId}`, {})
  t.equal(one.headers.allow, 'GET, HEAD, PATCH')
  isProblem(t, await call('GET', '/v1/nothing'), [404, 'not_found'], 'a path that is none')
  isProblem(t, await call('GET', '/'), [404, 'not_found'], 'the root')
  isProblem(t, await call('GET', '/v1/../../etc/passwd'), [404, 'not_found'], 'a path upwards')
})

t.test('clients that accept only application/json get the same error bytes', async (t) => {
  const url = `/v1/workspaces/ws_${'0'.repeat(22)}`
  const ask = (accept?: string) =>
    server.app.inject({
      url,
      headers: {
        authorization: `Bearer ${key}`,
        'x-request-id': 'req_000000000000000000same',
        ...(accept === undefined ? {} : { accept }),
      },
    })
  const problem = await ask()
  t.equal(problem.headers['content-type'], 'application/problem+json')
  const plain = await ask('application/json')
  t.equal(plain.headers['content-type'], 'application/json')
  t.equal(plain.body, problem.body)
  for (const accept of [
    '*/*',
    'application/*',
    'application/problem+json, application/json',
    'application/json;q=0.5, */*;q=0.1',
  ]) {
    t.equal((await ask(accept)).headers['content-type'], 'application/problem+json', accept)
  }
})

t.test('a valid X-Request-Id from the client is kept, any other is replaced', async (t) => {
  const mine = 'req_0aB1cD2eF3gH4iJ5kL6mN7'
  const own = await call('GET', '/v1/key', undefined, { 'x-request-id': mine })
  t.equal(own.headers['x-request-id'], mine)
  // It appears in events and log lines in clear, so a name or a document number must not be
  // accepted.
  const others = [
    '',
    'a b',
    'x'.repeat(129),
    'é',
    'a,b',
    'Maria_Quispe',
    'req_Maria_Quispe_44556677',
  ]
  for (const id of others) {
    const answer = await call('GET', '/v1/key', undefined, { 'x-request-id': id })
    t.match(answer.headers['x-request-id'], /^req_[0-9A-Za-z]{22}$/, id)
  }
})
