import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { Tables } from '../../projections/tables.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { simulatorThread } from '../simulator/simulator-thread.ts'
import { apiOf } from './api.ts'
import { bannerOf, type Seeded, seedSandbox } from './banner.ts'
import { allowsPrivateWebhooks, type Config } from './config.ts'
import { catalogue } from './couriers/catalogue.ts'
import { couriers, simulatedProviderCode } from './couriers/couriers.ts'
import { simulatedCourier } from './couriers/simulated-courier.ts'
import { tracedCouriers } from './couriers/traced-couriers.ts'
import { pool } from './database/pool.ts'
import { ledgerPrefixes, shipmentStreamPrefix } from './domain/ids.ts'
import { quoteTimes } from './domain/quote.ts'
import { deliveryRules } from './domain/webhooks/webhook-delivery.ts'
import type { EventStore } from './event-store/event-store.ts'
import { postgresEventStore } from './event-store/postgres/postgres.ts'
import { StreamWatch } from './event-store/stream-watch.ts'
import { besideFirst, largeItemsFirst, observed, tracedAppends } from './event-store/with-append.ts'
import type { RegisterRoutes } from './http/server.ts'
import type { ServiceMetrics } from './http/service/metrics.ts'
import { metricsOf } from './http/service/metrics-of.ts'
import { metricsServer } from './http/service/metrics-server.ts'
import { checksOf } from './http/service/readiness.ts'
import { openCheckpointFolder } from './ledger/checkpoint-files.ts'
import { signingKeys } from './ledger/checkpoints.ts'
import { signerOf } from './ledger/signed-note.ts'
import { InFlightCalls } from './processes/calls/in-flight-calls.ts'
import { courierAccounts } from './processes/connections/courier-accounts.ts'
import { RegisteredCouriers } from './processes/connections/registered-couriers.ts'
import { postgresClaims } from './processes/due/claims-postgres.ts'
import { erasureList, noted, unlisted } from './processes/erasure/erasure-list.ts'
import { erasureRows } from './processes/erasure/erasure-rows.ts'
import { checkEventStore, type LedgerName } from './processes/event-store-binding.ts'
import { UnreadableLabels } from './processes/labels/unreadable-labels.ts'
import { noteLostOwnersAtStart } from './processes/lost-owners.ts'
import { type DamageSigns, LedgerGuard } from './processes/recovery/ledger-guard.ts'
import { stoppedWhileDamaged } from './processes/recovery/stopped-couriers.ts'
import { requestTraces } from './processes/request-traces.ts'
import { advanceLimits } from './processes/sandbox/advance-limits.ts'
import { AssumedClocks } from './processes/sandbox/assumed-clocks.ts'
import { Signal } from './queue/signal.ts'
import { ensureProjections, guardLoop, projectorLoops, workerLoops } from './roles.ts'
import { sessionNameOf } from './secrets/process-sessions.ts'
import { checkSecretsAgain } from './secrets/secret-checks.ts'
import type { Secrets } from './secrets/secrets.ts'
import { connectorTokenSealer, credentialsSealer } from './security/encryption/credentials.ts'
import { type MasterKeys, masterKeys } from './security/encryption/master-keys.ts'
import { batchSealer, invoiceSealer } from './security/encryption/own-key.ts'
import { webhookSealer } from './security/encryption/webhook-secrets.ts'
import type { logger } from './security/logger.ts'
import { trackingLinks } from './security/tracking-links/tracking-links.ts'
import { Vault } from './security/vault/vault.ts'
import { postgresVaultRows } from './security/vault/vault-statements.ts'
import { BatchedVaultWriter } from './security/vault/vault-writer.ts'
import type { ServiceOptions, Services } from './services.ts'
import { busy } from './start-error.ts'
import { boundUrl, publicUrlWarning, urlAt } from './url-at.ts'
import type { DeliveryServices } from './webhooks/deliver.ts'
import { dueDeliveries } from './webhooks/due-deliveries.ts'
import { webhookSender } from './webhooks/send.ts'

/** The composition root: the only file that names adapters. */

export type AppOptions = {
  readonly config: Config
  readonly secrets: Secrets
  /** URL of a migrated database with the application's role. */
  readonly databaseUrl: string
  readonly isEmbedded: boolean
  readonly log: ReturnType<typeof logger>
  /** Once it aborts, `/readyz` answers 503 until `close` has finished. */
  readonly stopping?: AbortSignal
  /** For benchmarks: routes in addition to the service's own. */
  readonly routes?: readonly RegisterRoutes[]
} & Pick<ServiceOptions, 'courierOf'>

/** The output of the builds of the console and the documentation. */
const pagesFolder = join(import.meta.dirname, '..', '..', 'dist', 'pages')

/** The running roles of this process. */
export type RunningApp = {
  /** The API's URL; null if this process has no API. */
  readonly url: string | null
  /** The simulated courier's port; null if this process does not run it. */
  readonly simulatorPort: number | null
  /** Finishes the work in flight, then releases everything. */
  close(): Promise<void>
  /** The text for the person who starts the service; null if there is nothing to show. */
  banner(): Promise<string | null>
}

/** Opens everything that the roles of a process and the CLI use. */
export function createServices(options: ServiceOptions): Services {
  const { log, secrets, checkpointDir, witnesses = [] } = options
  const keys = masterKeys(secrets.secretsKey, secrets.secretsKeyPrevious)
  const ledger = openLedger(options, keys)
  const { pool: connections, db, store, vaultWriter, guard, metrics, tracing } = ledger
  const sealers = sealersOf(keys)
  const couriers = openCouriers(options, { ...ledger, tokens: sealers.tokens })
  const accounts = courierAccounts({ db, store, open: sealers.sealer.open })
  const links = trackingLinks(db, secrets.apiKeyPepper, options.publicUrl)
  const delivery: DeliveryServices = {
    db,
    store,
    links,
    log,
    tracing,
    webhookSealer: sealers.webhookSealer,
    webhookSender: options.deliveries?.webhookSender ?? webhookSender(),
    deliveryRules: options.deliveries?.deliveryRules ?? deliveryRules,
    allowPrivateWebhooks: options.allowPrivate ?? false,
    webhookAttempted: (attempt) => metrics.webhookAttempt(attempt),
  }
  return {
    ...ledger,
    ...sealers,
    ...delivery,
    ...signingOf(options),
    links,
    pepper: { current: { version: 1, key: secrets.apiKeyPepper }, previous: [] },
    registered: couriers.registered,
    couriers: couriers.all,
    catalogue: catalogue((mode) => couriers.all.courierFor(mode)),
    accounts,
    clocks: new AssumedClocks(),
    watch: new StreamWatch(store, [shipmentStreamPrefix]),
    claims: postgresClaims(db),
    workAdded: new Signal(),
    inFlightCalls: new InFlightCalls(),
    deliveries: dueDeliveries(delivery),
    advance: { ...advanceLimits, ...options.advance },
    ratesWithinMs: options.ratesWithinMs ?? quoteTimes.answeredWithinMs,
    erasureRows: erasureRows(db),
    erasures: checkpointDir === undefined ? unlisted : noted(erasureList(checkpointDir), db),
    unreadableLabels: new UnreadableLabels({ db, log, counted: metrics.labelUnreadable }),
    noteAnomaly: (code, livemode) => metrics.anomaly(code, livemode),
    witnesses,
    witnessSubmitted: (witness, outcome) => metrics.witnessSubmission({ witness, outcome }),
    damageNoticed: (found) => guard.notice(found),
    async close() {
      await delivery.webhookSender.close()
      await vaultWriter.close()
      await store.close()
      await couriers.simulated.close()
      await couriers.registered.close()
      await connections.end()
    },
  }
}

/** Appends wait for larger items only if those are their own. */
const itemsBesideMax = 64 * 1024

/** The database, the vault and the event store, and what watches over them. */
function openLedger(options: ServiceOptions, keys: MasterKeys) {
  const { databaseUrl, secrets, log } = options
  const connections = pool({ connectionString: databaseUrl, log, name: sessionNameOf(secrets) })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
  let store: EventStore
  const metrics = metricsOf(options, db, () => ({ store, ...checks }))
  const guard = new LedgerGuard({ db, log, restartStore: () => store.restart?.() })
  const reports = { metrics, signs: guard.signs() }
  const rows = postgresVaultRows(connections)
  const vault = new Vault(rows, keys)
  const vaultWriter = new BatchedVaultWriter(rows)
  const events = eventStoreOf(options, reports)
  const withVault =
    options.eventStoreUrl === undefined
      ? largeItemsFirst(events, vaultWriter, itemsBesideMax)
      : besideFirst(events, vaultWriter)
  const tracing = options.openTelemetry?.tracing(requestTraces(db, log))
  store = tracedAppends(
    observed(withVault, (outcome) => metrics.append(outcome)),
    tracing,
  )
  const checks = checksOf(db, store, { guard, dataDir: options.dataDir })
  return { pool: connections, db, store, vault, vaultWriter, guard, metrics, tracing, ...checks }
}

function sealersOf(keys: MasterKeys) {
  return {
    sealer: credentialsSealer(keys),
    tokens: connectorTokenSealer(keys),
    webhookSealer: webhookSealer(keys),
    batchSealer: batchSealer(keys),
    invoiceSealer: invoiceSealer(keys),
  }
}

/** Checkpoints are trusted if one of the current signing keys has signed them. */
function signingOf({ secrets, checkpointDir = null }: SigningOptions) {
  const checkpointKeys = {
    current: secrets.checkpointKey,
    previous: secrets.checkpointKeyPrevious,
  }
  const seeds = signingKeys(checkpointKeys)
  const verifiers = (origin: string) => seeds.map((seed) => signerOf(origin, seed))
  return { checkpointKeys, checkpointDir, verifiers }
}

type SigningOptions = Pick<ServiceOptions, 'secrets'> & {
  readonly checkpointDir?: string | null | undefined
}

function openCouriers(
  options: ServiceOptions,
  {
    db,
    store,
    guard,
    tokens,
    metrics,
    tracing,
  }: Pick<Services, 'db' | 'store' | 'guard' | 'tokens' | 'metrics' | 'tracing'>,
) {
  const traceparent = tracing && (() => tracing.traceparent())
  const simulated = simulatedCourier({
    url: options.simulatorUrl ?? noSimulatorUrl,
    onCall: (made) => metrics.courierCall({ ...made, providerCode: simulatedProviderCode }),
    traceparent,
  })
  const registered = new RegisteredCouriers({
    db,
    store,
    tokens,
    log: options.log,
    onCall: (made) => metrics.courierCall(made),
    traceparent,
  })
  const simulator = options.courierOf?.(simulated) ?? simulated
  const known = tracedCouriers(couriers({ simulator, live: registered.live }), tracing)
  const all = stoppedWhileDamaged(known, guard)
  return { simulated, registered, all }
}

/** Loads a module only when it is used: the EventStoreDB client takes a tenth of the load time. */
const load = createRequire(import.meta.url)
type EventStoreDbModule = typeof import('./event-store/eventstoredb/eventstoredb.ts')

type StoreReports = {
  readonly metrics?: ServiceMetrics
  /** Gets signs of lost events. By default they are only thrown. */
  readonly signs?: DamageSigns
}

/** Opens the event store of a ledger, for the service and for tools that move ledgers. */
export function eventStoreOf(
  options: Pick<ServiceOptions, 'databaseUrl' | 'eventStoreUrl' | 'eventStoreNamespace' | 'log'>,
  { metrics, signs }: StoreReports = {},
): EventStore {
  const { databaseUrl, eventStoreUrl, eventStoreNamespace = '', log } = options
  if (eventStoreUrl !== undefined) {
    const namespace = eventStoreNamespace === '' ? '' : `${eventStoreNamespace}.`
    const { eventStoreDb } = load(
      './event-store/eventstoredb/eventstoredb.ts',
    ) as EventStoreDbModule
    const prefixes = ledgerPrefixes
    return eventStoreDb({ url: eventStoreUrl, namespace, prefixes, log, ...signs })
  }
  const onBatch = ({ appends }: { readonly appends: number }) => metrics?.batch(appends)
  const onDiverged = signs === undefined ? {} : { onDiverged: signs.onDiverged }
  return postgresEventStore({ url: databaseUrl, log, onBatch, ...onDiverged })
}

/** The name of the ledger that a database belongs to, which never changes. */
export function ledgerNameOf(
  options: Pick<ServiceOptions, 'eventStoreUrl' | 'eventStoreNamespace'>,
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

/** The SDK is loaded only if there is a collector. */
async function startTraces({ traces }: Config, log: AppOptions['log']) {
  if (traces === undefined) return undefined
  const { OpenTelemetry } = await import('./tracing/open-telemetry.ts')
  return new OpenTelemetry(traces, log)
}

function callsCouriers({ roles }: Config): boolean {
  return roles.has('api') || roles.has('worker')
}

/** The simulated courier's address in a process without one: nothing listens there. */
const noSimulatorUrl = 'http://127.0.0.1:1'

function serviceOptionsOf(
  { config, secrets, databaseUrl, isEmbedded, log, courierOf }: AppOptions,
  simulatorUrl: string | null,
): ServiceOptions {
  if (simulatorUrl === null) {
    log.warn('no simulated courier: test keys find it unreachable until you set SIMULATOR_URL')
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
    dataDir: isEmbedded ? config.dataDir : undefined,
    witnesses,
    courierOf,
  }
}

/** Starts the configured roles. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, secrets, log } = options
  const simulated = await startSimulator(config, secrets)
  const openTelemetry = await startTraces(config, log)
  const simulatorUrl = simulated?.url ?? config.simulatorUrl ?? null
  const warning = publicUrlWarning(config)
  if (warning !== null) log.warn(warning)
  let url: string | null = null
  const publicUrl = () => config.publicUrl ?? url ?? urlAt(config.host, config.port)
  const serviceOptions = { ...serviceOptionsOf(options, simulatorUrl), openTelemetry, publicUrl }
  const services = createServices(serviceOptions)
  const stop = new AbortController()
  const loops: Promise<void>[] = []
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne()
    stop.abort()
    await Promise.all(loops)
    await services.inFlightCalls.idle()
    await services.close()
    await openTelemetry?.close()
    await simulated?.close()
  }
  try {
    if (config.roles.has('projector')) await openCheckpointFolder(config.checkpointDir, log)
    await ensureProjections(services)
    await checkSecretsAgain(services.pool, secrets)
    await services.registered.refresh()
    if (callsCouriers(config)) {
      loops.push(services.registered.run(stop.signal), services.watch.run(stop.signal))
    }
    const { db, store } = services
    // The database and its event store belong together.
    await checkEventStore(db, store, ledgerNameOf(serviceOptions))
    if (callsCouriers(config) || config.roles.has('projector')) {
      loops.push(...(await guardLoop(services, stop.signal)))
    }
    // Records shipments whose owners were lost when both stores were restored.
    if (config.roles.has('projector') && services.guard.damage === null) {
      await noteLostOwnersAtStart(db, store)
    }
    const metrics = await metricsServer({
      host: config.host,
      port: config.metricsPort,
      registry: services.metrics.registry,
    }).catch(busy('METRICS_PORT', config.metricsPort))
    closers.push(() => metrics.close())
    if (config.roles.has('projector')) loops.push(...projectorLoops(services, stop.signal))
    if (config.roles.has('worker')) loops.push(...workerLoops(services, stop.signal))
    let seeded: Seeded | null = null
    if (config.roles.has('api')) {
      const { trustedProxies, signIn } = config
      const { routes, stopping } = options
      const apiOptions = { trustedProxies, pagesFolder, routes, stopping, signIn }
      const { app, keys } = apiOf(services, log, apiOptions)
      await app.listen({ host: config.host, port: config.port }).catch(busy('PORT', config.port))
      closers.push(async () => {
        await app.close()
        await keys.close()
      })
      url = boundUrl(config, app.server.address())
      // The keys are shown only once, in the banner of a successful start, so seeding comes last.
      if (options.isEmbedded) seeded = await seedSandbox(services)
    }
    return {
      url,
      simulatorPort: simulated?.port ?? null,
      close,
      banner: async () =>
        url === null || !options.isEmbedded ? null : bannerOf(url, seeded, warning),
    }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}
