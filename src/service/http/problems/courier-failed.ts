import type { CourierFailure } from '../../couriers/courier.ts'
import { Problem } from '../../errors.ts'

/** The problem for a read-only call that the courier could not answer. */
export function courierFailed(failure: CourierFailure): Problem {
  switch (failure.kind) {
    case 'throttled':
      return new Problem('courier_throttled', {
        retryAfterSeconds: Math.ceil((failure.retryAfterMs ?? 2_000) / 1_000),
      })
    case 'unauthorized':
      return new Problem('connection_needs_reauth')
    case 'rejected':
      return new Problem('courier_rejected')
    case 'not_sent':
    case 'unknown':
      return new Problem('courier_unreachable', { outcome: 'not_executed' })
  }
}

/**
 * The problem for a guide's scans that could not be read. A courier that does not know its own guide
 * at the moment counts as unreachable.
 */
export function scansNotRead(failure: CourierFailure): Problem {
  return failure.kind === 'rejected'
    ? courierFailed({ kind: 'not_sent', cause: 'unreachable' })
    : courierFailed(failure)
}
