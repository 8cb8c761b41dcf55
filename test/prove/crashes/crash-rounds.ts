import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type ApiClient, freshShop } from '../../support/api-client.ts'
import type { Fleet } from '../../support/processes.ts'
import { type CaseAnswers, repeated, violationsOf } from './crash-checks.ts'
import { type CrashLane, crashLane, type Point } from './crash-lane.ts'
import { type CrashOperation, type Subject, shopAt, subjectOf } from './crash-subjects.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** What repeats the request: the surviving process, another after a kill, or three at once. */
export type Retry = 'same process' | 'new process' | 'three at once'

/** All points of one operation with one outcome and one kind of retry, in a workspace of its own. */
export type Round = {
  readonly operation: CrashOperation
  readonly outcome: CrashOperation['outcomes'][number]
  readonly retry: Retry
}

export type Played = {
  readonly cases: number
  readonly violations: readonly string[]
}

export type Stage = {
  readonly all: Fleet
  /** Which nothing is done to. */
  readonly healthy: ApiClient
  /** A process to be stopped: warm, with nothing under way in it. */
  readonly lane: () => Promise<CrashLane>
  /** Played instead of all there are, where only some are wanted. */
  readonly points: readonly Point[] | null
  /** A clock that has not arrived by then stands still. */
  readonly clockMsMax: number
}

/** More flushes and calls than any of the operations has: one that has more is a fault of this. */
const pointsMax = 60
/** What is sent after the answer comes within this. */
const afterAnswerMs = 100
/** Prepared at once, where all have to wait for the clock together. */
const preparedAhead = 40
/** On the workspace's clock: past looks, settling and deadlines; eight hours until a person is asked. */
const untilEverythingEnded = 'PT10M'
const untilAPersonIsAsked = 'PT9H'

/** A stage of processes on one database; `lane` makes the next one ahead of its time. */
export async function crashStage(
  t: Test,
  all: Fleet,
  how: Pick<Stage, 'points' | 'clockMsMax'>,
): Promise<Stage> {
  const healthy = await all.start({ roles: 'api' })
  await all.start({ roles: 'projector,worker' })
  let warmed = 0
  const lane = async () => {
    const made = await crashLane(t, all, 'api')
    // What a process reads once only is read: which is no part of an operation.
    await made.shop.create(`warm-${warmed++}`)
    return made
  }
  return { all, healthy, lane, ...how }
}

/** Plays a round; what came of it is looked at when its clock has passed, without holding the lane. */
export async function playRound(
  stage: Stage,
  round: Round,
  name: string,
): Promise<{ readonly cases: number; readonly settled: Promise<Played> }> {
  const shop = await freshShop(stage.healthy, name)
  const { scenario, afterwards } = round.outcome
  const ready: Subject[] = []
  const prepare = (n: number) =>
    round.operation.prepare(shop, subjectOf(shop, `${name}-${n}`, scenario))
  if (afterwards !== undefined) {
    for (let n = 0; n < preparedAhead; n++) ready.push(await prepare(n))
    await shop.advance(afterwards)
  }
  let count = preparedAhead
  const next = async () => ready.shift() ?? (await prepare(count++))
  const playedCases: Promise<CaseAnswers>[] = []
  const lanes = laneAfterLane(stage, round.retry === 'new process')
  try {
    await eachPoint(stage.points, async (point) => {
      const subject = await next()
      const played = await playCase(stage, round, await lanes.current(), shop, subject, point)
      if (played !== null) playedCases.push(played.answered)
      return played !== null
    })
  } finally {
    await lanes.close()
  }
  return { cases: playedCases.length, settled: settled(stage, round, shop, playedCases) }
}

/**
 * Plays those that are wanted, or one after another until there is none any more, before and after. What
 * one read, the next may know already: only a second miss says that there is no such point.
 */
export async function eachPoint(
  wanted: readonly Point[] | null,
  playOnce: (point: Point) => Promise<boolean>,
): Promise<void> {
  const play = async (point: Point) => (await playOnce(point)) || (await playOnce(point))
  if (wanted !== null) {
    for (const point of wanted) await play(point)
    return
  }
  for (const when of ['before', 'after'] as const) {
    for (let k = 1; await play({ k, when }); k++) {
      if (k > pointsMax) throw new Error(`more than ${pointsMax} points`)
    }
  }
}

/** A lane after the other, the next being started while one is in use, where each is killed. */
export function laneAfterLane(stage: Pick<Stage, 'lane'>, isKilled: boolean) {
  let now = stage.lane()
  now.catch(() => undefined)
  let spare = isKilled ? stage.lane() : null
  spare?.catch(() => undefined)
  return {
    async current() {
      const lane = await now
      if (lane.isAlive()) return lane
      await lane.close()
      now = spare ?? stage.lane()
      spare = isKilled ? stage.lane() : null
      spare?.catch(() => undefined)
      return await now
    },
    async close() {
      for (const each of [now, spare]) await (await each)?.close()
    },
  }
}

/** One case; null when the operation has no such point. */
async function playCase(
  { healthy }: Stage,
  { operation, retry }: Round,
  lane: CrashLane,
  shop: ApiClient,
  subject: Subject,
  point: Point,
): Promise<{ readonly answered: Promise<CaseAnswers> } | null> {
  const victim = shopAt(lane.shop.url, shop)
  const other = shopAt(healthy.url, shop)
  const armed = await lane.arm(point, retry === 'new process' ? 'kill' : 'cut', subject.shipmentId)
  const first = operation.perform(victim, subject).catch(() => null)
  await Promise.race([first, armed.hit])
  if (!armed.isHit()) await Promise.race([armed.hit, delay(afterAnswerMs)])
  armed.disarm()
  if (!armed.isHit()) return null
  const again = (): readonly Promise<Answer>[] => {
    if (retry === 'same process') return [operation.perform(victim, subject)]
    if (retry === 'new process') return [operation.perform(other, subject)]
    const ask = (where: ApiClient, person?: string) => operation.perform(where, subject, person)
    return [ask(victim), ask(other), ask(other, 'Otra')]
  }
  if (retry === 'same process') await first
  const asked = Promise.all([first, ...again()])
  const where = `stopped ${point.when} ${point.k} (${armed.at()}), ${retry}`
  const answered = asked.then((answers) => ({
    subject,
    where,
    answers: answers.filter((answer) => answer !== null),
  }))
  answered.catch(() => undefined)
  // Another process may wait for an attempt that died, for long: the next case does not.
  if (retry !== 'new process') await answered
  return { answered }
}

/** A shop that was told only that nothing was executed asks once more, before the clock goes on. */
async function insisted(
  shop: ApiClient,
  operation: CrashOperation,
  caseAnswers: CaseAnswers,
): Promise<CaseAnswers> {
  const isWorkers = operation.name === 'reconciliation'
  if (isWorkers || caseAnswers.answers.some(({ status }) => status !== 503)) return caseAnswers
  return {
    ...caseAnswers,
    answers: [...caseAnswers.answers, await repeated(shop, operation, caseAnswers.subject)],
  }
}

/** Lets the workspace's clock pass everything, and then compares each with the courier. */
export async function settled(
  { all, clockMsMax }: Stage,
  { operation, outcome }: Round,
  shop: ApiClient,
  cases: readonly Promise<CaseAnswers>[],
): Promise<Played> {
  const caseAnswers = await Promise.all(
    (await Promise.all(cases)).map((each) => insisted(shop, operation, each)),
  )
  for (const { subject } of caseAnswers) await operation.mend?.(shop, subject)
  const isLong = outcome.scenario === 'lost_response_human_review'
  const violations: string[] = []
  const arrived = await Promise.race([
    shop.advance(isLong ? untilAPersonIsAsked : untilEverythingEnded).catch(() => null),
    delay(clockMsMax, null, { ref: false }),
  ])
  if (arrived?.body.advancing_to !== null) violations.push('the clock did not arrive')
  for (const each of caseAnswers) {
    violations.push(...(await violationsOf(all.record, shop, operation, each)))
  }
  return { cases: caseAnswers.length, violations }
}
