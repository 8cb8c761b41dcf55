import { type QueryExecutorProvider, sql } from 'kysely'
import { Problem } from '../../errors.ts'

/** Limits how often a request may be made, across all callers and processes. */
export async function takeTurn(
  db: QueryExecutorProvider,
  what: { readonly work: string; readonly apartMs: number; readonly detail: string },
): Promise<void> {
  const { numAffectedRows } = await sql`
    INSERT INTO claims AS k (work, leased_until)
    VALUES (${what.work}, now() + ${what.apartMs} * interval '1 millisecond')
    ON CONFLICT (work) DO UPDATE SET leased_until = excluded.leased_until
      WHERE k.leased_until <= now()`.execute(db)
  if (numAffectedRows === 1n) return
  throw new Problem('rate_limited', {
    detail: what.detail,
    retryAfterSeconds: Math.ceil(what.apartMs / 1_000),
  })
}
