import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { ReadModels } from '../projections/tables.ts'
import type { Database } from './database/database.ts'
import type { EventStore } from './event-store/event-store.ts'
import type { StreamWatch } from './event-store/stream-watch.ts'
import type { Sealer } from './http/server-deps.ts'
import type { ServiceMetrics } from './http/service/metrics.ts'
import type { SealerDeps } from './ledger/sealer.ts'
import type {
  RegisteredCouriers,
  TokenSealer,
} from './processes/connections/registered-couriers.ts'
import type { ProcessDeps } from './processes/process-deps.ts'
import type { Peppers } from './security/api-keys.ts'
import type { DeliverDeps } from './webhooks/deliver.ts'

/** Everything between the adapters and the roles. The service and the CLI share it. */
export type Parts = {
  readonly pool: Pool
  readonly db: Kysely<Database>
  readonly readModels: Kysely<ReadModels>
  readonly store: EventStore
  readonly pepper: Peppers
  readonly sealer: Sealer
  readonly processes: ProcessDeps
  /** The couriers for live use. Call `refresh` once before the start, then `run`. */
  readonly registered: RegisteredCouriers
  readonly tokens: TokenSealer
  /** What webhook deliveries need; its sealer seals the secrets of the endpoints too. */
  readonly deliver: DeliverDeps
  /** What sealing the ledger needs. */
  readonly seal: Omit<SealerDeps, 'db' | 'store' | 'log'>
  readonly metrics: ServiceMetrics
  /** Runs the subscription that waiting requests share. Only an API needs it. */
  readonly watch: StreamWatch
  close(): Promise<void>
}
