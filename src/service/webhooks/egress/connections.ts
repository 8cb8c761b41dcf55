import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { AllowedTargets } from './egress.ts'
import { type EgressConnectorOptions, egressConnector } from './egress-connector.ts'

/**
 * Idle sockets kept for the next delivery to their origin, over all origins: together with the
 * sends under way these are all sockets, however many endpoints there are. The oldest makes room.
 */
const idleMax = 512
/**
 * Shorter than the five seconds after which common servers close a socket, perhaps during a
 * request.
 */
const idleMs = 4_000
/** A receiver has no reason to send more; none of it is kept. */
const headerBytesMax = 16_384

/** One connection, for one request at a time. */
export type Connection = {
  readonly key: string
  readonly client: Client
  /** Set when its socket has closed: nothing is sent on it again. */
  isGone: boolean
}

/**
 * Kept-alive connections, one request on each: no request ever waits behind another's, so a slow
 * endpoint delays no other endpoint of its origin. Sends that may reach private addresses never
 * share a socket with those that may not.
 */
export class Connections {
  readonly #connectorOf: (allowedTargets: AllowedTargets) => ReturnType<typeof egressConnector>
  readonly #opening = new Set<Socket>()
  /** By key, the most recently used last. */
  readonly #idle = new Map<string, Connection[]>()
  /** The same, the oldest first. */
  readonly #oldest = new Set<Connection>()

  constructor(
    options: (
      allowedTargets: AllowedTargets,
    ) => Omit<EgressConnectorOptions, 'allowedTargets' | 'opening'>,
  ) {
    const made = (allowedTargets: AllowedTargets) =>
      egressConnector({ ...options(allowedTargets), allowedTargets, opening: this.#opening })
    const connectors = { public: made('public'), private_too: made('private_too') }
    this.#connectorOf = (allowedTargets) => connectors[allowedTargets]
  }

  take(allowedTargets: AllowedTargets, origin: string): Connection {
    const key = `${allowedTargets} ${origin}`
    const waiting = this.#idle.get(key)
    const idle = waiting?.pop()
    if (idle !== undefined) {
      this.#oldest.delete(idle)
      if (waiting?.length === 0) this.#idle.delete(key)
      return idle
    }
    const client = new Client(origin, {
      connect: this.#connectorOf(allowedTargets),
      pipelining: 1,
      // HTTP/2 would put several requests on one socket.
      allowH2: false,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      maxHeaderSize: headerBytesMax,
      // Each send has one timer that covers all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    const connection = { key, client, isGone: false }
    // Closed by the receiver, or idle for too long.
    client.on('disconnect', () => {
      connection.isGone = true
      this.#remove(connection)
    })
    return connection
  }

  /** Takes back a connection after its response was read to the end. */
  give(connection: Connection): void {
    const { key, client, isGone } = connection
    if (isGone) {
      void client.destroy()
      return
    }
    const others = this.#idle.get(key)
    if (others === undefined) this.#idle.set(key, [connection])
    else others.push(connection)
    this.#oldest.add(connection)
    const [first] = this.#oldest
    if (this.#oldest.size <= idleMax || first === undefined) return
    this.#remove(first)
    void first.client.destroy()
  }

  /** Closes the idle connections and those still being connected. */
  async close(): Promise<void> {
    const idle = [...this.#oldest]
    for (const socket of this.#opening) socket.destroy()
    await Promise.all(idle.map(({ client }) => client.destroy()))
  }

  #remove(connection: Connection): void {
    if (!this.#oldest.delete(connection)) return
    const { key } = connection
    const left = (this.#idle.get(key) ?? []).filter((other) => other !== connection)
    if (left.length === 0) this.#idle.delete(key)
    else this.#idle.set(key, left)
  }
}
