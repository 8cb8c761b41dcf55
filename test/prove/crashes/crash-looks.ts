import { sql } from 'kysely'
import { shipmentStream } from '../../../src/service/domain/ids.ts'
import { type Answer, type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import type { Fleet } from '../../support/processes.ts'
import type { CaseAnswers } from './crash-checks.ts'
import { type CrashLane, crashLane } from './crash-lane.ts'
import {
  type CrashCase,
  eachPoint,
  laneAfterLane,
  type Played,
  type Round,
  type Stage,
  settled,
} from './crash-rounds.ts'
import { type Subject, shopAt, subjectOf } from './crash-subjects.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** As many shipments with a due look as one advance prepares, so that no case has to wait. */
const preparedAhead = 24
/** A surviving worker looks again after a second or two; a killed one is replaced first. */
const looksAgainMs = 30_000

/**
 * A stage with a single worker, the lane: no other worker can make the look that is stopped in it.
 */
export async function lookStage(
  t: Test,
  all: Fleet,
  how: Pick<Stage, 'points' | 'clockMsMax'>,
): Promise<Stage> {
  const healthy = await all.start({ roles: 'api' })
  await all.start({ roles: 'projector' })
  return { all, healthy, lane: () => crashLane(t, all, 'worker'), ...how }
}

/** Runs a round of a worker's looks, one case after another, and waits until all have ended. */
export async function playLooks(stage: Stage, round: Round, name: string): Promise<Played> {
  const { all } = stage
  const shop = await freshShop(stage.healthy, name)
  let count = 0
  const prepare = async (): Promise<Subject> => {
    const subject = subjectOf(shop, `${name}-${count++}`, round.outcome.scenario)
    await hold(all, subject, shop)
    return await round.operation.prepare(shop, subject)
  }
  const ready: Subject[] = []
  for (let n = 0; n < (stage.points?.length ?? preparedAhead); n++) ready.push(await prepare())
  const playedCases: CaseAnswers[] = []
  const violations: string[] = []
  const lanes = laneAfterLane(stage, false)
  try {
    await eachPoint(stage.points, async (point) => {
      const subject = ready.shift() ?? (await prepare())
      const where = await stopLook(stage, round, await lanes.current(), { shop, subject, point })
      if (where === null) return false
      // If the worker was killed, this is its successor.
      await lanes.current()
      const answers = await raced(stage, round, shop, subject)
      playedCases.push({ subject, where, answers })
      await lookedAgain(all, subject).catch((error) => {
        violations.push(`${round.operation.name}, ${where}: ${error.message}`)
      })
      // Prevents all work that follows a look, so that only looks are on the wire.
      await hold(all, subject, shop)
      return true
    })
    await lanes.current()
    const asPromised = playedCases.map((each) => Promise.resolve(each))
    const played = await settled(stage, round, shop, asPromised)
    return { cases: playedCases.length, violations: [...violations, ...played.violations] }
  } finally {
    await lanes.close()
  }
}

/** Stops the worker during its look. Returns where; null if a look has no such point. */
async function stopLook(
  { all }: Stage,
  { retry }: Round,
  lane: CrashLane,
  { shop, subject, point }: CrashCase,
): Promise<string | null> {
  await eventually(() => isDue(all, subject), Boolean)
  const stop = retry === 'new process' ? 'kill' : 'cut'
  const armed = await lane.arm(point, stop, subject.shipmentId)
  await letGo(all, subject)
  await Promise.race([armed.hit, armed.passed])
  armed.disarm()
  if (armed.isHit()) {
    await armed.stopped
    return `stopped ${point.when} ${point.k} (${armed.at()}), ${retry}`
  }
  await hold(all, subject, shop)
  return null
}

/** Three at once: the worker, an operator's look, and the shop repeating its key. */
async function raced(
  { healthy }: Stage,
  { operation, retry }: Round,
  shop: ApiClient,
  subject: Subject,
): Promise<readonly Answer[]> {
  if (retry !== 'three at once') return []
  const other = shopAt(healthy.url, shop)
  const { key, scenario } = subject
  return await Promise.all([operation.perform(other, subject), other.create(key, { scenario })])
}

/** Holds the claim as another worker would, until it is released. */
export async function hold(
  { parts }: Fleet,
  { shipmentId }: Subject,
  { seeded }: ApiClient,
): Promise<void> {
  await sql`
    INSERT INTO due (shipment_id, workspace_id, livemode, leased_until)
    VALUES (${shipmentId}, ${seeded.workspaceId}, false, 'infinity')
    ON CONFLICT (shipment_id) DO UPDATE SET owner = NULL, leased_until = 'infinity'`.execute(
    parts.db,
  )
}

async function letGo({ parts }: Fleet, { shipmentId }: Subject): Promise<void> {
  await sql`UPDATE due SET leased_until = NULL WHERE shipment_id = ${shipmentId}`.execute(parts.db)
}

async function isDue({ parts }: Fleet, { shipmentId }: Subject): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM due
    WHERE shipment_id = ${shipmentId} AND reconcile_at <= now()`.execute(parts.db)
  return rows.length > 0
}

/**
 * Waits until the ledger has a look and no worker holds the work: a stopped look is repeated. The
 * lease of a killed worker may expire before another worker releases it; its name then stays in the
 * row.
 */
async function lookedAgain({ parts }: Fleet, { shipmentId }: Subject): Promise<void> {
  await eventually(
    async () => {
      const events = await parts.store.readStream(shipmentStream(shipmentId))
      const { rows } = await sql`
        SELECT FROM due
        WHERE shipment_id = ${shipmentId} AND owner IS NOT NULL AND leased_until > now()`.execute(
        parts.db,
      )
      return {
        looks: events.filter(({ type }) => type === 'GuideLookedUp').length,
        held: rows.length,
      }
    },
    ({ looks, held }) => looks > 0 && held === 0,
    looksAgainMs,
  )
}
