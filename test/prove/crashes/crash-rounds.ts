import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, type ApiClient, freshShop } from '../../support/api-client.ts'
import type { Fleet } from '../../support/processes.ts'
import { type CaseAnswers, repeated, violationsOf } from './crash-checks.ts'
import { type CrashLane, crashLane, type Point } from './crash-lane.ts'
import { type CrashOperation, type Subject, shopAt, subjectOf } from './crash-subjects.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/**
 * How the request is repeated: to the surviving process, to another after a kill, or three at once.
 */
export type Retry = 'same process' | 'new process' | 'three at once'

/** All points of one operation with one outcome and one kind of retry, in its own workspace. */
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
  /** A process that is never stopped. */
  readonly healthy: ApiClient
  /** A process to be stopped, warm and idle. */
  readonly lane: () => Promise<CrashLane>
  /** The points to play, if not all. */
  readonly points: readonly Point[] | null
  /** A clock that has not reached its target by then counts as stopped. */
  readonly clockMsMax: number
}

/**
 * More flushes and calls than any operation has; an operation that exceeds it is a bug of this
 * proof.
 */
const pointsMax = 60
/** Traffic after the answer follows within this time. */
const afterAnswerMs = 100
/** Cases prepared at once when all have to wait for the clock together. */
const preparedAhead = 40
/**
 * On the workspace's clock: beyond looks, settling and deadlines. An operation needs review only
 * after eight hours.
 */
const untilEverythingEnded = 'PT10M'
const untilAPersonIsAsked = 'PT9H'

/** A stage of processes on one database; `lane` prepares the next one in advance. */
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
    // Warms up what a process reads only once, which is not part of an operation.
    await made.shop.create(`warm-${warmed++}`)
    return made
  }
  return { all, healthy, lane, ...how }
}

/** Runs a round; its results are checked once its clock has passed, without occupying the lane. */
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
      const played = await playCase(stage, round, await lanes.current(), { shop, subject, point })
      if (played !== null) playedCases.push(played.answered)
      return played !== null
    })
  } finally {
    await lanes.close()
  }
  return { cases: playedCases.length, settled: settled(stage, round, shop, playedCases) }
}

/**
 * Runs the given points, or one after another until there are no more, before and after each. A
 * case may have cached what the next one would read, so only a second miss means that the point
 * does not exist.
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

/**
 * Returns one lane after another; if each is killed, the next one starts while the current one is
 * in use.
 */
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

/** A shipment whose operation is stopped at a point. */
export type CrashCase = {
  readonly shop: ApiClient
  readonly subject: Subject
  readonly point: Point
}

/** Runs one case; null when the operation has no such point. */
async function playCase(
  { healthy }: Stage,
  { operation, retry }: Round,
  lane: CrashLane,
  { shop, subject, point }: CrashCase,
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
  // Another process may wait long for an attempt that died; the next case does not wait for its
  // answer.
  if (retry !== 'new process') await answered
  return { answered }
}

/** Repeats the request before the clock advances if every answer said that nothing was executed. */
async function insisted(
  shop: ApiClient,
  operation: CrashOperation,
  caseAnswers: CaseAnswers,
): Promise<CaseAnswers> {
  if (operation.isOfWorker || caseAnswers.answers.some(({ status }) => status !== 503))
    return caseAnswers
  return {
    ...caseAnswers,
    answers: [...caseAnswers.answers, await repeated(shop, operation, caseAnswers.subject)],
  }
}

/** Advances the workspace's clock past every deadline, then compares each case with the courier. */
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
  if (arrived?.body.advancing_to !== null) violations.push('the clock did not reach its target')
  for (const each of caseAnswers) {
    violations.push(...(await violationsOf(all.record, shop, operation, each)))
  }
  return { cases: caseAnswers.length, violations }
}
