import { type RawBuilder, sql } from 'kysely'

/** The current session as a row (pid, backend_start). It ends with its process. */
export const thisSession = sql`pg_stat_get_activity(pg_backend_pid())`

/**
 * Whether a session has ended. If its start is not visible to this role, or was never recorded, it
 * counts as alive.
 */
export function isSessionGone(pid: RawBuilder<unknown>, started: RawBuilder<unknown>) {
  return sql`(${pid} IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_stat_get_activity(${pid}) theirs
    WHERE (theirs.backend_start = ${started}) IS NOT FALSE))`
}
