import type { ClientBase } from 'pg'
import type { EventStore } from '../../event-store/event-store.ts'
import { hasProcesses } from '../../secrets/process-sessions.ts'
import {
  CopyRefused,
  type Pair,
  type ReportProgress,
  type Source,
  walkTogether,
} from './copy-ledger.ts'

/** The ledger that a database is bound to, as in `event_store_binding`. */
export type Ledger = { readonly kind: 'PostgreSQL' | 'EventStoreDB'; readonly namespace: string }

/**
 * Every column outside the read models that stores a position of the event store. In the read
 * models, these are the columns named `position`. A test compares this list with the database's
 * columns.
 */
export const storedPositions: readonly StoredPosition[] = [
  { table: 'projections', column: 'position', beginning: 'NULL' },
  { table: 'projections', column: 'event_position', beginning: 'NULL' },
  { table: 'ledger_damages', column: 'expected_position', beginning: 'NULL' },
  { table: 'lost_checkpoints', column: 'position', beginning: 'NULL' },
  { table: 'quota_progress', column: 'settled_to', beginning: "''" },
  { table: 'sealed_batches', column: 'positions', beginning: 'NULL', isList: true },
  { table: 'merkle_tree', column: 'position', beginning: 'NULL' },
  { table: 'checkpoints', column: 'position', beginning: 'NULL' },
  { table: 'courier_invoices', column: 'ledger_position', beginning: 'NULL' },
]

type StoredPosition = {
  readonly table: string
  readonly column: string
  /** SQL: the column's value before any event has been read. */
  readonly beginning: 'NULL' | "''"
  /** The column is an array of positions. */
  readonly isList?: boolean
}

type Switched = { readonly events: number; readonly places: number }

/**
 * Binds a database to another ledger, which has the same events in the same order. Compares both
 * once more from the beginning, then in one transaction translates every stored position and
 * changes the binding. A position becomes that of the last event at or before it, so no finished
 * work is repeated and nothing is skipped. Refuses while a process is connected; a process that
 * starts meanwhile waits for the binding and is then refused by it. Changes everything or nothing.
 * Throws CopyRefused.
 */
export async function switchStore(
  client: ClientBase,
  sides: {
    readonly from: Pick<EventStore, 'readAll' | 'head'>
    readonly to: Source
    readonly fromLedger: Ledger
    readonly toLedger: Ledger
  },
  report: ReportProgress,
): Promise<Switched> {
  await client.query('BEGIN')
  try {
    await client.query('LOCK TABLE event_store_binding IN ACCESS EXCLUSIVE MODE')
    await refuseConnected(client)
    await refuseOtherBinding(client, sides.fromLedger)
    await client.query(
      `CREATE TEMPORARY TABLE moved_places (
         before text COLLATE "C" PRIMARY KEY, after text COLLATE "C" NOT NULL) ON COMMIT DROP`,
    )
    const walked = await walkTogether(sides.from, sides.to, report, (pairs) => keep(client, pairs))
    if (!walked.isWhole || (await sides.from.head()) !== walked.source) {
      throw new CopyRefused('The source has grown since it was copied: copy again.')
    }
    await client.query('ANALYZE moved_places')
    let places = 0
    for (const stored of [...storedPositions, ...(await readModelPlaces(client))]) {
      places += await translate(client, stored)
    }
    const { kind, namespace } = sides.toLedger
    await client.query('UPDATE event_store_binding SET kind = $1, namespace = $2', [
      kind,
      namespace,
    ])
    await client.query('COMMIT')
    return { events: walked.events, places }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/**
 * Throws CopyRefused while a process of the service or another command is connected to the
 * database.
 */
export async function refuseConnected(client: Pick<ClientBase, 'query'>): Promise<void> {
  if (!(await hasProcesses(client))) return
  throw new CopyRefused(
    'A process of the service is connected to the database: stop every one of them first, and start them with the new event store afterwards.',
  )
}

/** The ledger that the database is bound to; null if the service has never started on it. */
export async function bindingOf(client: Pick<ClientBase, 'query'>): Promise<Ledger | null> {
  const { rows } = await client.query<Ledger>('SELECT kind, namespace FROM event_store_binding')
  return rows[0] ?? null
}

async function refuseOtherBinding(client: ClientBase, expected: Ledger): Promise<void> {
  const bound = await bindingOf(client)
  if (bound?.kind === expected.kind && bound.namespace === expected.namespace) return
  throw new CopyRefused(
    `The database belongs to ${bound === null ? 'no ledger yet' : `a ledger in ${nameOf(bound)}`}, not to the one in ${nameOf(expected)} that is copied: nothing is switched.`,
  )
}

export function nameOf({ kind, namespace }: Ledger): string {
  return namespace === '' ? kind : `${kind} (namespace ${namespace})`
}

async function keep(client: ClientBase, pairs: readonly Pair[]): Promise<void> {
  await client.query('INSERT INTO moved_places SELECT * FROM unnest($1::text[], $2::text[])', [
    pairs.map(({ source }) => source.position),
    pairs.map(({ target }) => target.position),
  ])
}

/** The tables of the read models, in all generations, that have a column `position`. */
async function readModelPlaces(client: ClientBase): Promise<readonly StoredPosition[]> {
  const { rows } = await client.query<StoredPosition>(
    `SELECT format('%I.%I', table_schema, table_name) AS table, column_name AS column,
       'NULL' AS beginning
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'projections' AND table_type = 'BASE TABLE' AND column_name = 'position'`,
  )
  return rows
}

/**
 * Translates in two steps, because a position in one store may equal a different one in the other
 * store, and a column may be unique: first marks all new positions, then removes the marks. Empty
 * positions stay empty; a position before the first event becomes the beginning.
 */
async function translate(
  client: ClientBase,
  { table, column, beginning, isList = false }: StoredPosition,
): Promise<number> {
  const each = isList ? ofList : ofOne
  const marked = each(
    `t.${column}`,
    (place) => `'~' || coalesce((
       SELECT m.after FROM moved_places m WHERE m.before <= ${place}
       ORDER BY m.before DESC LIMIT 1), '')`,
  )
  const { rows } = await client.query<{ places: number }>(
    `WITH marked AS (
       UPDATE ${table} AS t SET ${column} = ${marked}
       WHERE ${isList ? 'true' : `t.${column} <> ''`}
       RETURNING ${isList ? `cardinality(t.${column})` : '1'} AS places
     ) SELECT coalesce(sum(places), 0)::float8 AS places FROM marked`,
  )
  const unmarked = each(
    `t.${column}`,
    (place) => `coalesce(nullif(substr(${place}, 2), ''), ${beginning})`,
  )
  await client.query(
    `UPDATE ${table} AS t SET ${column} = ${unmarked}
     WHERE ${isList ? 'true' : `starts_with(t.${column}, '~')`}`,
  )
  return rows[0]?.places ?? 0
}

type Expression = (place: string) => string

function ofOne(place: string, expression: Expression): string {
  return expression(place)
}

function ofList(list: string, expression: Expression): string {
  return `ARRAY(SELECT ${expression('one.place')}
    FROM unnest(${list}) WITH ORDINALITY AS one(place, n) ORDER BY one.n)`
}
