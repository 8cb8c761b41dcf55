import { type RawBuilder, sql } from 'kysely'

/** The current session, as a row (pid, backend_start): it ends with its process. */
export const thisSession = sql`pg_stat_get_activity(pg_backend_pid())`

/**
 * The timeline on which a statement writes: another value means that a standby was promoted, or a backup
 * recovered, and what was written before may be missing. Fails on a standby.
 */
export const timelineSql = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

/**
 * Whether a session has ended. Other roles cannot see when it began: then it counts as alive, as
 * does a session that was never recorded.
 */
export function isSessionGone(pid: RawBuilder<unknown>, started: RawBuilder<unknown>) {
  return sql`(${pid} IS NOT NULL AND NOT EXISTS (
    SELECT FROM pg_stat_get_activity(${pid}) theirs
    WHERE (theirs.backend_start = ${started}) IS NOT FALSE))`
}
