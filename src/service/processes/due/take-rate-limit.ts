import { randomUUID } from 'node:crypto'
import type { QueryExecutorProvider } from 'kysely'
import { Problem } from '../../errors.ts'
import { takeLease } from '../../queue/lease.ts'

/**
 * Limits how often a request may be made, across all callers and processes. Throws `rate_limited`.
 */
export async function takeRateLimit(
  db: QueryExecutorProvider,
  what: { readonly work: string; readonly apartMs: number; readonly detail: string },
): Promise<void> {
  const lease = { name: what.work, owner: randomUUID(), leaseMs: what.apartMs }
  // Not released: nobody takes it again before its time is over.
  if (await takeLease(db, lease, 'time')) return
  throw new Problem('rate_limited', {
    detail: what.detail,
    retryAfterSeconds: Math.ceil(what.apartMs / 1_000),
  })
}
