import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
import type { Catalogue } from '../couriers/catalogue.ts'
import type { Couriers } from '../couriers/couriers.ts'
import type { Instant } from '../domain/decider.ts'
import type { AnomalyCode } from '../domain/tracking/tracking.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { StreamWatch } from '../event-store/stream-watch.ts'
import type { Wake } from '../event-store/wake.ts'
import type { Log } from '../log.ts'
import type { BatchSealer } from '../security/encryption/batch-keys.ts'
import type { InvoiceSealer } from '../security/encryption/invoice-keys.ts'
import type { Vault } from '../security/vault/vault.ts'
import type { Underway } from './calls/underway.ts'
import type { CourierAccounts } from './connections/courier-accounts.ts'
import type { Claims, DutyName, Performed } from './due/claims.ts'
import type { ErasureList } from './erasure/erasure-list.ts'
import type { ErasureRows } from './erasure/erasure-rows.ts'
import type { UnreadableLabels } from './labels/unreadable-labels.ts'
import type { Guard } from './recovery/ledger-guard.ts'
import type { AdvanceLimits } from './sandbox/advance-limits.ts'

/** The webhook deliveries as an advance of a sandbox clock needs them: they fall due too. */
export type DueDeliveries = {
  /**
   * The deliveries due first, not after `until` and not among those left out by their keys, in the
   * order in which they fall due.
   */
  next(
    workspaceId: string,
    until: Instant,
    leftOut: readonly string[],
  ): Promise<readonly AdvanceStep[]>
  /** Whether an attempt for this workspace is under way now. */
  isAtWork(workspaceId: string): Promise<boolean>
}

/** Work that falls due while a sandbox clock is advanced. */
export type AdvanceStep = {
  /** Names the work; together with its moment it identifies the step. */
  readonly key: string
  readonly what: DutyName | 'deliver'
  /** Null: it is about no shipment. */
  readonly shipmentId: string | null
  readonly at: Instant
  /** Does the work as of its moment; doing it twice is harmless. */
  readonly perform: () => Promise<Performed>
}

/** The dependencies of the processes. */
export type ProcessDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  /** Whether the ledger may be trusted. */
  readonly guard: Guard
  readonly vault: Vault
  readonly couriers: Couriers
  readonly catalogue: Catalogue
  readonly accounts: CourierAccounts
  readonly watch: Pick<StreamWatch, 'until'>
  /** Leases on the work that falls due. */
  readonly claims: Claims
  /** Rung when something falls due sooner than the workers of this process knew. */
  readonly dueBell: Pick<Wake, 'ring' | 'count' | 'wait'>
  /** Rung when a batch was stored, or one of its lanes is free. */
  readonly batchBell: Pick<Wake, 'ring' | 'count' | 'wait'>
  readonly batchSealer: BatchSealer
  /** Rung when an invoice is to be compared. */
  readonly invoiceBell: Pick<Wake, 'ring' | 'count' | 'wait'>
  readonly invoiceSealer: InvoiceSealer
  /** The attempts that this process is making. */
  readonly underway: Underway
  readonly deliveries: DueDeliveries
  /**
   * How long to wait for an advance of a sandbox clock, and how much of it one worker makes in a
   * row.
   */
  readonly advance: AdvanceLimits
  /** The pending erasures. */
  readonly erasureRows: ErasureRows
  /** The list of erased shipments, outside the database. */
  readonly erasures: ErasureList
  /** The labels that cannot be read. */
  readonly unreadableLabels: Pick<UnreadableLabels, 'among' | 'has' | 'note'>
  /** Counts what is wrong with what couriers report. */
  readonly noteAnomaly: (code: AnomalyCode, livemode: boolean) => void
  readonly log: Log
}
