import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The longest that a stop waits for requests in progress. */
const drainMs = 25_000
/** The kernel may still hold the request of a connection that was just accepted. */
const silentMs = 250

/**
 * Makes `close()` end in bounded time. Node closes idle connections itself, but waits forever for a
 * connection on which nothing was ever sent, and stops checking for slow requests while it closes.
 * Once `stopping` is aborted, the server counts as draining, but serves everything until `close()`.
 */
export function drain(
  app: FastifyInstance,
  stopping?: AbortSignal,
): { readonly isDraining: () => boolean } {
  const sockets = new Set<Socket>()
  const timers: NodeJS.Timeout[] = []
  let draining = false
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    draining = true
    const cutSilent = () => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }
    const cutAll = () => {
      for (const socket of sockets) socket.destroy()
    }
    timers.push(setTimeout(cutSilent, silentMs), setTimeout(cutAll, drainMs))
  })
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
  })
  return { isDraining: () => draining || stopping?.aborted === true }
}
