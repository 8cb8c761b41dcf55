import { type RawBuilder, sql } from 'kysely'

/** The session that asks, as a row (pid, backend_start): it ends with the process that has it. */
export const thisSession = sql`pg_stat_get_activity(pg_backend_pid())`

/**
 * Whether a session is there no more. When it began is hidden from other roles: then it counts as
 * there, as does one that was never named.
 */
export function isSessionGone(pid: RawBuilder<unknown>, started: RawBuilder<unknown>) {
  return sql`(${pid} IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_stat_get_activity(${pid}) theirs
    WHERE (theirs.backend_start = ${started}) IS NOT FALSE))`
}
