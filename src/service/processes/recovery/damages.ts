import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { HistoryDiverged, Position } from '../../event-store/event-store.ts'

/** The table ledger_damages: signs that the ledger has lost events, and their recoveries. */

type Db = Kysely<Tables>

/** What remembered more of the ledger than it holds now. */
const damageSources = [
  'projection',
  'sealed_tree',
  'checkpoint',
  'checkpoint_file',
  'process',
  'witness',
  'operator',
] as const
type DamageSource = (typeof damageSources)[number]

/** The first command an operator should run. It changes nothing. */
export const recoverCommand = 'npm run --silent ledger -- recover --check'

/** A sign that the ledger has lost events. Fields unknown to a source are null. */
export type FoundDamage = {
  readonly source: DamageSource
  readonly expectedPosition: Position | null
  readonly expectedEventId: string | null
  /** The event now at that position; null if there is no event, or it was not compared. */
  readonly foundEventId: string | null
  /**
   * The number of sealed events that a checkpoint covers and the ledger no longer holds unchanged.
   */
  readonly expectedSize: number | null
}

/** For a source that knows neither what was expected nor what was found. */
export const noDamage: Omit<FoundDamage, 'source'> = {
  expectedPosition: null,
  expectedEventId: null,
  foundEventId: null,
  expectedSize: null,
}

export type Damage = FoundDamage & {
  readonly id: string
  readonly noticedAt: Date
}

/** How creations proceed for some time after a recovery. */
export type FindFirst = {
  readonly damageId: string
  readonly until: Date
  /** Couriers that cannot be queried but may create anyway. */
  readonly blindCouriers: readonly string[]
}

/** The current content of the table. */
type LedgerCondition = {
  readonly damage: Damage | null
  /** The recovered damages, latest recovery first. */
  readonly recovered: readonly string[]
  /** Null if couriers need not be queried first. */
  readonly findFirst: FindFirst | null
}

export function damageOf(source: DamageSource, error: HistoryDiverged): FoundDamage {
  const { expected, found } = error
  return {
    ...noDamage,
    source,
    expectedPosition: expected.position,
    expectedEventId: expected.id,
    foundEventId: found,
  }
}

/** Describes a damage for people: what was expected, and what was found. */
export function damageSentence(damage: FoundDamage): string {
  const { source, expectedPosition: position, expectedEventId: id, expectedSize: size } = damage
  if (position !== null && id !== null) {
    const there = damage.foundEventId === null ? 'none is' : `${damage.foundEventId} is`
    return `Event ${id} was at position ${position} of the ledger, and now ${there} there (found by: ${source}).`
  }
  if (size !== null) {
    return `A checkpoint covers ${size} events that the ledger does not hold as they were sealed (found by: ${source}).`
  }
  if (position !== null) {
    return `The ledger was read up to position ${position}, and now no event is there (found by: ${source}).`
  }
  return `An operator reported that the ledger may have lost events (found by: ${source}).`
}

/** The part of the sealed history that a recovery has lost. */
export type Gap = {
  readonly damageId: string
  /** The events that a checkpoint proved at the time of the recovery. */
  readonly provenSize: number
  /** The number of events that were sealed, as far as known. */
  readonly lostSize: number | null
  readonly recoveredAt: number
}

/** The gaps of all recoveries, oldest first. */
export async function recoveredGaps(db: Db): Promise<readonly Gap[]> {
  const { rows } = await sql<{
    id: string
    proven_size: string
    lost_size: string | null
    recovered_at: Date
  }>`
    SELECT id, proven_size, lost_size, recovered_at FROM ledger_damages
    WHERE recovered_at IS NOT NULL ORDER BY recovered_at`.execute(db)
  return rows.map((row) => ({
    damageId: row.id,
    provenSize: Number(row.proven_size),
    lostSize: row.lost_size === null ? null : Number(row.lost_size),
    recoveredAt: row.recovered_at.getTime(),
  }))
}

type Row = {
  readonly id: string
  readonly noticed_at: Date
  readonly source: DamageSource
  readonly expected_position: string | null
  readonly expected_event_id: string | null
  readonly found_event_id: string | null
  readonly expected_size: string | null
  readonly recovered_at: Date | null
  readonly find_first_until: Date | null
  readonly blind_couriers: readonly string[]
  readonly asks_first: boolean
}

/** Far more rows than any ledger has damages. */
const rowsMax = 1_000

export async function readCondition(db: Db): Promise<LedgerCondition> {
  const { rows } = await sql<Row>`
    SELECT id, noticed_at, source, expected_position, expected_event_id, found_event_id,
      expected_size, recovered_at, find_first_until, blind_couriers,
      coalesce(find_first_until > now(), false) AS asks_first
    FROM ledger_damages ORDER BY recovered_at DESC LIMIT ${rowsMax}`.execute(db)
  const open = rows.find((row) => row.recovered_at === null)
  const recovered = rows.filter((row) => row.recovered_at !== null)
  const asking = recovered.filter((row) => row.asks_first)
  const latest = asking.toSorted((a, b) => timeOf(b) - timeOf(a))[0]
  return {
    damage: open === undefined ? null : damageOfRow(open),
    recovered: recovered.map(({ id }) => id),
    findFirst:
      latest === undefined
        ? null
        : {
            damageId: latest.id,
            until: latest.find_first_until as Date,
            blindCouriers: asking.flatMap((row) => row.blind_couriers),
          },
  }
}

function timeOf({ find_first_until: until }: Row): number {
  return until?.getTime() ?? 0
}

function damageOfRow(row: Row): Damage {
  return {
    id: row.id,
    noticedAt: row.noticed_at,
    source: row.source,
    expectedPosition: row.expected_position,
    expectedEventId: row.expected_event_id,
    foundEventId: row.found_event_id,
    expectedSize: row.expected_size === null ? null : Number(row.expected_size),
  }
}

/**
 * Records a damage, unless one is open or this one was recovered before. It stays open until an
 * operator recovers the ledger. Safe to repeat.
 */
export async function latchDamage(db: Db, id: string, found: FoundDamage): Promise<void> {
  await sql`
    INSERT INTO ledger_damages
      (id, source, expected_position, expected_event_id, found_event_id, expected_size)
    VALUES (${id}, ${found.source}, ${found.expectedPosition}, ${found.expectedEventId},
      ${found.foundEventId}, ${found.expectedSize})
    ON CONFLICT DO NOTHING`.execute(db)
}

type FindFirstCounts = {
  readonly asked: number
  readonly found: number
  readonly created: number
}

export const noCounts: FindFirstCounts = { asked: 0, found: 0, created: 0 }

/** Adds to the counts of the recovery in effect when the couriers were queried. */
export async function addFindFirstCounts(
  db: Db,
  damageId: string,
  { asked, found, created }: FindFirstCounts,
): Promise<void> {
  await sql`
    UPDATE ledger_damages
    SET asked = asked + ${asked}, found = found + ${found}, created = created + ${created}
    WHERE id = ${damageId}`.execute(db)
}

/**
 * The number of keys whose courier was queried first since the recovery; null if there was no such
 * query.
 */
export async function findFirstCounts(db: Db, damageId: string): Promise<FindFirstCounts> {
  const { rows } = await sql<{ asked: string; found: string; created: string }>`
    SELECT asked, found, created FROM ledger_damages WHERE id = ${damageId}`.execute(db)
  const { asked = '0', found = '0', created = '0' } = rows[0] ?? {}
  return { asked: Number(asked), found: Number(found), created: Number(created) }
}
