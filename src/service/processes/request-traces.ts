import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { batched } from '../database/batcher.ts'
import type { Log } from '../log.ts'
import { parseTraceparent } from '../tracing/trace-context.ts'
import type { RequestKey, RequestTraces } from '../tracing/tracing.ts'

/** Longer than the retry schedule of any webhook. */
const keptDays = 7

type Noted = RequestKey & { readonly traceparent: string }

/** The first span of a request id counts: a client may repeat its own id. */
const insert = batched(async (db: Kysely<Tables>, noted: readonly Noted[]) => {
  await sql`
    INSERT INTO request_traces (organization_id, request_id, traceparent)
    SELECT * FROM unnest(${noted.map((each) => each.organizationId)}::text[],
      ${noted.map((each) => each.requestId)}::text[], ${noted.map((each) => each.traceparent)}::text[])
    ON CONFLICT DO NOTHING`.execute(db)
  return noted.map(() => undefined)
})

/**
 * The spans of requests whose ids do not tell them: the client sent a `traceparent`, or a request id
 * of its own. What follows from such a request in another process finds its trace here.
 */
export function requestTraces(db: Kysely<Tables>, log: Log): RequestTraces {
  return {
    async note(request, traceparent) {
      try {
        await insert(db, { ...request, traceparent })
      } catch (error) {
        log.warn({ err: error }, 'the trace of a request could not be stored')
      }
    },
    find: (request) => find(db, request),
  }
}

/** Those of one moment, of many jobs and webhooks, are found by one statement. */
const find = batched(async (db: Kysely<Tables>, requests: readonly RequestKey[]) => {
  const { rows } = await sql<{ n: number; traceparent: string }>`
    SELECT r.n::int, t.traceparent
    FROM unnest(${requests.map((each) => each.organizationId)}::text[],
        ${requests.map((each) => each.requestId)}::text[])
      WITH ORDINALITY AS r (organization_id, request_id, n)
    JOIN request_traces t ON t.organization_id = r.organization_id COLLATE "C"
      AND t.request_id = r.request_id COLLATE "C"`.execute(db)
  const found = new Map(rows.map(({ n, traceparent }) => [n - 1, parseTraceparent(traceparent)]))
  return requests.map((_, index) => found.get(index) ?? null)
})

/** Deletes old rows. Returns the number; safe to repeat. */
export async function forgetRequestTraces(db: Kysely<Tables>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM request_traces WHERE created_at < now() - ${keptDays} * interval '1 day'`.execute(
    db,
  )
  return Number(numAffectedRows)
}
