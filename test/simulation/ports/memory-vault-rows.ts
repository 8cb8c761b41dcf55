import type {
  Attempt,
  SealedItem,
  SealedRow,
  StoredFirst,
} from '../../../src/service/event-store/beside.ts'
import type { VaultRows } from '../../../src/service/security/vault/vault-rows.ts'

type Place = { version: number; isHeld: boolean }

/** The vault's rows in memory, with the quota reserved together with them. */
export type MemoryVaultRows = VaultRows & {
  readonly rows: ReadonlyMap<string, SealedRow>
  readonly items: ReadonlyMap<string, SealedItem>
  /** The number of places that an organization uses. */
  used(organizationId: string): number
  isHeld(shipmentId: string): boolean
  /** The shipments that hold a place. */
  held(): readonly string[]
  /**
   * The version of the stream for which its place was last reserved or settled; null if it never
   * had one.
   */
  placeVersion(shipmentId: string): number | null
  /** Like `quota_settle`: a version that is not newer changes nothing. */
  settle(shipmentId: string, version: number, isHeld: boolean): void
  /** Replaces the row's wrapped key by one under another master key. */
  rewrap(ref: string, row: SealedRow): void
}

export function memoryVaultRows(
  quotaOf: (organizationId: string) => number | null = () => null,
): MemoryVaultRows {
  const rows = new Map<string, SealedRow>()
  const items = new Map<string, SealedItem>()
  const places = new Map<string, Place>()
  const used = new Map<string, number>()
  const owners = new Map<string, string>()
  const count = (organizationId: string, change: number) =>
    used.set(organizationId, (used.get(organizationId) ?? 0) + change)

  function reserve(attempt: Attempt, version: number): StoredFirst {
    const { organizationId, shipmentId, reservation } = attempt
    if (reservation === null) return null
    const place = places.get(shipmentId)
    if (reservation.isUnread && place !== undefined) return { kind: 'known' }
    if (place !== undefined && place.version > version) return null
    if (place?.isHeld === true) {
      if (version > 0) place.version = version
      return null
    }
    const quota = quotaOf(organizationId)
    if (quota !== null && (used.get(organizationId) ?? 0) >= quota)
      return { kind: 'exceeded', at: new Date() }
    places.set(shipmentId, { version, isHeld: true })
    owners.set(shipmentId, organizationId)
    count(organizationId, 1)
    return null
  }

  return {
    rows,
    items,
    async storeFirst(batch) {
      return batch.map(({ row, attempt, version }): StoredFirst => {
        const withheld = attempt === undefined ? null : reserve(attempt, version)
        if (withheld === null && row !== undefined) rows.set(row.ref, row)
        return withheld
      })
    },
    async insertItems(batch) {
      return batch.map((item) => {
        if (!rows.has(item.vaultRef)) return false
        items.set(item.ref, item)
        return true
      })
    },
    async readRows(refs) {
      return refs.flatMap((ref) => rows.get(ref) ?? [])
    },
    async readItems(refs) {
      return refs.flatMap((ref) => {
        const item = items.get(ref)
        const row = item === undefined ? undefined : rows.get(item.vaultRef)
        return item === undefined || row === undefined ? [] : [{ ...row, ...item }]
      })
    },
    async eraseRows(shipmentId) {
      const refs = [...rows.values()].flatMap((row) =>
        row.shipmentId === shipmentId ? [row.ref] : [],
      )
      for (const ref of refs) rows.delete(ref)
      for (const item of [...items.values()]) {
        if (refs.includes(item.vaultRef)) items.delete(item.ref)
      }
      return refs.length > 0
    },
    used: (organizationId) => used.get(organizationId) ?? 0,
    isHeld: (shipmentId) => places.get(shipmentId)?.isHeld === true,
    held: () => [...places].flatMap(([shipmentId, { isHeld }]) => (isHeld ? [shipmentId] : [])),
    placeVersion: (shipmentId) => places.get(shipmentId)?.version ?? null,
    settle(shipmentId, version, isHeld) {
      const place = places.get(shipmentId)
      if (place === undefined || version <= place.version) return
      if (place.isHeld !== isHeld) count(owners.get(shipmentId) ?? '', isHeld ? 1 : -1)
      places.set(shipmentId, { version, isHeld })
    },
    rewrap: (ref, row) => void rows.set(ref, row),
  }
}
