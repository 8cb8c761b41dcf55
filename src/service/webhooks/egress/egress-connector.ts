import type { LookupAddress } from 'node:dns'
import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { type AllowedTargets, hostOf, isAllowedTarget } from './egress.ts'
import type { Lookup } from './lookups.ts'

export type ConnectError = 'dns' | 'blocked' | 'connect' | 'tls' | 'timeout'

/** Why there is no connection. Nothing of the request was written. */
export class ConnectFailed extends Error {
  override readonly name = 'ConnectFailed'
  readonly reason: ConnectError
  constructor(reason: ConnectError) {
    super(`no connection to the receiver: ${reason}`)
    this.reason = reason
  }
}

export type EgressConnectorOptions = {
  readonly allowedTargets: AllowedTargets
  /** From the DNS look-up to the end of the TLS handshake. */
  readonly connectMs: number
  readonly lookup: Lookup
  /** Opens the TCP connection; node's own function unless a test simulates a misleading network. */
  readonly openSocket?: (options: TcpNetConnectOpts) => Socket
  /** Sockets being connected, so that they can be destroyed at once. */
  readonly opening: Set<Socket>
}

/**
 * Connects for undici, to allowed addresses only. A literal address is checked as it stands. Every
 * address of a name must be allowed, and the checked addresses are connected to, with no second
 * look-up. The socket's actual address is checked once more before its first byte is written, TLS's
 * included. TLS sessions are never resumed: a ticket consists of the receiver's own bytes, which we
 * would store and send.
 */
export function egressConnector(options: EgressConnectorOptions): buildConnector.connector {
  return (to, callback) => {
    const connecting = new Connecting(options, to)
    connecting.result.then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    )
  }
}

class Connecting {
  readonly result: Promise<Socket>
  readonly #resolve: (socket: Socket) => void
  readonly #reject: (error: Error) => void
  readonly #options: EgressConnectorOptions
  readonly #to: buildConnector.Options
  readonly #host: string
  readonly #timer: NodeJS.Timeout
  #socket: Socket | null = null
  #phase: 'connect' | 'tls' = 'connect'
  #settled = false

  constructor(options: EgressConnectorOptions, to: buildConnector.Options) {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>()
    this.result = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#options = options
    this.#to = to
    this.#host = hostOf(to.hostname)
    this.#timer = setTimeout(() => this.#fail('timeout'), options.connectMs)
    // The send has a timer of its own; this one alone must not keep the process alive.
    this.#timer.unref()
    const literal = isIP(this.#host)
    if (literal === 0) {
      options
        .lookup(to.hostname)
        .then((found) => this.#open(found))
        .catch(() => this.#fail('dns'))
    } else {
      this.#open([{ address: this.#host, family: literal }])
    }
  }

  #open(addresses: readonly LookupAddress[]): void {
    if (this.#settled) return
    if (addresses.length === 0) this.#fail('dns')
    else if (
      addresses.every(({ address }) => isAllowedTarget(address, this.#options.allowedTargets))
    ) {
      this.#connect(addresses)
    } else this.#fail('blocked')
  }

  #connect(addresses: readonly LookupAddress[]): void {
    const { allowedTargets, openSocket = connect, opening } = this.#options
    const isTls = this.#to.protocol === 'https:'
    const socket = openSocket({
      host: this.#host,
      port: Number(this.#to.port || (isTls ? 443 : 80)),
      noDelay: true,
      autoSelectFamily: true,
      lookup: (_host, { all }, found) => {
        const [first] = addresses
        if (all) found(null, [...addresses])
        else found(null, first?.address ?? '', first?.family)
      },
    })
    this.#socket = socket
    opening.add(socket)
    socket.once('close', () => {
      this.#fail(this.#phase)
    })
    socket.on('error', () => this.#fail(this.#phase))
    socket.once('connect', () => {
      const { remoteAddress } = socket
      if (remoteAddress === undefined) this.#fail('connect')
      else if (!isAllowedTarget(remoteAddress, allowedTargets)) this.#fail('blocked')
      else if (isTls) this.#secure(socket)
      else this.#succeed(socket)
    })
  }

  #secure(socket: Socket): void {
    this.#phase = 'tls'
    const secured = connectTls({
      socket,
      host: this.#host,
      // A certificate for an address contains the address; SNI is never an address.
      servername: isIP(this.#host) === 0 ? this.#host : '',
      ALPNProtocols: ['http/1.1'],
      // Explicit, so that no environment variable overrides it.
      rejectUnauthorized: true,
    })
    secured.on('error', () => this.#fail('tls'))
    secured.once('close', () => this.#fail('tls'))
    secured.once('secureConnect', () => this.#succeed(secured))
  }

  #succeed(socket: Socket): void {
    if (this.#settled) return
    this.#end()
    this.#resolve(socket)
  }

  #fail(reason: ConnectError): void {
    if (this.#settled) return
    this.#end()
    this.#socket?.destroy()
    this.#reject(new ConnectFailed(reason))
  }

  #end(): void {
    this.#settled = true
    clearTimeout(this.#timer)
    if (this.#socket !== null) this.#options.opening.delete(this.#socket)
  }
}
