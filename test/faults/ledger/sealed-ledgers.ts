import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { createServices } from '../../../src/service/app.ts'
import { asPlace, type EventStore, placeAt } from '../../../src/service/event-store/event-store.ts'
import { type Checkpoint, lastCheckpoint } from '../../../src/service/ledger/checkpoints.ts'
import type { Secrets } from '../../../src/service/secrets/secrets.ts'
import type { Services } from '../../../src/service/services.ts'
import { eventStoreUrl } from '../../eventstoredb-stand-in/event-store-url.ts'
import { eventually } from '../../support/eventually.ts'
import { noLogger, type Service, service } from '../../support/service.ts'
import type { TestDatabase } from '../../support/test-database.ts'
import type { TestLedger } from '../../support/test-ledger.ts'

export const stores = ['PostgreSQL', 'EventStoreDB'] as const
export type StoreName = (typeof stores)[number]

/**
 * A sealed ledger to which nothing is written any more, and what its auditors received on the way.
 */
export type SealedLedger = {
  readonly name: StoreName
  readonly isContiguous: boolean
  readonly database: TestDatabase
  readonly parts: Services
  readonly secrets: Secrets
  readonly checkpointDir: string
  readonly organizationId: string
  readonly shipmentIds: readonly string[]
  /** Answers of `GET /v1/ledger/checkpoint`, oldest first. */
  readonly answers: readonly { readonly tree_size: number; readonly note: string }[]
  /** Answers of `GET /v1/ledger/consistency` from each of these checkpoints to the last. */
  readonly consistency: readonly object[]
}

type LedgerOptions = {
  readonly orders: number
  readonly database?: TestDatabase
  readonly secrets?: Secrets
}

/** Runs a service that writes a ledger in three parts, each sealed, and stops it. */
export async function sealedLedger(
  t: Test,
  name: StoreName,
  { orders, ...options }: LedgerOptions,
): Promise<SealedLedger> {
  const isContiguous = name === 'PostgreSQL'
  const ledger: TestLedger = isContiguous
    ? { eventStoreUrl: undefined, eventStoreNamespace: '' }
    : {
        eventStoreUrl: await eventStoreUrl(t),
        eventStoreNamespace: `test-${randomBytes(8).toString('hex')}`,
      }
  const shop = await service(t, { ...options, ledger })
  const answers: { tree_size: number; note: string }[] = []
  const shipmentIds: string[] = []
  for (let part = 0; part < 3; part++) {
    for (let order = 0; order < orders; order++) {
      shipmentIds.push(String((await shop.create(`order-${part}-${order}`)).body.id))
    }
    await sealedAll(shop)
    answers.push((await shop.call('/v1/ledger/checkpoint')).body)
  }
  const to = answers.at(-1)?.tree_size
  const consistency: object[] = []
  for (const { tree_size: from } of answers) {
    consistency.push((await shop.call(`/v1/ledger/consistency?from=${from}&to=${to}`)).body)
  }
  await shop.stop()
  const { database, secrets, checkpointDir } = shop
  const parts = createServices({
    ...ledger,
    databaseUrl: database.url,
    secrets,
    simulatorUrl: null,
    log: noLogger(),
  })
  t.teardown(() => parts.close())
  const { organizationId } = shop.seeded
  const made = { database, secrets, checkpointDir, organizationId }
  return { ...made, name, isContiguous, parts, shipmentIds, answers, consistency }
}

async function sealedAll(shop: Service): Promise<Checkpoint | null> {
  const head = await shop.parts.store.head()
  return await eventually(
    () => lastCheckpoint(shop.parts.db),
    (checkpoint) => checkpoint !== null && checkpoint.position >= (head ?? ''),
  )
}

/** The store as if nothing had been written after a position, like an old backup. */
export function storeUpTo(store: EventStore, position: string): EventStore {
  const readAll: EventStore['readAll'] = async (after, options) => {
    const page = await store.readAll(after, options)
    const events = page.events.filter((event) => event.position <= position)
    const isPast = page.last !== null && page.last > position
    if (!isPast) return { ...page, events }
    const last = events.at(-1)
    const place = last === undefined ? asPlace(after) : placeAt(last)
    return { events, last: place?.position ?? null, place }
  }
  const head = async () => position
  return new Proxy(store, {
    get(target, name) {
      if (name === 'readAll') return readAll
      if (name === 'head' || name === 'end') return head
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
