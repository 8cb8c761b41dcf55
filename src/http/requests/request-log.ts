import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Outcome, Reason } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Principal } from '../../security/api-keys.ts'

/** One statement a second, however many requests there are. */
const writeEveryMs = 1_000
/** Successes of an organization and mode that are kept from each second; more are sampled. */
const successesPerSecond = 20
/** Rows waiting to be written: errors of some seconds at a plan's highest rate. */
const waitingMax = 2_000
/** A stop does not wait longer than this for a database that does not answer. */
const closeMaxMs = 2_000

export type NotedRequest = {
  readonly id: string
  readonly method: string
  /** Its pattern, never the address. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly reason: Reason | null
  readonly outcome: Outcome | null
}

type Caller = Pick<Principal, 'keyId' | 'organizationId' | 'workspaceId' | 'livemode'>
type Row = Database['request_log']
type Successes = { seen: number; readonly kept: Row[] }

type Deps = {
  readonly db: Kysely<Database>
  readonly log: Log
  /** Rows were lost: the database was away, or there were too many. */
  readonly dropped: (rows: number) => void
  readonly now?: () => number
  readonly random?: () => number
}

/**
 * Notes answered requests and writes them in batches, outside their path. Errors are always kept;
 * of an organization's successes in a mode, twenty of each second, chosen at random, each standing
 * for as many as were seen. Memory is bounded: what does not fit is dropped and counted. One per
 * process; close it before the database.
 */
export class RequestLog {
  readonly #deps: Deps
  #errors: Row[] = []
  #successes = new Map<string, Successes>()
  #waiting = 0
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #isClosed = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Returns at once and never throws. */
  note(request: NotedRequest, caller: Caller): void {
    const row = this.#rowOf(request, caller)
    if (row.status >= 400) this.#keep(this.#errors, row)
    else this.#sample(row)
    this.#writeLater()
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    const rest = async () => {
      await this.#writing
      await this.#write()
    }
    await Promise.race([rest(), pause(closeMaxMs, undefined, { ref: false })])
  }

  #rowOf(request: NotedRequest, caller: Caller): Row {
    return {
      id: request.id,
      organization_id: caller.organizationId,
      livemode: caller.livemode,
      workspace_id: caller.workspaceId,
      key_id: caller.keyId,
      method: request.method,
      route: request.route,
      status: request.status,
      reason: request.reason,
      outcome: request.outcome,
      duration_ms: Math.round(request.durationMs),
      represents: 1,
      created_at: new Date((this.#deps.now ?? Date.now)()),
    }
  }

  #keep(rows: Row[], row: Row): void {
    if (this.#waiting >= waitingMax) {
      this.#deps.dropped(1)
      return
    }
    rows.push(row)
    this.#waiting++
  }

  /** Reservoir sampling: each success of the second is kept with the same probability. */
  #sample(row: Row): void {
    const owner = `${row.organization_id} ${row.livemode}`
    const own = this.#successes.get(owner) ?? { seen: 0, kept: [] }
    this.#successes.set(owner, own)
    own.seen++
    if (own.kept.length < successesPerSecond) {
      this.#keep(own.kept, row)
      return
    }
    const place = Math.floor((this.#deps.random ?? Math.random)() * own.seen)
    if (place < own.kept.length) own.kept[place] = row
  }

  #writeLater(): void {
    if (this.#timer !== null || this.#writing !== null || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#writing = this.#write().finally(() => {
        this.#writing = null
        if (this.#waiting > 0) this.#writeLater()
      })
    }, writeEveryMs)
    this.#timer.unref()
  }

  /** What could not be written is dropped: it is not worth a queue. */
  async #write(): Promise<void> {
    const rows = this.#taken()
    if (rows.length === 0) return
    try {
      await insert(this.#deps.db, rows)
    } catch (error) {
      this.#deps.dropped(rows.length)
      this.#deps.log.warn({ err: error, requestCount: rows.length }, 'requests could not be noted')
    }
  }

  #taken(): readonly Row[] {
    const sampled = [...this.#successes.values()].flatMap(({ seen, kept }) =>
      kept.map((row) => ({ ...row, represents: seen / kept.length })),
    )
    const rows = [...this.#errors, ...sampled]
    this.#errors = []
    this.#successes = new Map()
    this.#waiting = 0
    return rows
  }
}

/** One parameter, so that the statement is the same for any number of rows. */
async function insert(db: Kysely<Database>, rows: readonly Row[]): Promise<void> {
  await sql`
    INSERT INTO request_log SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (
      id text, organization_id text, livemode boolean, workspace_id text, key_id text, method text,
      route text, status smallint, reason text, outcome text, duration_ms int, represents real,
      created_at timestamptz)`.execute(db)
}
