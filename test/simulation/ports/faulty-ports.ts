import {
  AppendUnknown,
  type EventStore,
  EventStoreUnavailable,
  type Subscribed,
} from '../../../src/service/event-store/event-store.ts'
import type { Claims } from '../../../src/service/processes/due/claims.ts'
import type { ErasureRows } from '../../../src/service/processes/erasure/erasure-rows.ts'
import type { VaultRows } from '../../../src/service/security/vault/vault-rows.ts'
import type { VirtualProcess } from '../virtual-process.ts'
import type { World } from '../virtual-time.ts'

/** How late after its answer an append may still arrive; `notAfter` covers this time. */
const lateMsMax = 40_000

/** The ledger as seen from one process: unavailable, slow, or written without an answer. */
export function storeFrom(process: VirtualProcess, store: EventStore, world: World): EventStore {
  const fails = () => world.happens(process.weather.storeFault)
  const away = async (): Promise<never> => {
    await world.sleep(world.between(1, 3_000))
    throw new EventStoreUnavailable('away')
  }
  return {
    append: (...append) =>
      process.step(async () => {
        if (!fails()) return await store.append(...append)
        const kind = world.chance()
        if (kind < 0.3) return await away()
        if (kind < 0.6) await store.append(...append)
        else if (kind < 0.8) {
          const lateMs = world.between(10, lateMsMax)
          void world.sleep(lateMs).then(() => store.append(...append).catch(() => undefined))
        }
        await world.sleep(world.between(1, 8_000))
        throw new AppendUnknown('no answer')
      }),
    readStream: (...read) => process.step(() => (fails() ? away() : store.readStream(...read))),
    readAll: (...read) => process.step(() => (fails() ? away() : store.readAll(...read))),
    eventAt: (position) => process.step(() => (fails() ? away() : store.eventAt(position))),
    head: () => process.step(() => store.head()),
    end: () => process.step(() => store.end()),
    async *subscribe(after, options): AsyncGenerator<Subscribed> {
      for await (const item of store.subscribe(after, options)) {
        await process.alive()
        if (fails()) throw new EventStoreUnavailable('the subscription was lost')
        yield item
      }
    },
    close: async () => {},
  }
}

type Asked = <T>(effect: () => Promise<T>) => Promise<T>

/** A statement of the database that may be executed without an answer. */
export function askedBy(process: VirtualProcess, world: World): Asked {
  return (effect) =>
    process.step(async () => {
      if (!world.happens(process.weather.storeFault)) return await effect()
      if (world.happens(0.5)) await effect()
      throw new Error('the database went away')
    })
}

/** The vault's rows as seen from one process. */
export function vaultRowsFrom(process: VirtualProcess, rows: VaultRows, world: World): VaultRows {
  const asked = askedBy(process, world)
  return {
    storeFirst: (batch) => asked(() => rows.storeFirst(batch)),
    insertItems: (items) => asked(() => rows.insertItems(items)),
    readRows: (refs) => asked(() => rows.readRows(refs)),
    readItems: (refs) => asked(() => rows.readItems(refs)),
    eraseRows: (shipmentId) => asked(() => rows.eraseRows(shipmentId)),
  }
}

export function claimsFrom(process: VirtualProcess, claims: Claims): Claims {
  return {
    claim: (...claim) => process.step(() => claims.claim(...claim)),
    renew: (owner) => process.step(() => claims.renew(owner)),
    release: (...release) => process.step(() => claims.release(...release)),
  }
}

export function erasuresFrom(
  process: VirtualProcess,
  rows: ErasureRows,
  world: World,
): ErasureRows {
  const asked = askedBy(process, world)
  return {
    read: (shipmentId) => asked(() => rows.read(shipmentId)),
    note: (...note) => asked(() => rows.note(...note)),
    postpone: (...postpone) => asked(() => rows.postpone(...postpone)),
    markListed: (shipmentId) => asked(() => rows.markListed(shipmentId)),
    end: (shipmentId) => asked(() => rows.end(shipmentId)),
    withdraw: (...withdraw) => asked(() => rows.withdraw(...withdraw)),
    isHeld: (workspaceId) => asked(() => rows.isHeld(workspaceId)),
    unlessHeld: (workspaceId, record) => rows.unlessHeld(workspaceId, record),
    forgetExcerpts: (shipmentId, guides) => asked(() => rows.forgetExcerpts(shipmentId, guides)),
  }
}
