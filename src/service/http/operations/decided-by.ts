import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'

/**
 * Who decides, for a key that belongs to no operator; null for an operator's key. Throws
 * `validation_failed`.
 */
export function decidedBy({ operatorId }: Principal, named: string | undefined): string | null {
  if (operatorId === null && named !== undefined) return named
  if (operatorId !== null && named === undefined) return null
  const error =
    operatorId === null
      ? { reason: 'required', detail: 'It is required from a key that belongs to no operator.' }
      : { reason: 'not_allowed', detail: "With an operator's key, the operator decides." }
  throw new Problem('validation_failed', { errors: [{ pointer: '/decided_by', ...error }] })
}
