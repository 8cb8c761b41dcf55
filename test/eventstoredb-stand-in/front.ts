import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

type Link = { readonly near: Socket; readonly far: Socket }

/**
 * The port that clients connect to, in front of the server itself: connections can die, hang like
 * those of a stopped process (not even the protocol's pings are answered), or be refused.
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

  /** On the same port as before, if it was open before. */
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

  /** Like a kill: open connections die, new ones are refused. */
  async shut(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    server.close()
    this.cut()
    await once(server, 'close')
  }

  /** Like SIGSTOP: connections are accepted, and no data passes. */
  freeze(): void {
    this.#isFrozen = true
    this.forget()
  }

  /** Like a firewall that has forgotten its connections: open ones hang for good, new ones work. */
  forget(): void {
    for (const { near, far } of this.#links) {
      near.pause()
      far.pause()
    }
  }

  /** Like SIGCONT: what was sent meanwhile arrives now. */
  thaw(): void {
    this.#isFrozen = false
    for (const { near, far } of this.#links) {
      near.resume()
      far.resume()
    }
  }

  /** Closes all connections, or the one that the server knows by this peer (`address:port`). */
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
