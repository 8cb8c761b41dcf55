import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The longest a stop waits for requests under way (product, "Times"). */
const drainMs = 25_000
/** A connection that has just been accepted may have its request still in the kernel. */
const silentMs = 250

/**
 * Makes `close()` end in bounded time. Node closes idle connections itself, but waits for ever for
 * one on which nothing was ever sent, and stops looking for slow requests while it closes.
 */
export function drain(app: FastifyInstance): { readonly isDraining: () => boolean } {
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
  return { isDraining: () => draining }
}
