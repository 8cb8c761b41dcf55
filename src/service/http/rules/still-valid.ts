import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'

export type StillValid = { readonly expiresAt: Date | null; readonly fromSignIn: boolean }

/**
 * Refuses a key that was revoked, or whose operator was disabled, in the last seconds. Its cached row
 * still authenticates it, but it must not grant new access. Returns when the key expires, and whether
 * it is of a sign-in.
 */
export async function requireStillValid(
  { db }: Pick<ApiServices, 'db'>,
  { keyId }: Principal,
): Promise<StillValid> {
  const own = await db
    .selectFrom('api_keys')
    .leftJoin('operators', 'operators.id', 'api_keys.operator_id')
    .select(['api_keys.expires_at', 'api_keys.revoked_at', 'operators.status'])
    .select('api_keys.from_sign_in')
    .where('api_keys.id', '=', keyId)
    .executeTakeFirst()
  const isValid = own !== undefined && own.revoked_at === null && own.status !== 'disabled'
  if (!isValid) throw new Problem('unauthenticated')
  return { expiresAt: own.expires_at, fromSignIn: own.from_sign_in }
}
