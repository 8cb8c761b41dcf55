import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { aKey, anOrganization, aWorkspace, client, serverUnderTest } from '../server-under-test.ts'

const server = await serverUnderTest(t)
const { app } = server
const organization = await anOrganization(server)
const { key } = await aKey(server, organization)
const call = client(app, key)
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
const workspaceId = await aWorkspace(call, 'shop')

async function rawAnswer(lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  return await text(socket)
}

t.test('a request with two Host headers is refused, also when they are equal', async (t) => {
  const first = ['GET /v1/key HTTP/1.1', `Authorization: Bearer ${key}`, 'Host: one.example']
  t.match(await rawAnswer(first), /^HTTP\/1\.1 200 /)
  for (const second of ['one.example', 'two.example']) {
    const answer = await rawAnswer([...first, `Host: ${second}`])
    t.match(answer, /^HTTP\/1\.1 400 /)
    t.match(answer, /"reason":"invalid_request"/)
    t.match(answer, /The Host header occurs twice\./)
  }
})

t.test('a read with an If-Match that is not current gets 412', async (t) => {
  const one = `/v1/workspaces/${workspaceId}`
  for (const path of [one, '/v1/workspaces', '/v1/key', '/v1/usage']) {
    const etag = (await call('GET', path)).headers.etag?.toString()
    const read = (ifMatch: string) => call('GET', path, undefined, { 'if-match': ifMatch })
    const stale = await read('"AAAAAAAAAAAAAAAAAAAAAA"')
    t.equal(stale.status, 412, path)
    t.equal(stale.body.reason, 'precondition_failed', path)
    t.notOk('outcome' in stale.body, path)
    t.equal(stale.headers.etag, undefined, path)
    t.equal((await read('*')).status, 200, path)
    if (etag === undefined) continue
    t.equal((await read(`"other", ${etag}`)).status, 200, path)
    const both = { 'if-match': etag, 'if-none-match': etag }
    t.equal((await call('GET', path, undefined, both)).status, 304, path)
  }
  const missing = await call('GET', '/v1/workspaces/ws_0000000000000000000000', undefined, {
    'if-match': '"AAAAAAAAAAAAAAAAAAAAAA"',
  })
  t.equal(missing.status, 404, 'an error comes before the condition')
})

t.test('a 415 says which media types the route takes', async (t) => {
  const sent = async (method: 'PATCH' | 'POST', url: string, more: Record<string, string>) => {
    const headers = { authorization: `Bearer ${key}`, ...more }
    const { statusCode, headers: answered } = await app.inject({ method, url, headers, body: '{}' })
    t.equal(statusCode, 415)
    return answered
  }
  const path = `/v1/workspaces/${workspaceId}`
  for (const type of ['text/plain', 'application/json; charset=latin1']) {
    const patched = await sent('PATCH', path, { 'content-type': type })
    t.match(patched, { accept: 'application/json', 'accept-patch': 'application/json' })
    const posted = await sent('POST', '/v1/workspaces', { 'content-type': type })
    t.equal(posted.accept, 'application/json')
    t.equal(posted['accept-patch'], undefined)
  }
  const json = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  t.equal((await sent('PATCH', path, json))['accept-encoding'], 'identity')
})

t.test('a 401 and a 403 say what is wrong with the key, as RFC 6750 does', async (t) => {
  const challenge = async (authorization: string | undefined) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await app.inject({ url: '/v1/workspaces', headers })
    return answer.headers['www-authenticate']
  }
  const realm = 'Bearer realm="shipping-ledger"'
  t.equal(await challenge(undefined), realm, 'without a key there is no error')
  t.equal(await challenge('Basic YTpi'), realm)
  t.equal(await challenge('Bearer svc_test_wrong'), `${realm}, error="invalid_token"`)
  const lacking = await aKey(server, organization, { scopes: ['shipments:read'] })
  t.equal(
    await challenge(`Bearer ${lacking.key}`),
    `${realm}, error="insufficient_scope", scope="workspaces:read"`,
  )
})
