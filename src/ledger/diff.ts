import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { FoldedProjection } from '../../projections/folded.ts'
import { swapLock } from '../../projections/projection.ts'
import type { ReadModels } from '../../projections/tables.ts'
import type { EventStore, Position } from '../event-store/event-store.ts'
import { type Column, columnsOf, compareRows, type Difference } from './compare-table.ts'
import { FoldedLedger } from './fold-ledger.ts'

/** Differences that are named; all are counted. Who sees this many rebuilds the read model. */
export const differencesMax = 100
/** A projector that works is this far behind at most; one that stands still is not waited for. */
const waitMs = 30_000
const waitStepMs = 100

export type ComparedTable = {
  readonly projection: string
  readonly table: string
  /** Up to where the read model has come: so far the ledger was folded for it. */
  readonly position: Position | null
  /** Rows that the ledger makes. */
  readonly rows: number
  /** Rows that are missing, too many or different. */
  readonly differing: number
  /** Why it could not be compared, null when it was. */
  readonly notCompared: string | null
}

export type LedgerDiff = {
  readonly tables: readonly ComparedTable[]
  readonly differences: readonly Difference[]
}

export type DiffDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  readonly projections: readonly FoldedProjection[]
}

export type DiffProgress = {
  /** So many more events are folded, up to this position. */
  folded(position: Position, events: number): void
  /** So many of this many shipments are compared with a read model. */
  compared(projection: string, done: number, all: number): void
}

/**
 * Folds every stream and compares with all tables of the read models, beside the running service:
 * each is looked at in one snapshot of the database, and the ledger is folded up to where the read
 * model stood in it. Rebuilds swap before or after. Throws LedgerDamaged, UnreadableEvent, and what
 * the event store throws.
 */
export async function diff(deps: DiffDeps, progress: DiffProgress): Promise<LedgerDiff> {
  return await deps.db.connection().execute(async (session) => {
    await sql`SELECT pg_advisory_lock_shared(hashtext(${swapLock}))`.execute(session)
    const ledger = new FoldedLedger(session, deps.store)
    try {
      await ledger.begin()
      return await compareAll({ ...deps, session, ledger, progress })
    } finally {
      await ledger.end()
      await sql`SELECT pg_advisory_unlock_shared(hashtext(${swapLock}))`.execute(session)
    }
  })
}

type Comparing = DiffDeps & {
  readonly session: Kysely<ReadModels>
  readonly ledger: FoldedLedger
  readonly progress: DiffProgress
}

async function compareAll(at: Comparing): Promise<LedgerDiff> {
  const { session, ledger, progress } = at
  const standing = new Map<string, Standing>()
  for (const { name } of at.projections) standing.set(name, await standingOf(session, name))
  const positionOf = ({ name }: FoldedProjection) => standing.get(name)?.position ?? ''
  // The one that is least far first, for the ledger is folded forward only.
  const ordered = at.projections.toSorted((a, b) => (positionOf(a) < positionOf(b) ? -1 : 1))
  const [least] = ordered
  if (least === undefined) return { tables: [], differences: [] }
  // The long part, before any snapshot is held.
  await ledger.foldTo(positionOf(least) || null, progress.folded)
  const tables: ComparedTable[] = []
  const differences: Difference[] = []
  for (const projection of ordered) {
    const compared = await compareProjection(at, projection)
    tables.push(...compared.tables)
    differences.push(...compared.differences)
  }
  return { tables, differences: differences.slice(0, differencesMax) }
}

type Standing = { readonly version: number | null; readonly position: Position | null }

async function standingOf(db: Kysely<ReadModels>, name: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    SELECT version, position FROM projections WHERE name = ${name} AND active`.execute(db)
  return rows[0] ?? { version: null, position: null }
}

/** The read model may be behind the ledger as it was folded for another: it is waited for. */
async function compareProjection(at: Comparing, projection: FoldedProjection): Promise<LedgerDiff> {
  for (const until = Date.now() + waitMs; ; await delay(waitStepMs)) {
    const isOver = Date.now() > until
    const compared = await inSnapshot(at.session, () => compareIn(at, projection, isOver))
    if (compared !== null) return compared
  }
}

/** By hand, so that the folded ledger of the same session is written and read within it. */
async function inSnapshot<T>(session: Kysely<ReadModels>, work: () => Promise<T>): Promise<T> {
  await sql`BEGIN ISOLATION LEVEL REPEATABLE READ`.execute(session)
  try {
    const done = await work()
    await sql`COMMIT`.execute(session)
    return done
  } catch (error) {
    await sql`ROLLBACK`.execute(session)
    throw error
  }
}

/** Null while the read model is behind. */
async function compareIn(
  at: Comparing,
  projection: FoldedProjection,
  isOver: boolean,
): Promise<LedgerDiff | null> {
  const { version, position } = await standingOf(at.session, projection.name)
  if (version !== projection.version) {
    const why =
      version === null
        ? 'it was never built'
        : `it is of version ${version}, this code makes version ${projection.version}`
    return notCompared(projection, position, why)
  }
  if ((position ?? '') < (at.ledger.position ?? '')) {
    return isOver ? notCompared(projection, position, 'it stands still') : null
  }
  await at.ledger.foldTo(position, at.progress.folded)
  return await compareTables(at, projection, position)
}

function notCompared(
  { name, tables }: FoldedProjection,
  position: Position | null,
  why: string,
): LedgerDiff {
  const none = { projection: name, position, rows: 0, differing: 0, notCompared: why }
  return { tables: tables.map((table) => ({ ...none, table })), differences: [] }
}

type Tally = { columns: readonly Column[]; rows: number; differing: number }

async function compareTables(
  { session, ledger, progress }: Comparing,
  projection: FoldedProjection,
  position: Position | null,
): Promise<LedgerDiff> {
  const tallies = new Map<string, Tally>()
  for (const table of projection.tables) {
    const columns = await columnsOf(session, table)
    tallies.set(table, { columns, rows: 0, differing: 0 })
  }
  const differences: Difference[] = []
  const compare = async (changed: Parameters<typeof rowsOf>[2], after: string, isEnd: boolean) => {
    for (const [table, tally] of tallies) {
      const rows = rowsOf(projection, table, changed)
      const { key = '' } = projection.rowsOf[table] ?? {}
      const upTo = isEnd ? null : (changed.at(-1)?.shipmentId ?? '')
      const place = { table, key, columns: tally.columns, after, upTo }
      const found = await compareRows(session, place, rows)
      tally.rows += rows.length
      tally.differing += found.count
      const room = differencesMax - differences.length
      differences.push(...found.differences.slice(0, Math.max(0, room)))
    }
  }
  const all = await ledger.count()
  let done = 0
  let after = ''
  for await (const changed of ledger.shipments()) {
    await compare(changed, after, false)
    after = changed.at(-1)?.shipmentId ?? after
    done += changed.length
    progress.compared(projection.name, done, all)
  }
  // What comes after the last is too many.
  await compare([], after, true)
  const tables = [...tallies].map(([table, { rows, differing }]) => ({
    ...{ projection: projection.name, table, position, rows, differing, notCompared: null },
  }))
  return { tables, differences }
}

function rowsOf(
  projection: FoldedProjection,
  table: string,
  changed: Parameters<FoldedProjection['rowsOf'][string]['rows']>[0],
): readonly object[] {
  return projection.rowsOf[table]?.rows(changed) ?? []
}
