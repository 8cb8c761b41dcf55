import pg from 'pg'
import t from 'tap'
import { shipmentIdOf } from '../../src/service/domain/ids.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import { readClock } from '../../src/service/processes/sandbox/workspace-clock.ts'
import { type Answer, type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { type Fleet, fleet, type ServiceProcess } from '../support/processes.ts'
import { storyOf } from '../support/same-play.ts'
import { testLedger } from '../support/test-ledger.ts'

/** The lock of every append (migration 0001): its holder blocks all appends. */
const appendLock = 7_310_001
/**
 * The connections to a courier that one organization may use: with all in use, its next call waits
 * and is not sent.
 */
const sockets = 48
/** The courier is slow for three seconds; a machine too busy for that gets another try. */
const triesMax = 4

const all: Fleet = await fleet(t)

function idOf(shop: ApiClient, idempotencyKey: string): string {
  const { organizationId, workspaceId } = shop.seeded
  return shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey })
}

async function firstAttempt(shipmentId: string): Promise<string | undefined> {
  return (await loadShipment(all.parts.store, shipmentId)).state?.attempts[0]?.state
}

function createCalls(shipmentId: string): number {
  return all.record.callsOf(shipmentId).filter(({ route }) => route === 'createGuide').length
}

/** An append can be held back only if the ledger is in the database. */
const isElsewhere = testLedger().eventStoreUrl !== undefined

type Asleep = { readonly keys: readonly string[]; readonly answers: Promise<readonly Answer[]> }

/**
 * Stops the process with two attempts that are recorded but not sent: one waits for a connection to
 * the courier, one for the answer to its append. Null if the machine was too slow.
 */
async function stopInBetween(
  sleeper: ServiceProcess,
  client: pg.Client,
  tries: number,
): Promise<Asleep | null> {
  const [queued, unacknowledged] = [`queued-${tries}`, `unacknowledged-${tries}`]
  // In a separate workspace whose clock is never advanced.
  const others = await freshShop(sleeper, `crowd-${tries}`)
  const crowd = Array.from({ length: sockets }, (_, index) =>
    others.create(`crowd-${index}`, { scenario: 'slow_success' }).catch(() => null),
  )
  await eventually(
    () => crowd.every((_, index) => createCalls(idOf(others, `crowd-${index}`)) === 1),
    (areCalled) => areCalled,
  )
  const answers = [sleeper.create(queued)]
  await eventually(
    () => firstAttempt(idOf(sleeper, queued)),
    (status) => status !== undefined,
  )
  if (isElsewhere) {
    sleeper.signal('SIGSTOP')
    if (createCalls(idOf(sleeper, queued)) === 0) {
      return { keys: [queued], answers: Promise.all(answers) }
    }
    sleeper.signal('SIGCONT')
    await Promise.all([...crowd, ...answers])
    return null
  }
  await client.query('SELECT pg_advisory_lock($1)', [appendLock])
  answers.push(sleeper.create(unacknowledged))
  await eventually(
    () => waitingForTheLock(client),
    (count) => count > 0,
  )
  sleeper.signal('SIGSTOP')
  await client.query('SELECT pg_advisory_unlock($1)', [appendLock])
  await eventually(
    () => firstAttempt(idOf(sleeper, unacknowledged)),
    (status) => status === 'calling',
  )
  if (createCalls(idOf(sleeper, queued)) === 0) {
    return { keys: [queued, unacknowledged], answers: Promise.all(answers) }
  }
  sleeper.signal('SIGCONT')
  await Promise.all([...crowd, ...answers])
  return null
}

async function waitingForTheLock(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event = 'advisory'`,
  )
  return rows[0].waiting
}

const played = [
  'happy_path',
  'lost_response_late_guide',
  'noisy_tracking',
  'label_delayed',
] as const
/** With these orders, an advance of two days takes far longer than reaching its first hour. */
const byTwoDays = 'PT48H'

async function order(shop: ApiClient): Promise<void> {
  await Promise.all(played.map((scenario) => shop.create(scenario, { scenario })))
}

/** The history of each order as text, with its guides and courier calls. */
async function stories(shop: ApiClient) {
  return await Promise.all(
    played.map(async (scenario) => {
      const id = idOf(shop, scenario)
      const made = { guides: all.record.guidesOf(id).length, calls: createCalls(id) }
      return { scenario, ...made, story: storyOf(await shop.events(id)) }
    }),
  )
}

t.test('another process resumes a killed clock advance and repeats nothing', async (t) => {
  const killed = await all.start()
  const { workspaceId } = killed.seeded
  const clock = () => readClock(all.parts.db, { workspaceId, livemode: false })
  await order(killed)
  const began = Date.now()
  const advance = killed.advance(byTwoDays).catch(() => null)
  await eventually(clock, ({ now }) => now > began + 2 * 3_600_000)
  killed.signal('SIGKILL')
  await killed.ended
  t.equal(await advance, null, 'the caller gets no answer')
  const { now, advancingTo } = await clock()
  t.ok(advancingTo !== null && now < advancingTo, 'it was in the middle')

  const next = await all.start()
  // The same orders in a workspace without a kill, while the dead process's lease expires.
  const whole = await freshShop(next, 'whole')
  await order(whole)
  await whole.advance(byTwoDays)
  const arrived = await eventually(clock, ({ advancingTo: to }) => to === null, 60_000)
  t.ok(arrived.now >= (advancingTo ?? 0) && arrived.now < (advancingTo ?? 0) + 60_000)
  t.strictSame(await stories(next), await stories(whole), 'as without a kill')
  next.signal('SIGTERM')
  await next.ended
})

t.test('a process frozen past the call deadline sends nothing', async (t) => {
  const [sleeper, awake] = await Promise.all([
    all.start({ roles: 'api' }),
    all.start({ roles: 'api,projector,worker' }),
  ])
  const client = new pg.Client({ connectionString: all.database.adminUrl })
  await client.connect()
  t.teardown(() => client.end())
  t.equal((await sleeper.create('warm')).status, 201)

  let asleep: Asleep | null = null
  for (let tries = 1; asleep === null && tries <= triesMax; tries++) {
    asleep = await stopInBetween(sleeper, client, tries)
  }
  if (asleep === null) throw new Error('the machine is too slow for this test')

  await awake.advance('PT5M')
  for (const key of asleep.keys) {
    const { body } = await awake.create(key)
    t.equal(body.reason, 'nothing_created', `${key} was concluded while its process slept`)
  }
  sleeper.signal('SIGCONT')
  for (const { status, body } of await asleep.answers) {
    t.equal(status, 409)
    t.match(body.reason, /^(nothing_created|unknown_outcome)$/)
  }
  for (const key of asleep.keys) {
    const events = await eventually(
      () => awake.events(idOf(awake, key)),
      (found) => found.at(-1)?.type === 'LateAnswerRecorded',
    )
    t.match(events.at(-1)?.data, { answer: 'not_sent' }, 'its late evidence is kept')
    t.equal(createCalls(idOf(awake, key)), 0, 'the courier never received it')
  }
})
