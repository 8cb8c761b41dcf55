import type { Pool } from 'pg'
import type { Courier } from './couriers/courier.ts'
import type { StreamWatch } from './event-store/stream-watch.ts'
import type { ReadinessCheck, Sealer } from './http/api-services.ts'
import type { ServiceMetrics } from './http/service/metrics.ts'
import type { FindDamageDeps } from './ledger/recovery/find-damage.ts'
import type { SealerDeps } from './ledger/sealer.ts'
import type { Witness } from './ledger/witnesses/submit.ts'
import type {
  RegisteredCouriers,
  TokenSealer,
} from './processes/connections/registered-couriers.ts'
import type { ProcessServices } from './processes/process-services.ts'
import type { LedgerGuard } from './processes/recovery/ledger-guard.ts'
import type { AdvanceLimits } from './processes/sandbox/advance-limits.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Peppers } from './security/api-keys.ts'
import type { logger } from './security/logger.ts'
import type { TrackingLinks } from './security/tracking-links/tracking-links.ts'
import type { OpenTelemetry } from './tracing/open-telemetry.ts'
import type { DeliveryServices } from './webhooks/deliver.ts'

export type ServiceOptions = {
  readonly databaseUrl: string
  /** The configured EventStoreDB. Default: the database is the event store. */
  readonly eventStoreUrl?: string | undefined
  readonly eventStoreNamespace?: string
  readonly secrets: Secrets
  /** Null without a simulated courier; calls in test mode then find the courier unreachable. */
  readonly simulatorUrl: string | null
  readonly log: ReturnType<typeof logger>
  /** For benchmarks: replaces or wraps the simulated courier. */
  readonly courierOf?: ((simulated: Courier) => Courier) | undefined
  /** Whether webhooks in test mode may go to private addresses. Default: false. */
  readonly allowPrivate?: boolean
  /** For proofs: other times, to run days of deliveries in a minute. */
  readonly deliveries?: Partial<Pick<DeliveryServices, 'webhookSender' | 'deliveryRules'>>
  /** A folder outside the database for checkpoints and the list of erasures. Default: none. */
  readonly checkpointDir?: string | undefined
  /** The folder of the embedded database; undefined with an external one. */
  readonly dataDir?: string | undefined
  /** The address of the service for browsers, once it is known. Default: that of PORT's default. */
  readonly publicUrl?: () => string
  /** The witnesses that cosign each checkpoint. Default: none. */
  readonly witnesses?: readonly Witness[]
  /** The SDK that exports traces. Default: nothing is traced. */
  readonly openTelemetry?: Pick<OpenTelemetry, 'tracing'> | undefined
  /** For tests: smaller limits, to reach them quickly. */
  readonly advance?: Partial<AdvanceLimits>
  /** For tests: less time for the couriers of a quote. */
  readonly ratesWithinMs?: number | undefined
}

type Checks = Readonly<Record<string, ReadinessCheck>>

/** Everything that the roles of a process and the CLI use, in one flat object. */
export type Services = ProcessServices &
  DeliveryServices &
  FindDamageDeps &
  Omit<SealerDeps, 'db' | 'store' | 'log'> & {
    readonly pool: Pool
    /** Call `read` once before the start, then `run`. */
    readonly guard: LedgerGuard
    readonly pepper: Peppers
    readonly links: TrackingLinks
    readonly sealer: Sealer
    /** The couriers for live use. Call `refresh` once before the start, then `run`. */
    readonly registered: RegisteredCouriers
    readonly tokens: TokenSealer
    readonly metrics: ServiceMetrics
    /** The checks of `/readyz`, and further states that it shows. */
    readonly readiness: Checks
    readonly warnings: Checks
    /** Runs the subscription that waiting requests and batch lines share. */
    readonly watch: StreamWatch
    close(): Promise<void>
  }
