import type { LRUCache } from 'lru-cache'

/**
 * Reads by key, done or under way. After a change `delete` the key: the next caller reads again. A
 * `ttl` needs `ttlResolution: 0`, otherwise one reading of the clock serves until a timer fires.
 */
export type ReadCache<Value> = LRUCache<string, Promise<Value | null>>

/**
 * Answers from the cache, or reads and keeps what was found. Concurrent callers share one read;
 * missing values and failures are read again. Throws what `read` throws.
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
