import { LRUCache } from 'lru-cache'
import { type ReadCache, readThrough } from '../../../database/read-through.ts'
import { Problem } from '../../../errors.ts'
import type { Principal } from '../../../security/api-keys.ts'
import type { ReachCheck } from '../../server-deps.ts'

/** Ids remembered at once. Beyond that, the one that was asked for longest ago is forgotten. */
const knownMax = 10_000

/**
 * Remembers the ids that a key was found to reach, for resources that never change owner or mode
 * and are never deleted. Ids out of reach are looked up again each time.
 */
export function reachCheck(
  isReached: (principal: Principal, id: string) => Promise<boolean>,
): ReachCheck {
  const cache: ReadCache<true> = new LRUCache({ max: knownMax })
  return {
    async require(principal, id) {
      const { organizationId, livemode, workspaceId } = principal
      // The key includes the caller's reach: a caller never benefits from what another one looked
      // up.
      const key = [organizationId, livemode, workspaceId, id].join(' ')
      const read = async () => ((await isReached(principal, id)) ? true : null)
      if ((await readThrough(cache, key, read)) === null) throw new Problem('not_found')
    },
  }
}
