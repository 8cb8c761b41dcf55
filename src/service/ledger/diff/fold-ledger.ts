import { type Kysely, sql } from 'kysely'
import type { Changed, Step } from '../../../../projections/fold-batch.ts'
import type { Tables } from '../../../../projections/tables.ts'
import { LedgerDamaged } from '../../domain/decider.ts'
import { shipmentIdOfStream, shipmentStreamPrefix } from '../../domain/ids.ts'
import { evolve, type Shipment } from '../../domain/shipment/shipment.ts'
import { decodeEvent, type LedgerEvent } from '../../event-store/codec.ts'
import type { EventStore, Page, Position, StoredEvent } from '../../event-store/event-store.ts'

/** Events per read: a few MB, and few enough that the next page loads while this one is folded. */
const pageMax = 2_000
/**
 * Shipments whose state is kept in memory, a few KB each. The others are in the temporary table.
 */
const keptMax = 20_000
/** Rows per statement: a few MB of JSON. */
const rowsMax = 1_000

/** A table of the folding session with `shipment_id`, `position` and `state`, as JSON text. */
const foldedTable = 'pg_temp.folded_ledger'

type Row = { readonly shipment_id: string; readonly position: Position; readonly state: string }
type Kept = { readonly state: Shipment; readonly position: Position; readonly isStored: boolean }

/**
 * Every shipment of the ledger, folded up to one position. States that do not fit into memory are
 * in a temporary table of one database session. The position only moves forward.
 */
export class FoldedLedger {
  readonly #session: Kysely<Tables>
  readonly #store: EventStore
  /** States in memory, in the order of last use. */
  readonly #kept = new Map<string, Kept>()
  readonly #stepped: (steps: readonly Step[]) => Promise<void>
  #position: Position | null = null

  /**
   * `session` must be one dedicated connection. Call `begin` first and `end` last. `stepped` is
   * called once for each event, with the shipment before and after it.
   */
  constructor(
    session: Kysely<Tables>,
    store: EventStore,
    stepped: (steps: readonly Step[]) => Promise<void>,
  ) {
    this.#session = session
    this.#store = store
    this.#stepped = stepped
  }

  get position(): Position | null {
    return this.#position
  }

  /** States are stored uncompressed: each is written once and read twice. */
  async begin(): Promise<void> {
    await this.end()
    await sql`
      CREATE TEMPORARY TABLE folded_ledger (
        shipment_id text COLLATE "C" PRIMARY KEY,
        position text COLLATE "C" NOT NULL,
        state text NOT NULL
      ) WITH (toast_tuple_target = 8160)`.execute(this.#session)
  }

  async end(): Promise<void> {
    await sql`DROP TABLE IF EXISTS ${sql.raw(foldedTable)}`.execute(this.#session)
  }

  /**
   * Folds up to this position, which must come from the store. Throws LedgerDamaged and
   * UnreadableEvent, and passes on errors of the store.
   */
  async foldTo(
    target: Position | null,
    done: (position: Position, events: number) => void = () => undefined,
  ): Promise<void> {
    if (target === null) return
    let coming = this.#read(this.#position)
    while (target > (this.#position ?? '')) {
      const page = await coming
      if (page.last === null || page.last === this.#position) {
        if (target > ((await this.#store.end()) ?? '')) {
          throw new LedgerDamaged(`The ledger ends before position ${target}, which it once gave.`)
        }
        // The position belongs to another system's event in the same store, after the ledger's last
        // event.
        this.#position = target
        return
      }
      const isLast = page.last >= target
      // Loads the next page while this one is folded.
      if (!isLast) coming = this.#read(page.last)
      const events = page.events.filter(({ position }) => position <= target)
      await this.#fold(events).catch(async (error: unknown) => {
        await coming.catch(() => undefined)
        throw error
      })
      this.#position = isLast ? target : page.last
      done(this.#position, events.length)
    }
  }

  #read(after: Position | null): Promise<Page> {
    const page = this.#store.readAll(after, { prefixes: [shipmentStreamPrefix], limit: pageMax })
    // It is awaited later; until then a rejection must not be reported as unhandled.
    page.catch(() => undefined)
    return page
  }

  async #fold(stored: readonly StoredEvent[]): Promise<void> {
    const events = stored.map((event) => decodeEvent(event))
    await this.#loadStates(events)
    const steps: Step[] = []
    for (const event of events) {
      const id = shipmentIdOfStream(event.stored.stream)
      const before = this.#kept.get(id)?.state ?? null
      if (event.version !== (before?.version ?? 0) + 1) {
        throw new LedgerDamaged(
          `At position ${event.stored.position} stream ${event.stored.stream} continues with revision ${event.stored.revision} where ${before?.version ?? 0} was expected.`,
        )
      }
      const state = evolve(before, event) as Shipment
      this.#kept.delete(id)
      this.#kept.set(id, { state, position: event.stored.position, isStored: false })
      steps.push({ shipmentId: id, before, event, after: state })
    }
    await this.#stepped(steps)
    if (this.#kept.size > keptMax) await this.#forget()
  }

  /** Loads the stored states of the streams that continue. */
  async #loadStates(events: readonly LedgerEvent[]): Promise<void> {
    const ids = events
      .filter(({ version }) => version > 1)
      .map(({ stored }) => shipmentIdOfStream(stored.stream))
      .filter((id) => !this.#kept.has(id))
    if (ids.length === 0) return
    const { rows } = await sql<Row>`
      SELECT shipment_id, position, state FROM ${sql.raw(foldedTable)}
      WHERE shipment_id = ANY (${[...new Set(ids)]})`.execute(this.#session)
    for (const { shipment_id: id, state, position } of rows) {
      this.#kept.set(id, { state: JSON.parse(state), position, isStored: true })
    }
  }

  /** Evicts half at once, so that each statement writes many states. */
  async #forget(): Promise<void> {
    await this.#putAway()
    for (const id of [...this.#kept.keys()].slice(0, keptMax / 2)) this.#kept.delete(id)
  }

  async #putAway(): Promise<void> {
    const fresh = [...this.#kept].filter(([, { isStored }]) => !isStored)
    for (let at = 0; at < fresh.length; at += rowsMax) {
      const some = fresh.slice(at, at + rowsMax)
      const ids = some.map(([id]) => id)
      const positions = some.map(([, { position }]) => position)
      // JSON text has no raw line breaks, so a list of lines is all that has to be parsed.
      const states = some.map(([, { state }]) => JSON.stringify(state)).join('\n')
      await sql`
        INSERT INTO ${sql.raw(foldedTable)}
        SELECT * FROM unnest(${ids}::text[], ${positions}::text[], string_to_array(${states}, E'\n'))
        ON CONFLICT (shipment_id) DO UPDATE
        SET position = excluded.position, state = excluded.state`.execute(this.#session)
    }
    for (const [id, kept] of fresh) this.#kept.set(id, { ...kept, isStored: true })
  }

  /** Writes all states to the table and returns the number of shipments. */
  async count(): Promise<number> {
    await this.#putAway()
    // The pages are joined with other tables, and PostgreSQL does not analyze temporary tables by
    // itself.
    await sql`ANALYZE ${sql.raw(foldedTable)}`.execute(this.#session)
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${sql.raw(foldedTable)}`.execute(this.#session)
    return rows[0]?.count ?? 0
  }

  async *shipments(): AsyncGenerator<readonly Changed[]> {
    await this.#putAway()
    for (let after = ''; ; ) {
      const { rows } = await sql<Row>`
        SELECT shipment_id, position, state FROM ${sql.raw(foldedTable)}
        WHERE shipment_id > ${after} ORDER BY shipment_id LIMIT ${rowsMax}`.execute(this.#session)
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows.map(({ shipment_id: shipmentId, position, state }) => ({
        shipmentId,
        position,
        state: JSON.parse(state),
      }))
      after = last.shipment_id
    }
  }
}
