import { createServer, type Socket } from 'node:net'
import pg from 'pg'
import t from 'tap'
import { SessionClient } from '../../src/service/database/sessions/session-client.ts'

/** A message of the protocol: a letter, the length, the body. */
function message(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body])
}

const authenticated = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
const ending = message(
  'E',
  Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0',
  ),
)

t.test('a session that is ended as it begins fails, and nothing else', async (t) => {
  const faults: unknown[] = []
  const onFault = (error: unknown) => void faults.push(error)
  process.on('uncaughtException', onFault)
  t.teardown(() => process.off('uncaughtException', onFault))
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    // In one chunk, as a server that is killed at once sends it, or a busy client reads it.
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, ending])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as { readonly port: number }
  const connectionString = `postgres://someone@127.0.0.1:${port}/any`
  await t.rejects(new SessionClient({ connectionString }).connect() as Promise<unknown>)
  const pool = new pg.Pool({ connectionString, Client: SessionClient, max: 3 })
  t.teardown(() => pool.end())
  pool.on('error', () => undefined)
  const asked = await Promise.allSettled([1, 2, 3].map(() => pool.query('SELECT 1')))
  t.ok(asked.every(({ status }) => status === 'rejected'))
  t.strictSame(faults, [])
})
