import { type Dispatcher, errors } from 'undici'
import type { NotSentCause, UnknownCause } from './courier.ts'
import { type Deadline, hasPassed } from './deadline.ts'

/** One request to a connector. */
type ExchangeRequest = {
  readonly origin: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly bodyBytesMax: number
  /** No byte is sent after this time. */
  readonly notAfter: Deadline | null
  /** When to stop waiting for the answer (`performance.now()`). */
  readonly endsAtMs: number
}

export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  /** The courier's own id of the request. */
  readonly requestId: string | null
  /**
   * The complete body; null if it was cut off, too long or encoded although no encoding was
   * accepted.
   */
  readonly body: Buffer | null
}

/**
 * The outcome of a request. `lost`: its first byte may have been sent, and no usable status came
 * back. `not_sent`: no byte was written, and none will be.
 */
export type ExchangeResult =
  | Answered
  | { readonly kind: 'lost'; readonly cause: UnknownCause }
  | { readonly kind: 'not_sent'; readonly cause: NotSentCause }

/** Whether the response was not valid HTTP. */
export function isUnreadable(error: Error): boolean {
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError
  )
}

/** A header's value; the first one if it is repeated. */
export function headerText(value: string | string[] | undefined): string | null {
  if (value === undefined) return null
  return Array.isArray(value) ? (value[0] ?? null) : value
}

/**
 * Makes one request, exactly once. Never throws.
 *
 * The line between "not sent" and "lost" is undici's `onRequestStart`: undici calls it on a
 * connected socket immediately before it writes the request's first byte, and never earlier. A
 * failure before it (DNS, connect, TLS, a full pool) means that the request was never sent; after
 * any later failure, the request may have arrived. A second `onRequestStart` would be a silent
 * retry on another socket, so it is aborted before a byte is written.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
): Promise<ExchangeResult> {
  const running = new RunningExchange(request)
  dispatcher.dispatch(
    {
      origin: request.origin,
      method: request.method,
      path: request.path,
      headers: request.headers,
      body: request.body,
      // The exchange's own timer bounds the whole request; undici's timers bound only parts of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    },
    running,
  )
  return running.result
}

class RunningExchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<ExchangeResult>
  readonly #resolve: (result: ExchangeResult) => void
  readonly #request: ExchangeRequest
  readonly #timer: NodeJS.Timeout
  #ended = false
  /** Set just before the first byte is written. */
  #started: Dispatcher.DispatchController | null = null
  #head: Omit<Answered, 'body'> | null = null
  #isEncoded = false
  #bodyBytes = 0
  readonly #chunks: Buffer[] = []

  constructor(request: ExchangeRequest) {
    const { promise, resolve } = Promise.withResolvers<ExchangeResult>()
    this.result = promise
    this.#resolve = resolve
    this.#request = request
    this.#timer = setTimeout(this.#giveUp, Math.max(0, request.endsAtMs - performance.now()))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { notAfter } = this.#request
    if (this.#ended || this.#started !== null) {
      controller.abort(new Error('refused before writing'))
      this.#breakOff('response_lost')
    } else if (notAfter !== null && hasPassed(notAfter)) {
      this.#end({ kind: 'not_sent', cause: 'too_late' })
      controller.abort(new Error('too late'))
    } else {
      this.#started = controller
    }
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return
    this.#isEncoded = (headerText(headers['content-encoding']) ?? 'identity') !== 'identity'
    this.#head = {
      kind: 'answered',
      status,
      contentType: headerText(headers['content-type']) ?? '',
      retryAfter: headerText(headers['retry-after']),
      requestId: headerText(headers['x-request-id']),
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes > this.#request.bodyBytesMax) {
      if (this.#head !== null) this.#end({ ...this.#head, body: null })
      controller.abort(new Error('answer too long'))
      return
    }
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#head === null) this.#breakOff('response_lost')
    else this.#end({ ...this.#head, body: this.#isEncoded ? null : Buffer.concat(this.#chunks) })
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#head !== null) this.#end({ ...this.#head, body: null })
    else this.#breakOff(isUnreadable(error) ? 'response_unreadable' : 'response_lost')
  }

  readonly #giveUp = (): void => {
    const { notAfter, endsAtMs } = this.#request
    // A timer may fire a millisecond early, so its end is compared too.
    const isLate = notAfter !== null && (endsAtMs >= notAfter.endsAtMs || hasPassed(notAfter))
    const controller = this.#started
    if (controller === null && isLate) this.#end({ kind: 'not_sent', cause: 'too_late' })
    else this.#breakOff(isLate ? 'deadline_passed' : 'response_lost')
    controller?.abort(new Error('given up'))
  }

  #breakOff(cause: UnknownCause): void {
    const head = this.#head
    if (this.#started === null) this.#end({ kind: 'not_sent', cause: 'unreachable' })
    else if (head !== null && isConclusive(head.status)) this.#end({ ...head, body: null })
    else this.#end({ kind: 'lost', cause })
  }

  #end(result: ExchangeResult): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#timer)
    this.#resolve(result)
  }
}

/** Whether the status alone decides the outcome, so that a missing body does not matter. */
function isConclusive(status: number): boolean {
  return status === 401 || status === 429 || status >= 500
}
