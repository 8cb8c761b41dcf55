import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { RouteDeps } from '../server-deps.ts'

/**
 * Refuses a key that was revoked, or whose operator was disabled, in the last seconds: it is still
 * recognized by its cached row, and must not give new access in that time. Returns when the key
 * ends.
 */
export async function requireStillValid(
  { db }: Pick<RouteDeps, 'db'>,
  { keyId }: Principal,
): Promise<Date | null> {
  const own = await db
    .selectFrom('api_keys')
    .leftJoin('operators', 'operators.id', 'api_keys.operator_id')
    .select(['api_keys.expires_at', 'api_keys.revoked_at', 'operators.status'])
    .where('api_keys.id', '=', keyId)
    .executeTakeFirst()
  const isValid = own !== undefined && own.revoked_at === null && own.status !== 'disabled'
  if (!isValid) throw new Problem('unauthenticated')
  return own.expires_at
}
