import type { Socket, TcpNetConnectOpts } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type Dispatcher, errors } from 'undici'
import { headerText, isUnreadable } from '../couriers/exchange.ts'
import { type Connection, Connections } from './egress/connections.ts'
import { allowedTargetsOf, type Mode, webhookUrl } from './egress/egress.ts'
import { type ConnectError, ConnectFailed } from './egress/egress-connector.ts'
import { type Lookup, machineLookup, publicLookup } from './egress/lookups.ts'
import { excerptBytesMax, excerptOf, retryAfterMsOf } from './receiver-answer.ts'

/** How long a receiver may take, measured from the start of the send. */
export type SendTimes = {
  readonly connectMs: number
  readonly totalMs: number
  readonly bodyMs: number
}

const sendTimes: SendTimes = {
  /** Name, TCP and TLS: a receiver that needs longer is not reachable. */
  connectMs: 5_000,
  /** Per attempt, as documented for webhooks; a receiver should answer first and work later. */
  totalMs: 15_000,
  /** After the status, for a body that decides nothing: a slow one is cut off to free its place. */
  bodyMs: 5_000,
}

type WebhookRequest = Mode & {
  readonly url: string
  /** `webhookHeaders`' of this attempt. Content type and user agent are added. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * Why no status came. `blocked`: the address is not allowed, nothing was sent. `dns`, `connect` and
 * `tls`: no connection, nothing was sent. `reset`: the connection ended before a status.
 * `protocol`: the answer is not HTTP, or has endless headers. `overloaded` and `closed` say nothing
 * about the receiver: this process had too many sends in progress and sent nothing, or is stopping and
 * may have sent it.
 */
type SendError = ConnectError | 'reset' | 'protocol' | 'overloaded' | 'closed'

/** Either `statusCode` or `error` is null, never both. */
export type Answer = {
  readonly statusCode: number | null
  readonly error: SendError | null
  /** From the start of the send to its end, including the body. */
  readonly latencyMs: number
  /**
   * The first 2 KiB of the answer as text that can be shown and stored. Null if there is no text.
   */
  readonly excerpt: string | null
  /** As requested by the receiver, bounded only by zero. */
  readonly retryAfterMs: number | null
}

export type WebhookSenderOptions = {
  readonly times?: Partial<SendTimes>
  /** Looks up the addresses of names; defaults to `lookups.ts`. */
  readonly lookup?: Lookup
  readonly openSocket?: (options: TcpNetConnectOpts) => Socket
}

export type WebhookSender = {
  /**
   * POSTs once: follows no redirect and repeats nothing. Never rejects because of the network or
   * the receiver. The status decides: after it, a body that is cut off, slow or endless changes
   * nothing, because a receiver that answered 2xx has the event. At most 64 KiB of a body are read,
   * and 2 KiB kept.
   */
  send(request: WebhookRequest): Promise<Answer>
  /**
   * Aborts the sends in progress (`closed`) and releases the sockets. Calling it again does nothing.
   */
  close(): Promise<void>
}

/**
 * Sends in progress: each is a socket and up to 20 KB of body. Deliveries claim far fewer at once.
 */
const sendsMax = 1_024
/** A longer answer is cut off: a new socket is cheaper than reading the rest. */
const bodyBytesMax = 65_536

export function webhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const times = { ...sendTimes, ...options.times }
  const { openSocket } = options
  const names = publicLookup()
  const lookups = { public: names.lookup, private_too: machineLookup }
  const connections = new Connections((allowedTargets) => ({
    connectMs: times.connectMs,
    lookup: options.lookup ?? lookups[allowedTargets],
    ...(openSocket === undefined ? {} : { openSocket }),
  }))
  const underWay = new Set<Sending>()
  let isClosed = false

  const send = async (request: WebhookRequest): Promise<Answer> => {
    if (isClosed) return unsent('closed')
    if (underWay.size >= sendsMax) return unsent('overloaded')
    const url = webhookUrl(request.url, request)
    if (typeof url === 'string') return unsent('blocked')
    const connection = connections.take(allowedTargetsOf(request), url.origin)
    const sending = new Sending(connection, times)
    underWay.add(sending)
    connection.client.dispatch(
      {
        method: 'POST',
        path: url.pathname + url.search,
        headers: { ...request.headers, ...ownHeaders },
        body: request.body,
      },
      sending,
    )
    const answer = await sending.result
    // A receiver may close right after its answer without notice. One turn of the event loop
    // reveals that, so the next request is not written to a socket that is already gone.
    if (sending.isReusable) await setImmediate()
    underWay.delete(sending)
    if (sending.isReusable && !isClosed) connections.give(connection)
    else sending.release()
    return answer
  }

  const close = async (): Promise<void> => {
    isClosed = true
    for (const sending of underWay) sending.giveUp('closed')
    names.cancel()
    await connections.close()
  }
  return { send, close }
}

const ownHeaders = {
  'content-type': 'application/json',
  'user-agent': 'shipping-ledger-webhooks/1',
} as const

function unsent(error: SendError): Answer {
  return { statusCode: null, error, latencyMs: 0, excerpt: null, retryAfterMs: null }
}

type Head = { readonly statusCode: number; readonly retryAfterMs: number | null }

class Sending implements Dispatcher.DispatchHandler {
  readonly result: Promise<Answer>
  readonly #resolve: (answer: Answer) => void
  readonly #connection: Connection
  readonly #times: SendTimes
  readonly #startedAt = performance.now()
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | null = null
  #head: Head | null = null
  #isEncoded = false
  #bodyBytes = 0
  readonly #kept: Buffer[] = []
  #settled = false
  #reusable = false

  constructor(connection: Connection, times: SendTimes) {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.result = promise
    this.#resolve = resolve
    this.#connection = connection
    this.#times = times
    this.#timer = setTimeout(this.#timeOut, times.totalMs)
  }

  /** Whether the next request can begin on the connection. */
  get isReusable(): boolean {
    return this.#reusable
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const isRepetition = this.#controller !== null
    this.#controller = controller
    if (isRepetition || this.#settled) controller.abort(new Error('refused before writing'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (statusCode < 200) return
    this.#isEncoded = (headerText(headers['content-encoding']) ?? 'identity') !== 'identity'
    const retryAfterMs = retryAfterMsOf(headerText(headers['retry-after']), Date.now())
    this.#head = { statusCode, retryAfterMs }
    const { totalMs, bodyMs } = this.#times
    const leftMs = totalMs - (performance.now() - this.#startedAt)
    if (bodyMs < leftMs) {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(this.#timeOut, bodyMs)
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = excerptBytesMax - this.#bodyBytes
    // A copy, so that the few bytes do not hold the whole chunk.
    if (room > 0) this.#kept.push(Buffer.from(chunk.subarray(0, room)))
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes <= bodyBytesMax) return
    this.#settle(null)
    controller.abort(new Error('answer too long'))
  }

  onResponseEnd(): void {
    this.#reusable = true
    this.#settle('protocol')
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#settle(errorOf(error))
  }

  /** Ends the send now: with its status, if that has come. */
  giveUp(error: SendError): void {
    this.#settle(error)
    this.release()
  }

  /** Closes the connection, whatever its state. */
  release(): void {
    this.#controller?.abort(new Error('given up'))
    void this.#connection.client.destroy()
  }

  readonly #timeOut = (): void => this.giveUp('timeout')

  /** `error` is the result if no status came. */
  #settle(error: SendError | null): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#timer)
    const head = this.#head
    this.#resolve({
      statusCode: head?.statusCode ?? null,
      error: head === null ? error : null,
      latencyMs: Math.round(performance.now() - this.#startedAt),
      excerpt: this.#isEncoded ? null : excerptOf(this.#kept),
      retryAfterMs: head?.retryAfterMs ?? null,
    })
  }
}

function errorOf(error: Error): SendError {
  if (error instanceof ConnectFailed) return error.reason
  // undici reports an unrequested upgrade this way.
  const isOdd = error instanceof errors.SocketError && error.message.startsWith('bad ')
  if (isOdd || isUnreadable(error)) return 'protocol'
  const { code } = error as NodeJS.ErrnoException
  // TLS 1.3 lets a receiver refuse after the handshake.
  return code?.startsWith('ERR_SSL') ? 'tls' : 'reset'
}
