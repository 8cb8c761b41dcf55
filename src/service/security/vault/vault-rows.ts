import type {
  BesideFirst,
  SealedItem,
  SealedRow,
  StoredFirst,
  VaultOwner,
} from '../../event-store/beside.ts'
import type { WrappedKey } from '../encryption/encryption.ts'

export type StoredItem = SealedItem & VaultOwner & WrappedKey

/**
 * Stores the vault's sealed rows, together with the attempts that they belong to. Each call takes many at
 * once and returns the results in their order. The contract suite has a named test for each promise:
 * acknowledged data survives a crash. Nothing is written for an attempt that is withheld. Concurrent
 * reservations for one shipment count once. An item is either stored before its row is erased, and deleted
 * with it, or refused.
 */
export type VaultRows = {
  /** Stores rows and attempts before their events; null for each that is stored. Not safe to repeat. */
  storeFirst(batch: readonly BesideFirst[]): Promise<readonly StoredFirst[]>
  /** Whether each item was stored; false if its row was erased or never written. */
  insertItems(items: readonly SealedItem[]): Promise<readonly boolean[]>
  /** The existing rows that are not erased, in any order. */
  readRows(refs: readonly string[]): Promise<readonly SealedRow[]>
  /** The existing items, in any order. */
  readItems(refs: readonly string[]): Promise<readonly StoredItem[]>
  /**
   * Deletes key, payload and items of every row of the shipment. False if nothing was left. Safe to
   * repeat.
   */
  eraseRows(shipmentId: string): Promise<boolean>
}
