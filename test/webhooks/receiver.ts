import { createServer, type Socket } from 'node:net'
import { eventually } from '../support/eventually.ts'

export type Receiver = {
  readonly url: string
  /** Heads of the requests that arrived completely, oldest first. */
  readonly heads: readonly string[]
  readonly bodies: readonly string[]
  readonly connections: {
    readonly opened: () => number
    readonly open: () => number
    readonly closed: (count: number) => Promise<unknown>
  }
  /** How many bytes arrived, of complete requests or not. */
  readonly received: () => number
}

type Test = { teardown(end: () => Promise<void>): void }

/** A TCP server that calls `onRequest` for each complete request. */
export async function receiver(
  test: Test,
  onRequest: (socket: Socket, ordinal: number) => void,
  options: { onConnection?: (socket: Socket) => void; host?: string } = {},
): Promise<Receiver> {
  const heads: string[] = []
  const bodies: string[] = []
  const sockets: Socket[] = []
  let bytes = 0
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (chunk) => {
      bytes += chunk.length
      text += chunk.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end)
        const whole = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (text.length < whole) return
        bodies.push(Buffer.from(text.slice(end + 4, whole), 'latin1').toString())
        text = text.slice(whole)
        onRequest(socket, heads.push(head))
      }
    })
    options.onConnection?.(socket)
  })
  const host = options.host ?? '127.0.0.1'
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  test.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  const open = () => sockets.filter((socket) => !socket.closed).length
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/`,
    heads,
    bodies,
    connections: {
      opened: () => sockets.length,
      open,
      closed: (count) =>
        eventually(
          () => sockets.length - open(),
          (now) => now >= count,
          5_000,
        ),
    },
    received: () => bytes,
  }
}
