import type { WrappedKey } from '../encryption/encryption.ts'

export type VaultOwner = {
  readonly organizationId: string
  readonly workspaceId: string
  /** Or the operation, for notes of decisions and comments: an erasure of the person leaves them. */
  readonly shipmentId: string
}

/**
 * Notes that an attempt of a test workspace may be under way, so that an advance of its clock
 * waits.
 */
export type Registration = {
  readonly workspaceId: string
  readonly shipmentId: string
  /** For a cancellation; its shipment already exists. */
  readonly operationId?: string
}

/**
 * A place in the month's quota, requested when this many events of the shipment's stream are known.
 */
export type Reservation = {
  readonly organizationId: string
  readonly shipmentId: string
  readonly livemode: boolean
  readonly version: number
  /** The stream was not read: if the shipment already had a place, nothing is written. */
  readonly isUnread?: boolean
}
export type ReservationAnswer = 'held' | 'exceeded' | 'suspended' | 'known'

/** Written with a row, or for a later attempt of an existing row, in one transaction. */
export type Beside = {
  readonly registration: Registration | null
  readonly reservation: Reservation | null
}

export type SandboxClock = { readonly offsetMs: number; readonly advancingTo: Date | null }

export type Stored = {
  /** The database's clock, after the row was written. */
  readonly storedAt: Date
  /** The timeline of the database on which it was written. */
  readonly storedOn: string
  /** Null without a registration. While it is advancing the caller waits and registers again. */
  readonly clock: SandboxClock | null
  /** Null without a reservation. Anything but `held`: no row was written and no attempt noted. */
  readonly reservation: ReservationAnswer | null
  /** Some process has found that the ledger has lost events, and nobody has recovered it yet. */
  readonly isLedgerDamaged: boolean
}

/** A row as it is stored. */
export type SealedRow = VaultOwner & WrappedKey & { readonly ref: string; readonly payload: Buffer }
export type SealedItem = {
  readonly ref: string
  readonly vaultRef: string
  readonly payload: Buffer
}
export type RowToInsert = Beside & { readonly row: SealedRow | null }

export type StoredItem = SealedItem & VaultOwner & WrappedKey

/**
 * Stores the vault's sealed rows, with whatever is written in one transaction with them. Each call
 * takes many at once and answers in their order. Promises, each a named test of the contract suite:
 * acknowledged data survives a crash; if a shipment gets no place in the quota nothing is written,
 * nor if it had a place before and its stream is unread; a place is taken once for any number of
 * racers; an item is stored before its row is erased, and is deleted with it, or is refused.
 */
export type VaultRows = {
  /** Takes places in the quotas, writes rows, notes attempts and reads the workspaces' clocks. */
  insertRows(batch: readonly RowToInsert[]): Promise<readonly Stored[]>
  /** Whether each was stored; false when its row is erased or was never written. */
  insertItems(items: readonly SealedItem[]): Promise<readonly boolean[]>
  /** The existing rows that are not erased, in any order. */
  readRows(refs: readonly string[]): Promise<readonly SealedRow[]>
  /** The existing items, in any order. */
  readItems(refs: readonly string[]): Promise<readonly StoredItem[]>
  /**
   * Deletes key, payload and items of every row of the shipment; false when nothing was left. Safe
   * to repeat.
   */
  eraseRows(shipmentId: string): Promise<boolean>
}
