import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { ReadModels } from '../../projections/tables.ts'
import type { Courier } from './couriers/courier.ts'
import type { Database } from './database/database.ts'
import type { EventStore } from './event-store/event-store.ts'
import type { StreamWatch } from './event-store/stream-watch.ts'
import type { ReadinessCheck, Sealer } from './http/server-deps.ts'
import type { ServiceMetrics } from './http/service/metrics.ts'
import type { FindDamageDeps } from './ledger/recovery/find-damage.ts'
import type { SealerDeps } from './ledger/sealer.ts'
import type { Witness } from './ledger/witnesses/submit.ts'
import type {
  RegisteredCouriers,
  TokenSealer,
} from './processes/connections/registered-couriers.ts'
import type { ProcessDeps } from './processes/process-deps.ts'
import type { LedgerGuard } from './processes/recovery/ledger-guard.ts'
import type { AdvanceLimits } from './processes/sandbox/advance-limits.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Peppers } from './security/api-keys.ts'
import type { logger } from './security/logger.ts'
import type { DeliverDeps } from './webhooks/deliver.ts'

export type PartsOptions = {
  readonly databaseUrl: string
  /** The event store, as configured. */
  readonly eventStoreUrl?: string | undefined
  readonly eventStoreNamespace?: string
  readonly secrets: Secrets
  /** Null when there is none; calls in test mode then find the courier unreachable. */
  readonly simulatorUrl: string | null
  readonly log: ReturnType<typeof logger>
  /** For benchmarks: replaces or wraps the simulated courier. */
  readonly courierOf?: ((simulated: Courier) => Courier) | undefined
  /** Whether webhooks of test mode may go to private addresses. Default: false. */
  readonly allowPrivate?: boolean
  /** A proof passes its own times, to run days of deliveries in a minute. */
  readonly deliveries?: Partial<Pick<DeliverDeps, 'sender' | 'rules'>>
  /** Where checkpoints and the list of erasures are kept outside the database. Default: nowhere. */
  readonly checkpointDir?: string | undefined
  /** Where the embedded database keeps its files; undefined = the database is another. */
  readonly dataDir?: string | undefined
  /** They cosign each checkpoint. Default: none. */
  readonly witnesses?: readonly Witness[]
  /** Tests pass smaller limits to reach them quickly. */
  readonly advance?: Partial<AdvanceLimits>
}

type Checks = Readonly<Record<string, ReadinessCheck>>

/** Everything between the adapters and the roles. The service and the CLI share it. */
export type Parts = {
  readonly pool: Pool
  readonly db: Kysely<Database>
  readonly readModels: Kysely<ReadModels>
  readonly store: EventStore
  /** Whether the ledger may be trusted. Call `read` once before the start, then `run`. */
  readonly guard: LedgerGuard
  readonly pepper: Peppers
  readonly sealer: Sealer
  readonly processes: ProcessDeps
  /** The couriers for live use. Call `refresh` once before the start, then `run`. */
  readonly registered: RegisteredCouriers
  readonly tokens: TokenSealer
  /** What webhook deliveries need; its sealer seals the secrets of the endpoints too. */
  readonly deliver: DeliverDeps
  /** What the ledger is compared with, to find out whether it has lost events. */
  readonly remembered: FindDamageDeps
  /** What sealing the ledger needs. */
  readonly seal: Omit<SealerDeps, 'db' | 'store' | 'log'>
  readonly metrics: ServiceMetrics
  /** The checks of `/readyz`, and what it shows besides. */
  readonly readiness: Checks
  readonly warnings: Checks
  /** Runs the subscription that waiting requests and lines of batches share. */
  readonly watch: StreamWatch
  close(): Promise<void>
}
