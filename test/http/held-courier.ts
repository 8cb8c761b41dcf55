import { createServer, request } from 'node:http'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type HeldCourier = {
  readonly url: string
  /** Holds back every answer to calls of this path until the returned function is called. */
  hold(path: string): () => void
  /** Cuts the connection of every call of this path until the returned function is called. */
  cut(path: string): () => void
}

/**
 * A proxy to the courier: it passes on every call, but can hold back or cut off the answers to
 * some.
 */
export async function heldCourier(t: Test, courierUrl: string): Promise<HeldCourier> {
  const held = new Map<string, Promise<void>>()
  const cut = new Set<string>()
  const server = createServer((near, answer) => {
    const { method, headers, url = '/' } = near
    if (cut.has(url)) {
      near.socket.destroy()
      return
    }
    const far = request(new URL(url, courierUrl), { method, headers }, async (reply) => {
      await held.get(url)
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
  return {
    url: `http://127.0.0.1:${address.port}`,
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(path, promise)
      return () => {
        held.delete(path)
        resolve()
      }
    },
    cut(path) {
      cut.add(path)
      return () => {
        cut.delete(path)
      }
    },
  }
}
