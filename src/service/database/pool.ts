import pg from 'pg'
import type { Log } from '../log.ts'
import { SessionClient, type SessionConfig } from './sessions/session-client.ts'
import { connectionsMax } from './sessions/sessions-per-process.ts'

type PoolOptions = {
  readonly connectionString: string
  readonly max?: number
  readonly statementTimeoutMs?: number
  /** Shown by pg_stat_activity. */
  readonly name?: string
  readonly log: Log
}

/** A request waits this long for a connection and is then answered 503, not left hanging. */
const connectionTimeoutMs = 5_000
/** None of our statements should take a second; one that takes this long is a fault. */
const statementTimeoutMs = 15_000
/** One stays open, so that other processes see this one in pg_stat_activity. */
const connectionsMin = 1
/** An idle connection is closed after this, so that a quiet service holds few. */
const idleTimeoutMs = 60_000

/**
 * A bounded pool. Losing the database never throws outside a query: idle connections that break are
 * logged and replaced when they are next needed. Timestamps come as Date, bigint as text.
 */
export function pool(options: PoolOptions): pg.Pool {
  const { log } = options
  const config: pg.PoolConfig & SessionConfig = {
    Client: SessionClient,
    connectionString: options.connectionString,
    max: options.max ?? connectionsMax,
    min: connectionsMin,
    connectionTimeoutMillis: connectionTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    settings: { statement_timeout: String(options.statementTimeoutMs ?? statementTimeoutMs) },
    application_name: options.name ?? 'shipping-ledger',
    keepAlive: true,
  }
  const made = new pg.Pool(config)
  made.on('error', (error) => {
    // While the pool is being closed, the database may stop first.
    if (!made.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  // A connection in use reports here as well; its query fails by itself.
  made.on('connect', (client) => client.on('error', () => {}))
  return made
}
