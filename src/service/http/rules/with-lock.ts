import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { QueryExecutorProvider } from 'kysely'
import { Problem } from '../../errors.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'
import { type Lease, releaseLease, takeLease } from '../../queue/lease.ts'

/** Far longer than an administrative act takes. It frees the lease of a crashed process. */
const leaseMs = 30_000
/** How long a caller waits for others with the same name, in any process, before it is refused. */
const waitMs = 10_000
const pollMs = 25
/**
 * Callers in this process that may wait for one name. A client that repeats a call hundreds of
 * times is refused.
 */
const waitingMax = 200

type Queue = { tail: Promise<unknown>; waiting: number }
const queues = new Map<string, Queue>()

/**
 * Runs the work while no other work of this name runs, in this process or another. Meanwhile it holds
 * only a lease row, no connection. Callers queue in this process first, so that fifty of them ask the
 * database one after the other. A caller that waits too long, in the queue and for the lease, gets
 * the problem `busy`.
 */
export async function withLock<T>(
  db: QueryExecutorProvider,
  parts: readonly string[],
  work: () => Promise<T>,
  busy: () => Problem = () => new Problem('overloaded'),
): Promise<T> {
  const giveUpAt = performance.now() + waitMs
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
  const name = `admin:${digest}`
  const queue = queues.get(name) ?? { tail: Promise.resolve(), waiting: 0 }
  if (queue.waiting >= waitingMax) throw busy()
  queues.set(name, queue)
  queue.waiting++
  const done = queue.tail.then(() => underLease(db, name, work, { giveUpAt, busy }))
  queue.tail = done.catch(() => undefined)
  try {
    return await done
  } finally {
    queue.waiting--
    if (queue.waiting === 0) queues.delete(name)
  }
}

type LockWait = { readonly giveUpAt: number; readonly busy: () => Problem }

async function underLease<T>(
  db: QueryExecutorProvider,
  name: string,
  work: () => Promise<T>,
  wait: LockWait,
): Promise<T> {
  const lease = { name, owner: randomUUID(), leaseMs }
  await waitForLease(db, lease, wait).catch((error: unknown) => {
    throw beforeExecution(error)
  })
  try {
    return await work()
  } finally {
    // A failure needs no handling here: the lease expires by itself.
    await releaseLease(db, lease).catch(() => undefined)
  }
}

async function waitForLease(
  db: QueryExecutorProvider,
  lease: Lease,
  { giveUpAt, busy }: LockWait,
): Promise<void> {
  for (;;) {
    if (performance.now() > giveUpAt) throw busy()
    if (await takeLease(db, lease, 'time')) return
    await pause(pollMs)
  }
}
