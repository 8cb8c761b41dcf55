import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { couriers } from '../../../src/service/couriers/couriers.ts'
import { simulatedCourier } from '../../../src/service/couriers/simulated-courier.ts'
import { rfc3339 } from '../../../src/service/domain/decider.ts'
import { operationIdOf, shipmentIdOf } from '../../../src/service/domain/ids.ts'
import type { Command } from '../../../src/service/domain/shipment/shipment-decisions.ts'
import { startEmbedded } from '../../../src/service/embedded-postgres/embedded.ts'
import { transact } from '../../../src/service/event-store/transact.ts'
import { claimable } from '../../../src/service/processes/due/claims-postgres.ts'
import { jobKinds } from '../../../src/service/processes/due/job-kinds.ts'
import { shipmentKinds } from '../../../src/service/processes/due/shipment-kinds.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { runQueue } from '../../../src/service/queue/run.ts'
import { eventually } from '../../support/eventually.ts'
import { request as exampleRequest, hours, seconds } from '../../support/given.ts'
import { noLog } from '../../support/no-log.ts'
import { say } from '../../support/say.ts'
import { scratchVariable } from '../../support/scratch-server.ts'
import { type Service, service } from '../../support/service.ts'
import { storeRow } from '../../support/stored-row.ts'
import { type FastCourier, fastCourier } from './fast-courier.ts'

// Ten thousand active shipments on the durable embedded PostgreSQL, all roles in one process:
// measures how late polls are, how many per second are possible, and that polls without news append
// nothing. Then a million: due work is found by an index. `npm run prove:poller [-- <shipments>
// <seconds that polls are measured>]`

const shipments = Number(process.argv[2] ?? 10_000)
const spreadSeconds = Number(process.argv[3] ?? 180)
/** Polls per second: three times the fastest regular rate, which is all of them every half hour. */
const perSecond = (3 * shipments) / (30 * 60)
const many = 1_000_000
const filledAtOnce = 50_000
/** One in this many polled shipments has a new scan. */
const newsEvery = 50
const seededAtOnce = 100
/** The longest permitted delay: a hundredth of the shortest interval of half an hour. */
const lateMsMax = 18_000

let failed = 0
const summary: string[] = []

function check(isSo: boolean, what: string): void {
  if (!isSo) failed += 1
  say(`${isSo ? 'ok ' : 'NOT'} ${what}`)
}

const issuedAt = Date.now() - hours(3)
const scan = (code: string, at: number) => ({
  id: `${code}-${at}`,
  code,
  occurred_at: rfc3339(at),
  agency_code: null,
  text: 'Escaneo',
  action_required: false,
})
const usualScans = [scan('registered', issuedAt), scan('in_transit', issuedAt + hours(1))]

/** An active shipment with a real history: requested, issued, read twice. */
async function seedOne(shop: Service, number: number): Promise<string> {
  const { organizationId, workspaceId, connectionId } = shop.seeded
  const { store, vault } = shop.parts
  const idempotencyKey = `poll-${number}`
  const shipmentId = shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey })
  const draft = vault.prepare({ organizationId, workspaceId, shipmentId }, { recipient: {} })
  await storeRow(shop.parts.pool, draft)
  const commands: readonly Command[] = [
    {
      do: 'request_shipment',
      now: issuedAt,
      callDeadline: issuedAt + seconds(20),
      operationId: operationIdOf(shipmentId, 1),
      credentialsVersion: 1,
      request: {
        ...exampleRequest,
        organization_id: organizationId,
        workspace_id: workspaceId,
        courier_connection_id: connectionId,
        idempotency_key: idempotencyKey,
        vault_ref: draft.ref,
      },
    },
    {
      do: 'record_outcome',
      operationId: operationIdOf(shipmentId, 1),
      outcome: {
        kind: 'issued',
        guide: { guideNumber: `G-${number}`, price: null, pickupCodeRef: null },
      },
    },
  ]
  const actor = { type: 'system', keyId: null } as const
  for (const command of commands) {
    await transact(store, shipmentId, command, { actor, requestId: null, now: issuedAt })
  }
  return shipmentId
}

async function seedAll(shop: Service): Promise<readonly string[]> {
  const ids: string[] = []
  const began = performance.now()
  let next = 0
  const seeder = async () => {
    while (next < shipments) {
      const number = next++
      ids[number] = await seedOne(shop, number)
      if ((number + 1) % 2_500 === 0) say(`    ${number + 1} shipments are there`)
    }
  }
  await Promise.all(Array.from({ length: seededAtOnce }, seeder))
  const head = await shop.parts.store.head()
  await projectionsReached(shop.parts.db, head, 600_000)
  say(`    ${shipments} seeded and projected in ${Math.round(performance.now() - began)} ms`)
  return ids
}

async function eventsOf(shop: Service): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) FROM ledger.event`.execute(shop.parts.db)
  return Number(rows[0]?.count)
}

/** Schedules the next poll of each shipment, spread over this many milliseconds. */
async function planAll(shop: Service, ids: readonly string[], spreadMs: number): Promise<number> {
  const from = Date.now() + 3_000
  await sql`
    UPDATE due SET check_at =
      ${rfc3339(from)}::timestamptz + (n - 1) * ${spreadMs / ids.length}::float8 * interval '1 millisecond'
    FROM unnest(${ids}::text[]) WITH ORDINALITY AS one(id, n)
    WHERE shipment_id = one.id`.execute(shop.parts.db)
  return from
}

type Polled = { readonly lateMs: readonly number[]; readonly perSecond: number }

async function pollAll(
  shop: Service,
  courier: FastCourier,
  ids: readonly string[],
  spreadMs: number,
): Promise<Polled> {
  courier.asked.clear()
  const from = await planAll(shop, ids, spreadMs)
  let said = 0
  await eventually(
    () => courier.asked.size,
    (count) => {
      if (count - said >= ids.length / 4) {
        said = count
        say(`    ${count} polled`)
      }
      return count === ids.length
    },
    spreadMs + 600_000,
  )
  const lateMs = ids.map((id, number) => {
    return (courier.asked.get(id)?.[0] ?? 0) - (from + (number * spreadMs) / ids.length)
  })
  const last = Math.max(...[...courier.asked.values()].map(([at = 0]) => at))
  const twice = [...courier.asked.values()].filter((times) => times.length > 1).length
  check(twice === 0, `nothing was polled twice (${twice})`)
  return {
    lateMs: lateMs.toSorted((a, b) => a - b),
    perSecond: ids.length / ((last - from) / 1_000),
  }
}

function figures({ lateMs, perSecond }: Polled): string {
  const at = (share: number) => Math.round(lateMs[Math.floor(lateMs.length * share)] ?? 0)
  return `late p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(0.9999)} ms; ${perSecond.toFixed(1)} polls/s`
}

async function noneUnderWay(shop: Service): Promise<void> {
  const underWay = sql`SELECT FROM due WHERE owner IS NOT NULL`
  await eventually(
    async () => (await underWay.execute(shop.parts.db)).rows.length,
    (count) => count === 0,
  )
}

/** The highest possible rate: the first poll of every guide, all due at once. */
async function pollNew(courier: FastCourier): Promise<void> {
  const began = performance.now()
  await eventually(
    () => courier.asked.size,
    (count) => count === shipments,
    900_000,
  )
  const rate = shipments / ((performance.now() - began) / 1_000)
  const everyMin = (shipments / rate / 60).toFixed(1)
  summary.push(`${rate.toFixed(1)} first reads/s, the pace of ${shipments} every ${everyMin} min`)
  say(`    ${summary}, each with an event`)
}

/** The regular schedule: this many polls per second, and one in fifty has news. */
async function pollOnSchedule(shop: Service, courier: FastCourier, all: readonly string[]) {
  const ids = all.slice(0, Math.round(perSecond * spreadSeconds))
  await noneUnderWay(shop)
  const changed = ids.filter((_, number) => number % newsEvery === 0)
  const late = scan('arrived_at_hub', Date.now() - seconds(1))
  for (const id of changed) courier.news.set(id, late)
  const before = await eventsOf(shop)
  say(
    `${ids.length} of them due over ${spreadSeconds} s: ${perSecond.toFixed(1)} a second; half-hourly polls of ${shipments} are ${(shipments / 1_800).toFixed(1)}, two-hourly ${(shipments / 7_200).toFixed(1)}`,
  )
  const polled = await pollAll(shop, courier, ids, spreadSeconds * 1_000)
  await noneUnderWay(shop)
  say(`    ${figures(polled)}`)
  summary.push(figures(polled))
  const appended = (await eventsOf(shop)) - before
  check(appended === changed.length, `${appended} events: one for each that changed, no other`)
  const p99 = polled.lateMs[Math.floor(polled.lateMs.length * 0.99)] ?? 0
  check(p99 <= lateMsMax, `p99 of the lateness within ${lateMsMax} ms`)
}

/** Only rows of polls, to test how due ones are found. */
async function findAmongMany(shop: Service): Promise<void> {
  const db = shop.parts.db
  say(`${many} shipments more, in the lists only`)
  for (let from = 1; from <= many; from += filledAtOnce) {
    const numbers = sql`generate_series(${from}::int, ${from + filledAtOnce - 1}::int) n`
    await sql`
      INSERT INTO due (shipment_id, workspace_id, livemode, guide_number, check_at, label_at)
      SELECT 'shp_' || n, ${shop.seeded.workspaceId}, n % 2 = 0, 'G', now() + n * interval '10 ms',
        now() + n * interval '20 ms'
      FROM ${numbers}`.execute(db)
  }
  for (const kind of jobKinds.filter(({ name }) => name !== 'reconcile')) {
    const due = sql`${claimable(kind.name, kind.claimMax)} SELECT * FROM picked`
    const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN ${due}`.execute(db)
    const walked = rows.filter((row) => /Seq Scan on due/.test(row['QUERY PLAN']))
    check(walked.length === 0, `${kind.name}: what is due is found by an index`)
    say(`    ${await timed(() => due.execute(db))} ms a look`)
  }
}

async function timed(run: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let count = 0; count < 50; count++) {
    const began = performance.now()
    await run()
    times.push(performance.now() - began)
  }
  const sorted = times.toSorted((a, b) => a - b)
  return `p50 ${sorted[25]?.toFixed(1)}, most ${sorted[49]?.toFixed(1)}`
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-poller-'))
  const closers: (() => Promise<unknown>)[] = [
    async () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }),
  ]
  try {
    const postgres = await startEmbedded({
      dataDir: directory,
      adminPassword: randomBytes(12).toString('hex'),
      applicationPassword: 'application',
      log: noLog,
    })
    closers.push(() => postgres.stop())
    process.env[scratchVariable] = postgres.adminUrl
    const shop = await service(
      { teardown: (fn) => closers.push(fn) },
      { roles: ['api', 'projector'] },
    )
    const courier = await fastCourier(usualScans)
    const simulated = simulatedCourier({ url: courier.url })
    closers.push(
      () => courier.close(),
      () => simulated.close(),
    )
    const ids = await seedAll(shop)
    const stop = new AbortController()
    const all = couriers({ simulator: simulated, live: new Map() })
    const deps = { ...shop.parts, couriers: all }
    const working = runQueue(deps, shipmentKinds(deps), stop.signal)
    try {
      say('the first read of every guide, all due at once')
      await pollNew(courier)
      await pollOnSchedule(shop, courier, ids)
    } finally {
      stop.abort()
      await working
    }
    await findAmongMany(shop)
  } finally {
    for (const close of closers.toReversed()) await close()
  }
  say(`poller: ${summary.join(', ')}; ${failed} checks failed`)
  process.exit(failed === 0 ? 0 : 1)
}

await main()
