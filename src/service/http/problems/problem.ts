import type { Action, ErrorEntry, FieldError, Outcome } from '../../error-kinds.ts'
import { errorTable, type Problem } from '../../errors.ts'

/** The address of `docs/errors.md`; the fragment is the reason. */
const errorsPath = '/docs/errors'

type ProblemBody = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly reason: string
  readonly outcome?: Outcome
  readonly retryable: boolean
  readonly action: Action
  readonly request_id: string
  readonly operation_id?: string
  readonly shipment_id?: string
  readonly shipment_version?: number
  readonly price?: { readonly amount: number; readonly currency: string }
  readonly errors?: readonly FieldError[]
}

const earlierRequest =
  ' An earlier request with the same Idempotency-Key may have succeeded; repeat with that key only.'

/**
 * The body of a problem. `instance` is derived from the request id, so that two problems with one
 * request id differ only in what the client caused.
 */
export function problemBody(
  problem: Problem,
  request: { readonly id: string; readonly changing: boolean; readonly keyed: boolean },
): ProblemBody {
  const { reason, options } = problem
  const { id: shipmentId, version } = options.shipment ?? {}
  const entry: ErrorEntry = errorTable[reason]
  const detail = options.detail ?? `${entry.title}. ${entry.remedy}`
  const mustWarn = entry.status === 503 && request.keyed && !detail.includes('may have succeeded')
  return {
    type: `${errorsPath}#${reason}`,
    title: entry.title,
    status: entry.status,
    detail: mustWarn ? detail + earlierRequest : detail,
    instance: `/v1/requests/${request.id}`,
    reason,
    ...(request.changing ? { outcome: options.outcome ?? entry.outcome } : {}),
    retryable: options.retryable ?? entry.retryable,
    action: entry.action,
    request_id: request.id,
    ...(options.operationId === undefined ? {} : { operation_id: options.operationId }),
    ...(shipmentId === undefined ? {} : { shipment_id: shipmentId }),
    ...(version == null ? {} : { shipment_version: version }),
    ...(options.price === undefined ? {} : { price: options.price }),
    ...(options.errors === undefined ? {} : { errors: options.errors }),
  }
}

const changingMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Whether a call of this method may change something. Then its errors must state an outcome. */
export function isChanging(method: string): boolean {
  return changingMethods.has(method)
}

/** Seconds until a client retries after a 503, unless a better value is known. */
const retryAfterSecondsDefault = 2

/**
 * A `WWW-Authenticate` value after RFC 6750. Without a bearer token in the request it has no error.
 */
export function bearerChallenge(error?: {
  readonly error: string
  readonly scope?: string
}): string {
  const parts = Object.entries(error ?? {}).map(([name, value]) => `, ${name}="${value}"`)
  return `Bearer realm="shipping-ledger"${parts.join('')}`
}

export function problemHeaders(problem: Problem): Record<string, string> {
  const { status } = errorTable[problem.reason] as ErrorEntry
  const after = problem.options.retryAfterSeconds
  return {
    ...(status === 401 ? { 'www-authenticate': bearerChallenge() } : {}),
    ...(after !== undefined || status === 503
      ? { 'retry-after': String(after ?? retryAfterSecondsDefault) }
      : {}),
    ...problem.options.headers,
  }
}
