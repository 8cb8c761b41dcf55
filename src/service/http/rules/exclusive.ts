import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { Problem } from '../../errors.ts'
import { beforeExecution } from '../../processes/calls/not-executed.ts'

/** Far longer than an administrative act takes. It frees what a crashed process held. */
const leaseSeconds = 30
/** How long a caller waits for the same work of others, here or elsewhere, before it is refused. */
const waitMs = 10_000
const pollMs = 25
/**
 * Callers that wait here for one name. A client that repeats a call hundreds of times is held off.
 */
const waitingMax = 200

type Queue = { tail: Promise<unknown>; waiting: number }
const queues = new Map<string, Queue>()

/**
 * Runs the work while no other work of this name runs, in this process or another. It holds only a
 * lease row meanwhile. Callers queue in this process first, so that fifty at once ask the database
 * one after the other. A caller that waits too long, in the queue and for the lease, is refused with `busy`.
 */
export async function exclusively<T>(
  db: Kysely<Database>,
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
  const turn = queue.tail.then(() => underLease(db, name, work, { giveUpAt, busy }))
  queue.tail = turn.catch(() => undefined)
  try {
    return await turn
  } finally {
    queue.waiting--
    if (queue.waiting === 0) queues.delete(name)
  }
}

type Patience = { readonly giveUpAt: number; readonly busy: () => Problem }

async function underLease<T>(
  db: Kysely<Database>,
  name: string,
  work: () => Promise<T>,
  patience: Patience,
): Promise<T> {
  const until = await lease(db, name, patience).catch((error: unknown) => {
    throw beforeExecution(error)
  })
  try {
    return await work()
  } finally {
    // A failure here needs no handling: the lease ends by itself.
    await release(db, name, until).catch(() => undefined)
  }
}

async function lease(
  db: Kysely<Database>,
  name: string,
  { giveUpAt, busy }: Patience,
): Promise<Date> {
  for (;;) {
    if (performance.now() > giveUpAt) throw busy()
    const { rows } = await sql<{ leased_until: Date }>`
      INSERT INTO claims AS c (work, leased_until)
      VALUES (${name}, date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => ${leaseSeconds}))
      ON CONFLICT (work) DO UPDATE SET leased_until = excluded.leased_until
      WHERE c.leased_until < clock_timestamp()
      RETURNING leased_until`.execute(db)
    const taken = rows[0]
    if (taken !== undefined) return taken.leased_until
    await pause(pollMs)
  }
}

async function release(db: Kysely<Database>, name: string, until: Date): Promise<void> {
  await db.deleteFrom('claims').where('work', '=', name).where('leased_until', '=', until).execute()
}
