import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

type Link = { readonly near: Socket; readonly far: Socket }

/**
 * The port that clients see, before the server itself: connections can die, stand still as those of
 * a stopped process do (not even the protocol's own pings are answered), or be refused.
 */
export class StandInFront {
  readonly #links = new Set<Link>()
  readonly #innerPort: number
  #server: Server | null = null
  #isFrozen = false
  #port = 0

  constructor(innerPort: number) {
    this.#innerPort = innerPort
  }

  get port(): number {
    return this.#port
  }

  get isOpen(): boolean {
    return this.#server !== null
  }

  /** On the same port as before, once it had one. */
  async open(): Promise<void> {
    if (this.#server !== null) return
    const server = createServer((near) => this.#join(near))
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    this.#port = address.port
    this.#server = server
  }

  /** As at a kill: what is open dies, what comes is refused. */
  async shut(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    server.close()
    this.cut()
    await once(server, 'close')
  }

  /** As at SIGSTOP: connections are still made, and nothing passes. */
  freeze(): void {
    this.#isFrozen = true
    this.forget()
  }

  /** As a firewall that has forgotten them: open connections stand still for good, new ones pass. */
  forget(): void {
    for (const { near, far } of this.#links) {
      near.pause()
      far.pause()
    }
  }

  /** As at SIGCONT: what was sent meanwhile arrives now. */
  thaw(): void {
    this.#isFrozen = false
    for (const { near, far } of this.#links) {
      near.resume()
      far.resume()
    }
  }

  /** All connections, or the one that the server knows by this peer (`address:port`). */
  cut(peer?: string): void {
    for (const { near, far } of [...this.#links]) {
      if (peer !== undefined && !peer.endsWith(`:${far.localPort}`)) continue
      near.destroy()
      far.destroy()
    }
  }

  #join(near: Socket): void {
    const far = connect(this.#innerPort, '127.0.0.1')
    const link = { near, far }
    this.#links.add(link)
    // Otherwise small answers wait for the other side's delayed acknowledgement.
    for (const socket of [near, far]) socket.setNoDelay(true)
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => {
      // A client that does not read makes the server wait.
      if (!near.write(bytes)) far.pause()
    })
    near.on('drain', () => {
      if (!this.#isFrozen) far.resume()
    })
    const end = () => {
      this.#links.delete(link)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
    if (this.#isFrozen) {
      near.pause()
      far.pause()
    }
  }
}
