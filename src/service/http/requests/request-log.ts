import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Database } from '../../database/database.ts'
import type { Outcome } from '../../error-kinds.ts'
import type { Reason } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Principal } from '../../security/api-keys.ts'

/** One statement a second, however many requests there are. */
const writeEveryMs = 1_000
/** Requests kept of each kind, organization, mode and second; above that they are sampled. */
const keptPerSecond = 20
/** Rows waiting to be written: a busy second of thirty organizations. */
const waitingMax = 2_000
/** A stop does not wait longer than this for a database that does not answer. */
const closeMaxMs = 2_000

type NotedRequest = {
  readonly id: string
  readonly method: string
  /** The pattern of the route, never the address. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly reason: Reason | null
  readonly outcome: Outcome | null
}

type Caller = Pick<Principal, 'keyId' | 'organizationId' | 'workspaceId' | 'livemode'>
type Row = Database['request_log']
/** A sample of the requests of one kind, organization and mode: at most `keptMax` of them. */
type Sample = { seen: number; readonly kept: Row[]; keptMax: number }

type Deps = {
  readonly db: Kysely<Tables>
  readonly log: Log
  /** Called when rows are lost: the database was unavailable, or there were too many. */
  readonly dropped: (rows: number) => void
  readonly now?: () => number
  readonly random?: () => number
}

/**
 * Records answered requests and writes them in batches, in the background. For each organization and
 * mode it keeps twenty successes, twenty 429 answers and twenty other errors a second, chosen at
 * random; each row says how many requests it stands for. Memory is bounded and shared: when it is
 * full, the largest sample makes room. One per process; close it before the database.
 */
export class RequestLog {
  readonly #deps: Deps
  #samples = new Map<string, Sample>()
  #waiting = 0
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #isClosed = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Returns at once and never throws. */
  note(request: NotedRequest, caller: Caller): void {
    this.#sample(this.#rowOf(request, caller))
    this.#writeLater()
  }

  /** Writes the remaining rows. */
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

  /** Reservoir sampling: each request of a kind is kept with the same probability. */
  #sample(row: Row): void {
    const name = `${row.organization_id} ${row.livemode} ${kindOf(row.status)}`
    const sample = this.#samples.get(name) ?? { seen: 0, kept: [], keptMax: keptPerSecond }
    if (sample.kept.length < sample.keptMax && !this.#hasRoomFor(sample)) {
      sample.keptMax = sample.kept.length
    }
    if (sample.keptMax === 0) {
      this.#deps.dropped(1)
      return
    }
    this.#samples.set(name, sample)
    sample.seen++
    if (sample.kept.length < sample.keptMax) {
      sample.kept.push(row)
      this.#waiting++
      return
    }
    const place = Math.floor(this.#random() * sample.seen)
    if (place < sample.kept.length) sample.kept[place] = row
  }

  /** If memory is full, a larger sample gives up a row, so that no organization fills it alone. */
  #hasRoomFor({ kept }: Sample): boolean {
    if (this.#waiting < waitingMax) return true
    const samples = [...this.#samples.values()]
    const largest = samples.reduce((a, b) => (b.kept.length > a.kept.length ? b : a))
    if (largest.kept.length <= kept.length + 1) return false
    largest.kept.splice(Math.floor(this.#random() * largest.kept.length), 1)
    largest.keptMax = largest.kept.length
    this.#waiting--
    return true
  }

  #random(): number {
    return (this.#deps.random ?? Math.random)()
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

  /** Rows that cannot be written are dropped: they are not worth a queue. */
  async #write(): Promise<void> {
    const rows = this.#taken()
    if (rows.length === 0) return
    try {
      await insert(this.#deps.db, rows)
    } catch (error) {
      this.#deps.dropped(rows.length)
      this.#deps.log.warn(
        { err: error, requestCount: rows.length },
        'requests could not be recorded',
      )
    }
  }

  #taken(): readonly Row[] {
    const rows = [...this.#samples.values()].flatMap(({ seen, kept }) =>
      kept.map((row) => ({ ...row, represents: seen / kept.length })),
    )
    this.#samples = new Map()
    this.#waiting = 0
    return rows
  }
}

/** 429 answers, which one busy key can cause by the thousand, must not crowd out other errors. */
function kindOf(status: number): 'success' | 'limited' | 'error' {
  if (status < 400) return 'success'
  return status === 429 ? 'limited' : 'error'
}

/** One parameter, so that the statement is the same for any number of rows. */
async function insert(db: Kysely<Tables>, rows: readonly Row[]): Promise<void> {
  await sql`
    INSERT INTO request_log SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (
      id text, organization_id text, livemode boolean, workspace_id text, key_id text, method text,
      route text, status smallint, reason text, outcome text, duration_ms int, represents real,
      created_at timestamptz)`.execute(db)
}
