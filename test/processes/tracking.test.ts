import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import { shipmentProjection } from '../../projections/all.ts'
import type { NativeTrackingEvent, TrackAnswer } from '../../src/service/couriers/courier.ts'
import { pool as openPool } from '../../src/service/database/pool.ts'
import type { Instant } from '../../src/service/domain/decider.ts'
import { operationIdOf } from '../../src/service/domain/ids.ts'
import { trackingEventsMax } from '../../src/service/domain/tracking/tracking.ts'
import { existing, loadShipment } from '../../src/service/event-store/transact.ts'
import { claimable } from '../../src/service/processes/due/claims-postgres.ts'
import { jobKinds } from '../../src/service/processes/due/job-kinds.ts'
import { dueList } from '../../src/service/processes/due/list.ts'
import {
  pollBudgetLimits,
  takeSlot,
  takeSlotNow,
} from '../../src/service/processes/tracking/poll-budget.ts'
import { readPoll } from '../../src/service/processes/tracking/poll-plan.ts'
import {
  pollTracking,
  refreshTimes,
  refreshTracking,
} from '../../src/service/processes/tracking/poll-tracking.ts'
import { ensureProjection, projectionStatuses } from '../../src/service/projector/checkpoint.ts'
import { runFollower } from '../../src/service/projector/follow.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { Vault, VaultUnavailable } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import { eventually } from '../support/eventually.ts'
import { days, hours, minutes, seconds, start } from '../support/given.ts'
import { noLog } from '../support/no-log.ts'
import { type Made, processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const { deps, courier } = parts
await ensureProjection(deps.db, shipmentProjection)
const issuedAt = start + seconds(1)
const issued = () =>
  parts.shipment({
    kind: 'issued',
    guide: { guideNumber: 'G-1', price: null, pickupCodeRef: null },
  })
const scan = (
  code: string,
  at: Instant,
  id: string | null = `${code}-${at}`,
): NativeTrackingEvent => ({
  id,
  code,
  occurredAt: new Date(at),
  agencyCode: 'LIM-01',
  text: `Texto de ${code}`,
  actionRequired: false,
})
const tracked = (...events: readonly NativeTrackingEvent[]): TrackAnswer => ({
  kind: 'tracked',
  events,
  malformed: 0,
  eta: null,
})
const down: TrackAnswer = { kind: 'unknown', cause: 'courier_error' }
const poll = (made: Made, now: Instant) => pollTracking(deps, made.shipmentId, now)
const pollOf = (made: Made) => readPoll(deps.db, made.shipmentId)
const nextInMinutes = async (made: Made, now: Instant) =>
  (((await pollOf(made))?.nextCheckAt ?? 0) - now) / minutes(1)
const trackingOf = async (made: Made) => (await parts.state(made)).tracking
/** The events after the guide. */
const tail = async (made: Made) => (await parts.types(made)).slice(3)

t.beforeEach(() => {
  courier.tracking = () => tracked()
})

t.test('a poll without news does not open the vault', async (t) => {
  const made = await issued()
  const closed = openPool({ connectionString: parts.url, max: 1, log: noLog })
  await closed.end()
  const keys = masterKeys(randomBytes(32).toString('base64'))
  const away = { ...deps, vault: new Vault(postgresVaultRows(closed), keys) }
  t.equal(await pollTracking(away, made.shipmentId, issuedAt), true)
  courier.tracking = () => tracked(scan('registered', start))
  await t.rejects(pollTracking(away, made.shipmentId, issuedAt + hours(1)), VaultUnavailable)
})

t.test("a poll records new scans, with the courier's wording in the vault only", async (t) => {
  const made = await issued()
  courier.tracking = () => tracked(scan('registered', start), scan('sorted_on_belt', start + 1))
  t.equal(await poll(made, issuedAt), true)
  t.same(await tail(made), ['TrackingObserved'])
  const { events, status, monitoring } = await trackingOf(made)
  t.equal(status, 'registered')
  t.equal(monitoring, 'active')
  t.same(
    events.map(({ code, mapped }) => [code, mapped]),
    [
      ['registered', true],
      ['unmapped', false],
    ],
  )
  const stream = await parts.events(made)
  t.notMatch(JSON.stringify(stream), /Texto|sorted_on_belt/)
  const observed = stream.find((event) => event.type === 'TrackingObserved')
  const ref = observed?.type === 'TrackingObserved' ? observed.data.evidence_ref : null
  t.match(await deps.vault.openItem(ref ?? ''), {
    native: [{ text: 'Texto de registered' }, { code: 'sorted_on_belt' }],
  })
})

t.test('a poll that changes nothing appends nothing', async (t) => {
  const made = await issued()
  const registered = scan('registered', start)
  courier.tracking = () => tracked(registered, registered)
  await poll(made, issuedAt)
  const { length } = await parts.events(made)
  for (const hour of [1, 2, 3]) {
    const now = issuedAt + hours(hour)
    await poll(made, now)
    t.equal(await nextInMinutes(made, now), 60)
    t.equal((await pollOf(made))?.lastCheckedAt, now)
  }
  t.equal((await parts.events(made)).length, length)
})

t.test('a scan without its own id is the same scan each time it is read', async (t) => {
  const made = await issued()
  courier.tracking = () => tracked(scan('in_transit', start, null), scan('in_transit', start, null))
  await poll(made, issuedAt)
  await poll(made, issuedAt + hours(1))
  t.equal((await trackingOf(made)).events.length, 1)
})

t.test(
  'five failed polls in a row make monitoring unreachable, one success active again',
  async (t) => {
    const made = await issued()
    courier.tracking = () => tracked(scan('in_transit', start))
    await poll(made, issuedAt)
    courier.tracking = () => down
    let now = issuedAt + hours(2)
    const waits: number[] = []
    for (let count = 1; count <= 8; count++) {
      await poll(made, now)
      const wait = await nextInMinutes(made, now)
      waits.push(wait)
      t.equal((await trackingOf(made)).monitoring, count < 5 ? 'active' : 'unreachable')
      now += minutes(wait)
    }
    t.same(waits, [5, 10, 20, 40, 80, 160, 320, 360])
    courier.tracking = () => tracked(scan('in_transit', start))
    await poll(made, now)
    t.equal((await pollOf(made))?.failures, 0)
    t.same((await tail(made)).slice(1), ['TrackingMonitoringChanged', 'TrackingMonitoringChanged'])
    t.equal((await trackingOf(made)).monitoring, 'active')
  },
)

t.test('a parked connection defers polls and counts no failures', async (t) => {
  const made = await issued()
  courier.tracking = () => down
  await poll(made, issuedAt)
  courier.tracking = () => ({ kind: 'unauthorized' })
  await poll(made, issuedAt + minutes(5))
  t.equal(await parts.connectionStatus(), 'needs_reauth')
  const asked = courier.tracked.length
  const now = issuedAt + minutes(10)
  await poll(made, now)
  t.equal(courier.tracked.length, asked)
  t.match(await pollOf(made), {
    failures: 1,
    lastCheckedAt: issuedAt,
    nextCheckAt: now + minutes(5),
  })
  t.same(await tail(made), [])
  await poll(made, issuedAt + days(30))
  t.same(await tail(made), ['TrackingMonitoringChanged'], 'it is given up all the same')
  t.equal((await trackingOf(made)).monitoring, 'expired')
  await parts.activate()
})

t.test('a delivered parcel is polled once more after a day and then never again', async (t) => {
  const made = await issued()
  courier.tracking = () => tracked(scan('delivered', start + hours(30)))
  const now = start + hours(30)
  await poll(made, now)
  t.equal(await nextInMinutes(made, now), 24 * 60)
  t.equal((await trackingOf(made)).monitoring, 'active')
  await poll(made, now + days(1))
  t.equal((await trackingOf(made)).monitoring, 'completed')
  t.equal((await pollOf(made))?.nextCheckAt, null)
})

t.test('monitoring expires for parcels never handed over or long unreachable', async (t) => {
  const silent = await issued()
  await poll(silent, issuedAt + days(30) - 1)
  t.equal((await trackingOf(silent)).monitoring, 'active')
  t.equal(await nextInMinutes(silent, issuedAt + days(30) - 1), 6 * 60)
  await poll(silent, issuedAt + days(30))
  t.equal((await trackingOf(silent)).monitoring, 'expired')
  const gone = await issued()
  courier.tracking = () => tracked(scan('in_transit', start))
  await poll(gone, issuedAt)
  courier.tracking = () => down
  await poll(gone, issuedAt + days(90) - 1)
  t.equal((await trackingOf(gone)).monitoring, 'active')
  await poll(gone, issuedAt + days(90))
  t.equal((await trackingOf(gone)).monitoring, 'expired')
  t.equal((await pollOf(gone))?.nextCheckAt, null)
})

t.test('a guide whose cancellation is withdrawn is polled again from then on', async (t) => {
  await ensureProjection(deps.db, dueList)
  const stop = new AbortController()
  const following = runFollower({ ...deps, pool: parts.pool }, [dueList], stop.signal)
  const made = await issued()
  const operationId = operationIdOf(made.shipmentId, 2)
  const asked = start + hours(1)
  const callDeadline = asked + seconds(20)
  const intent = { now: asked, callDeadline, operationId, credentialsVersion: 1, key: 'c-1' }
  await parts.decide(made, { do: 'request_cancellation', ...intent }, asked)
  const outcome = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true } as const
  await parts.decide(made, { do: 'record_outcome', operationId, outcome }, asked)
  const decided = asked + minutes(5)
  const decision = {
    decision: 'cancelled',
    guide: null,
    now: decided,
    resolutionRef: null,
  } as const
  await parts.decide(made, { do: 'resolve', operationId, ...decision }, decided)
  const follow = async () => {
    const head = String(await deps.store.head())
    await eventually(
      () => projectionStatuses(deps.db),
      (all) => all.some(({ name, position }) => name === dueList.name && String(position) >= head),
    )
  }
  await follow()
  await poll(made, decided + minutes(1))
  await poll(made, decided + hours(25))
  t.equal((await trackingOf(made)).monitoring, 'completed')
  const plannedFor = async () => (await pollOf(made))?.nextCheckAt
  await follow()
  t.equal(await plannedFor(), null)
  const lookedAt = start + days(7)
  const look = {
    startedAt: lookedAt,
    result: { kind: 'standing' },
    by: 'reconciliation',
  } as const
  await parts.decide(made, { do: 'record_look', operationId, ...look }, lookedAt)
  t.match(await trackingOf(made), { status: 'registered', monitoring: 'active' })
  await follow()
  t.equal(await plannedFor(), lookedAt, 'due when the guide became known')
  courier.tracking = () => tracked(scan('in_transit', start + days(2)))
  await poll(made, lookedAt)
  t.match(await trackingOf(made), { status: 'in_transit', monitoring: 'active' })
  await follow()
  t.equal(await nextInMinutes(made, lookedAt), 120)
  stop.abort()
  await following
})

t.test('a long list of scans is recorded over several polls, up to the limit', async (t) => {
  const made = await issued()
  const all = Array.from({ length: trackingEventsMax + 50 }, (_, minute) =>
    scan('in_transit', start + minutes(minute)),
  )
  courier.tracking = () => tracked(...all.toReversed())
  for (let count = 0; count < 7; count++) await poll(made, issuedAt + hours(count))
  t.equal((await trackingOf(made)).events.length, trackingEventsMax)
  const observed = (await tail(made)).filter((type) => type === 'TrackingObserved')
  t.equal(observed.length, 5, 'two hundred at once')
})

t.test('a shipment without a guide is not polled and has no plan', async (t) => {
  const made = await parts.shipment({ kind: 'rejected', detailRef: null })
  const asked = courier.tracked.length
  t.equal(await poll(made, issuedAt), false)
  t.equal(courier.tracked.length, asked)
  t.equal(await pollOf(made), null)
})

t.test(
  'an expected arrival is recorded when it changes and makes polls more frequent',
  async (t) => {
    const made = await issued()
    const eta = new Date(start + hours(20))
    const answer = tracked(scan('in_transit', start))
    courier.tracking = () => ({ ...answer, eta }) as TrackAnswer
    await poll(made, issuedAt)
    t.equal(await nextInMinutes(made, issuedAt), 120)
    const later = start + hours(9)
    await poll(made, later)
    t.equal(await nextInMinutes(made, later), 30)
    t.same(await tail(made), ['TrackingObserved'])
    t.equal((await trackingOf(made)).eta, eta.getTime())
  },
)

const refresh = async (made: Made, now: Instant) =>
  await refreshTracking(deps, made.shipmentId, await loadShipment(deps.store, made.shipmentId), now)
const nextTurn = (made: Made) =>
  parts.query('UPDATE claims SET leased_until = now() WHERE work = $1', [
    `refresh-turn:${made.shipmentId}`,
  ])

t.test('a refresh returns what it read, and an immediate second one is refused', async (t) => {
  const made = await issued()
  await poll(made, issuedAt)
  courier.tracking = () => tracked(scan('in_transit', start))
  const asked = courier.tracked.length
  const now = issuedAt + minutes(3)
  const refreshed = await refresh(made, now)
  t.equal(refreshed.kind === 'read' && existing(refreshed.snapshot).tracking.status, 'in_transit')
  t.equal(await nextInMinutes(made, now), 120, 'the next read waits its whole interval')
  const again = await Promise.allSettled([refresh(made, now), refresh(made, now)])
  for (const each of again) {
    t.match(each, {
      reason: {
        reason: 'rate_limited',
        options: { retryAfterSeconds: refreshTimes.apartMs / 1_000 },
      },
    })
  }
  t.equal(courier.tracked.length, asked + 1)
})

t.test('a refresh restarts expired monitoring for its whole period', async (t) => {
  const made = await issued()
  courier.tracking = () => tracked(scan('in_transit', start))
  await poll(made, issuedAt)
  await poll(made, issuedAt + days(90))
  t.equal((await trackingOf(made)).monitoring, 'expired')
  const asked = courier.tracked.length
  t.equal(await poll(made, issuedAt + days(91)), false, 'by itself it is not read any more')
  t.equal(courier.tracked.length, asked)
  const resumedAt = issuedAt + days(100)
  await refresh(made, resumedAt)
  t.equal((await trackingOf(made)).monitoring, 'active')
  t.equal((await pollOf(made))?.nextCheckAt, resumedAt + hours(2))
  await poll(made, resumedAt + days(90) - 1)
  t.equal((await trackingOf(made)).monitoring, 'active')
  await poll(made, resumedAt + days(90))
  t.equal((await trackingOf(made)).monitoring, 'expired')
})

t.test('a refresh that fails changes neither the plan nor the monitoring', async (t) => {
  const made = await issued()
  courier.tracking = () => tracked(scan('in_transit', start))
  await poll(made, issuedAt)
  const before = await pollOf(made)
  courier.tracking = () => down
  for (let count = 1; count <= 6; count++) {
    t.match(await refresh(made, issuedAt + minutes(count)), { kind: 'failed', failure: down })
    await nextTurn(made)
  }
  t.same(await pollOf(made), before)
  t.equal((await trackingOf(made)).monitoring, 'active')
  courier.tracking = () => ({ kind: 'unauthorized' })
  t.match(await refresh(made, issuedAt + hours(1)), { failure: { kind: 'unauthorized' } })
  t.equal(await parts.connectionStatus(), 'needs_reauth')
  await parts.activate()
})

t.test('a refresh without a guide makes no courier call and uses up no turn', async (t) => {
  const made = await parts.shipment({ kind: 'rejected', detailRef: null })
  const asked = courier.tracked.length
  for (let count = 0; count < 2; count++) {
    t.match(await refresh(made, issuedAt), { kind: 'read' })
  }
  t.equal(courier.tracked.length, asked)
})

t.test('a refresh soon after the delivery does not complete the monitoring', async (t) => {
  const made = await issued()
  courier.tracking = () => tracked(scan('delivered', start))
  await poll(made, issuedAt)
  await refresh(made, issuedAt + hours(1))
  t.equal((await trackingOf(made)).monitoring, 'active')
  t.equal((await pollOf(made))?.nextCheckAt, issuedAt + days(1), 'it is confirmed a day after it')
})

t.test(
  'a connection is polled within its limit, and excess polls each wait for a slot',
  async (t) => {
    const { atOnceMax, perMinuteMax } = pollBudgetLimits
    const over = 10
    const ids = Array.from({ length: atOnceMax + over }, (_, number) => `shp_budget_${number}`)
    await parts.query(
      `INSERT INTO due (shipment_id, workspace_id, livemode, check_at)
     SELECT id, 'ws_of_the_budget', true, now() FROM unnest($1::text[]) id`,
      [ids],
    )
    const began = Date.now()
    const taken = await Promise.all(ids.map((id) => takeSlot(deps.db, 'ccn_budget', id)))
    const tookMs = Date.now() - began
    const now = taken.filter(Boolean).length
    const refilled = Math.ceil((tookMs / 60_000) * perMinuteMax)
    t.ok(now >= atOnceMax && now <= atOnceMax + refilled, `${now} at once`)
    const waiting = await parts.query<{ shipment_id: string; check_at: Date }>(
      `SELECT shipment_id, check_at FROM due
     WHERE workspace_id = 'ws_of_the_budget' AND has_slot ORDER BY check_at`,
    )
    t.equal(waiting.length, ids.length - now)
    const stepMs = 60_000 / perMinuteMax
    for (const [index, { check_at: at }] of waiting.entries()) {
      const before = waiting[index - 1]?.check_at
      if (before !== undefined) t.equal(at.getTime() - before.getTime(), stepMs, 'one a step')
    }
    const waitMs = await takeSlotNow(deps.db, 'ccn_budget')
    t.ok(
      waitMs !== null && waitMs <= over * stepMs,
      `a client that asks in between waits ${waitMs} ms`,
    )
    const [first] = waiting
    t.equal(await takeSlot(deps.db, 'ccn_budget', first?.shipment_id ?? ''), true, 'it is its turn')
    t.equal(await takeSlotNow(deps.db, 'ccn_other'), null, 'another connection has its own')
    await parts.query(`DELETE FROM due WHERE workspace_id = 'ws_of_the_budget'`)
  },
)

t.test('due work is found by an index, however much is planned', async (t) => {
  await parts.query(
    `INSERT INTO due (shipment_id, workspace_id, livemode, check_at, label_at, reconcile_at, erase_at)
     SELECT 'shp_' || n, 'ws_' || n % 7, n % 2 = 0, at, at, CASE WHEN n % 9 = 0 THEN at END,
       CASE WHEN n % 11 = 0 THEN at END
     FROM generate_series(1, $1::int) n, LATERAL (SELECT now() + n * interval '1 s' AS at) a`,
    [20_000],
  )
  await parts.query('ANALYZE due')
  const indexes = { track: 'check', label: 'label', reconcile: 'reconcile', erase: 'erase' }
  for (const { name, claimMax } of jobKinds) {
    const due = sql<{
      'QUERY PLAN': string
    }>`EXPLAIN ${claimable(name, claimMax)} SELECT * FROM picked`
    const plan = (await due.execute(deps.db)).rows.map((row) => row['QUERY PLAN']).join('\n')
    t.match(plan, `due_${indexes[name]}`)
    t.match(plan, 'due_by_workspace')
    t.notMatch(plan, 'Seq Scan on due')
  }
})
