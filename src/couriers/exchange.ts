import { type Dispatcher, errors } from 'undici'
import type { NotSentCause, UnknownCause } from './courier.ts'

/** One request to a connector. */
export type ExchangeRequest = {
  readonly origin: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly bodyBytesMax: number
  /** Nothing is written after this moment. */
  readonly notAfter: Date | null
  /** The moment at which waiting for the answer ends. */
  readonly until: Date
  readonly signal: AbortSignal | null
}

export type Answered = {
  readonly kind: 'answered'
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  /** The whole body; null when it broke off, was too long or is encoded in a way not asked for. */
  readonly body: Buffer | null
}

/**
 * What became of a request. `lost` means that its first byte may have left and no usable status
 * came back; `not_sent` that no byte of it was ever written, nor will be.
 */
export type ExchangeResult =
  | Answered
  | { readonly kind: 'lost'; readonly cause: UnknownCause }
  | { readonly kind: 'not_sent'; readonly cause: NotSentCause }

/** Whether something arrived that cannot be read as HTTP. */
function isUnreadable(error: Error): boolean {
  return (
    error instanceof errors.HTTPParserError ||
    error instanceof errors.HeadersOverflowError ||
    error instanceof errors.ResponseContentLengthMismatchError
  )
}

function headerText(value: string | string[] | undefined): string | null {
  if (value === undefined) return null
  return Array.isArray(value) ? (value[0] ?? null) : value
}

/**
 * Makes one request, exactly once. Never throws.
 *
 * The line between "not sent" and "lost" is undici's `onRequestStart`: undici calls it on a
 * connected socket immediately before it writes the request's first byte, and never before. So a
 * failure that comes earlier (DNS, connect, TLS, a full pool) is a request that never left, and
 * every failure after it is treated as if the request had arrived. A second `onRequestStart` would
 * be a silent repetition on another socket: it is refused before a byte of it is written.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    let started = false
    let settled = false
    let running: Dispatcher.DispatchController | null = null
    let head: Omit<Answered, 'body'> | null = null
    let encoded = false
    const chunks: Buffer[] = []
    let bodyBytes = 0

    const settle = (result: ExchangeResult): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', giveUp)
      resolve(result)
      if (running !== null && result.kind !== 'answered') running.abort(new Error('given up'))
    }
    const breakOff = (cause: UnknownCause): void => {
      if (!started) settle({ kind: 'not_sent', cause: 'unreachable' })
      else if (head !== null && isTelling(head.status)) settle({ ...head, body: null })
      else settle({ kind: 'lost', cause })
    }
    const giveUp = (): void => {
      // A timer may fire a millisecond before its moment, hence the comparison with its own end.
      const passedAt = Math.max(Date.now(), request.signal?.aborted ? 0 : request.until.getTime())
      const late = request.notAfter !== null && passedAt >= request.notAfter.getTime()
      const controller = running
      if (!started && late) settle({ kind: 'not_sent', cause: 'too_late' })
      else breakOff(late ? 'deadline_passed' : 'response_lost')
      controller?.abort(new Error('given up'))
    }
    const timer = setTimeout(giveUp, Math.max(0, request.until.getTime() - Date.now()))
    request.signal?.addEventListener('abort', giveUp, { once: true })

    dispatcher.dispatch(
      {
        origin: request.origin,
        method: request.method,
        path: request.path,
        headers: request.headers,
        body: request.body,
        // The timer above bounds the whole exchange; undici's own timers bound parts of it only.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(controller) {
          if (settled || started) {
            controller.abort(new Error('refused before writing'))
            breakOff('response_lost')
            return
          }
          if (request.notAfter !== null && Date.now() > request.notAfter.getTime()) {
            settle({ kind: 'not_sent', cause: 'too_late' })
            controller.abort(new Error('too late'))
            return
          }
          started = true
          running = controller
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return
          encoded = (headerText(headers['content-encoding']) ?? 'identity') !== 'identity'
          head = {
            kind: 'answered',
            status,
            contentType: headerText(headers['content-type']) ?? '',
            retryAfter: headerText(headers['retry-after']),
          }
        },
        onResponseData(controller, chunk) {
          bodyBytes += chunk.length
          if (bodyBytes > request.bodyBytesMax) {
            if (head !== null) settle({ ...head, body: null })
            controller.abort(new Error('answer too long'))
            return
          }
          chunks.push(chunk)
        },
        onResponseEnd() {
          if (head === null) breakOff('response_lost')
          else settle({ ...head, body: encoded ? null : Buffer.concat(chunks) })
        },
        onResponseError(_controller, error) {
          if (head !== null && !settled) settle({ ...head, body: null })
          else breakOff(isUnreadable(error) ? 'response_unreadable' : 'response_lost')
        },
      },
    )
  })
}

/** Whether the status alone says what happened, so that a missing body changes nothing. */
function isTelling(status: number): boolean {
  return status === 401 || status === 429 || status >= 500
}
