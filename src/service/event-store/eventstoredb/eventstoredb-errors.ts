/**
 * What a failed call of the client means. It is derived from `type` and `code`, because messages may be
 * empty or missing and some errors are plain ones.
 *
 * - `conflict`: the stream is not as expected; nothing was written.
 * - `not_written`: certainly nothing was written: no connection, no leader, a server that is not ready.
 * - `unknown`: it may have been written. Only sending the same ids again tells.
 * - `too_slow`: the server dropped a subscription; the events that follow are still there.
 * - `not_found`: no such stream.
 * - `refused`: the server refuses the call; repeating it does not help.
 */
type Failure = 'conflict' | 'not_written' | 'unknown' | 'too_slow' | 'not_found' | 'refused'

type ClientError = {
  readonly type?: unknown
  readonly code?: unknown
  readonly message?: unknown
  /** The gRPC error that the client has converted. */
  readonly _raw?: { readonly metadata?: { get(name: string): readonly unknown[] } }
}

/** The client's type for errors that it does not know. */
const unknownType = 'unknown'

const byType: Readonly<Record<string, Failure>> = {
  'wrong-expected-version': 'conflict',
  'stream-not-found': 'not_found',
  timeout: 'too_slow',
  'not-leader': 'not_written',
  'access-denied': 'refused',
  'invalid-argument': 'refused',
  'stream-deleted': 'refused',
  'maximum-append-size-exceeded': 'refused',
  'maximum-append-event-size-exceeded': 'refused',
}

/** The type by the client, or by the server's trailer if the server is newer than the client. */
function typeOf({ type, _raw: raw }: ClientError): string | undefined {
  const named = type === unknownType ? raw?.metadata?.get('exception')[0] : type
  return typeof named === 'string' ? named : typeof type === 'string' ? type : undefined
}

/**
 * Messages of the transport for calls that found no connection, so none of their bytes was sent. They
 * include a deadline that passed while the call waited for a connection, unless it was tried before.
 */
const neverSent = [
  /No connection established|Name resolution failed|Failed to discover after|Channel has been shut down/,
  /^(?!.*previous attempts).*(Waiting for LB pick|waiting for name resolution)/,
] as const
/** The server's messages for calls that it has not begun. */
const notBegun = /Server Is (Not Ready|Too Busy)|No leader info available/i

export function failureOf(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return 'unknown'
  const { message } = error as ClientError
  const text = typeof message === 'string' ? message : ''
  if (neverSent.some((pattern) => pattern.test(text)) || notBegun.test(text)) return 'not_written'
  return byType[typeOf(error as ClientError) ?? ''] ?? 'unknown'
}

/**
 * The messages of a server that could not read its log from the given position. 23.10 says `Error`, whatever
 * the reason. From 24.10 on a read says `InvalidPosition`, with the same code 2, and a subscription the second
 * message, with code 3.
 */
const noRecord = [
  /Unexpected (Filtered)?ReadAllResult: (Error|InvalidPosition)/,
  /Trying to read from an invalid position/,
] as const

/** Whether the server could not read its log from the given position, as if no record begins there. */
export function isNoRecord(error: unknown): boolean {
  const { message } = typeof error === 'object' && error !== null ? (error as ClientError) : {}
  return typeof message === 'string' && noRecord.some((pattern) => pattern.test(message))
}

/** Whether the server did not answer in time, or reports that it ran out of time itself. */
export function isLate(error: unknown): boolean {
  const { type } = typeof error === 'object' && error !== null ? (error as ClientError) : {}
  return type === 'deadline-exceeded'
}

/** The kind of error for logs and messages, without its text, which may quote an event. */
export function errorKind(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown'
  const type = typeOf(error as ClientError)
  if (type !== undefined) return type
  const { code } = error as ClientError
  return typeof code === 'number' || typeof code === 'string' ? `code ${code}` : 'error'
}
