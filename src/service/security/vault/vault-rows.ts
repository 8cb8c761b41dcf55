import type { SealedItem } from '../../event-store/event-store.ts'
import type { WrappedKey } from '../encryption/encryption.ts'

export type VaultOwner = {
  readonly organizationId: string
  readonly workspaceId: string
  /** For notes of decisions and comments, the operation's id: erasing the person keeps them. */
  readonly shipmentId: string
}

/**
 * Registers that an attempt in a test workspace may be in flight, so that advancing its clock
 * waits.
 */
export type ClockRegistration = {
  readonly workspaceId: string
  readonly shipmentId: string
  /** Only for a cancellation, whose shipment already exists. */
  readonly operationId?: string
}

/** Reserves one unit of the month's quota for a shipment whose stream has this many events. */
export type QuotaReservation = {
  readonly organizationId: string
  readonly shipmentId: string
  readonly livemode: boolean
  readonly version: number
  /** The stream was not read. If the shipment already had a reservation, nothing is written. */
  readonly isUnread?: boolean
}
export type QuotaAnswer = 'held' | 'exceeded' | 'suspended' | 'known'

/** Written in one transaction with a row, or alone for a later attempt of an existing row. */
export type AttemptRegistration = {
  readonly clockRegistration: ClockRegistration | null
  readonly reservation: QuotaReservation | null
}

export type SandboxClock = { readonly offsetMs: number; readonly advancingTo: Date | null }

export type RegisteredAttempt = {
  /** The database's clock, after the row was written. */
  readonly storedAt: Date
  /** The database's timeline when the row was written. */
  readonly storedOn: string
  /**
   * Null without a registration. While the clock is being advanced, the caller waits and registers
   * again.
   */
  readonly clock: SandboxClock | null
  /**
   * Null without a reservation. Unless it is `held`, no row was written and no attempt registered.
   */
  readonly reservation: QuotaAnswer | null
  /** A process has found that the ledger lost events, and it has not been recovered yet. */
  readonly isLedgerDamaged: boolean
}

export type SealedRow = VaultOwner & WrappedKey & { readonly ref: string; readonly payload: Buffer }
export type RowToInsert = AttemptRegistration & { readonly row: SealedRow | null }

export type StoredItem = SealedItem & VaultOwner & WrappedKey

/**
 * Stores the vault's sealed rows, together with their quota reservations and attempt registrations.
 * Each call takes many at once and returns the results in their order. The contract suite has a
 * named test for each promise: acknowledged data survives a crash. Nothing is written for a
 * shipment that gets no quota, or whose stream is unread although it had a reservation. Concurrent
 * reservations for one shipment count once. An item is either stored before its row is erased, and
 * deleted with it, or refused.
 */
export type VaultRows = {
  /** Reserves quota, writes rows, registers attempts and reads the workspaces' clocks. */
  insertRows(batch: readonly RowToInsert[]): Promise<readonly RegisteredAttempt[]>
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
