import type pg from 'pg'
import { type BesideFirst, besideJson, storedFirst } from '../beside.ts'
import {
  answeredWithin,
  type ConnectionTimes,
  clientConfig,
  endSession,
  openClient,
} from '../connection.ts'
import type { AppendOutcome, EventPlace } from '../event-store.ts'
import { positionOf } from '../position.ts'
import { isOver, type PreparedAppend } from '../prepared-append.ts'
import { readServerState, type ServerState } from './server-state.ts'

const appendSql = `SELECT status, revision, position, stored_at, offset_ms, advancing_to
  FROM ledger.append_beside($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

type Row = readonly [
  status: string,
  revision: number,
  position: string | number | null,
  storedAt: Date,
  offsetMs: string | number | null,
  advancingTo: Date | null,
]

/** `stopped`: the ledger has lost events, so no attempt begins. */
export type AppendAnswer = AppendOutcome | { readonly kind: 'stopped' }

/** The one session through which this process appends. */
export class AppendConnection {
  readonly #client: pg.Client
  readonly #silentMs: number
  /** The server's clock, and `performance.now()` when it was read. */
  #clock: { readonly serverMs: number; readonly atMs: number } | null = null
  #lost = false

  private constructor(client: pg.Client, silentMs: number) {
    this.#client = client
    this.#silentMs = silentMs
  }

  static async open(url: string, times: ConnectionTimes): Promise<AppendConnection> {
    let connection: AppendConnection | undefined
    const client = await openClient(clientConfig(url, 'append', times), () => {
      if (connection !== undefined) connection.#lost = true
    })
    connection = new AppendConnection(client, times.silentMs)
    return connection
  }

  /** The server's current state. */
  async state(furthest: EventPlace | null): Promise<ServerState> {
    const state = await answeredWithin(readServerState(this.#client, furthest), this.#silentMs)
    this.#read(state.now)
    return state
  }

  /** Read with every answer, because it may be set. */
  #read(serverNow: Date): void {
    this.#clock = { serverMs: serverNow.getTime(), atMs: performance.now() }
  }

  #onServersClock(endsAtMs: number): string {
    if (this.#clock === null) throw new Error('bug: the clock of the server is not known')
    return new Date(this.#clock.serverMs + endsAtMs - this.#clock.atMs).toISOString()
  }

  /** False once the connection broke: anything sent now certainly does not arrive. */
  get usable(): boolean {
    return !this.#lost
  }

  /**
   * Appends a batch in one transaction. Returns an outcome for each append, in order; null if it was not
   * examined and must be sent again. No stream may occur twice. `failureOf` interprets a thrown error.
   */
  async send(batch: readonly PreparedAppend[]): Promise<readonly (AppendAnswer | null)[]> {
    const events = batch.flatMap(({ events }) => events)
    const items = batch.flatMap(({ beside }) => beside.items ?? [])
    const query = this.#client.query<Row[]>({
      // A named statement is planned once per session.
      name: 'ledger-append',
      text: appendSql,
      values: [
        batch.map((append) => append.stream),
        batch.map((append) => append.expected),
        batch.map(({ endsAtMs }) => (endsAtMs === null ? null : this.#onServersClock(endsAtMs))),
        batch.flatMap((append, index) => append.events.map(() => index + 1)),
        events.map(({ id }) => id),
        events.map(({ type }) => type),
        // The events' JSON unchanged, so that exactly those bytes are stored.
        joinedTexts(events.map(({ data }) => data)),
        joinedTexts(events.map(({ metadata }) => metadata)),
        batch.flatMap(({ beside }, index) => (beside.items ?? []).map(() => index + 1)),
        items.map(({ ref }) => ref),
        items.map(({ vaultRef }) => vaultRef),
        items.map(({ payload }) => payload),
        besideJson(batch.map(storedBeside)),
      ],
      rowMode: 'array',
    })
    const answer = await answeredWithin(query, this.#silentMs)
    const rows = answer.rows as unknown as readonly Row[]
    if (rows.length !== batch.length) {
      throw new Error(`the append returned ${rows.length} of ${batch.length} appends`)
    }
    const [first] = rows
    if (first !== undefined) this.#read(first[3])
    return rows.map((row, index) => {
      const outcome = outcomeOf(row)
      const append = batch[index]
      // The server's clock was set since it was read.
      const isEarly = outcome.kind === 'expired' && append !== undefined && !isOver(append)
      return outcome.kind === 'retry' || isEarly ? null : outcome
    })
  }

  async close(): Promise<void> {
    this.#lost = true
    await endSession(this.#client)
  }
}

function outcomeOf([status, revision, position, storedAt, offsetMs, advancingTo]: Row):
  | AppendAnswer
  | { readonly kind: 'retry' } {
  switch (status) {
    case 'committed':
    case 'duplicate':
      return { kind: status, revision, position: positionOf(String(position)) }
    case 'conflict':
      return { kind: 'conflict', actual: revision === -1 ? null : revision }
    case 'expired':
    case 'erased':
    case 'retry':
      return { kind: status }
  }
  const withheld = storedFirst({ status, at: storedAt, offsetMs, advancingTo })
  if (withheld === null) throw new Error(`the append returned the status ${status}`)
  return withheld
}

function storedBeside({ beside, expected, endsAtMs }: PreparedAppend): BesideFirst {
  return { ...beside, version: expected + 1, isIntent: endsAtMs !== null }
}

/** JSON text never contains a raw control character. */
const separator = '\u001e'

/**
 * Passes many JSON texts as one parameter. In an array, each of their quotes would be escaped, sent and
 * unescaped; inside other JSON, PostgreSQL would parse them three times.
 */
function joinedTexts(jsonTexts: readonly string[]): string {
  return jsonTexts.join(separator)
}
