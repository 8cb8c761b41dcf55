import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { shipmentStream } from '../../../src/service/domain/ids.ts'
import type { Position } from '../../../src/service/event-store/event-store.ts'
import { positionOf } from '../../../src/service/event-store/position.ts'
import type { SimulatorRecord } from '../../../src/simulator/simulator-record.ts'
import type { Ended } from '../../support/run-process.ts'
import type { CourierCall, RecordingCourier } from './recording-courier.ts'
import type { Sent, Shoppers } from './shoppers.ts'
import { liveCourier, type Shops } from './shops.ts'
import type { Violations } from './violations.ts'

/** The ledger itself, independent of what the service remembers of it. */
export type OutsideLedger = {
  /** The position of its last event. */
  head(): Promise<Position>
  count(): Promise<number>
  /** The content of a stream, as text. */
  stream(name: string): Promise<string>
  /** The content of all streams of shipments, as text. */
  shipments(): Promise<string>
}

/** An operator's commands, and the ledger as seen from outside the service. */
export type Outside = {
  readonly ledger: OutsideLedger
  command(...words: readonly string[]): Promise<Ended>
  /** As the superuser of the current primary. */
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /** The folder for an auditor's files. */
  readonly folder: string
  /**
   * Whether the service stores checkpoints outside its database; without them `verify` vouches for
   * less.
   */
  readonly keepsCheckpoints: boolean
}

export async function queryOnce(
  adminUrl: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

/** A ledger in PostgreSQL. */
export function ledgerInPostgres(query: Outside['query']): OutsideLedger {
  const count = async () => {
    const [row] = await query('SELECT count(*) AS count FROM ledger.event')
    return Number(row?.count)
  }
  return {
    count,
    async head() {
      const [row] = await query('SELECT max(position) AS position FROM ledger.event')
      return positionOf(String(row?.position ?? 0))
    },
    async stream(name) {
      const rows = await query(
        'SELECT type, data, metadata FROM ledger.event WHERE stream_id = $1 ORDER BY revision',
        [name],
      )
      return JSON.stringify(rows)
    },
    async shipments() {
      const [row] = await query(
        `SELECT string_agg(data::text, '') AS all FROM ledger.event WHERE stream_id LIKE 'shipment-%'`,
      )
      return String(row?.all ?? '')
    },
  }
}

/** The content of a shipment's stream, as text. */
export async function streamOf({ ledger }: Outside, shipmentId: string): Promise<string> {
  return await ledger.stream(shipmentStream(shipmentId))
}

/** What a read-only command must not change. */
export async function stateOf(outside: Outside): Promise<string> {
  const [row] = await outside.query(
    `SELECT (SELECT count(*) FROM checkpoints) AS checkpoints,
       (SELECT sum(cardinality(positions)) FROM sealed_batches) AS sealed,
       (SELECT json_agg(t) FROM merkle_tree t) AS tree`,
  )
  return JSON.stringify({ ...row, events: await outside.ledger.count() })
}

/** The service's current checkpoint, saved as an auditor does. */
export async function heldNow(shops: Shops, folder: string, name: string): Promise<string> {
  const [api] = shops.live.apis
  const { body } = (await api?.call('/v1/ledger/checkpoint')) ?? { body: {} }
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  writeFileSync(file, String(body.note))
  return file
}

export type Books = { readonly courier: RecordingCourier; readonly record: SimulatorRecord }

/**
 * Second guides in the couriers' own records: for a reference, or for an order under another
 * reference.
 */
export function secondGuides({ courier, record }: Books): readonly string[] {
  const byOrder = Map.groupBy(courier.guides, ({ order }) => order)
  const doubled = [...byOrder].filter(([, { length }]) => length > 1)
  const simulated = record.doubled().map(({ clientReference }) => clientReference)
  return [...doubled.map(([order]) => order), ...simulated]
}

/** Guides that no shipment of the ledger has. */
export async function guidesWithoutShipment(
  outside: Outside,
  { courier, record }: Books,
  shoppers: readonly Shoppers[],
): Promise<readonly string[]> {
  const ledger = await outside.ledger.shipments()
  const simulated = shoppers.flatMap(({ orders }) =>
    orders.flatMap(({ shop, shipmentId }) =>
      shop.mode === 'test' && shipmentId !== null ? record.guidesOf(shipmentId) : [],
    ),
  )
  const named = [
    // A cancelled guide costs nothing, and its key may have ended without it.
    ...courier.guides
      .filter(({ status }) => status !== 'cancelled')
      .map(({ guideNumber, order }) => [guideNumber, order]),
    ...simulated
      .filter(({ cancelledAt }) => cancelledAt === null)
      .map(({ guideNumber, clientReference }) => [guideNumber, clientReference]),
  ] as const
  return named
    .filter(([guideNumber]) => !ledger.includes(`"${guideNumber}"`))
    .map(([guideNumber, of]) => `${guideNumber} of ${of}`)
}

/** Every call in a period that requests something new from a courier. */
export function callsBetween(
  { courier }: Pick<Books, 'courier'>,
  from: number,
  to: number,
): readonly CourierCall[] {
  return courier.calls.filter(({ route, at }) => route !== 'other' && at >= from && at < to)
}

/**
 * A cancelled guide whose creation is lost: the courier is not queried for it, and its attempt ends
 * in time.
 */
const endsOfCancelled: ReadonlySet<string> = new Set(['409 nothing_created', '409 unknown_outcome'])

function costsNothing({ order, said }: Sent, { courier, record }: Books): boolean {
  const { shipmentId } = order
  const isActive =
    courier.guides.some(
      ({ reference, status }) => reference === shipmentId && status === 'active',
    ) ||
    (shipmentId !== null &&
      record.guidesOf(shipmentId).some(({ cancelledAt }) => cancelledAt === null))
  return order.isCancelled && endsOfCancelled.has(said) && !isActive
}

/** The final answer to each key once everything is over. */
export async function checkLastAnswers(
  last: readonly Sent[],
  outside: Outside,
  books: Books,
  violations: Violations,
): Promise<void> {
  for (const sent of last) {
    if (costsNothing(sent, books)) continue
    const { order, answer, said } = sent
    if (answer?.status !== 201) {
      const story = await storyOf(outside, order.shipmentId)
      violations.add('a key has no shipment in the end', `${order.key} ${said}: ${story}`)
    } else if (order.guides.size > 1) {
      violations.add(
        'a key was answered with two guides',
        `${order.key} ${[...order.guides].join()}`,
      )
    }
  }
}

/** The types of a shipment's events. */
async function storyOf(outside: Outside, shipmentId: string | null): Promise<string> {
  if (shipmentId === null) return 'its shipment is not known'
  const events = JSON.parse(await streamOf(outside, shipmentId)) as { readonly type: string }[]
  return events.map(({ type }) => type).join(', ')
}

/** The last lines that a command printed. */
export function lastWords({ code, stdout, stderr }: Ended): string {
  return `exit ${code}: ${(stderr + stdout).trim().split('\n').slice(-4).join(' / ').slice(0, 500)}`
}

/** Checks what an auditor would check afterwards. */
export async function checkLedger(
  outside: Outside,
  shops: Shops,
  violations: Violations,
  held: {
    readonly before: readonly string[]
    readonly lost: readonly string[]
    readonly shipmentId: string | null
  },
): Promise<void> {
  const { command, folder } = outside
  const diff = await command('diff', '--json')
  violations.check(diff.code === 0, 'diff is not equal', lastWords(diff))
  const verify = await command('verify')
  const green = outside.keepsCheckpoints ? 0 : 2
  violations.check(verify.code === green, 'verify is not green', lastWords(verify))
  const isNamed = /lost|recover|gap/i.test(verify.stdout)
  violations.check(isNamed, 'verify does not name the gap', lastWords(verify))
  const files = held.before.flatMap((file) => ['--checkpoint', file])
  const withHeld = await command('verify', ...files)
  violations.check(
    withHeld.code === 0,
    'a checkpoint held from before does not prove what is there',
    lastWords(withHeld),
  )
  for (const file of held.lost) {
    const said = await command('verify', '--checkpoint', file)
    const isNamedOnly = said.code === 0 || /lost/i.test(said.stdout)
    violations.check(
      isNamedOnly,
      'a checkpoint of what was lost is not told as such',
      lastWords(said),
    )
  }
  for (const file of held.before) {
    const size = readFileSync(file, 'utf8').split('\n')[1]
    const [api] = shops.live.apis
    const proof = await api?.call(`/v1/ledger/consistency?from=${size}`)
    violations.check(
      proof?.status === 200,
      'no proof from a checkpoint held from before',
      `${proof?.status} ${proof?.body.reason}`,
    )
  }
  if (held.shipmentId !== null) {
    const file = join(folder, `evidence-${held.shipmentId}.zip`)
    if (!existsSync(file)) {
      const made = await command('evidence', '--shipment', held.shipmentId, '--out', file)
      violations.check(made.code === 0, 'no evidence of an older shipment', lastWords(made))
    }
    const checked = await command('verify', '--file', file)
    violations.check(
      checked.code === 0,
      'the evidence of an older shipment does not verify',
      lastWords(checked),
    )
  }
}

/** Counts by courier. */
export function courierFigures({ courier }: Pick<Books, 'courier'>): string {
  const count = (route: CourierCall['route']) =>
    courier.calls.filter((call) => call.route === route).length
  return `${liveCourier}: ${courier.guides.length} guides, ${count('create')} creations, ${count('find')} finds, ${count('cancel')} cancellations`
}
