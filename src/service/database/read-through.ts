import type { LRUCache } from 'lru-cache'

/**
 * Reads by key, finished or in flight. After a change, `delete` the key so that the next caller reads
 * again. A `ttl` needs `ttlResolution: 0`; otherwise the cache's clock advances only when a timer fires.
 */
export type ReadCache<Value> = LRUCache<string, Promise<Value | null>>

/**
 * Returns the cached value, or reads it and caches it. Concurrent callers share one read. Missing values
 * and failures are not cached. Throws what `read` throws.
 */
export function readThrough<Value>(
  cache: ReadCache<Value>,
  key: string,
  read: () => Promise<Value | null>,
): Promise<Value | null> {
  const known = cache.get(key)
  if (known !== undefined) return known
  const value = read()
  cache.set(key, value)
  const forgetMissing = (found: Value | null): void => {
    // The key may have been deleted and read again meanwhile.
    if (found === null && cache.peek(key) === value) cache.delete(key)
  }
  value.then(forgetMissing, () => forgetMissing(null))
  return value
}
