import { LRUCache } from 'lru-cache'
import { type ReadCache, readThrough } from '../../../database/read-through.ts'
import { Problem } from '../../../errors.ts'
import type { Principal } from '../../../security/api-keys.ts'
import type { TenantScopeCheck } from '../../api-services.ts'

/** Ids that are cached. Beyond that, the least recently used is evicted. */
const knownMax = 10_000

/**
 * Caches which ids a key reaches, for resources that never change owner or mode and are never
 * deleted. Ids out of reach are looked up each time.
 */
export function tenantScopeCheck(
  isReached: (principal: Principal, id: string) => Promise<boolean>,
): TenantScopeCheck {
  const cache: ReadCache<true> = new LRUCache({ max: knownMax })
  return {
    async require(principal, id) {
      const { organizationId, livemode, workspaceId } = principal
      // The cache key includes the caller's reach, so that no caller gets another one's result.
      const key = [organizationId, livemode, workspaceId, id].join(' ')
      const read = async () => ((await isReached(principal, id)) ? true : null)
      if ((await readThrough(cache, key, read)) === null) throw new Problem('not_found')
    },
  }
}
