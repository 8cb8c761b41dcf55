import { sql } from 'kysely'
import { projections } from '../projections/all.ts'
import type { Pages } from './console-build/keep-built.ts'
import { fenced } from './database/tenant-fence.ts'
import { Problem } from './errors.ts'
import { type EventStore, EventStoreUnavailable } from './event-store/event-store.ts'
import { httpSecrets } from './http/http-secrets.ts'
import type { LedgerDeps } from './http/ledger/ledger-deps.ts'
import { ledgerRoutes } from './http/ledger/ledger-routes.ts'
import { operationRoutes } from './http/operations/operation-routes.ts'
import { quoteRoutes } from './http/quotes/quote-routes.ts'
import { sandboxRoutes } from './http/sandbox/sandbox-routes.ts'
import { buildServer, type RegisterRoutes } from './http/server.ts'
import { serviceHealthRoutes } from './http/service/service-health-routes.ts'
import { cancellationRoutes } from './http/shipments/cancellation-routes.ts'
import { documentRoutes } from './http/shipments/document-routes.ts'
import { erasureRoutes } from './http/shipments/erasure-routes.ts'
import { shipmentOwners } from './http/shipments/shipment-owners.ts'
import { shipmentRoutes } from './http/shipments/shipment-routes.ts'
import { trackingRoutes } from './http/shipments/tracking-routes.ts'
import { knownWorkspaces } from './http/workspaces/workspaces.ts'
import type { Parts } from './parts.ts'
import { hasColumn } from './processes/has-column.ts'
import { readClock } from './processes/sandbox/workspace-clock.ts'
import { projectionStatuses, projectionsReached } from './projector/checkpoint.ts'
import { ApiKeys } from './security/api-keys.ts'
import type { logger } from './security/logger.ts'
import { RateLimit, sharedCounts } from './security/rate-limit.ts'

type Logger = ReturnType<typeof logger>
type Rates = { readonly rates: { readonly requests: RateLimit; readonly failures: RateLimit } }

/** How long deleting a connection waits for the list of its operations to be complete. */
const completeWaitMs = 3_000

function ledgerDeps(parts: Parts, log: Logger): LedgerDeps & Rates {
  const { db, readModels, store } = parts
  // Requests run behind the tenant fence; keys are read without it.
  const processes = { ...parts.processes, db: fenced(parts.processes.db) }
  const own = fenced(db)
  return {
    db: own,
    store,
    processes,
    log,
    keys: new ApiKeys({ db, pepper: parts.pepper }),
    rates: {
      requests: new RateLimit({ shared: sharedCounts(parts.pool), log }),
      // Not shared: a request without a key must not cause writes to the database.
      failures: new RateLimit({ shared: null, log }),
    },
    secrets: httpSecrets(parts.pepper),
    sealer: parts.sealer,
    webhookSealer: parts.webhookSealer,
    webhookAllowPrivate: parts.deliver.allowPrivate,
    couriers: processes.couriers,
    catalogue: processes.catalogue,
    metrics: parts.metrics,
    clock: { now: () => new Date() },
    workspaces: knownWorkspaces(own),
    owners: shipmentOwners(own),
    forgetConnection: (connection) => processes.accounts.forget(connection),
    async sandboxContext({ workspaceId, scenario }) {
      const { now } = await readClock(readModels, { workspaceId, livemode: false })
      return { scenario, attempt: 1, attemptAt: new Date(now), now: new Date(now) }
    },
    async hasUnresolvedOperations(connectionId) {
      if (!(await projectionsReached(readModels, await store.head(), completeWaitMs))) {
        const detail = 'It is not known now whether operations are unresolved.'
        throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
      }
      if (!(await hasColumn(readModels, 'projections.shipments', 'is_open'))) {
        const detail =
          'The list of shipments is being rebuilt, so its operations are not known now.'
        throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
      }
      const { rows } = await sql`
        SELECT FROM projections.shipments
        WHERE courier_connection_id = ${connectionId} AND is_open LIMIT 1`.execute(readModels)
      return rows.length > 0
    },
    readiness: {
      database: async () => {
        await sql`SELECT 1`.execute(readModels)
        return null
      },
      ledger: async () => await ledgerTrouble(store),
      projections: async () => {
        const statuses = await projectionStatuses(readModels)
        const stopped = statuses.filter((one) => one.stoppedBy !== null)
        if (stopped.length > 0) return `${stopped.map((one) => one.name).join(', ')} stopped`
        const active = statuses.filter((one) => one.active).length
        return active < projections.length ? 'a read model is missing' : null
      },
    },
  }
}

/** For `/readyz`: why the ledger cannot be read. The log says what to do. */
async function ledgerTrouble(store: EventStore): Promise<string | null> {
  try {
    await store.end()
    return null
  } catch (error) {
    if (error instanceof EventStoreUnavailable && error.trouble !== null) return error.trouble.code
    throw error
  }
}

function routesOf(deps: LedgerDeps): readonly RegisterRoutes[] {
  const own = [
    quoteRoutes,
    shipmentRoutes,
    cancellationRoutes,
    erasureRoutes,
    trackingRoutes,
    documentRoutes,
    operationRoutes,
    ledgerRoutes,
    sandboxRoutes,
    serviceHealthRoutes,
  ]
  return own.map((routes) => (app) => routes(app, deps))
}

export type ApiOptions = {
  readonly trustedProxies?: readonly string[]
  readonly pages?: Pages | undefined
  /** For benchmarks: routes in addition to the service's own. */
  readonly routes?: readonly RegisterRoutes[] | undefined
}

/** Builds the API without listening. The OpenAPI document is generated from it too. */
export function apiOf(parts: Parts, log: Logger, options: ApiOptions = {}) {
  const deps = { ...ledgerDeps(parts, log), ...options }
  const app = buildServer(deps, [...routesOf(deps), ...(options.routes ?? [])])
  app.addHook('onClose', () => deps.rates.requests.close())
  return { app, keys: deps.keys as ApiKeys }
}
