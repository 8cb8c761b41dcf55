import pg from 'pg'
import type { Log } from '../log.ts'
import { SessionClient, type SessionConfig } from './sessions/session-client.ts'
import { connectionsMax } from './sessions/sessions-per-process.ts'

type PoolOptions = {
  readonly connectionString: string
  readonly max?: number
  readonly statementTimeoutMs?: number
  /** The session name that pg_stat_activity shows. */
  readonly name?: string
  readonly log: Log
}

/** How long a request waits for a connection before it is answered 503. */
const connectionTimeoutMs = 5_000
/** No statement should take a second, so one that takes this long is a fault. */
const statementTimeoutMs = 15_000
/** One connection stays open, so that other processes see this one in pg_stat_activity. */
const connectionsMin = 1
/** Idle connections are closed after this, so that a quiet service holds few. */
const idleTimeoutMs = 60_000

/**
 * A bounded pool. Losing the database never throws outside a query: broken idle connections are logged,
 * and replaced when they are next needed. Timestamps are returned as Date, bigint as text.
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
    // The database may stop first while the pool is being closed.
    if (!made.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  // A connection in use emits errors here too, but its query fails by itself.
  made.on('connect', (client) => client.on('error', () => {}))
  return made
}
