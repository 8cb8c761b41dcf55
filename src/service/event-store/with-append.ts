import { isId, shipmentIdOfStream, shipmentStreamPrefix } from '../domain/ids.ts'
import type { Attributes, Tracing } from '../tracing/tracing.ts'
import type { BesideFirst, SealedItem, StoredFirst } from './beside.ts'
import { type AppendOutcome, type EventStore, LedgerStopped, type NewEvent } from './event-store.ts'

/** The store with another `append`. */
export function withAppend(store: EventStore, append: EventStore['append']): EventStore {
  const news = store.news?.bind(store)
  const restart = store.restart?.bind(store)
  return {
    ...(news === undefined ? {} : { news }),
    ...(restart === undefined ? {} : { restart }),
    append,
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (after, options) => store.readAll(after, options),
    eventAt: (position) => store.eventAt(position),
    subscribe: (after, options) => store.subscribe(after, options),
    head: () => store.head(),
    end: () => store.end(),
    close: () => store.close(),
  }
}

/** Reports each append's outcome, or the name of the error it failed with. */
export function observed(store: EventStore, onAppend: (outcome: string) => void): EventStore {
  return withAppend(store, async (...args) => {
    try {
      const outcome = await store.append(...args)
      onAppend(outcome.kind)
      return outcome
    } catch (error) {
      onAppend(error instanceof Error ? error.name : 'unknown')
      throw error
    }
  })
}

/** Makes a span of each append. A span of the request is noted first, so that no follower overtakes it. */
export function tracedAppends(store: EventStore, tracing: Tracing | undefined): EventStore {
  if (tracing === undefined) return store
  return withAppend(store, (stream, expected, events, options = {}) =>
    tracing.traced('append', { attributes: attributesOf(stream, events) }, async (span) => {
      const onBatch = (appends: number) => span.add({ 'shipping.append.batch_size': appends })
      await tracing.noted()
      const outcome = await store.append(stream, expected, events, { ...options, onBatch })
      span.add({ 'shipping.append.result': outcome.kind })
      if (expected === 'no_stream' && stream.startsWith(shipmentStreamPrefix)) {
        tracing.addShipment(shipmentIdOfStream(stream), outcome.kind === 'committed')
      }
      return outcome
    }),
  )
}

function attributesOf(stream: string, events: readonly NewEvent[]): Attributes {
  const operationId = events.map(({ data }) => data.operation_id).find((id) => isOperation(id))
  return {
    'shipping.event.types': events.map(({ type }) => type),
    ...(stream.startsWith(shipmentStreamPrefix)
      ? { 'shipping.shipment.id': shipmentIdOfStream(stream) }
      : {}),
    ...(isOperation(operationId) ? { 'shipping.operation.id': operationId } : {}),
  }
}

function isOperation(id: unknown): id is string {
  return typeof id === 'string' && isId('op', id)
}

/** Writes in the vault's database, before the events that need them. */
export type VaultWriter = {
  /** Stores row and attempt; null if both are stored. Not safe to repeat. */
  storeFirst(beside: BesideFirst): Promise<StoredFirst>
  /** Whether the vault row of each item is there. Safe to repeat. */
  storeItems(items: readonly SealedItem[]): Promise<readonly boolean[]>
}

const erased: AppendOutcome = { kind: 'erased' }

/** In a slower append, another server may have taken over the vault's database, without the items. */
const quickAppendMs = 1_000

/** Appends after its items are stored. */
async function withItems(
  vault: Pick<VaultWriter, 'storeItems'>,
  items: readonly SealedItem[],
  append: () => Promise<AppendOutcome>,
): Promise<AppendOutcome> {
  if (items.length === 0) return await append()
  if ((await vault.storeItems(items)).includes(false)) return erased
  const storedAt = performance.now()
  const outcome = await append()
  if (performance.now() - storedAt > quickAppendMs) await vault.storeItems(items)
  return outcome
}

/**
 * For a store outside the vault's database: stores what is beside an append before its events. After a crash
 * in between, it is there without them.
 */
export function besideFirst(store: EventStore, vault: VaultWriter): EventStore {
  /** An append without an answer is repeated with the same objects. */
  const stored = new WeakSet<object>()
  return withAppend(store, async (stream, expected, events, { beside = {}, ...options } = {}) => {
    const { row, attempt, items = [] } = beside
    const first = attempt ?? row
    if (first !== undefined && !stored.has(first)) {
      const version = expected === 'no_stream' ? 0 : expected + 1
      const withheld = await vault.storeFirst({
        ...beside,
        version,
        isIntent: options.notAfter !== undefined,
      })
      if (withheld?.kind === 'stopped') throw new LedgerStopped()
      if (withheld !== null) return withheld
      stored.add(first)
    }
    return await withItems(vault, items, () => store.append(stream, expected, events, options))
  })
}

/**
 * For a store in the vault's database: stores items of more than `overBytes` before their append, so that
 * they do not delay the appends beside it.
 */
export function largeItemsFirst(
  store: EventStore,
  vault: Pick<VaultWriter, 'storeItems'>,
  overBytes: number,
): EventStore {
  return withAppend(store, async (stream, expected, events, options = {}) => {
    const { items = [], ...others } = options.beside ?? {}
    const bytes = items.reduce((sum, { payload }) => sum + payload.length, 0)
    // Items of a new row are stored with it.
    if (bytes <= overBytes || others.row !== undefined)
      return await store.append(stream, expected, events, options)
    const append = () => store.append(stream, expected, events, { ...options, beside: others })
    return await withItems(vault, items, append)
  })
}
