import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
import type { Catalogue } from '../couriers/catalogue.ts'
import type { Credentials, SandboxContext } from '../couriers/courier.ts'
import type { Couriers } from '../couriers/couriers.ts'
import type { Database } from '../database/database.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { EvidenceBundles } from '../ledger/evidence/evidence-bundles.ts'
import type { Verifier } from '../ledger/signed-note.ts'
import type { ConnectionPlace } from '../processes/connections/courier-accounts.ts'
import type { Papers } from '../processes/papers/papers.ts'
import type { ProcessDeps } from '../processes/process-deps.ts'
import type { ApiKeys, Peppers, Principal } from '../security/api-keys.ts'
import type { WebhookSealer } from '../security/encryption/webhook-secrets.ts'
import type { FailedAuthentications } from '../security/failed-authentications.ts'
import type { RateLimit } from '../security/rate-limit.ts'
import type { Vault } from '../security/vault/vault.ts'
import type { HttpSecrets } from './http-secrets.ts'
import type { RequestLog } from './requests/request-log.ts'
import type { LargeBodyLimits } from './rules/bodies/large-body-limits.ts'
import type { DiscardLimits } from './rules/discard-rest.ts'
import type { Lateness } from './rules/overload.ts'
import type { ServiceMetrics } from './service/metrics.ts'

/** Seals and opens a connection's credentials, bound to organization and connection. */
export type Sealer = {
  seal(at: {
    readonly organizationId: string
    readonly connectionId: string
    readonly credentials: Credentials
  }): Buffer
  open(at: {
    readonly organizationId: string
    readonly connectionId: string
    readonly sealed: Buffer
  }): Credentials
}

/** Returns null when ready, else a few words on what is missing. A throw also means not ready. */
export type ReadinessCheck = () => Promise<string | null>

export type ReachCheck = {
  /** Throws the 404 of an id that never existed unless the resource is within the key's reach. */
  require(principal: Principal, id: string): Promise<void>
}

export type PublicTree = {
  readonly db: Kysely<ReadModels>
  /** Counts the requests of each network. */
  readonly rate: Pick<RateLimit, 'take'>
}

/** What the server itself needs, whatever its routes. */
export type ServerDeps = {
  readonly keys: Pick<ApiKeys, 'authenticate'>
  /** Counts refused callers for the audit. */
  readonly failures: Pick<FailedAuthentications, 'count'>
  /** Counts the requests of each key and the failed authentications of each network. */
  readonly rates: {
    readonly requests: Pick<RateLimit, 'take'>
    readonly failures: Pick<RateLimit, 'take'>
  }
  /** The proxies whose `X-Forwarded-For` is trusted: addresses and networks. Default: none. */
  readonly trustedProxies?: readonly string[]
  /** How late the event loop is. Default: measured. */
  readonly lateness?: Lateness
  /** How much of a request is read after its answer. Default: `discardLimits`. */
  readonly discard?: DiscardLimits
  /** How large bodies are shared between organizations. Default: `largeBodyLimits`. */
  readonly largeBodies?: LargeBodyLimits
  /** Keyed by the names that `/readyz` shows. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>
  /** Shown by `/readyz` like the checks above, but the service is ready all the same. */
  readonly warnings?: Readonly<Record<string, ReadinessCheck>>
  /** The sealed tree, whose checkpoint and tiles are public. Without it they are not served. */
  readonly publicTree?: PublicTree | undefined
  /** The built console and documentation. Without it neither is served. */
  readonly pagesFolder?: string | undefined
  /** Aborted when the process is about to close the server. Default: never, it closes at once. */
  readonly stopping?: AbortSignal | undefined
  readonly log: FastifyBaseLogger
  readonly metrics: Pick<ServiceMetrics, 'request'>
  /** Notes the requests of known keys. Without it they are not noted. */
  readonly requestLog?: Pick<RequestLog, 'note'>
}

/** What there is for routes. Each takes what it uses. */
export type RouteDeps = {
  /** Configuration rows, behind the tenant fence. */
  readonly db: Kysely<Database>
  readonly store: EventStore
  readonly processes: ProcessDeps
  readonly secrets: HttpSecrets
  /** New keys are stored under its current version. */
  readonly pepper: Peppers
  readonly sealer: Sealer
  /** For the notes of holds on workspaces. */
  readonly vault: Pick<Vault, 'prepare' | 'put'>
  readonly webhookSealer: WebhookSealer
  /** Whether webhooks of test mode may go to private addresses. Those of live mode never may. */
  readonly webhookAllowPrivate: boolean
  readonly couriers: Couriers
  readonly catalogue: Catalogue
  /** What a call to the simulated courier carries for a workspace. Reads the workspace's clock. */
  readonly sandboxContext: (at: {
    readonly workspaceId: string
    readonly scenario: string
  }) => Promise<SandboxContext>
  readonly hasUnresolvedOperations: (connection: ConnectionPlace) => Promise<boolean>
  /** Call it after each change of a connection, so that the change takes effect here at once. */
  readonly forgetConnection: (connection: ConnectionPlace) => void
  readonly workspaces: ReachCheck
  /** Checks a shipment before anything of its stream is read. */
  readonly owners: ReachCheck
  readonly evidence: Pick<EvidenceBundles, 'make' | 'makeEach'>
  /** What is printed of many shipments. */
  readonly papers: Pick<Papers, 'labels' | 'manifest'>
  /** The witnesses of the ledger. */
  readonly witnesses: readonly Verifier[]
  /** Keyed by the names that `/readyz` shows. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>
  readonly clock: { now(): Date }
}

export type App = FastifyInstance<
  RawServerDefault,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>
