import { fenced } from './database/tenant-fence.ts'
import type { ApiServices, ServerDeps } from './http/api-services.ts'
import { hasUnresolvedOperations } from './http/connections/unresolved-operations.ts'
import { httpSecrets } from './http/http-secrets.ts'
import { RecipientPages } from './http/recipient-page/recipient-pages.ts'
import { RequestLog } from './http/requests/request-log.ts'
import { routes } from './http/routes.ts'
import { buildServer, type RegisterRoutes } from './http/server.ts'
import { shipmentOwners } from './http/shipments/shipment-owners.ts'
import type { SignInSettings } from './http/sign-in/issuer.ts'
import { SignIn } from './http/sign-in/sign-in.ts'
import { knownWorkspaces } from './http/workspaces/workspace-schema.ts'
import { signingKeys } from './ledger/checkpoints.ts'
import { EvidenceBundles } from './ledger/evidence/evidence-bundles.ts'
import { type Documents, documents } from './processes/documents/documents.ts'
import { readClock } from './processes/sandbox/workspace-clock.ts'
import { ApiKeys } from './security/api-keys.ts'
import { FailedAuthentications } from './security/failed-authentications.ts'
import type { logger } from './security/logger.ts'
import { RateLimit, sharedCounts } from './security/rate-limit.ts'
import type { Services } from './services.ts'
import { SheetThread } from './sheets/sheet-thread.ts'

type Logger = ReturnType<typeof logger>
type Closed = {
  readonly requestLog: RequestLog
  readonly rates: { readonly requests: RateLimit; readonly failures: RateLimit }
  readonly failures: FailedAuthentications
  readonly evidence: EvidenceBundles
  readonly documents: Documents
  readonly sheets: SheetThread
}

/** Requests run behind the tenant fence; keys are read without it. */
function apiServices(
  services: Services,
  log: Logger,
  signIn: SignInSettings | undefined,
): ApiServices & ServerDeps & Closed {
  const { pool, db: unfenced, store, pepper, metrics, witnesses, checkpointKeys } = services
  const db = fenced(unfenced)
  return {
    ...services,
    db,
    log,
    keys: new ApiKeys({ db: unfenced, pepper }),
    rates: {
      requests: new RateLimit({ shared: sharedCounts(pool), log }),
      // Not shared: a request without a key must not cause writes to the database.
      failures: new RateLimit({ shared: null, log }),
    },
    failures: new FailedAuthentications({ store, log }),
    secrets: httpSecrets(pepper),
    // It stores the requests of all organizations.
    requestLog: new RequestLog({
      db: unfenced,
      log,
      dropped: (requests) => metrics.requestsDropped(requests),
    }),
    evidence: new EvidenceBundles({
      db,
      store,
      vault: services.vault,
      witnesses,
      signingKeys: signingKeys(checkpointKeys),
    }),
    documents: documents({ ...services, db }),
    sheets: new SheetThread(),
    signIn: signIn === undefined ? undefined : signInOf(services, log, signIn),
    publicTree: { db: unfenced, rate: new RateLimit({ shared: null, log }) },
    recipientPage: {
      pages: new RecipientPages(services),
      rates: {
        network: new RateLimit({ shared: null, log }),
        every: new RateLimit({ shared: null, log }),
      },
    },
    clock: { now: () => new Date() },
    workspaces: knownWorkspaces(db),
    owners: shipmentOwners(db),
    async sandboxContext({ workspaceId, scenario }) {
      const { now } = await readClock(unfenced, { workspaceId, livemode: false })
      return { scenario, attempt: 1, attemptAt: new Date(now), now: new Date(now) }
    },
    hasUnresolvedOperations: (connection) => hasUnresolvedOperations(unfenced, store, connection),
  }
}

/** Nobody is known before a code is used, so it runs without the tenant fence. */
function signInOf({ db, store, pepper }: Services, log: Logger, settings: SignInSettings) {
  return {
    signIn: new SignIn({ db, store, pepper, log, settings }),
    rate: new RateLimit({ shared: null, log }),
  }
}

type ApiOptions = {
  /** How people sign in to the console. Default: with keys. */
  readonly signIn?: SignInSettings | undefined
  readonly trustedProxies?: readonly string[]
  readonly pagesFolder?: string | undefined
  readonly stopping?: AbortSignal | undefined
  /** For benchmarks: routes in addition to the service's own. */
  readonly routes?: readonly RegisterRoutes[] | undefined
}

/** Builds the API without listening. The OpenAPI document is generated from it too. */
export function apiOf(services: Services, log: Logger, { signIn, ...options }: ApiOptions = {}) {
  const deps = { ...apiServices(services, log, signIn), ...options }
  const own = routes.map(
    (register): RegisterRoutes =>
      (app) =>
        register(app, deps),
  )
  const app = buildServer(deps, [...own, ...(options.routes ?? [])])
  app.addHook('onClose', async () => {
    deps.evidence.close()
    deps.documents.close()
    await deps.sheets.close()
    await deps.failures.close()
    await deps.requestLog.close()
    await deps.rates.requests.close()
  })
  return { app, keys: deps.keys as ApiKeys }
}
