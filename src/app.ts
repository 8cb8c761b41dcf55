import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { ReadModels } from '../projections/tables.ts'
import { apiOf } from './api.ts'
import { bannerOf, type Seeded, seedSandbox } from './banner.ts'
import { allowsPrivateWebhooks, type Config } from './config.ts'
import { catalogue } from './couriers/catalogue.ts'
import { couriers, simulatedProviderCode } from './couriers/couriers.ts'
import { simulatedCourier } from './couriers/simulator/simulated-courier.ts'
import type { Simulator } from './couriers/simulator/simulator.ts'
import { simulatorThread } from './couriers/simulator/simulator-thread.ts'
import type { Database } from './database/database.ts'
import { pool } from './database/pool.ts'
import { ledgerPrefixes, shipmentStreamPrefix } from './domain/ids.ts'
import { deliveryRules } from './domain/webhooks/webhook-delivery.ts'
import type { EventStore } from './event-store/event-store.ts'
import { observed } from './event-store/observed.ts'
import { postgresEventStore } from './event-store/postgres/postgres.ts'
import { StreamWatch } from './event-store/stream-watch.ts'
import { Wake } from './event-store/wake.ts'
import type { RegisterRoutes } from './http/server.ts'
import type { Sealer } from './http/server-deps.ts'
import { metricsServer, type ServiceMetrics, serviceMetrics } from './http/service/metrics.ts'
import { openCheckpointFolder } from './ledger/checkpoint-files.ts'
import { readTree } from './ledger/tree.ts'
import { witnessStates } from './ledger/witnesses/stored-cosignatures.ts'
import type { Witness } from './ledger/witnesses/submit.ts'
import { keepBuilt } from './pages-build/keep-built.ts'
import type { Parts, PartsOptions } from './parts.ts'
import { Underway } from './processes/calls/underway.ts'
import { courierAccounts } from './processes/connections/courier-accounts.ts'
import {
  RegisteredCouriers,
  type TokenSealer,
} from './processes/connections/registered-couriers.ts'
import { postgresClaims } from './processes/due/claims-postgres.ts'
import { erasureList, unlisted } from './processes/erasure/erasure-list.ts'
import { erasureFigures, erasureRows } from './processes/erasure/erasure-rows.ts'
import { checkEventStore, type LedgerName } from './processes/event-store-binding.ts'
import { noteLostOwnersAtStart } from './processes/lost-owners.ts'
import type { ProcessDeps } from './processes/process-deps.ts'
import { advanceLimits } from './processes/sandbox/advance-limits.ts'
import { operationFigures, projectionLags, secondsBehind } from './processes/service-figures.ts'
import { attentionFigures } from './processes/statistics/open-operations.ts'
import { ensureProjections, projectorLoops, workerLoops } from './roles.ts'
import { sessionNameOf } from './secrets/process-sessions.ts'
import { checkSecretsAgain } from './secrets/secret-checks.ts'
import type { Secrets } from './secrets/secrets.ts'
import { batchSealer } from './security/encryption/batch-keys.ts'
import {
  openConnectorToken,
  openCredentials,
  sealConnectorToken,
  sealCredentials,
} from './security/encryption/credentials.ts'
import { invoiceSealer } from './security/encryption/invoice-keys.ts'
import { masterKeys } from './security/encryption/master-keys.ts'
import { webhookSealer } from './security/encryption/webhook-secrets.ts'
import type { logger } from './security/logger.ts'
import { Vault } from './security/vault/vault.ts'
import { postgresVaultRows } from './security/vault/vault-statements.ts'
import { busy } from './start-error.ts'
import { urlAt } from './url-at.ts'
import type { DeliverDeps } from './webhooks/deliver.ts'
import { webhookFigures } from './webhooks/delivery-figures.ts'
import { dueDeliveries } from './webhooks/due-deliveries.ts'
import { webhookSender } from './webhooks/send.ts'

/** The composition root: the only file that names adapters. */

export type AppOptions = {
  readonly config: Config
  readonly secrets: Secrets
  /** With the application's role, on a migrated schema. */
  readonly databaseUrl: string
  readonly isEmbedded: boolean
  readonly log: ReturnType<typeof logger>
  /** Once it is aborted, `/readyz` answers 503, until `close` and through it. */
  readonly stopping?: AbortSignal
  /** For benchmarks: routes in addition to the service's own. */
  readonly routes?: readonly RegisterRoutes[]
} & Pick<PartsOptions, 'courierOf'>

/** The roles of this process, running. */
export type RunningApp = {
  /** The API's address; null when this process has no API. */
  readonly url: string | null
  /** The simulated courier's address; null when this process has none. */
  readonly simulatorPort: number | null
  /** Finishes the work in progress, then releases everything. */
  close(): Promise<void>
  /**
   * The text for the person who starts it for the first time; null if there is nothing new to show.
   */
  banner(): Promise<string | null>
}

type MasterKeys = ReturnType<typeof masterKeys>

function credentialsSealer(keys: MasterKeys): Sealer {
  return {
    seal: (at) => sealCredentials(keys, at),
    open: (at) => openCredentials(keys, at),
  }
}

function tokenSealer(keys: MasterKeys): TokenSealer {
  return {
    seal: (code, token) => sealConnectorToken(keys, code, token),
    open: (code, sealed) => openConnectorToken(keys, code, sealed),
  }
}

function metricsOf(
  db: Kysely<ReadModels>,
  storeOf: () => EventStore,
  witnesses: readonly Witness[],
) {
  return serviceMetrics({
    projections: () => projectionLags(db, storeOf()),
    operations: () => operationFigures(db),
    attention: () => attentionFigures(db),
    webhooks: () => webhookFigures(db),
    erasures: () => erasureFigures(db),
    witnesses: () => witnessStates(db, witnesses),
    unsealedSeconds: async () =>
      await secondsBehind(db, storeOf(), (await readTree(db))?.position ?? null),
  })
}

function deliverDeps(
  { deliveries, allowPrivate, log }: PartsOptions,
  {
    db,
    store,
    keys,
    metrics,
  }: Pick<DeliverDeps, 'db' | 'store'> & {
    readonly keys: MasterKeys
    readonly metrics: ServiceMetrics
  },
): DeliverDeps {
  return {
    db,
    store,
    log,
    sealer: webhookSealer(keys),
    sender: deliveries?.sender ?? webhookSender(),
    rules: deliveries?.rules ?? deliveryRules,
    allowPrivate: allowPrivate ?? false,
    attempted: (attempt) => metrics.webhookAttempt(attempt),
  }
}

export function openParts(options: PartsOptions): Parts {
  const { databaseUrl, secrets, log, witnesses = [] } = options
  const connections = pool({ connectionString: databaseUrl, log, name: sessionNameOf(secrets) })
  const dialect = new PostgresDialect({ pool: connections })
  const db = new Kysely<Database>({ dialect })
  const readModels = new Kysely<ReadModels>({ dialect })
  const keys = masterKeys(secrets.secretsKey, secrets.secretsKeyPrevious)
  const pepper = { current: { version: 1, key: secrets.apiKeyPepper }, previous: [] }
  let store: EventStore
  const metrics = metricsOf(readModels, () => store, witnesses)
  store = observed(eventStoreOf(options, metrics), (outcome) => metrics.append(outcome))
  const sealer = credentialsSealer(keys)
  const tokens = tokenSealer(keys)
  const { courier, registered, all } = openCouriers(options, { db, store, tokens, metrics })
  const vault = new Vault(postgresVaultRows(connections), keys)
  const watch = new StreamWatch(store, [shipmentStreamPrefix])
  const deliver = deliverDeps(options, { db: readModels, store, keys, metrics })
  const processes: ProcessDeps = {
    db: readModels,
    store,
    vault,
    watch,
    couriers: all,
    catalogue: catalogue((mode) => all.courierFor(mode)),
    accounts: courierAccounts({ db: readModels, store, open: sealer.open }),
    claims: postgresClaims(readModels),
    dueBell: new Wake(),
    batchBell: new Wake(),
    batchSealer: batchSealer(keys),
    invoiceBell: new Wake(),
    invoiceSealer: invoiceSealer(keys),
    underway: new Underway(),
    deliveries: dueDeliveries(deliver),
    advance: { ...advanceLimits, ...options.advance },
    erasureRows: erasureRows(readModels),
    erasures: options.checkpointDir === undefined ? unlisted : erasureList(options.checkpointDir),
    log,
  }
  const opened = store
  return {
    pool: connections,
    db,
    readModels,
    store,
    pepper,
    sealer,
    processes,
    metrics,
    watch,
    registered,
    tokens,
    deliver,
    seal: {
      keys: { current: secrets.checkpointKey, previous: secrets.checkpointKeyPrevious },
      checkpointDir: options.checkpointDir ?? null,
      witnesses,
      submitted: (witness, outcome) => metrics.witnessSubmission({ witness, outcome }),
    },
    async close() {
      await deliver.sender.close()
      await vault.close()
      await opened.close()
      await courier.close()
      await registered.close()
      await connections.end()
    },
  }
}

type CourierParts = Pick<Parts, 'db' | 'store' | 'tokens' | 'metrics'>

function openCouriers(options: PartsOptions, { db, store, tokens, metrics }: CourierParts) {
  const courier = simulatedCourier({
    url: options.simulatorUrl ?? noSimulatorUrl,
    onCall: (made) => metrics.courierCall({ ...made, providerCode: simulatedProviderCode }),
  })
  const registered = new RegisteredCouriers({
    db,
    store,
    tokens,
    log: options.log,
    onCall: (made) => metrics.courierCall(made),
  })
  const simulator = options.courierOf?.(courier) ?? courier
  return { courier, registered, all: couriers({ simulator, live: registered.live }) }
}

/** Imported only where it is used: the client takes a tenth of the total load time. */
const load = createRequire(import.meta.url)
type EventStoreDbModule = typeof import('./event-store/eventstoredb/eventstoredb.ts')

/** Opens a ledger's store, for the service and for tools that move ledgers. */
export function eventStoreOf(
  options: Pick<PartsOptions, 'databaseUrl' | 'eventStoreUrl' | 'eventStoreNamespace' | 'log'>,
  metrics?: ServiceMetrics,
): EventStore {
  const { databaseUrl, eventStoreUrl, eventStoreNamespace = '', log } = options
  if (eventStoreUrl !== undefined) {
    const namespace = eventStoreNamespace === '' ? '' : `${eventStoreNamespace}.`
    const { eventStoreDb } = load(
      './event-store/eventstoredb/eventstoredb.ts',
    ) as EventStoreDbModule
    return eventStoreDb({ url: eventStoreUrl, namespace, prefixes: ledgerPrefixes, log })
  }
  const onBatch = ({ appends }: { readonly appends: number }) => metrics?.batch(appends)
  return postgresEventStore({ url: databaseUrl, log, onBatch })
}

/** The ledger that a database belongs to. It never changes. */
export function ledgerNameOf(
  options: Pick<PartsOptions, 'eventStoreUrl' | 'eventStoreNamespace'>,
): LedgerName {
  const kind = options.eventStoreUrl === undefined ? 'PostgreSQL' : 'EventStoreDB'
  return { kind, namespace: options.eventStoreNamespace ?? '' }
}

async function startSimulator(config: Config, secrets: Secrets): Promise<Simulator | null> {
  if (!config.roles.has('simulator')) return null
  return await simulatorThread({
    file: join(config.dataDir, 'simulator.sqlite'),
    key: secrets.simulatorKey,
    host: config.simulatorHost,
    port: config.simulatorPort,
  }).catch(busy('SIMULATOR_PORT', config.simulatorPort))
}

function callsCouriers({ roles }: Config): boolean {
  return roles.has('api') || roles.has('worker')
}

/** An address where nothing listens: the simulated courier of a process without one. */
const noSimulatorUrl = 'http://127.0.0.1:1'

function partsOptionsOf(
  { config, secrets, databaseUrl, isEmbedded, log, courierOf }: AppOptions,
  simulatorUrl: string | null,
): PartsOptions {
  if (simulatorUrl === null) {
    log.warn('no simulated courier: test keys find it unreachable until SIMULATOR_URL is set')
  }
  const { eventStoreUrl, eventStoreNamespace, checkpointDir, witnesses } = config
  return {
    databaseUrl,
    eventStoreUrl,
    eventStoreNamespace,
    secrets,
    simulatorUrl,
    log,
    allowPrivate: allowsPrivateWebhooks(config, isEmbedded),
    checkpointDir,
    witnesses,
    courierOf,
  }
}

/** Starts the configured roles. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, secrets, log } = options
  const simulated = await startSimulator(config, secrets)
  const partsOptions = partsOptionsOf(options, simulated?.url ?? config.simulatorUrl ?? null)
  const parts = openParts(partsOptions)
  const stop = new AbortController()
  const loops: Promise<void>[] = []
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne()
    stop.abort()
    await Promise.all(loops)
    await parts.processes.underway.idle()
    await parts.close()
    await simulated?.close()
  }
  try {
    if (config.roles.has('projector')) await openCheckpointFolder(config.checkpointDir, log)
    await ensureProjections(parts)
    await checkSecretsAgain(parts.pool, secrets)
    await parts.registered.refresh()
    if (callsCouriers(config)) {
      loops.push(parts.registered.run(stop.signal), parts.watch.run(stop.signal))
    }
    const { readModels, store } = parts
    // The database and its event store belong together.
    await checkEventStore(readModels, store, ledgerNameOf(partsOptions))
    // Records the shipments whose owners a restore of both has lost.
    if (config.roles.has('projector')) await noteLostOwnersAtStart(readModels, store)
    const metrics = await metricsServer({
      host: config.host,
      port: config.metricsPort,
      registry: parts.metrics.registry,
    }).catch(busy('METRICS_PORT', config.metricsPort))
    closers.push(() => metrics.close())
    if (config.roles.has('projector')) loops.push(...projectorLoops(parts, stop.signal))
    if (config.roles.has('worker')) loops.push(...workerLoops(parts, stop.signal))
    let url: string | null = null
    let seeded: Seeded | null = null
    if (config.roles.has('api')) {
      const { trustedProxies } = config
      const { routes, stopping } = options
      const pages = keepBuilt({ log })
      closers.push(() => pages.close())
      const { app, keys } = apiOf(parts, log, { trustedProxies, pages, routes, stopping })
      await app.listen({ host: config.host, port: config.port }).catch(busy('PORT', config.port))
      closers.push(async () => {
        await app.close()
        await keys.close()
      })
      url = urlOf(config, app.server.address())
      // The keys are shown only once, in the banner of a start that succeeded, so print them last.
      if (options.isEmbedded) seeded = await seedSandbox(parts)
    }
    return {
      url,
      simulatorPort: simulated?.port ?? null,
      close,
      banner: async () => (url === null || !options.isEmbedded ? null : bannerOf(url, seeded)),
    }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

function urlOf({ host, port }: Config, address: unknown): string {
  const isBound = typeof address === 'object' && address !== null && 'port' in address
  return urlAt(host, isBound ? Number(address.port) : port)
}
