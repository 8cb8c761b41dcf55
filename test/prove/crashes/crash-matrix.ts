import { sql } from 'kysely'
import { projections } from '../../../projections/all.ts'
import { shipmentStatuses } from '../../../src/domain/shipment/shipment.ts'
import { diff } from '../../../src/ledger/diff.ts'
import { projectionsReached } from '../../../src/projector/checkpoint.ts'
import { eventually } from '../../support/eventually.ts'
import { type Fleet, fleet } from '../../support/processes.ts'
import { verifySealed } from '../../support/sealed-whole.ts'
import type { Point } from './crash-lane.ts'
import { lookStage, playLooks } from './crash-looks.ts'
import { crashStage, type Played, playRound, type Retry, type Round } from './crash-rounds.ts'
import { crashOperations } from './crash-subjects.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A busy machine makes some hundred steps of many workspaces at once. */
const clockMsMaxDefault = 120_000
const spoiltClockMsMax = 5_000
/** Looks of workers are played on so many databases: each has one worker, the one that is stopped. */
const lookFleetsMax = 2
const retries: readonly Retry[] = ['same process', 'three at once', 'new process']
/** A projector that works is this far behind at most. */
const caughtUpMs = 60_000
/** Shipments of these hold no place in the quota. */
const uncounted = new Set<string>(['rejected', 'not_executed', 'not_created'])

export type MatrixOptions = {
  /** Rounds that are played; all where it is absent. */
  readonly isWanted?: (round: Round) => boolean
  /** Points of each that are played; all where it is absent. */
  readonly points?: readonly Point[]
  /** Rounds at once: each has a process that is stopped. */
  readonly lanes: number
  /**
   * A mistake that is made in the database before anything is asked. What it makes of the ledger may stop
   * clocks and read models: they are not waited for, and only the cases are compared.
   */
  readonly spoil?: (all: Fleet) => Promise<void>
  readonly say: (line: string) => void
}

/** Every round of the matrix: operation x courier behavior x what repeats the request. */
export function crashRounds(isWanted: (round: Round) => boolean = () => true): readonly Round[] {
  return crashOperations
    .flatMap((operation) =>
      operation.outcomes.flatMap((outcome) =>
        retries.map((retry) => ({ operation, outcome, retry })),
      ),
    )
    .filter(isWanted)
}

/** As it is told, and chosen by. */
export function nameOf({ operation, outcome, retry }: Round): string {
  const late = outcome.afterwards === undefined ? '' : ` after ${outcome.afterwards}`
  return `${operation.name} x ${outcome.scenario}${late} x ${retry}`
}

/** Plays them on databases and processes of their own, and looks at the whole of each at the end. */
export async function crashMatrix(t: Test, options: MatrixOptions): Promise<Played> {
  const rounds = [...crashRounds(options.isWanted).entries()]
  const isWorkers = ([, { operation }]: (typeof rounds)[number]) =>
    operation.name === 'reconciliation'
  const asked = rounds.filter((each) => !isWorkers(each))
  const looks = rounds.filter(isWorkers)
  const played = await Promise.all([
    ...(asked.length > 0 ? [playAsked(t, asked, options)] : []),
    ...dealt(looks, lookFleetsMax).map((some) => playByWorkers(t, some, options)),
  ])
  return sumOf(played)
}

type Numbered = readonly [number, Round]

function dealt(rounds: readonly Numbered[], handsMax: number): readonly (readonly Numbered[])[] {
  const hands = Array.from({ length: handsMax }, (_, hand) =>
    rounds.filter((_, index) => index % handsMax === hand),
  )
  return hands.filter((hand) => hand.length > 0)
}

function sumOf(played: readonly Played[]): Played {
  return {
    cases: played.reduce((sum, { cases }) => sum + cases, 0),
    violations: played.flatMap(({ violations }) => violations),
  }
}

/** What is asked of an API process: some rounds at once, each with a process that is stopped. */
async function playAsked(
  t: Test,
  rounds: readonly Numbered[],
  { lanes, points, spoil, say }: MatrixOptions,
): Promise<Played> {
  const all = await fleet(t)
  await spoil?.(all)
  const clockMsMax = spoil === undefined ? clockMsMaxDefault : spoiltClockMsMax
  const stage = await crashStage(t, all, { points: points ?? null, clockMsMax })
  const waiting = [...rounds]
  const settling: Promise<Played>[] = []
  const playing = Array.from({ length: lanes }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, round] = next
      const { cases, settled } = await playRound(stage, round, `round-${index}`)
      say(`played ${nameOf(round)}: ${cases} cases`)
      settling.push(settled)
      settled.then(
        ({ violations }) => {
          for (const each of violations) say(`VIOLATION ${each}`)
        },
        () => undefined,
      )
    }
  })
  await Promise.all(playing)
  const played = sumOf(await Promise.all(settling))
  if (spoil !== undefined) return played
  return sumOf([played, { cases: 0, violations: await violationsAtTheEnd(all) }])
}

/** What a worker does by itself: one round after another, because a worker takes whatever is due. */
async function playByWorkers(
  t: Test,
  rounds: readonly Numbered[],
  { points, say }: MatrixOptions,
): Promise<Played> {
  const all = await fleet(t)
  const stage = await lookStage(t, all, { points: points ?? null, clockMsMax: clockMsMaxDefault })
  const played: Played[] = []
  for (const [index, round] of rounds) {
    const { cases, violations } = await playLooks(stage, round, `round-${index}`)
    say(`played ${nameOf(round)}: ${cases} cases`)
    for (const each of violations) say(`VIOLATION ${each}`)
    played.push({ cases, violations })
  }
  // Quotas are settled by a worker, and labels made.
  await all.start({ roles: 'worker' })
  return sumOf([...played, { cases: 0, violations: await violationsAtTheEnd(all) }])
}

/** The quota is settled once for each, the read models are what the ledger makes, and it is whole. */
async function violationsAtTheEnd(all: Fleet): Promise<readonly string[]> {
  const { store, readModels: db } = all.parts
  const found: string[] = []
  if (!(await projectionsReached(db, await store.head(), caughtUpMs))) {
    found.push('the read models did not catch up')
  }
  const counted = shipmentStatuses.filter((status) => !uncounted.has(status))
  /** Shipments whose place in the quota is not as their status says. */
  const misplaced = async () => {
    const { rows } = await sql`
      SELECT r.shipment_id, r.is_held, r.version, r.reserved_at, s.status, s.version AS listed_version,
        t.is_counted, t.version AS settled_version
      FROM quota_reservations r
      FULL JOIN projections.shipments s USING (shipment_id)
      LEFT JOIN projections.settlements t USING (shipment_id)
      WHERE coalesce(r.is_held, false) <> coalesce(s.status = ANY (${counted}), false)
        -- Taken for an attempt that was never appended, a first one included, because a case asks
        -- once more and no further: the sweeper gives it back a day later.
        AND (r.is_held AND r.version = coalesce(s.version, 0)) IS NOT TRUE
      LIMIT 20`.execute(db)
    return rows
  }
  await eventually(misplaced, (rows) => rows.length === 0).catch((error) =>
    found.push(`places in the quota: ${error.message}`),
  )
  const compared = await diff(
    { db, store, projections },
    { folded: () => undefined, compared: () => undefined },
  )
  for (const each of compared.differences) found.push(`read model: ${JSON.stringify(each)}`)
  const verified = await verifySealed(all)
  if (verified.problems > 0) found.push(`the sealed ledger has ${verified.problems} problems`)
  return found
}
