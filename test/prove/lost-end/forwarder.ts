import { connect, createServer, type Socket } from 'node:net'
import { portOf } from './ports.ts'

/**
 * A TCP forwarder on the loopback interface, like a virtual address or a proxy in front of a
 * database.
 */
export type Forwarder = {
  readonly port: number
  /** Cuts every connection; new ones lead to this port. */
  pointTo(port: number): void
  /** Cuts every connection and refuses new ones until it points somewhere again. */
  cut(): void
  close(): Promise<void>
}

export async function forwarder(target: number): Promise<Forwarder> {
  let to: number | null = target
  const open = new Set<Socket>()
  const server = createServer((near) => {
    if (to === null) {
      near.destroy()
      return
    }
    const far = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const breakAll = () => {
    for (const socket of open) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: portOf(server),
    pointTo(port) {
      to = port
      breakAll()
    },
    cut() {
      to = null
      breakAll()
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      breakAll()
      await closed
    },
  }
}
