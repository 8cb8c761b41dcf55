import pg from 'pg'
import { SessionClient, type SessionConfig } from '../database/sessions/session-client.ts'
import type { SessionSettings } from '../database/sessions/session-settings.ts'

/** Time until the first probe on an idle connection: shorter than most firewalls keep idle connections. */
const keepAliveDelayMs = 10_000

export type ConnectionTimes = {
  /** Time for TCP, TLS and login together. */
  readonly connectMs: number
  /** The server cancels a statement after this. */
  readonly statementMs: number
  /** The server stops waiting for a lock after this. */
  readonly lockMs: number
  /** A server that is silent for this long counts as gone. Must be more than `statementMs`. */
  readonly silentMs: number
}

export type StoreLog = {
  readonly warn: (details: Readonly<Record<string, unknown>>, message: string) => void
}

export function clientConfig(
  url: string,
  purpose: string,
  times: ConnectionTimes,
  settings: SessionSettings = {},
): SessionConfig {
  return {
    connectionString: url,
    application_name: `shipping-ledger ${purpose}`,
    connectionTimeoutMillis: times.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    settings: {
      statement_timeout: String(times.statementMs),
      lock_timeout: String(times.lockMs),
      ...settings,
    },
  }
}

/** Opens a dedicated session for work that a pool cannot do. `onLost` is called once if it breaks. */
export async function openClient(config: SessionConfig, onLost: () => void): Promise<pg.Client> {
  const client = new SessionClient(config)
  client.on('error', onLost)
  client.on('end', onLost)
  try {
    await client.connect()
  } catch (error) {
    await endSession(client)
    throw error
  }
  return client
}

/**
 * The query's result. Rejects if the server stays silent: PostgreSQL's own timeouts do not help against
 * a dead network or a frozen server. The session is then unusable and must be ended.
 */
export async function answeredWithin<T>(query: Promise<T>, ms: number): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`the server has been silent for ${ms} ms`))
  }, ms)
  try {
    return await Promise.race([query, silence])
  } finally {
    clearTimeout(timer)
    query.catch(() => undefined)
  }
}

/** How long a clean disconnect may take before the socket is destroyed. */
const endSessionMs = 1000

/** Ends a session; destroys its socket if a query is under way or the server does not answer. */
export async function endSession(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => streamOf(client)?.destroy(), endSessionMs)
  try {
    await client.end()
  } catch {
    streamOf(client)?.destroy()
  } finally {
    clearTimeout(timer)
  }
}

// The driver waits, possibly forever, for the server to close the connection; its types hide the
// socket.
function streamOf(client: pg.Client): { destroy(): void } | undefined {
  const hidden: { connection?: { stream?: { destroy(): void } } } = client as object
  return hidden.connection?.stream
}

/**
 * What an error says about the statement that was sent. `broken`: the connection or the server is
 * gone and the statement may have been committed. `rolled_back`: the server did not execute it, for a
 * transient reason. `refused`: the server will never execute it.
 */
type Failure = 'broken' | 'rolled_back' | 'refused'

// SQLSTATE classes: no resources, a limit or lock timeout, operator intervention, invalid
// transaction state (a standby), serialization and deadlock, system error.
const transientClasses = new Set(['53', '55', '57', '25', '40', '58'])
// Shutdown, crash, cannot connect now, database dropped, idle session ended: these end the session.
const sessionEndingCodes = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04'])

export function failureOf(error: unknown): Failure {
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  if (code === undefined || code.startsWith('08') || sessionEndingCodes.has(code)) return 'broken'
  return transientClasses.has(code.slice(0, 2)) ? 'rolled_back' : 'refused'
}

/** The part of a database error that may be logged: never its detail, which quotes the row. */
export function errorName(error: unknown): string {
  if (error instanceof pg.DatabaseError) return `SQLSTATE ${error.code ?? 'unknown'}`
  if (error instanceof Error && 'code' in error) return String(error.code)
  return error instanceof Error ? error.message : 'unknown error'
}

/** Exponential backoff with jitter, at most `maxMs`. */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 16))
  return full * (0.5 + Math.random() / 2)
}
