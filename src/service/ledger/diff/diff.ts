import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Projection, swapLock } from '../../../../projections/projection.ts'
import { type RowSource, sourceColumns, type Table } from '../../../../projections/table.ts'
import type { Tables } from '../../../../projections/tables.ts'
import { auditStreamPrefix } from '../../domain/ids.ts'
import { actOf } from '../../event-store/codec.ts'
import type { EventStore, Page, Position } from '../../event-store/event-store.ts'
import { compareRows, type Difference } from './compare-table.ts'
import { FoldedLedger } from './fold-ledger.ts'
import { FoldedRollups } from './folded-rollups.ts'

/** Listed differences; all are counted. With more, the read model has to be rebuilt anyway. */
export const differencesMax = 100
/** How long to wait for a projector that is behind. A stopped one is not waited for. */
const waitMs = 30_000
const waitStepMs = 100
/** Administrative acts compared per page. */
const actsMax = 1_000

type ComparedTable = {
  readonly projection: string
  readonly table: string
  /** The read model's position, up to which the ledger was folded for the comparison. */
  readonly position: Position | null
  /** Rows that the ledger yields; for a rollup, its sums. */
  readonly rows: number
  /** Rows that are missing, surplus or different. */
  readonly differing: number
  /** Why it could not be compared; null if it was compared. */
  readonly notCompared: string | null
}

export type LedgerDiff = {
  readonly tables: readonly ComparedTable[]
  readonly differences: readonly Difference[]
}

type DiffDeps = {
  readonly db: Kysely<Tables>
  readonly store: EventStore
  readonly projections: readonly Projection[]
}

type DiffProgress = {
  /** Called when this many more events were folded, up to this position. */
  folded(position: Position, events: number): void
  /** Called when `done` of `all` shipments were compared with the read models at one position. */
  compared(done: number, all: number): void
}

/**
 * Folds every stream and compares the result with all tables of the read models. Safe beside the
 * running service: each table is read in one snapshot of the database, and the ledger is folded up
 * to the read model's position in that snapshot. Rebuilds wait with their swap. Throws
 * LedgerDamaged and UnreadableEvent, and passes on errors of the event store.
 */
export async function diff(deps: DiffDeps, progress: DiffProgress): Promise<LedgerDiff> {
  return await deps.db.connection().execute(async (session) => {
    await sql`SELECT pg_advisory_lock_shared(hashtext(${swapLock}))`.execute(session)
    const rollups = new FoldedRollups(session, deps.projections)
    const ledger = new FoldedLedger(session, deps.store, (steps) => rollups.add(steps))
    try {
      await ledger.begin()
      await rollups.begin()
      return await compareAll({ ...deps, session, ledger, rollups, progress })
    } finally {
      await rollups.end()
      await ledger.end()
      await sql`SELECT pg_advisory_unlock_shared(hashtext(${swapLock}))`.execute(session)
    }
  })
}

type Comparing = DiffDeps & {
  readonly session: Kysely<Tables>
  readonly ledger: FoldedLedger
  readonly rollups: FoldedRollups
  readonly progress: DiffProgress
}

async function compareAll(at: Comparing): Promise<LedgerDiff> {
  const { session, ledger, progress } = at
  const standing = await Promise.all(at.projections.map(({ name }) => standingOf(session, name)))
  const least = standing.map(({ position }) => position ?? '').toSorted()[0]
  // The long part runs before a snapshot is opened.
  await ledger.foldTo(least || null, progress.folded)
  const tables: ComparedTable[] = []
  const differences: Difference[] = []
  let left = at.projections
  for (let until = performance.now() + waitMs; left.length > 0; ) {
    const isOver = performance.now() > until
    const compared = await inSnapshot(session, () => compareIn(at, left, isOver))
    if (compared === null) {
      await delay(waitStepMs)
      continue
    }
    tables.push(...compared.tables)
    differences.push(...compared.differences)
    const done = new Set(compared.tables.map(({ projection }) => projection))
    left = left.filter(({ name }) => !done.has(name))
    until = performance.now() + waitMs
  }
  return { tables, differences: differences.slice(0, differencesMax) }
}

type Standing = { readonly version: number | null; readonly position: Position | null }

async function standingOf(db: Kysely<Tables>, name: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    SELECT version, position FROM projections WHERE name = ${name} AND active`.execute(db)
  return rows[0] ?? { version: null, position: null }
}

/** Not Kysely's transaction(), so that the session's temporary tables are used within it. */
async function inSnapshot<T>(session: Kysely<Tables>, work: () => Promise<T>): Promise<T> {
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

/**
 * Compares the read models that are furthest behind, all at one position; the ledger can only be
 * folded forward. Null while they are behind what was already folded: then the caller waits.
 */
async function compareIn(
  at: Comparing,
  left: readonly Projection[],
  isOver: boolean,
): Promise<LedgerDiff | null> {
  const standing: (Standing & { readonly projection: Projection })[] = []
  for (const projection of left) {
    const found = await standingOf(at.session, projection.name)
    if (found.version !== projection.version) return notBuilt(projection, found)
    standing.push({ ...found, projection })
  }
  const least = standing.map(({ position }) => position ?? '').toSorted()[0] ?? ''
  const group = standing.filter(({ position }) => (position ?? '') === least)
  if (least < (at.ledger.position ?? '')) {
    const [stopped] = group
    if (!isOver || stopped === undefined) return null
    return notCompared(stopped.projection, stopped.position, 'it has stopped')
  }
  await at.ledger.foldTo(least || null, at.progress.folded)
  return await compareTables(
    at,
    group.map(({ projection }) => projection),
    least || null,
  )
}

function notBuilt(projection: Projection, { version, position }: Standing): LedgerDiff {
  const why =
    version === null
      ? 'it was never built'
      : `it is of version ${version}, this code makes version ${projection.version}`
  return notCompared(projection, position, why)
}

function notCompared(
  { name, tables, rollups }: Projection,
  position: Position | null,
  why: string,
): LedgerDiff {
  const none = { projection: name, position, rows: 0, differing: 0, notCompared: why }
  const names = Object.keys({ ...tables, ...rollups })
  return { tables: names.map((table) => ({ ...none, table })), differences: [] }
}

type Tally = {
  readonly projection: string
  readonly table: string
  readonly made: Table
  readonly columns: readonly string[]
  rows: number
  differing: number
}

/** Compares all tables in one pass over the folded shipments and one over the acts. */
async function compareTables(
  at: Comparing,
  group: readonly Projection[],
  position: Position | null,
): Promise<LedgerDiff> {
  const tallies: Tally[] = []
  for (const { name: projection, tables } of group) {
    for (const [table, made] of Object.entries(tables)) {
      const columns = Object.keys(made.columns)
      tallies.push({ projection, table, made, columns, rows: 0, differing: 0 })
    }
  }
  const differences: Difference[] = []
  for (const [madeOf, pages] of Object.entries(pagesOf(at, position))) {
    const own = tallies.filter(({ made }) => made.madeOf === madeOf)
    if (own.length === 0) continue
    let after = ''
    for await (const { upTo, source } of pages()) {
      for (const tally of own) {
        const { table, columns, made } = tally
        const rows = made.rows(source)
        const place = { table, key: made.key, columns, source: sourceColumns[made.madeOf] }
        const found = await compareRows(at.session, { ...place, after, upTo }, rows)
        tally.rows += rows.length
        tally.differing += found.count
        const room = differencesMax - differences.length
        differences.push(...found.differences.slice(0, Math.max(0, room)))
      }
      after = upTo ?? after
    }
  }
  const compared: ComparedTable[] = tallies.map(({ projection, table, rows, differing }) => ({
    projection,
    table,
    position,
    rows,
    differing,
    notCompared: null,
  }))
  for (const { name: projection, rollups = {} } of group) {
    for (const table of Object.keys(rollups)) {
      const { sums, count, differences: found } = await at.rollups.compare(table)
      const none = { projection, table, position, notCompared: null }
      compared.push({ ...none, rows: sums, differing: count })
      differences.push(...found.slice(0, Math.max(0, differencesMax - differences.length)))
    }
  }
  return { tables: compared, differences }
}

/** The source of the rows up to `upTo`. The last page is empty: rows after it are surplus. */
type SourcePage = { readonly upTo: string | null; readonly source: RowSource }
const lastPage: SourcePage = { upTo: null, source: { changed: [], acts: [] } }

function pagesOf({ ledger, store, progress }: Comparing, position: Position | null) {
  return {
    shipments: async function* (): AsyncGenerator<SourcePage> {
      const all = await ledger.count()
      let done = 0
      for await (const changed of ledger.shipments()) {
        yield { upTo: changed.at(-1)?.shipmentId ?? null, source: { changed, acts: [] } }
        done += changed.length
        progress.compared(done, all)
      }
      yield lastPage
    },
    acts: async function* (): AsyncGenerator<SourcePage> {
      for (let after: Position | null = null; (after ?? '') < (position ?? ''); ) {
        const page: Page = await store.readAll(after, {
          prefixes: [auditStreamPrefix],
          limit: actsMax,
        })
        if (page.last === null || page.last === after) break
        const acts = page.events.filter((event) => event.position <= (position ?? '')).map(actOf)
        yield { upTo: page.last, source: { changed: [], acts } }
        after = page.last
      }
      yield lastPage
    },
  } satisfies Record<Table['madeOf'], () => AsyncGenerator<SourcePage>>
}
