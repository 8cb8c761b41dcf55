import { foldBatch } from '../../projections/fold-batch.ts'
import type { Agency, Catalogue, PackageProduct } from '../../src/service/couriers/catalogue.ts'
import type { Courier } from '../../src/service/couriers/courier.ts'
import { shipmentStreamPrefix } from '../../src/service/domain/ids.ts'
import { quoteTimes } from '../../src/service/domain/quote.ts'
import { decodeEvent } from '../../src/service/event-store/codec.ts'
import type { EventStore, Position } from '../../src/service/event-store/event-store.ts'
import { StreamWatch } from '../../src/service/event-store/stream-watch.ts'
import { besideFirst } from '../../src/service/event-store/with-append.ts'
import { InFlightCalls } from '../../src/service/processes/calls/in-flight-calls.ts'
import type { Claims } from '../../src/service/processes/due/claims.ts'
import { jobKinds, performJobs } from '../../src/service/processes/due/job-kinds.ts'
import { performErasure } from '../../src/service/processes/erasure/erasure.ts'
import { unlisted } from '../../src/service/processes/erasure/erasure-list.ts'
import type { ProcessServices } from '../../src/service/processes/process-services.ts'
import { LedgerGuard } from '../../src/service/processes/recovery/ledger-guard.ts'
import { advanceLimits } from '../../src/service/processes/sandbox/advance-limits.ts'
import { AssumedClocks } from '../../src/service/processes/sandbox/assumed-clocks.ts'
import { Signal } from '../../src/service/queue/signal.ts'
import type { MasterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { batchSealer, invoiceSealer } from '../../src/service/security/encryption/own-key.ts'
import { Vault } from '../../src/service/security/vault/vault.ts'
import { BatchedVaultWriter } from '../../src/service/security/vault/vault-writer.ts'
import { outboxEventsOf } from '../../src/service/webhooks/outbox.ts'
import type { OutboxEvent } from '../../src/service/webhooks/store-webhooks.ts'
import { noLog } from '../support/no-log.ts'
import { type Mutant, mutatedCourier, mutatedStore } from './mutants.ts'
import {
  askedBy,
  claimsFrom,
  erasuresFrom,
  storeFrom,
  vaultRowsFrom,
} from './ports/faulty-ports.ts'
import type { MemoryAccounts } from './ports/memory-accounts.ts'
import type { MemoryErasures } from './ports/memory-erasures.ts'
import { CheckpointConflict, type MemoryReadModel } from './ports/memory-read-model.ts'
import type { MemoryVaultRows } from './ports/memory-vault-rows.ts'
import type { VirtualProcess } from './virtual-process.ts'
import type { World } from './virtual-time.ts'

/** Small enough that a run evicts streams and reads them again. */
const outboxKeptMax = 2

/** What all processes of a run share. */
export type Outside = {
  readonly world: World
  readonly store: EventStore
  readonly rows: MemoryVaultRows
  /** Whether what is beside events is written with them, as in PostgreSQL, or before them. */
  readonly isTogether: boolean
  readonly claims: Claims
  /** One per projection; the one of operations has the due times. */
  readonly models: readonly MemoryReadModel[]
  readonly accounts: MemoryAccounts
  readonly erasures: MemoryErasures
  readonly outbox: ToldOnce
  readonly courierFrom: (process: VirtualProcess) => Courier
  readonly keys: () => MasterKeys
  readonly correctQuota: () => void
  readonly mutant: Mutant | null
}

/** A process of the service with all its parts. */
export type ServiceNode = {
  readonly process: VirtualProcess
  readonly deps: ProcessServices
}

/** The outbox's webhooks, stored with its checkpoint, so that each is sent once. */
export class ToldOnce {
  readonly webhooks: OutboxEvent[] = []
  position: Position | null = null

  commit(from: Position | null, to: Position, webhooks: readonly OutboxEvent[]): void {
    if (this.position !== from) throw new CheckpointConflict()
    this.position = to
    this.webhooks.push(...webhooks)
  }
}

const listed = { name: '', address: '', department: '', province: '', district: '' }
const catalogue: Catalogue = {
  agencies: async () => ({ kind: 'absent' }),
  packageProducts: async () => ({ kind: 'absent' }),
  agency: async (_mode, id) => ({
    kind: 'found',
    item: {
      ...listed,
      id,
      code: id,
      providerCode: 'mock',
      capabilities: ['drop_off', 'pickup'],
    } as Agency,
  }),
  packageProduct: async (_mode, id) => ({ kind: 'found', item: { ...product, id, code: id } }),
}
const product: PackageProduct = {
  id: '',
  code: '',
  name: '',
  providerCode: 'mock',
  maxWeightKg: 99,
  maxLengthM: 9,
  maxWidthM: 9,
  maxHeightM: 9,
}

/** For dependencies that the simulated processes never use, because they use no database. */
const nowhere = new Proxy(Object.freeze({}), {
  get: (_, name) => {
    throw new Error(`The simulation has no database, and was asked for its ${String(name)}.`)
  },
})

export function serviceNode(outside: Outside, process: VirtualProcess): ServiceNode {
  const { world, mutant } = outside
  const rows = vaultRowsFrom(process, outside.rows, world)
  const vault = new Vault(rows, outside.keys())
  const events = mutatedStore(storeFrom(process, outside.store, world), mutant)
  const store = outside.isTogether ? events : besideFirst(events, new BatchedVaultWriter(rows))
  const courier = mutatedCourier(outside.courierFrom(process), mutant)
  const deps: ProcessServices = {
    db: nowhere as ProcessServices['db'],
    store,
    guard: new LedgerGuard({
      db: nowhere as ProcessServices['db'],
      log: noLog,
      restartStore: () => undefined,
    }),
    catalogue,
    log: noLog,
    accounts: outside.accounts.seen(askedBy(process, world)),
    vault,
    clocks: new AssumedClocks(),
    couriers: {
      displayName: () => null,
      courierFor: () => courier,
      codes: () => [],
      available: async () => [],
      describe: async () => null,
    },
    watch: new StreamWatch(store, [shipmentStreamPrefix]),
    claims: claimsFrom(process, outside.claims),
    workAdded: new Signal(),
    batchSealer: batchSealer(outside.keys()),
    invoiceSealer: invoiceSealer(outside.keys()),
    inFlightCalls: new InFlightCalls(),
    deliveries: { next: async () => [], isAtWork: async () => false },
    advance: advanceLimits,
    ratesWithinMs: quoteTimes.answeredWithinMs,
    erasureRows: erasuresFrom(process, outside.erasures, world),
    noteAnomaly: () => undefined,
    erasures: unlisted,
    unreadableLabels: {
      among: async () => new Map(),
      has: async () => false,
      note: async () => undefined,
    },
  }
  return { process, deps }
}

/** Starts the background loops of a process, which run until it ends or the signal aborts. */
export function startLoops(outside: Outside, node: ServiceNode, stop: AbortSignal): void {
  const signal = AbortSignal.any([node.process.signal, stop])
  void (node.deps.watch as StreamWatch).run(signal)
  for (const model of outside.models) {
    void again(outside, signal, () => followModel(outside, model, node, signal))
  }
  void again(outside, signal, () => followOutbox(outside, node, signal))
  void again(outside, signal, async () => {
    for (;;) {
      await outside.world.sleep(outside.world.between(200, 2_000))
      await reconcileDue(node)
      await node.process.step(async () => outside.correctQuota())
    }
  })
  void again(outside, signal, async () => {
    for (;;) {
      await outside.world.sleep(outside.world.between(1_000, 10_000))
      await eraseDue(outside, node)
    }
  })
}

/**
 * Continues due erasures, and erases what concurrent requests for erased shipments stored
 * afterwards.
 */
export async function eraseDue({ erasures, rows }: Outside, node: ServiceNode): Promise<void> {
  for (const [shipmentId, { dueAt }] of [...erasures.open]) {
    if (dueAt > Date.now()) continue
    await performErasure(node.deps, shipmentId, Date.now())
  }
  const late = new Set([...rows.rows.values()].map((row) => row.shipmentId))
  for (const shipmentId of erasures.ended) {
    if (late.has(shipmentId)) await node.deps.vault.erase(shipmentId)
  }
}

const [reconciling] = jobKinds.filter(({ name }) => name === 'reconcile')

/** Performs what is due now; returns the number of steps done. */
export async function reconcileDue({ deps }: ServiceNode): Promise<number> {
  if (reconciling === undefined) throw new Error('bug: no duty reconciles')
  return await performJobs(deps, reconciling)
}

async function again(
  { world }: Outside,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => undefined)
    await world.sleep(world.between(50, 500))
  }
}

async function followModel(
  { world }: Outside,
  model: MemoryReadModel,
  { process, deps }: ServiceNode,
  signal: AbortSignal,
): Promise<void> {
  let { position } = model
  const kept = new Map()
  const batchMax = Math.ceil(world.between(1, 40))
  const { prefixes } = model
  for await (const next of deps.store.subscribe(position, { prefixes, signal, batchMax })) {
    if (next.kind === 'caught_up') continue
    const apply = await model.prepare(deps.store, next.events, kept)
    await process.step(async () => apply(position, next.last))
    position = next.last
  }
}

async function followOutbox(
  outside: Outside,
  { process, deps }: ServiceNode,
  signal: AbortSignal,
): Promise<void> {
  const toldBy = outboxEventsOf(deps.store, outboxKeptMax)
  const kept = new Map()
  let { position } = outside.outbox
  const batchMax = Math.ceil(outside.world.between(1, 40))
  const options = { prefixes: [shipmentStreamPrefix], signal, batchMax }
  for await (const next of deps.store.subscribe(position, options)) {
    if (next.kind === 'caught_up') continue
    const decoded = next.events.map((event) => decodeEvent(event))
    const webhooks = await toldBy((await foldBatch(deps.store, decoded, kept)).steps)
    await process.step(async () => outside.outbox.commit(position, next.last, webhooks))
    position = next.last
  }
}
