import { setTimeout as delay } from 'node:timers/promises'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import type { Fleet } from '../../support/processes.ts'
import type { CaseAnswers } from './crash-checks.ts'
import { bareId, type CrashLane, crashLane, type Point } from './crash-lane.ts'
import { hold } from './crash-looks.ts'
import type { Place, Sent } from './crash-places.ts'
import {
  eachPoint,
  laneAfterLane,
  type Played,
  type Round,
  type Stage,
  settled,
} from './crash-rounds.ts'
import { type Subject, subjectOf } from './crash-subjects.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/**
 * Work that a request leaves to workers, which can be stopped at each of its flushes and courier
 * calls.
 */
export type Work = {
  /** A statement that claims any work there is. */
  readonly isClaim: (what: string) => boolean
  /** A part that need not name the work, such as setting the limits of a transaction. */
  readonly isPart: (what: string) => boolean
  /** The last part; `before` is the part before it. */
  readonly isEnd: (what: string, before: string) => boolean
  /** Prepares all cases of a round. */
  readonly prepare: (shop: ApiClient, subjects: readonly Subject[]) => Promise<readonly Subject[]>
  /**
   * Leaves the work to the workers; returns every id that its statements may name, its own first.
   */
  readonly leave: (shop: ApiClient, subject: Subject) => Promise<readonly [string, ...string[]]>
  /** Requests concurrently what the work does. */
  readonly race?: (shop: ApiClient, subject: Subject) => Promise<CaseAnswers['answers']>
  /** Holds the work as another worker would, or releases everything. */
  readonly keep: (all: Fleet, id: string) => Promise<unknown>
  readonly letGo: (all: Fleet) => Promise<unknown>
  /** The violations of work that was stopped and released. */
  readonly violations: (shop: ApiClient, done: StoppedWork) => Promise<readonly string[]>
}

/** Work that was stopped midway. */
type StoppedWork = {
  readonly id: string
  readonly subject: Subject
  /** A description of where it was stopped. */
  readonly where: string
}

/** As many cases as one kind of work has points, before and after each, and a few more. */
const preparedMax = 120
/** Workers poll every few seconds. */
const begunMs = 20_000

type WorkStage = Stage & {
  readonly work: Work
  /** Ids of the current case and of earlier ones, whose statements are not its own. */
  readonly own: Set<string>
  readonly earlier: Set<string>
}

/** A stage whose only worker is the lane. */
export async function workStage(
  t: Test,
  all: Fleet,
  work: Work,
  how: Pick<Stage, 'points' | 'clockMsMax'>,
): Promise<WorkStage> {
  const healthy = await all.start({ roles: 'api' })
  await all.start({ roles: 'projector' })
  const own = new Set<string>()
  const earlier = new Set<string>()
  const lane = () => crashLane(t, all, 'worker', placeInWork(work, own, earlier))
  return { all, healthy, work, own, earlier, lane, ...how }
}

function placeInWork(work: Work, own: ReadonlySet<string>, earlier: ReadonlySet<string>) {
  let before = ''
  return ({ what, bytes, isBegun }: Sent): Place => {
    const names = (ids: ReadonlySet<string>) => [...ids].some((id) => bytes.includes(id))
    if (names(earlier)) return 'elsewhere'
    if (!isBegun) before = ''
    const isEnd = work.isEnd(what, before)
    if (isBegun && isEnd) return 'end'
    if (!isBegun && work.isClaim(what)) return 'within'
    if (!names(own) && !(isBegun && work.isPart(what))) return 'elsewhere'
    before = what
    return isBegun ? 'within' : 'begun'
  }
}

/**
 * Runs a round of work, one case after another. Stopped work is held until the end, because an
 * attempt cut off by a kill takes time to settle; then a worker does all of it.
 */
export async function playWork(stage: WorkStage, round: Round, name: string): Promise<Played> {
  const { all, work } = stage
  const shop = await freshShop(stage.healthy, name)
  const lanes = laneAfterLane(stage, false)
  const stopped: (StoppedWork & Pick<CaseAnswers, 'answers'>)[] = []
  try {
    await lanes.current()
    const ready = [...(await prepared(stage, round, shop, name))]
    await eachPoint(stage.points, async (point) => {
      const subject = ready.shift()
      if (subject === undefined) throw new Error(`more than ${preparedMax} cases`)
      const done = await stopWork(stage, round, await lanes.current(), { shop, subject, point })
      if (done === null) return false
      const answers = round.retry === 'three at once' ? await work.race?.(shop, subject) : []
      stopped.push({ ...done, answers: answers ?? [] })
      return true
    })
    await lanes.current()
    await work.letGo(all)
    const violations: string[] = []
    for (const done of stopped) violations.push(...(await work.violations(shop, done)))
    const cases = stopped.map((each) => Promise.resolve(each))
    const played = await settled(stage, round, shop, cases)
    return { cases: played.cases, violations: [...violations, ...played.violations] }
  } finally {
    await lanes.close()
  }
}

/**
 * Waits until workers have nothing else to do for these shipments, so that it is not on the wire.
 */
async function prepared(
  { all, work, points }: WorkStage,
  { outcome }: Round,
  shop: ApiClient,
  name: string,
): Promise<readonly Subject[]> {
  const subjects = Array.from({ length: points?.length ?? preparedMax }, (_, n) =>
    subjectOf(shop, `${name}-${n}`, outcome.scenario),
  )
  const ready = await work.prepare(shop, subjects)
  for (const subject of ready) await hold(all, subject, shop)
  return ready
}

type WorkCase = {
  readonly shop: ApiClient
  readonly subject: Subject
  readonly point: Point
}

/** Stops the worker during the work; null if the work has no such point. */
async function stopWork(
  { all, work, own, earlier }: WorkStage,
  { retry }: Round,
  lane: CrashLane,
  { shop, subject, point }: WorkCase,
): Promise<StoppedWork | null> {
  const [id, ...others] = await work.leave(shop, subject)
  for (const each of [id, ...others]) own.add(bareId(each))
  const armed = await lane.arm(point, retry === 'new process' ? 'kill' : 'cut', id)
  await Promise.race([armed.hit, armed.passed, delay(begunMs, undefined, { ref: false })])
  armed.disarm()
  if (armed.isHit()) {
    await armed.stopped
    if (retry === 'new process') await work.keep(all, id)
  }
  for (const each of own) earlier.add(each)
  own.clear()
  const where = `stopped ${point.when} ${point.k} (${armed.at()}), ${retry}`
  return armed.isHit() ? { id, subject, where } : null
}
