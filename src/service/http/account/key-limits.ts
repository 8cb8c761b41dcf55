import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'
import type { StillValid } from '../rules/still-valid.ts'

/** Active keys of an organization and mode: one for each of hundreds of shops. */
const activeKeysMax = 1_000
/** The longest life of a program's key that a person creates who signed in: a year and a day. */
const programKeyMs = 366 * 86_400_000

/**
 * When a new key must have expired: not after the calling key. A person who signed in proves who
 * they are each day, so the programs' keys that they create may outlive their sign-in.
 */
export function latestEnd(
  { expiresAt, fromSignIn }: StillValid,
  operatorId: string | null,
  now: Date,
): Date | null {
  return fromSignIn && operatorId === null ? new Date(now.getTime() + programKeyMs) : expiresAt
}

export function beyondTime(
  expiresAt: Date | null,
  ownEnd: Date | null,
  now: Date,
): readonly FieldError[] {
  const pointer = '/expires_at'
  if (expiresAt !== null && expiresAt <= now) {
    return [{ pointer, reason: 'in_the_past', detail: 'It must be in the future.' }]
  }
  if (ownEnd === null || (expiresAt !== null && expiresAt <= ownEnd)) return []
  const detail =
    'A new key cannot expire later than the calling key. With a key of a sign-in, a key without operator can last a year.'
  return [{ pointer, reason: 'beyond_own_end', detail }]
}

/** With a key of another operator, the caller would act under that person's name. */
export function requireOwnOperator({ operatorId: own }: Principal, id: string | null): void {
  if (id === null || id === own) return
  const detail =
    own === null
      ? 'This key belongs to no operator, so it creates only keys without one.'
      : 'A key creates keys of its own operator, and keys without one.'
  const errors = [{ pointer: '/operator_id', reason: 'operator_not_yours', detail }]
  throw new Problem('operator_not_yours', { errors })
}

/** Throws `limit_reached` if the organization may not have one more active key in this mode. */
export async function requireRoom({ db, clock }: ApiServices, principal: Principal): Promise<void> {
  const { organizationId, livemode } = principal
  const { count } = await db
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where((eb) => eb.and({ organization_id: organizationId, livemode }))
    .where('revoked_at', 'is', null)
    // Their number is limited for each operator.
    .where('from_sign_in', '=', false)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.now())]))
    .executeTakeFirstOrThrow()
  if (Number(count) < activeKeysMax) return
  throw new Problem('limit_reached', {
    detail: `The organization has ${activeKeysMax} active keys in this mode.`,
  })
}
