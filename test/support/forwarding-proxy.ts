import { createServer, type IncomingMessage, request } from 'node:http'

type Test = { teardown(close: () => Promise<unknown>): unknown }

type Between = {
  /** Whether calls of this path lose their connection before they are passed on. */
  readonly isCut?: (path: string, call: IncomingMessage) => boolean
  /** An answer to a call of this path is passed on once this resolves. */
  readonly held?: (path: string, call: IncomingMessage) => Promise<void> | undefined
}

/** A proxy to a server, which may cut calls off or hold answers back. Returns its URL. */
export async function forwardingProxy(
  t: Test,
  serverUrl: string,
  { isCut = () => false, held = () => undefined }: Between,
): Promise<string> {
  const server = createServer((near, answer) => {
    const { method, headers, url = '/' } = near
    if (isCut(url, near)) {
      near.socket.destroy()
      return
    }
    const far = request(new URL(url, serverUrl), { method, headers }, async (reply) => {
      reply.on('error', () => near.socket.destroy())
      await held(url, near)
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    far.on('error', () => near.socket.destroy())
    near.pipe(far)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
