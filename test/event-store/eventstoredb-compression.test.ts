import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { eventStoreDb } from '../../src/service/event-store/eventstoredb/eventstoredb.ts'
import { grantLedgerUser } from '../../src/service/event-store/eventstoredb/grant-ledger-user.ts'
import { event } from './contract.ts'
import { settled } from './eventstoredb-set-up.ts'

type Heard = { readonly path: string; readonly accepted: string | undefined }

/** An HTTP/2 server that refuses every gRPC call with PERMISSION_DENIED and keeps what each accepted. */
async function hearingServer(t: Test): Promise<{ readonly url: string; readonly heard: Heard[] }> {
  const heard: Heard[] = []
  const server = http2.createServer()
  server.on('stream', (stream, headers) => {
    const accepted = headers['grpc-accept-encoding']
    heard.push({ path: String(headers[':path']), accepted: accepted?.toString() })
    const trailers = { 'grpc-status': '7', exception: 'access-denied' }
    const answer = { ':status': 200, 'content-type': 'application/grpc+proto', ...trailers }
    stream.respond(answer, { endStream: true })
    stream.resume()
  })
  const sessions = new Set<http2.ServerHttp2Session>()
  server.on('session', (session) => sessions.add(session))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `kurrentdb://127.0.0.1:${port}?tls=false`, heard }
}

t.test('no call to the event store accepts compressed answers', async (t) => {
  const { url, heard } = await hearingServer(t)
  const store = eventStoreDb({ url, prefixes: ['note-'] })
  t.teardown(() => store.close())
  const signal = new AbortController().signal
  const user = { name: 'ledger', password: 'a' }
  const acts: readonly (() => Promise<unknown>)[] = [
    () => store.append('note-1', 'no_stream', [event()]),
    () => store.readStream('note-1'),
    () => store.head(),
    () => store.subscribe(null, { signal })[Symbol.asyncIterator]().next(),
    () => grantLedgerUser(url, user, { keepDefaults: false }),
  ]
  for (const act of acts) t.ok((await settled(act())).error)
  const calls = heard.map(({ path, accepted }) => [path.split('.').at(-1), accepted])
  t.strictSame(calls, [
    ['Streams/Append', 'identity'],
    ['Streams/Read', 'identity'],
    ['Streams/Read', 'identity'],
    ['Streams/Read', 'identity'],
    ['Users/Create', 'identity'],
  ])
})
