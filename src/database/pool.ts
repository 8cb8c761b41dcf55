import pg from 'pg'
import type { Log } from '../log.ts'

export type PoolOptions = {
  readonly connectionString: string
  /** The most connections; PostgreSQL's default of 100 is shared by all processes and roles: six processes fit. */
  readonly max?: number
  readonly statementTimeoutMs?: number
  /** Shown by pg_stat_activity. */
  readonly name?: string
  readonly log: Log
}

/** More connections than this only queue for the two to eight cores behind them. */
export const connectionsMax = 10
/** A request waits this long for a connection and is then answered 503, not left hanging. */
export const connectionTimeoutMs = 5_000
/** No statement of ours is meant to take a second; one that takes this long is a fault. */
export const statementTimeoutMs = 15_000
/** One stays, so that others see in pg_stat_activity that this process is there. */
const connectionsMin = 1
/** An idle connection is given back after this, so that a quiet service holds few. */
const idleTimeoutMs = 60_000

/**
 * A bounded pool. Losing the database never throws outside a query: idle connections that break are
 * logged and replaced when they are next needed. Timestamps come as Date, bigint as text.
 */
export function pool(options: PoolOptions): pg.Pool {
  const { log } = options
  const made = new pg.Pool({
    connectionString: options.connectionString,
    max: options.max ?? connectionsMax,
    min: connectionsMin,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: options.statementTimeoutMs ?? statementTimeoutMs,
    application_name: options.name ?? 'shipping-ledger',
    keepAlive: true,
  })
  made.on('error', (error) => {
    // While the pool is being closed, the database may go first.
    if (!made.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  // A connection in somebody's hands reports here as well; its query fails by itself.
  made.on('connect', (client) => client.on('error', () => {}))
  return made
}
