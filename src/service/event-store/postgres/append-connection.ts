import type pg from 'pg'
import {
  answeredWithin,
  type ConnectionTimes,
  clientConfig,
  endSession,
  openClient,
} from '../connection.ts'
import type { AppendOutcome, EventPlace } from '../event-store.ts'
import { positionOf } from '../position.ts'
import type { PreparedAppend } from '../prepared-append.ts'
import { readServerState, type ServerState } from './server-state.ts'

const appendSql = `SELECT status, revision, position
  FROM ledger.append_with_items($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

type Row = readonly [status: string, revision: number, position: string | number | null]

/** The one session through which this process appends. */
export class AppendConnection {
  readonly #client: pg.Client
  readonly #silentMs: number
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
    return await answeredWithin(readServerState(this.#client, furthest), this.#silentMs)
  }

  /** False once the connection broke: anything sent now certainly does not arrive. */
  get usable(): boolean {
    return !this.#lost
  }

  /**
   * Appends a batch in one transaction. Returns an outcome for each append, in order; null if it was not
   * examined and must be sent again. No stream may occur twice. `failureOf` interprets a thrown error.
   */
  async send(batch: readonly PreparedAppend[]): Promise<readonly (AppendOutcome | null)[]> {
    const events = batch.flatMap(({ events }) => events)
    const items = batch.flatMap(({ items }) => items)
    const query = this.#client.query<Row[]>({
      // A named statement is planned once per session.
      name: 'ledger-append',
      text: appendSql,
      values: [
        batch.map((append) => append.stream),
        batch.map((append) => append.expected),
        batch.map((append) => append.notAfter?.toISOString() ?? null),
        batch.flatMap((append, index) => append.events.map(() => index + 1)),
        events.map(({ id }) => id),
        events.map(({ type }) => type),
        // The events' JSON unchanged, so that exactly those bytes are stored.
        joinedTexts(events.map(({ data }) => data)),
        joinedTexts(events.map(({ metadata }) => metadata)),
        batch.flatMap((append, index) => append.items.map(() => index + 1)),
        items.map(({ ref }) => ref),
        items.map(({ vaultRef }) => vaultRef),
        items.map(({ payload }) => payload),
      ],
      rowMode: 'array',
    })
    const { rows } = await answeredWithin(query, this.#silentMs)
    if (rows.length !== batch.length) {
      throw new Error(`the append returned ${rows.length} of ${batch.length} appends`)
    }
    return (rows as unknown as readonly Row[]).map(outcomeOf)
  }

  async close(): Promise<void> {
    this.#lost = true
    await endSession(this.#client)
  }
}

function outcomeOf([status, revision, position]: Row): AppendOutcome | null {
  switch (status) {
    case 'committed':
    case 'duplicate':
      return { kind: status, revision, position: positionOf(String(position)) }
    case 'conflict':
      return { kind: 'conflict', actual: revision === -1 ? null : revision }
    case 'expired':
    case 'erased':
      return { kind: status }
    case 'retry':
      return null
    default:
      throw new Error(`the append returned the status ${status}`)
  }
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
