import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { projections } from '../../projections/all.ts'
import { shipmentStream } from '../../src/service/domain/ids.ts'
import { diff } from '../../src/service/ledger/diff/diff.ts'
import { erasureTimes } from '../../src/service/processes/erasure/erasure.ts'
import {
  erasureListName,
  readErasureList,
} from '../../src/service/processes/erasure/erasure-list.ts'
import { projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { makeCanaries, searchForCanaries, tablesAsText } from '../support/canaries.ts'
import { eventually } from '../support/eventually.ts'
import { fleet } from '../support/processes.ts'
import { random, seedOf } from '../support/random.ts'
import { verifySealed } from '../support/sealed-whole.ts'

const asks = ['once', 'insistently', 'by the command line', 'never'] as const
type Ask = (typeof asks)[number]

/** Shipments for each way of requesting the erasure. */
const each = 16
const kills = 3
/** More concurrent creations would wait for each other's courier calls. */
const madeAtOnce = 8
const askAgainMs = 50
/**
 * On the workspace's clock: longer than the grace period of every erasure and the wait for unknown
 * outcomes.
 */
const untilEverythingEnded = 'PT10H'

const seed = seedOf('ERASURE_SEED')
const draw = random(seed)
t.comment(`ERASURE_SEED=${seed}`)
const all = await fleet(t)
const admin = new pg.Client({ connectionString: all.database.adminUrl })
await admin.connect()
t.teardown(() => admin.end())
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-erasures-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))

type Shipped = { readonly id: string; readonly ask: Ask; readonly canary: string }

const erase = (shop: { call: typeof service.call }, id: string) =>
  shop
    .call(`/v1/shipments/${id}/erase-personal-data`, { method: 'POST' })
    .then(({ status }) => status)
    .catch(() => null)

async function shipped(): Promise<readonly Shipped[]> {
  const orders = Array.from({ length: asks.length * each }, (_, n) => n)
  const made: Shipped[] = []
  while (orders.length > 0) {
    const some = orders.splice(0, madeAtOnce).map(async (n) => {
      const canary = String(makeCanaries(['first_name']).first_name)
      const recipient = { ...(service.bodyOf('x').recipient as object), first_name: canary }
      const scenario = n % 8 < 4 ? 'happy_path' : 'lost_response_guide_created'
      const { body } = await service.create(`o-${n}`, { scenario, body: { recipient } })
      return { id: body.id ?? body.shipment_id, ask: asks[n % 4] as Ask, canary }
    })
    made.push(...(await Promise.all(some)))
  }
  return made
}

/** The sealed bytes that the vault holds for each shipment, as in a dump. */
async function sealed(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await admin.query<{ id: string; bytes: Buffer }>(
    `SELECT shipment_id AS id, wrapped_key AS bytes FROM vault WHERE wrapped_key IS NOT NULL
     UNION ALL SELECT shipment_id, payload FROM vault WHERE payload IS NOT NULL
     UNION ALL SELECT v.shipment_id, i.payload FROM vault_items i JOIN vault v ON v.ref = i.vault_ref`,
  )
  const found = new Map<string, string[]>()
  for (const { id, bytes } of rows) {
    found.set(id, [...(found.get(id) ?? []), bytes.toString('hex')])
  }
  return found
}

type Met = { noted: number; recorded: number }

/** How far unfinished erasures were at the time of the kill. */
async function underWay(): Promise<Met> {
  const { rows } = await admin.query<{ id: string }>(
    `SELECT e.shipment_id AS id FROM erasures e JOIN vault v ON v.shipment_id = e.shipment_id
     WHERE e.ended_at IS NULL AND v.wrapped_key IS NOT NULL`,
  )
  const met = { noted: 0, recorded: 0 }
  for (const { id } of rows) {
    const events = await all.parts.store.readStream(shipmentStream(id))
    met[events.some(({ type }) => type === 'PersonalDataErased') ? 'recorded' : 'noted'] += 1
  }
  return met
}

let service = await all.start()
const { operatorId } = service.seeded
const port = Number(new URL(service.url).port)
const shipments = await shipped()
const of = (ask: Ask) => shipments.filter((one) => one.ask === ask).map(({ id }) => id)
const before = await sealed()
const answers = new Map<string, (number | null)[]>()

/** Requests the erasure once, or until the answer says that it is done. */
async function ask(id: string, isInsistent: boolean): Promise<void> {
  for (;;) {
    const status = await erase(service, id)
    answers.set(id, [...(answers.get(id) ?? []), status])
    if (!isInsistent || status === 200) return
    await delay(askAgainMs)
  }
}

t.test('erasures all end although the service and the command are killed', async (t) => {
  const file = join(folder, 'wanted.ndjson')
  const lines = of('by the command line').map((id) => JSON.stringify({ shipment_id: id }))
  writeFileSync(file, lines.join('\n'))
  const asking: Promise<void>[] = []
  const share = Math.ceil(each / kills)
  const erasedSoFar = async () => {
    const { rows } = await admin.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM vault WHERE wrapped_key IS NULL AND shipment_id = ANY ($1)',
      [of('by the command line')],
    )
    return rows[0]?.n ?? 0
  }
  const notedOf = async (ids: readonly string[]) =>
    (await admin.query('SELECT FROM erasures WHERE shipment_id = ANY ($1)', [ids])).rowCount ?? 0
  let killed = 0
  const met: Met = { noted: 0, recorded: 0 }
  for (let kill = 0; kill < kills; kill++) {
    const command = all.command('erase', '--from', file, '--json', '--as', operatorId)
    const wave = (kind: Ask) => of(kind).slice(kill * share, (kill + 1) * share)
    const reached = await erasedSoFar()
    asking.push(...wave('once').map((id) => ask(id, false)))
    asking.push(...wave('insistently').map((id) => ask(id, true)))
    const wanted = draw() * share
    while ((await notedOf([...wave('once'), ...wave('insistently')])) <= wanted) await delay(1)
    service.signal('SIGKILL')
    await service.ended
    const isOver = command.ended.then(() => true)
    const more = reached + draw() * share
    while ((await erasedSoFar()) <= more) {
      if (await Promise.race([isOver, delay(1, false)])) break
    }
    command.signal('SIGKILL')
    if ((await command.ended).code === null) killed += 1
    const found = await underWay()
    met.noted += found.noted
    met.recorded += found.recorded
    service = await all.start({ port })
  }
  await Promise.all(asking)
  t.ok(killed > 0, `${killed} commands were killed`)
  const unanswered = [...answers.values()].filter((statuses) => statuses.includes(null))
  t.comment(`${unanswered.length} requests were cut off, ${killed} commands killed`)
  t.comment(`${met.noted} were noted only, ${met.recorded} recorded with the key there still`)
  t.ok(met.noted + met.recorded > 0, 'the kills met erasures in their middle')
  const last = await all.command('erase', '--from', file, '--json', '--as', operatorId).ended
  t.equal(last.code, 0, last.stdout + last.stderr)
  t.match(JSON.parse(last.stdout), { open: 0, not_found: 0, unreadable: 0 })
})

t.test('the worker drops unrecorded erasures and finishes all others', async (t) => {
  // Ages the notes, as if their requests had ended long ago without recording them.
  await admin.query(`UPDATE erasures SET created_at = created_at - $1 * interval '1 millisecond'`, [
    erasureTimes.unrecordedMs,
  ])
  t.equal((await service.advance(untilEverythingEnded)).body.advancing_to, null)
  await eventually(
    async () => (await admin.query('SELECT FROM erasures WHERE ended_at IS NULL')).rowCount,
    (left) => left === 0,
  )
})

t.test('no shipment is half erased: its event, key and personal data agree', async (t) => {
  const left = await sealed()
  const listed = new Set<string | null>()
  const list = join(all.checkpointDir, erasureListName)
  if (existsSync(list))
    for await (const each of readErasureList(list)) listed.add(each?.shipmentId ?? null)
  const dump = Object.values(await tablesAsText(all.database.adminUrl)).join('\n')
  let erased = 0
  for (const { id, ask: kind, canary } of shipments) {
    const statuses = answers.get(id) ?? []
    const said = `${id} asked ${kind}, told ${statuses} (seed ${seed})`
    const events = await all.parts.store.readStream(shipmentStream(id))
    const recorded = events.filter(({ type }) => type === 'PersonalDataErased').length
    const isErased = recorded > 0
    const { body } = await service.call(`/v1/shipments/${id}`)
    const guide = all.record.guidesOf(id)[0]?.guideNumber ?? ''
    const own = before.get(id) ?? []
    erased += recorded
    t.ok(recorded <= 1, `${said}: recorded ${recorded} times`)
    if (kind === 'never') t.notOk(isErased, said)
    if (kind !== 'never' && (kind !== 'once' || statuses.includes(200))) t.ok(isErased, said)
    t.equal(left.has(id), !isErased, `${said}: the key is destroyed when that is recorded`)
    t.equal(body.recipient?.first_name ?? null, isErased ? null : canary, said)
    t.equal(listed.has(id), isErased, `${said}: on the list`)
    t.equal(all.record.personOf(id, guide) === null, isErased, `${said}: the courier's record`)
    t.ok(own.length > 1 && own.every((hex) => dump.includes(hex) !== isErased), `${said}: tables`)
    const label = await service.call(`/v1/shipments/${id}/documents/label`)
    t.equal(label.status, isErased ? 410 : 200, said)
  }
  t.ok(erased >= 2 * each, `${erased} are erased`)
  const canaries = Object.fromEntries(shipments.map(({ id, canary }) => [id, canary]))
  t.same(searchForCanaries([all.checkpointDir], canaries, { dump }), [])
})

t.test('after the erasures the ledger verifies and the read models match it', async (t) => {
  const { db, store } = all.parts
  t.ok(await projectionsReached(db, await store.head(), 60_000))
  const verified = await verifySealed(all)
  t.match(verified, { problems: 0, findings: [] })
  const nothing = { folded: () => undefined, compared: () => undefined }
  const found = await diff({ db, store, projections }, nothing)
  t.same(found.differences, [])
  t.ok(found.tables.every(({ notCompared }) => notCompared === null))
  t.same(all.record.doubled(), [])
})
