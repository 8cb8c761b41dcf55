import { sql } from 'kysely'
import { projections } from '../../../projections/all.ts'
import { shipmentStatuses } from '../../../src/service/domain/shipment/shipment.ts'
import { diff } from '../../../src/service/ledger/diff/diff.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { eventually } from '../../support/eventually.ts'
import { type Fleet, fleet } from '../../support/processes.ts'
import { verifySealed } from '../../support/sealed-whole.ts'
import { batchLine } from './crash-batches.ts'
import { comparison } from './crash-invoices.ts'
import type { Point } from './crash-lane.ts'
import { lookStage, playLooks } from './crash-looks.ts'
import {
  crashStage,
  type Played,
  playRound,
  type Retry,
  type Round,
  type Stage,
} from './crash-rounds.ts'
import { crashOperations } from './crash-subjects.ts'
import { playWork, type Work, workStage } from './crash-work.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A busy machine advances many workspaces by hundreds of steps at once. */
const clockMsMaxDefault = 120_000
const spoiltClockMsMax = 5_000
/**
 * Rounds of worker operations of one kind run on this many databases, each with a single worker,
 * which is the one stopped.
 */
const workerFleetsMax = 2
const retries: readonly Retry[] = ['same process', 'three at once', 'new process']
/** The most that a working projector may lag. */
const caughtUpMs = 60_000
/** Statuses of shipments that do not count in the quota. */
const uncounted = new Set<string>(['rejected', 'not_executed', 'not_created'])

export type MatrixOptions = {
  /** Which rounds to run; all by default. */
  readonly isWanted?: (round: Round) => boolean
  /** Which points of each round to run; all by default. */
  readonly points?: readonly Point[]
  /** Concurrent rounds, each with a process that is stopped. */
  readonly lanes: number
  /**
   * A mutation of the database, made before any request. It may damage the ledger and stop clocks
   * and read models, so these are not awaited and only the cases are compared.
   */
  readonly spoil?: (all: Fleet) => Promise<void>
  readonly say: (line: string) => void
}

/** Every round of the matrix: operation × courier behavior × way of repeating the request. */
function crashRounds(isWanted: (round: Round) => boolean = () => true): readonly Round[] {
  return crashOperations
    .flatMap((operation) =>
      operation.outcomes.flatMap((outcome) =>
        retries.map((retry) => ({ operation, outcome, retry })),
      ),
    )
    .filter(isWanted)
}

/** A round's name in reports and in the command's arguments. */
export function nameOf({ operation, outcome, retry }: Round): string {
  const late = outcome.afterwards === undefined ? '' : ` after ${outcome.afterwards}`
  return `${operation.name} x ${outcome.scenario}${late} x ${retry}`
}

/** Runs the rounds on their own databases and processes, and checks each database at the end. */
export async function crashMatrix(t: Test, options: MatrixOptions): Promise<Played> {
  const rounds = [...crashRounds(options.isWanted).entries()]
  const asked = rounds.filter(([, { operation }]) => !operation.isOfWorker)
  const played: Played[] = []
  // One kind after another: all their processes at once would need more sessions than the server
  // has.
  if (asked.length > 0) played.push(await playAsked(t, asked, options))
  for (const [name, preparePlay] of Object.entries(playsOfWorkers)) {
    const hands = dealt(
      rounds.filter(([, { operation }]) => operation.name === name),
      workerFleetsMax,
    )
    played.push(
      ...(await Promise.all(hands.map((hand) => playByWorkers(t, hand, options, preparePlay)))),
    )
  }
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

/** Runs the rounds of API requests: several at once, each with a process that is stopped. */
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

type PreparePlay = (
  t: Test,
  all: Fleet,
  how: Pick<Stage, 'points' | 'clockMsMax'>,
) => Promise<(round: Round, name: string) => Promise<Played>>

function playOf(work: Work): PreparePlay {
  return async (t, all, how) => {
    const stage = await workStage(t, all, work, how)
    return (round, name) => playWork(stage, round, name)
  }
}

const playsOfWorkers: Readonly<Record<string, PreparePlay>> = {
  reconciliation: async (t, all, how) => {
    const stage = await lookStage(t, all, how)
    return (round, name) => playLooks(stage, round, name)
  },
  'batch line': playOf(batchLine),
  comparison: playOf(comparison),
}

/**
 * Runs the rounds of worker operations, one after another, because a worker takes any work that is
 * due.
 */
async function playByWorkers(
  t: Test,
  rounds: readonly Numbered[],
  { points, say }: MatrixOptions,
  preparePlay: PreparePlay,
): Promise<Played> {
  const all = await fleet(t)
  const how = { points: points ?? null, clockMsMax: clockMsMaxDefault }
  const play = await preparePlay(t, all, how)
  const played: Played[] = []
  for (const [index, round] of rounds) {
    const { cases, violations } = await play(round, `round-${index}`)
    say(`played ${nameOf(round)}: ${cases} cases`)
    for (const each of violations) say(`VIOLATION ${each}`)
    played.push({ cases, violations })
  }
  // A worker has to settle the quotas and fetch the labels first.
  await all.start({ roles: 'worker' })
  return sumOf([...played, { cases: 0, violations: await violationsAtTheEnd(all) }])
}

/** Checks that quotas are settled once, read models match the ledger, and the ledger is intact. */
async function violationsAtTheEnd(all: Fleet): Promise<readonly string[]> {
  const { store, db } = all.parts
  const found: string[] = []
  if (!(await projectionsReached(db, await store.head(), caughtUpMs))) {
    found.push('the read models did not catch up')
  }
  const counted = shipmentStatuses.filter((status) => !uncounted.has(status))
  /** Shipments whose quota reservation does not match their status. */
  const misplaced = async () => {
    const { rows } = await sql`
      SELECT r.shipment_id, r.is_held, r.version, r.reserved_at, s.status, s.version AS listed_version,
        t.is_counted, t.version AS settled_version
      FROM quota_reservations r
      FULL JOIN projections.shipments s USING (shipment_id)
      LEFT JOIN projections.settlements t USING (shipment_id)
      WHERE coalesce(r.is_held, false) <> coalesce(s.status = ANY (${counted}), false)
        -- A reservation for an attempt that was never appended, possibly the first one, because a
        -- case repeats its request only once: the sweeper releases it a day later.
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
