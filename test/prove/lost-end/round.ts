import { setTimeout as delay } from 'node:timers/promises'
import type { Position } from '../../../src/service/event-store/event-store.ts'
import { eventually } from '../../support/eventually.ts'
import type { ServiceProcess } from '../../support/processes.ts'
import type { Receiver } from '../../support/receiver.ts'
import {
  type Books,
  callsBetween,
  checkLastAnswers,
  checkLedger,
  courierFigures,
  guidesWithoutShipment,
  heldNow,
  lastWords,
  type Outside,
  secondGuides,
  stateOf,
  streamOf,
} from './after-recovery.ts'
import { type Readiness, readinessAt } from './readiness.ts'
import type { CourierCall } from './recording-courier.ts'
import type { Sent, Shoppers } from './shoppers.ts'
import type { Shops } from './shops.ts'
import type { Violations } from './violations.ts'

/**
 * A service whose ledger loses its end repeatedly, with everything needed to check the
 * consequences.
 */
export type Play = {
  /** Processes of the API, replaced when they are restarted. */
  readonly apis: ServiceProcess[]
  /** Restarts the API process at this index. */
  startAgain(index: number): Promise<ServiceProcess>
  readonly readiness: Readiness
  readonly shops: Shops
  readonly books: Books
  readonly outside: Outside
  readonly webhooks: Receiver
  readonly violations: Violations
  /** All shoppers of this and earlier rounds. */
  readonly every: Shoppers[]
  readonly chance: () => number
  readonly limits: Limits
  readonly say: (line: string) => void
}

export type Limits = {
  /**
   * From the switch until every process has noticed, and from the end of a recovery until all are
   * ready.
   */
  readonly noticedMs: number
  readonly goesOnMs: number
}

/** Orders and repetitions per second. */
export const perSecond = 10
/** How long creations continue before the recovery. */
const damagedMs = 1_500
const recordedWithinMs = 20_000
const allAgainWithinMs = 60_000
const webhookWithinMs = 20_000
/** How long couriers take unless a round wants otherwise. */
export const quickMs = 50

/** A damage, from the time it was made. */
export type Damage = {
  readonly at: number
  /** The end of the ledger before it. */
  readonly end: Position
  /** Everything committed after this time is lost. */
  readonly lostSince: number
  /** Calls in flight. */
  readonly inFlight: readonly CourierCall[]
  /** Checkpoints that an auditor has saved, including of the lost part. */
  readonly held: readonly string[]
  readonly heldLost: readonly string[]
}

/**
 * While the damage lasts and shops continue, checks that no new calls are made to couriers. Ends
 * with the shoppers stopped.
 */
export async function seeDamage(play: Play, shoppers: Shoppers, damage: Damage): Promise<number> {
  const { readiness, violations, books, limits, say } = play
  const noticedAt = await readiness.untilNoticed(damage.at, limits.noticedMs)
  if (noticedAt === null) {
    const seconds = limits.noticedMs / 1_000
    violations.add(`the damage was not noticed within ${seconds} s`, readiness.told(damage.at))
  } else {
    const [found] = await play.outside.query(
      'SELECT source FROM ledger_damages WHERE recovered_at IS NULL',
    )
    const ms = Math.round(noticedAt - damage.at)
    say(`  noticed by every process after ${ms} ms, first by: ${found?.source}`)
  }
  books.courier.answerAfterMs = () => play.chance() * quickMs
  await delay(damagedMs)
  const stoppedAt = performance.now()
  await shoppers.stop()
  say(`    ${shoppers.countsOf(damage.at, noticedAt ?? damage.at)}`)
  say(`    noticed: ${shoppers.countsOf(noticedAt ?? damage.at, performance.now())}`)
  const damagedFrom = noticedAt ?? damage.at + limits.noticedMs
  checkDamagedAnswers(shoppers, damagedFrom, stoppedAt, violations)
  await checkInFlight(play, shoppers, damage)
  await outgrow(play, damage.end)
  await restartOne(play)
  const else_ = readiness.wasElse(damagedFrom, performance.now())
  violations.check(else_.length === 0, 'the damage was forgotten', else_.join(', '))
  return damagedFrom
}

/** Performs an operator's recovery, then sends all keys again. */
export async function recover(
  play: Play,
  shoppers: Shoppers,
  damage: Pick<Damage, 'held' | 'heldLost'>,
  damagedFrom: number | null,
): Promise<void> {
  const { outside, shops, readiness, violations, books, every, limits, say } = play
  const unchanged = await stateOf(outside)
  const looked = await outside.command('recover', '--check')
  say(`  recover --check: ${lastWords(looked)}`)
  if (damagedFrom !== null) {
    const isTold = looked.code === 1
    violations.check(isTold, 'recover --check does not tell what is missing', lastWords(looked))
    // An undamaged service continues to seal.
    violations.check((await stateOf(outside)) === unchanged, 'recover --check changed something')
  }
  const recoveringAt = performance.now()
  if (damagedFrom !== null) {
    for (const { route, at } of callsBetween(books, damagedFrom, recoveringAt)) {
      const said = `${route} ${Math.round(at - damagedFrom)} ms after the notice`
      violations.add('a courier was asked while damaged', said)
    }
  }
  const note = ['--note', 'The ledger lost its end.']
  const recovered = await outside.command('recover', '--as', shops.operatorId, ...note)
  const recoveredAt = performance.now()
  say(`  recover took ${Math.round(recoveredAt - recoveringAt)} ms: ${lastWords(recovered)}`)
  violations.check(recovered.code === 0, 'recover failed', lastWords(recovered))
  const readyAt = await readiness.untilReady(limits.goesOnMs)
  const seconds = limits.goesOnMs / 1_000
  violations.check(
    readyAt !== null,
    `the processes do not go on within ${seconds} s`,
    readiness.told(recoveredAt),
  )

  const last = (await Promise.all(every.map((each) => each.sendAllAgain(allAgainWithinMs)))).flat()
  await checkLastAnswers(last, outside, books, violations)
  say(`  all keys again: ${countOf(last)}; ${courierFigures(books)}`)
  for (const name of secondGuides(books)) violations.add('a second guide', name)
  for (const guide of await guidesWithoutShipment(outside, books, every)) {
    violations.add('a guide without a shipment', guide)
  }
  for (const each of every) {
    for (const fault of each.faults.splice(0)) violations.add('a fault', fault)
  }
  await checkWebhooks(play, shoppers)
  const old = shoppers.orders.find(
    ({ acknowledgedAt, shop, isLine }) =>
      acknowledgedAt !== null && shop.mode === 'live' && !isLine,
  )
  await checkLedger(outside, shops, violations, {
    before: damage.held,
    lost: damage.heldLost,
    shipmentId: old?.shipmentId ?? null,
  })
}

export function isInFlight({ route, at, answeredAt }: CourierCall, since: number): boolean {
  return route === 'create' && at >= since && answeredAt === null
}

/** Waits until some orders are acknowledged. */
export async function somethingIsMade({ orders }: Shoppers): Promise<void> {
  const enough = 10
  await eventually(
    () => orders.filter(({ acknowledgedAt }) => acknowledgedAt !== null).length,
    (count) => count >= enough,
  )
}

function countOf(sent: readonly Sent[]): string {
  const counts = Map.groupBy(sent, ({ said }) => said)
  return [...counts].map(([said, { length }]) => `${said} x ${length}`).join(', ')
}

/** A checkpoint that covers everything acknowledged so far. */
export async function sealedCheckpoint(
  { shops, outside }: Pick<Play, 'shops' | 'outside'>,
  name: string,
): Promise<string> {
  const head = await outside.ledger.head()
  await eventually(
    async () =>
      String(
        (await outside.query('SELECT max(position) AS position FROM checkpoints'))[0]?.position,
      ),
    (sealed) => sealed >= head,
  )
  return await heldNow(shops, outside.folder, name)
}

/**
 * Answers to a key whose intent is left and whose outcome is lost, until its deadline and
 * afterwards. No courier is called.
 */
const unresolved: ReadonlySet<string> = new Set([
  '409 idempotency_in_flight',
  '409 unknown_outcome',
])

/** Checks the answers to creations while the ledger is damaged. */
function checkDamagedAnswers(
  { sent }: Shoppers,
  from: number,
  to: number,
  violations: Violations,
): void {
  for (const { what, said, sentAt, at, answer, order } of sent) {
    if (sentAt < from || sentAt > to) continue
    const name = `${what} ${order.key} ${said} after ${Math.round(at - from)} ms`
    // What the ledger still has is answered as usual.
    const isKnown =
      (what === 'repeat' && (answer?.status === 201 || unresolved.has(said))) ||
      (what === 'cancel' && answer?.status === 200 && order.isCancelled) ||
      (what === 'cancel' && unresolved.has(said))
    if (what === 'create' && answer?.status === 201)
      violations.add('a creation while damaged', name)
    if (isKnown || what === 'batch') continue
    const isTold =
      answer?.status === 503 &&
      answer.body.reason === 'ledger_damaged' &&
      answer.body.outcome === 'not_executed' &&
      answer.body.retryable === true &&
      answer.headers.get('retry-after') === '60'
    violations.check(isTold, 'an answer other than ledger_damaged while damaged', name)
  }
}

/** Checks the outcomes of calls that were in flight when the end was lost. */
async function checkInFlight(
  { outside, violations, books }: Play,
  shoppers: Shoppers,
  { inFlight, lostSince }: Damage,
): Promise<void> {
  const until = performance.now() + recordedWithinMs
  for (const { reference } of inFlight) {
    const guide = books.courier.guides.find((each) => each.reference === reference)
    const order = shoppers.orders.find(({ shipmentId }) => shipmentId === reference)
    if (guide === undefined) continue
    const stream = await eventually(
      () => streamOf(outside, reference),
      (text) => text.includes(`"${guide.guideNumber}"`),
      Math.max(0, until - performance.now()),
    ).catch(() => null)
    violations.check(stream !== null, 'a guide that was made in flight is not recorded', reference)
    if (order === undefined) continue
    if (stream !== null && order.firstSentAt > lostSince) {
      const isSaid = stream.includes('"recovered":true')
      violations.check(isSaid, 'an event that was written again is not marked so', reference)
    }
    const first = shoppers.sent.find((each) => each.order === order && each.what === 'create')
    const isTold = first?.answer?.status === 201 || first?.answer?.status === 409
    violations.check(isTold, 'an answer other than the guide or 409', `${order.key} ${first?.said}`)
  }
}

/** Makes the new history longer than what the processes remember of the old one. */
async function outgrow({ shops, outside, readiness, violations }: Play, end: Position) {
  const [api] = shops.live.apis
  let [made, beyond] = [0, 0]
  const make = async () => {
    for (;;) {
      if ((await outside.ledger.head()) > end && ++beyond > 5) return
      if (made > 2_000) return
      const reference = `outgrown-${end}-${made++}`
      const answer = await api?.call('/v1/workspaces', {
        body: { name: 'Another', external_reference: reference },
      })
      if (answer?.status !== 201) {
        violations.add(
          'the history cannot grow while damaged',
          `${answer?.status} ${answer?.body.reason}`,
        )
        return
      }
    }
  }
  if (readiness.readySince() !== null) return
  await Promise.all(Array.from({ length: 4 }, make))
  // Longer than any loop of the service.
  await delay(1_500)
}

/** A process that starts on the damaged ledger serves requests and creates nothing. */
async function restartOne(play: Play): Promise<void> {
  const { apis, violations, shops, chance } = play
  const index = Math.floor(chance() * apis.length)
  const former = apis[index] as ServiceProcess
  former.signal('SIGKILL')
  await former.ended
  const started = await play.startAgain(index).catch((error: unknown) => {
    violations.add('no process starts on a damaged ledger', String(error).slice(0, 500))
    return null
  })
  if (started === null) return
  apis[index] = started
  const { state, body } = await readinessAt(started.url)
  violations.check(state === 'damaged', 'a process that starts does not see the damage', body)
  const shop = shops.live.apis[index]
  const answer = await shop?.create(`started-${performance.now()}`).catch(() => null)
  const isTold = answer?.status === 503 && answer.body.reason === 'ledger_damaged'
  violations.check(
    isTold,
    'a process that starts creates',
    `${answer?.status} ${answer?.body.reason}`,
  )
}

/** Checks that the shop gets webhooks for what happens afterwards. */
async function checkWebhooks({ webhooks, violations }: Play, shoppers: Shoppers) {
  const sent = await shoppers.create('test')
  const id = sent.order.shipmentId
  const isTold = await eventually(
    () => webhooks.received.some(({ event }) => JSON.stringify(event).includes(`"${id}"`)),
    (isSo) => isSo,
    webhookWithinMs,
  ).catch(() => false)
  violations.check(isTold, 'a webhook did not arrive afterwards', `${sent.said}`)
}
