import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import type { Credentials, SandboxContext } from '../couriers/courier.ts'
import type { EvidenceBundles } from '../ledger/evidence/evidence-bundles.ts'
import type { Verifier } from '../ledger/signed-note.ts'
import type { ConnectionPlace } from '../processes/connections/courier-accounts.ts'
import type { Documents } from '../processes/documents/documents.ts'
import type { ProcessServices } from '../processes/process-services.ts'
import type { ApiKeys, Peppers, Principal } from '../security/api-keys.ts'
import type { WebhookSealer } from '../security/encryption/webhook-secrets.ts'
import type { FailedAuthentications } from '../security/failed-authentications.ts'
import type { RateLimit } from '../security/rate-limit.ts'
import type { TrackingLinks } from '../security/tracking-links/tracking-links.ts'
import type { SheetThread } from '../sheets/sheet-thread.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { HttpSecrets } from './http-secrets.ts'
import type { RecipientPages } from './recipient-page/recipient-pages.ts'
import type { RequestLog } from './requests/request-log.ts'
import type { LargeBodyLimits } from './rules/bodies/large-body-limits.ts'
import type { DiscardLimits } from './rules/discard-rest.ts'
import type { Lateness } from './rules/overload.ts'
import type { ServiceMetrics } from './service/metrics.ts'
import type { SignIn } from './sign-in/sign-in.ts'

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

/**
 * Returns null when ready, otherwise a few words on what is missing. A throw also means not ready.
 */
export type ReadinessCheck = () => Promise<string | null>

export type TenantScopeCheck = {
  /** Throws the 404 of an id that never existed, unless the resource is within the key's reach. */
  require(principal: Principal, id: string): Promise<void>
}

export type PublicTree = {
  readonly db: Kysely<Tables>
  /** Counts the requests of each network. */
  readonly rate: Pick<RateLimit, 'take'>
}

export type SignInDeps = {
  readonly signIn: Pick<SignIn, 'start' | 'finish' | 'redeem'>
  /** Counts the requests of each network. */
  readonly rate: Pick<RateLimit, 'take'>
}

export type RecipientPageDeps = {
  readonly pages: Pick<RecipientPages, 'open'>
  readonly rates: {
    /** Counts the requests of each network. */
    readonly network: Pick<RateLimit, 'take'>
    /** Counts all of them. Apart, because counts of many networks evict the oldest one. */
    readonly every: Pick<RateLimit, 'take'>
  }
}

/** The dependencies of the server itself, whatever its routes. */
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
  /** How much of a request is read after its answer was sent. Default: `discardLimits`. */
  readonly discard?: DiscardLimits
  /** How large bodies are shared between organizations. Default: `largeBodyLimits`. */
  readonly largeBodies?: LargeBodyLimits
  /** Keyed by the names that `/readyz` shows. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>
  /** Shown by `/readyz` like the checks above, but they do not make the service unready. */
  readonly warnings?: Readonly<Record<string, ReadinessCheck>>
  /** The sealed tree, whose checkpoint and tiles are public. Without it they are not served. */
  readonly publicTree?: PublicTree | undefined
  /** The page for the person who waits for a parcel. Without it the links lead nowhere. */
  readonly recipientPage?: RecipientPageDeps | undefined
  /** The built console and documentation. Without it neither is served. */
  readonly pagesFolder?: string | undefined
  /** Signs people in to the console. Without it the console takes keys only. */
  readonly signIn?: SignInDeps | undefined
  /** Aborted shortly before the process closes the server. Default: never. */
  readonly stopping?: AbortSignal | undefined
  readonly log: FastifyBaseLogger
  readonly metrics: Pick<ServiceMetrics, 'request'>
  /** Records the requests of known keys. Without it they are not recorded. */
  readonly requestLog?: Pick<RequestLog, 'note'>
  /** Absent where nothing is traced. */
  readonly tracing?: Pick<Tracing, 'instrument'> | undefined
}

/** What routes use: the services of the process, with its database behind the tenant fence. */
export type ApiServices = ProcessServices & {
  readonly secrets: HttpSecrets
  /** New keys are stored under the current version. */
  readonly pepper: Peppers
  readonly sealer: Sealer
  readonly webhookSealer: WebhookSealer
  /** Whether webhooks of test mode may go to private addresses. Those of live mode never may. */
  readonly allowPrivateWebhooks: boolean
  /** The context of a call to the simulated courier. Reads the workspace's clock. */
  readonly sandboxContext: (at: {
    readonly workspaceId: string
    readonly scenario: string
  }) => Promise<SandboxContext>
  /** The links to recipients' pages. */
  readonly links: Pick<TrackingLinks, 'urlsFor' | 'forget'>
  readonly hasUnresolvedOperations: (connection: ConnectionPlace) => Promise<boolean>
  readonly workspaces: TenantScopeCheck
  /** Checks a shipment before anything of its stream is read. */
  readonly owners: TenantScopeCheck
  readonly evidence: Pick<EvidenceBundles, 'make' | 'makeEach' | 'print'>
  /** Prints documents of many shipments. */
  readonly documents: Omit<Documents, 'close'>
  /** Reads files of batches and invoices. */
  readonly sheets: Pick<SheetThread, 'read'>
  /** The witnesses of the ledger. */
  readonly witnesses: readonly Verifier[]
  /** The checks of `/readyz`, by the names that it shows. */
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
