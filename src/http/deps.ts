import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Kysely } from 'kysely'
import type { Pages } from '../console-build/keep-built.ts'
import type { Catalogue } from '../couriers/catalogue.ts'
import type { Credentials, SandboxContext } from '../couriers/courier.ts'
import type { Couriers } from '../couriers/couriers.ts'
import type { Database } from '../database/database.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { ConnectionPlace } from '../processes/connections/courier-accounts.ts'
import type { ApiKeys, Principal } from '../security/api-keys.ts'
import type { RateLimit } from '../security/rate-limit.ts'
import type { WebhookSealer } from '../security/webhook-secrets.ts'
import type { HttpSecrets } from './http-secrets.ts'
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

/** Says null when ready, else in a few words what is not. May throw: then the part is not ready. */
export type ReadinessCheck = () => Promise<string | null>

export type KnownWorkspaces = {
  /** Throws the 404 of any id that never existed unless the key reaches the workspace. */
  require(principal: Principal, id: string): Promise<void>
}

export type ShipmentOwners = {
  /** The same of a shipment, before anything of its stream is read. */
  require(principal: Principal, shipmentId: string): Promise<void>
}

/** What the routes of this folder need. Routes with further needs take them beside this. */
export type HttpDeps = {
  readonly db: Kysely<Database>
  readonly store: EventStore
  readonly keys: Pick<ApiKeys, 'authenticate'>
  /** Requests of each key, and failed authentications of each network. */
  readonly rates: {
    readonly requests: Pick<RateLimit, 'take'>
    readonly failures: Pick<RateLimit, 'take'>
  }
  /** Whose `X-Forwarded-For` is believed: addresses and networks; none if left out. */
  readonly trustedProxies?: readonly string[]
  /** How late the event loop is; measured unless given. */
  readonly lateness?: Lateness
  /** What is read of a request after its answer; `discardLimits` unless given. */
  readonly discard?: DiscardLimits
  readonly secrets: HttpSecrets
  readonly sealer: Sealer
  readonly webhookSealer: WebhookSealer
  /** Whether webhooks of test mode may go to private addresses; of live mode never. */
  readonly webhookAllowPrivate: boolean
  readonly couriers: Couriers
  readonly catalogue: Catalogue
  /** What a call to the simulated courier carries for a workspace, its clock read now. */
  readonly sandboxContext: (at: {
    readonly workspaceId: string
    readonly scenario: string
  }) => Promise<SandboxContext>
  readonly hasUnresolvedOperations: (connectionId: string) => Promise<boolean>
  /** To be called after each change of a connection, so that it works here at once. */
  readonly forgetConnection: (connection: ConnectionPlace) => void
  readonly workspaces: KnownWorkspaces
  readonly owners: ShipmentOwners
  /** By the name that `/readyz` shows. */
  readonly readiness: Readonly<Record<string, ReadinessCheck>>
  /** Of the console; it is served where they are given. */
  readonly pages?: Pages | undefined
  readonly clock: { now(): Date }
  readonly log: FastifyBaseLogger
  readonly metrics: Pick<ServiceMetrics, 'request'>
}

export type App = FastifyInstance<
  RawServerDefault,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>
