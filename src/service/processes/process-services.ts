import type { Kysely } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import type { Catalogue } from '../couriers/catalogue.ts'
import type { Couriers } from '../couriers/couriers.ts'
import type { Instant } from '../domain/decider.ts'
import type { AnomalyCode } from '../domain/tracking/tracking.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { StreamWatch } from '../event-store/stream-watch.ts'
import type { Log } from '../log.ts'
import type { Signal } from '../queue/signal.ts'
import type { BatchSealer, InvoiceSealer } from '../security/encryption/own-key.ts'
import type { Vault } from '../security/vault/vault.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { DueDeliveries } from '../webhooks/due-deliveries.ts'
import type { InFlightCalls } from './calls/in-flight-calls.ts'
import type { CourierAccounts } from './connections/courier-accounts.ts'
import type { Claims, JobName, JobResult } from './due/claims.ts'
import type { ErasureList } from './erasure/erasure-list.ts'
import type { ErasureRows } from './erasure/erasure-rows.ts'
import type { UnreadableLabels } from './labels/unreadable-labels.ts'
import type { Guard } from './recovery/ledger-guard.ts'
import type { AdvanceLimits } from './sandbox/advance-limits.ts'
import type { AssumedClocks } from './sandbox/assumed-clocks.ts'

/** Work that falls due while a sandbox clock advances. */
export type AdvanceStep = {
  /** Identifies the work; together with its time it identifies the step. */
  readonly key: string
  readonly what: JobName | 'deliver'
  /** Null if it concerns no shipment. */
  readonly shipmentId: string | null
  readonly at: Instant
  /** Performs the work as of its time; repeating it is harmless. */
  readonly perform: () => Promise<JobResult>
}

export type ProcessServices = {
  readonly db: Kysely<Tables>
  readonly store: EventStore
  /** Whether the ledger can be trusted. */
  readonly guard: Guard
  readonly vault: Vault
  readonly clocks: Pick<AssumedClocks, 'offsetOf' | 'note'>
  readonly couriers: Couriers
  readonly catalogue: Catalogue
  readonly accounts: CourierAccounts
  readonly watch: Pick<StreamWatch, 'until'>
  /** Leases on due work. */
  readonly claims: Claims
  /** Notified when work was added, or falls due sooner than this process's workers knew. */
  readonly workAdded: Pick<Signal, 'notify' | 'count' | 'wait'>
  readonly batchSealer: BatchSealer
  readonly invoiceSealer: InvoiceSealer
  /** The attempts in flight in this process. */
  readonly inFlightCalls: InFlightCalls
  readonly deliveries: DueDeliveries
  /**
   * How long to wait for an advance of a sandbox clock, and how much of it one worker performs in a
   * row.
   */
  readonly advance: AdvanceLimits
  /** How long the couriers of one quote have to answer, all together. */
  readonly ratesWithinMs: number
  /** Pending erasures. */
  readonly erasureRows: ErasureRows
  /** The list of erased shipments, outside the database. */
  readonly erasures: ErasureList
  /** Labels that cannot be read. */
  readonly unreadableLabels: Pick<UnreadableLabels, 'among' | 'has' | 'note'>
  /** Counts anomalies in couriers' reports. */
  readonly noteAnomaly: (code: AnomalyCode, livemode: boolean) => void
  readonly log: Log
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing | undefined
}
