import { sql } from 'kysely'
import { projections } from '../../projections/all.ts'
import { shipmentStatuses } from '../../src/domain/shipment.ts'
import { diff } from '../../src/ledger/diff.ts'
import { projectionsReached } from '../../src/processes/checkpoint.ts'
import { crashStage, type Played, playRound, type Retry, type Round } from './crash-rounds.ts'
import { crashOperations } from './crash-subjects.ts'
import { eventually } from './eventually.ts'
import { type Fleet, fleet } from './processes.ts'
import { verifySealed } from './sealed-whole.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

const retries: readonly Retry[] = ['same process', 'three at once', 'new process']
/** A projector that works is this far behind at most. */
const caughtUpMs = 60_000
/** Shipments of these hold no place in the quota. */
const uncounted = new Set<string>(['rejected', 'not_executed', 'not_created'])

export type MatrixOptions = {
  /** Rounds that are played; all where it is absent. */
  readonly isWanted?: (round: Round) => boolean
  /** Rounds at once: each has a process that is stopped. */
  readonly lanes: number
  readonly say: (line: string) => void
}

/** Every round of the matrix: operation x what the courier does x who asks again. */
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

/** Plays them on a PostgreSQL and processes of their own, and looks at the whole of it at the end. */
export async function crashMatrix(t: Test, options: MatrixOptions): Promise<Played> {
  const all = await fleet(t)
  const stage = await crashStage(t, all)
  const rounds = crashRounds(options.isWanted)
  const waiting = [...rounds.entries()]
  const settling: Promise<Played>[] = []
  const lanes = Array.from({ length: options.lanes }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, round] = next
      const { cases, settled } = await playRound(stage, round, `round-${index}`)
      options.say(`played ${nameOf(round)}: ${cases} cases`)
      settling.push(settled)
      settled.then(
        ({ violations }) => {
          for (const each of violations) options.say(`VIOLATION ${each}`)
        },
        () => undefined,
      )
    }
  })
  await Promise.all(lanes)
  const played = await Promise.all(settling)
  const violations = [
    ...played.flatMap((each) => each.violations),
    ...(await violationsAtTheEnd(all)),
  ]
  return { cases: played.reduce((sum, { cases }) => sum + cases, 0), violations }
}

/** The quota is settled once for each, the read models are what the ledger makes, and it is whole. */
async function violationsAtTheEnd(all: Fleet): Promise<readonly string[]> {
  const { store, readModels: db } = all.parts
  const found: string[] = []
  if (!(await projectionsReached(db, await store.head(), caughtUpMs))) {
    found.push('the read models did not catch up')
  }
  const counted = shipmentStatuses.filter((status) => !uncounted.has(status))
  const places = async () => {
    const { rows } = await sql<{ held: number; counted: number }>`
      SELECT (SELECT count(*)::int FROM quota_reservations WHERE is_held) AS held,
        (SELECT count(*)::int FROM projections.shipments WHERE status = ANY(${counted})) AS counted`.execute(
      db,
    )
    return rows[0] ?? { held: -1, counted: 0 }
  }
  await eventually(places, ({ held, counted: wanted }) => held === wanted).catch((error) =>
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
