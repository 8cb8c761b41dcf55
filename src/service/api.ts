import { fenced } from './database/tenant-fence.ts'
import { hasUnresolvedOperations } from './http/connections/unresolved-operations.ts'
import { httpSecrets } from './http/http-secrets.ts'
import { RequestLog } from './http/requests/request-log.ts'
import { routes } from './http/routes.ts'
import { buildServer, type RegisterRoutes } from './http/server.ts'
import type { RouteDeps, ServerDeps } from './http/server-deps.ts'
import { shipmentOwners } from './http/shipments/shipment-owners.ts'
import { knownWorkspaces } from './http/workspaces/workspace-schema.ts'
import { signingKeys } from './ledger/checkpoints.ts'
import { EvidenceBundles } from './ledger/evidence/evidence-bundles.ts'
import type { Parts } from './parts.ts'
import { type Papers, papers } from './processes/papers/papers.ts'
import { readClock } from './processes/sandbox/workspace-clock.ts'
import { ApiKeys } from './security/api-keys.ts'
import { FailedAuthentications } from './security/failed-authentications.ts'
import type { logger } from './security/logger.ts'
import { RateLimit, sharedCounts } from './security/rate-limit.ts'

type Logger = ReturnType<typeof logger>
type Closed = {
  readonly requestLog: RequestLog
  readonly rates: { readonly requests: RateLimit; readonly failures: RateLimit }
  readonly failures: FailedAuthentications
  readonly evidence: EvidenceBundles
  readonly papers: Papers
}

function depsOf(parts: Parts, log: Logger): RouteDeps & ServerDeps & Closed {
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
    failures: new FailedAuthentications({ store, log }),
    secrets: httpSecrets(parts.pepper),
    pepper: parts.pepper,
    sealer: parts.sealer,
    vault: parts.processes.vault,
    webhookSealer: parts.deliver.sealer,
    webhookAllowPrivate: parts.deliver.allowPrivate,
    couriers: processes.couriers,
    catalogue: processes.catalogue,
    metrics: parts.metrics,
    // Of every organization, so without the fence.
    requestLog: new RequestLog({
      db,
      log,
      dropped: (requests) => parts.metrics.requestsDropped(requests),
    }),
    witnesses: parts.seal.witnesses,
    evidence: new EvidenceBundles({
      db: processes.db,
      operators: processes.db,
      store,
      vault: processes.vault,
      witnesses: parts.seal.witnesses,
      signingKeys: signingKeys(parts.seal.keys.current, parts.seal.keys.previous),
    }),
    papers: papers(processes),
    publicTree: { db: readModels, rate: new RateLimit({ shared: null, log }) },
    clock: { now: () => new Date() },
    workspaces: knownWorkspaces(own),
    owners: shipmentOwners(own),
    forgetConnection: (connection) => processes.accounts.forget(connection),
    async sandboxContext({ workspaceId, scenario }) {
      const { now } = await readClock(readModels, { workspaceId, livemode: false })
      return { scenario, attempt: 1, attemptAt: new Date(now), now: new Date(now) }
    },
    hasUnresolvedOperations: (connection) => hasUnresolvedOperations(readModels, store, connection),
    readiness: parts.readiness,
    warnings: parts.warnings,
  }
}

type ApiOptions = {
  readonly trustedProxies?: readonly string[]
  readonly pagesFolder?: string | undefined
  readonly stopping?: AbortSignal | undefined
  /** For benchmarks: routes in addition to the service's own. */
  readonly routes?: readonly RegisterRoutes[] | undefined
}

/** Builds the API without listening. The OpenAPI document is generated from it too. */
export function apiOf(parts: Parts, log: Logger, options: ApiOptions = {}) {
  const deps = { ...depsOf(parts, log), ...options }
  const own = routes.map(
    (register): RegisterRoutes =>
      (app) =>
        register(app, deps),
  )
  const app = buildServer(deps, [...own, ...(options.routes ?? [])])
  app.addHook('onClose', async () => {
    await deps.evidence.close()
    deps.papers.close()
    await deps.failures.close()
    await deps.requestLog.close()
    await deps.rates.requests.close()
  })
  return { app, keys: deps.keys as ApiKeys }
}
