import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'

/** Counting goes no further: an alarm needs no more. */
const countedMax = 10_000

/** What waits in all, and for how long the oldest has waited, deferred ones included. */
export async function deliveryFigures(db: Kysely<ReadModels>) {
  const { rows } = await sql<{ pending: string; age: number }>`
    SELECT (SELECT count(*) FROM (
        SELECT FROM webhook_deliveries WHERE state = 'pending' LIMIT ${countedMax}) some) AS pending,
      coalesce(extract(epoch FROM clock_timestamp() - (
        SELECT min(stored_at) FROM webhook_deliveries WHERE state = 'pending'))::float8, 0) AS age
    `.execute(db)
  const [row] = rows
  return { pending: Number(row?.pending ?? 0), oldestAgeSeconds: Math.max(0, row?.age ?? 0) }
}
