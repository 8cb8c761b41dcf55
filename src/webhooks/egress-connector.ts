import type { LookupAddress } from 'node:dns'
import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { hostOf, mayReach, type Reach } from './egress.ts'
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
  readonly reach: Reach
  /** From the look-up of the name to the end of the TLS handshake. */
  readonly connectMs: number
  readonly lookup: Lookup
  /** Makes the TCP connection; node's own unless a test stands for a network that misleads. */
  readonly openSocket?: (options: TcpNetConnectOpts) => Socket
  /** Sockets that are being connected are in here, for whoever must end them at once. */
  readonly opening: Set<Socket>
}

/**
 * Connects for undici, to addresses within reach only: a literal address is judged as it stands; of
 * a name every address must be within reach, and those that were judged are connected to, with no
 * second look-up; and the address the socket really has is judged once more before its first byte
 * is written, TLS's included. No TLS session is ever resumed: a ticket is the receiver's own bytes,
 * kept and sent by us.
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
    // Whoever waits for the answer has a timer of its own; this one alone keeps no process alive.
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
    else if (addresses.every(({ address }) => mayReach(address, this.#options.reach))) {
      this.#connect(addresses)
    } else this.#fail('blocked')
  }

  #connect(addresses: readonly LookupAddress[]): void {
    const { reach, openSocket = connect, opening } = this.#options
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
      else if (!mayReach(remoteAddress, reach)) this.#fail('blocked')
      else if (isTls) this.#secure(socket)
      else this.#succeed(socket)
    })
  }

  #secure(socket: Socket): void {
    this.#phase = 'tls'
    const secured = connectTls({
      socket,
      host: this.#host,
      // A certificate for an address has it as such; the name that is asked for is never one.
      servername: isIP(this.#host) === 0 ? this.#host : '',
      ALPNProtocols: ['http/1.1'],
      // Said, so that no variable of the environment unsays it.
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
