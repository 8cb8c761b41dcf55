/**
 * What a failed call of the client means. Switch on `type` and `code`: messages are empty or
 * missing, and some errors are plain ones.
 *
 * - `conflict`: the stream is not as expected; nothing was written.
 * - `not_written`: certainly nothing was: no connection, no leader, a server that is not ready.
 * - `unknown`: it may be written. Only sending the same ids again finds out.
 * - `too_slow`: a subscription that the server dropped; what follows is still there.
 * - `not_found`: no such stream.
 * - `refused`: the server understood and will not; asking again is of no use.
 */
type Failure = 'conflict' | 'not_written' | 'unknown' | 'too_slow' | 'not_found' | 'refused'

type ClientError = {
  readonly type?: unknown
  readonly code?: unknown
  readonly message?: unknown
}

const byType: Readonly<Record<string, Failure>> = {
  'wrong-expected-version': 'conflict',
  'stream-not-found': 'not_found',
  timeout: 'too_slow',
  'not-leader': 'not_written',
  'access-denied': 'refused',
  'invalid-argument': 'refused',
  'stream-deleted': 'refused',
  'maximum-append-size-exceeded': 'refused',
}

/**
 * Transport texts for calls that found no connection: none of their bytes was sent. They include a
 * deadline that passed while the call waited for a connection, unless it had been tried before.
 */
const neverSent = [
  /No connection established|Name resolution failed|Failed to discover after/,
  /^(?!.*previous attempts).*(Waiting for LB pick|waiting for name resolution)/,
] as const
/** The server's texts for calls that it has not begun. */
const notBegun = /Server Is (Not Ready|Too Busy)|No leader info available/i

export function failureOf(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return 'unknown'
  const { type, message } = error as ClientError
  const text = typeof message === 'string' ? message : ''
  if (neverSent.some((pattern) => pattern.test(text)) || notBegun.test(text)) return 'not_written'
  return (typeof type === 'string' ? byType[type] : undefined) ?? 'unknown'
}

/**
 * The server could not read its log from the place that it was given: as for one that is no record,
 * but it gives no reason.
 */
export function isNoRecord(error: unknown): boolean {
  const { message } = typeof error === 'object' && error !== null ? (error as ClientError) : {}
  return typeof message === 'string' && message.includes('Unexpected ReadAllResult: Error')
}

/** The server did not answer in time, or says that it ran out of time itself. */
export function isLate(error: unknown): boolean {
  const { type } = typeof error === 'object' && error !== null ? (error as ClientError) : {}
  return type === 'deadline-exceeded'
}

/** For logs and messages: the kind of error, never its text, which may quote an event. */
export function errorKind(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown'
  const { type, code } = error as ClientError
  if (typeof type === 'string') return type
  return typeof code === 'number' || typeof code === 'string' ? `code ${code}` : 'error'
}
