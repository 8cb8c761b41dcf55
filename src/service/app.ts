import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { simulatorThread } from '../simulator/simulator-thread.ts'
import { apiOf } from './api.ts'
import { bannerOf, type Seeded, seedSandbox } from './banner.ts'
import { allowsPrivateWebhooks, type Config } from './config.ts'
import { catalogue } from './couriers/catalogue.ts'
import { couriers, simulatedProviderCode } from './couriers/couriers.ts'
import { simulatedCourier } from './couriers/simulated-courier.ts'
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
import type { ServiceMetrics } from './http/service/metrics.ts'
import { metricsOf } from './http/service/metrics-of.ts'
import { metricsServer } from './http/service/metrics-server.ts'
import { checksOf } from './http/service/readiness.ts'
import { openCheckpointFolder } from './ledger/checkpoint-files.ts'
import { signingKeys } from './ledger/checkpoints.ts'
import type { FindDamageDeps } from './ledger/recovery/find-damage.ts'
import { signerOf } from './ledger/signed-note.ts'
import type { Parts, PartsOptions } from './parts.ts'
import { Underway } from './processes/calls/underway.ts'
import { courierAccounts } from './processes/connections/courier-accounts.ts'
import { RegisteredCouriers } from './processes/connections/registered-couriers.ts'
import { postgresClaims } from './processes/due/claims-postgres.ts'
import { erasureList, noted, unlisted } from './processes/erasure/erasure-list.ts'
import { erasureRows } from './processes/erasure/erasure-rows.ts'
import { checkEventStore, type LedgerName } from './processes/event-store-binding.ts'
import { UnreadableLabels } from './processes/labels/unreadable-labels.ts'
import { noteLostOwnersAtStart } from './processes/lost-owners.ts'
import type { ProcessDeps } from './processes/process-deps.ts'
import { type DamageSigns, LedgerGuard } from './processes/recovery/ledger-guard.ts'
import { stoppedWhileDamaged } from './processes/recovery/stopped-couriers.ts'
import { advanceLimits } from './processes/sandbox/advance-limits.ts'
import { ensureProjections, guardLoop, projectorLoops, workerLoops } from './roles.ts'
import { sessionNameOf } from './secrets/process-sessions.ts'
import { checkSecretsAgain } from './secrets/secret-checks.ts'
import type { Secrets } from './secrets/secrets.ts'
import { batchSealer } from './security/encryption/batch-keys.ts'
import { connectorTokenSealer, credentialsSealer } from './security/encryption/credentials.ts'
import { invoiceSealer } from './security/encryption/invoice-keys.ts'
import { masterKeys } from './security/encryption/master-keys.ts'
import { webhookSealer } from './security/encryption/webhook-secrets.ts'
import type { logger } from './security/logger.ts'
import { Vault } from './security/vault/vault.ts'
import { postgresVaultRows } from './security/vault/vault-statements.ts'
import { busy } from './start-error.ts'
import { urlAt } from './url-at.ts'
import type { DeliverDeps } from './webhooks/deliver.ts'
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

/** What the builds of the console and the documentation write. */
const pagesFolder = join(import.meta.dirname, '..', '..', 'dist', 'pages')

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
  const metrics = metricsOf(options, readModels, () => ({ store, ...checks }))
  const guard = new LedgerGuard({ db: readModels, log, restartStore: () => store.restart?.() })
  const reports = { metrics, signs: guard.signs() }
  store = observed(eventStoreOf(options, reports), (outcome) => metrics.append(outcome))
  const checks = checksOf(readModels, store, { guard, dataDir: options.dataDir })
  const sealer = credentialsSealer(keys)
  const tokens = connectorTokenSealer(keys)
  const courierParts = { db, store, guard, tokens, metrics }
  const { courier, registered, all } = openCouriers(options, courierParts)
  const vault = new Vault(postgresVaultRows(connections), keys)
  const watch = new StreamWatch(store, [shipmentStreamPrefix])
  const deliver = deliverDeps(options, { db: readModels, store, keys, metrics })
  const accounts = courierAccounts({ db: readModels, store, open: sealer.open })
  const counted = metrics.labelUnreadable
  const unreadableLabels = new UnreadableLabels({ db: readModels, log, counted })
  const known = { accounts, couriers: all, unreadableLabels }
  const ready = { db: readModels, store, guard, vault, watch, ...known }
  const processes = processesOf(options, { ...ready, deliver, keys, metrics })
  const opened = store
  const remembered = rememberedOf(options, { db: readModels, store })
  const { checkpointDir, verifiers } = remembered
  return {
    pool: connections,
    db,
    readModels,
    store,
    guard,
    pepper,
    sealer,
    processes,
    metrics,
    ...checks,
    watch,
    registered,
    tokens,
    deliver,
    remembered,
    seal: {
      keys: { current: secrets.checkpointKey, previous: secrets.checkpointKeyPrevious },
      checkpointDir,
      verifiers,
      witnesses,
      submitted: (witness, outcome) => metrics.witnessSubmission({ witness, outcome }),
      noticed: (found) => guard.notice(found),
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

type ProcessParts = Pick<
  ProcessDeps,
  'accounts' | 'couriers' | 'db' | 'guard' | 'store' | 'unreadableLabels' | 'vault' | 'watch'
> & { readonly deliver: DeliverDeps; readonly keys: MasterKeys; readonly metrics: ServiceMetrics }

function processesOf(
  { advance, checkpointDir, log }: PartsOptions,
  { deliver, keys, metrics, ...parts }: ProcessParts,
): ProcessDeps {
  return {
    ...parts,
    catalogue: catalogue((mode) => parts.couriers.courierFor(mode)),
    claims: postgresClaims(parts.db),
    dueBell: new Wake(),
    batchBell: new Wake(),
    batchSealer: batchSealer(keys),
    invoiceBell: new Wake(),
    invoiceSealer: invoiceSealer(keys),
    underway: new Underway(),
    deliveries: dueDeliveries(deliver),
    advance: { ...advanceLimits, ...advance },
    erasureRows: erasureRows(parts.db),
    noteAnomaly: (code, livemode) => metrics.anomaly(code, livemode),
    erasures: checkpointDir === undefined ? unlisted : noted(erasureList(checkpointDir), parts.db),
    log,
  }
}

/** Checkpoints are believed if one of the keys that sign now has signed them. */
function rememberedOf(
  {
    checkpointDir = null,
    secrets,
  }: Pick<PartsOptions, 'secrets'> & {
    readonly checkpointDir?: string | null | undefined
  },
  ledger: Pick<FindDamageDeps, 'db' | 'store'>,
): FindDamageDeps {
  const seeds = signingKeys(secrets.checkpointKey, secrets.checkpointKeyPrevious)
  const verifiers = (origin: string) => seeds.map((seed) => signerOf(origin, seed))
  return { ...ledger, checkpointDir, verifiers }
}

type CourierParts = Pick<Parts, 'db' | 'store' | 'guard' | 'tokens' | 'metrics'>

function openCouriers(options: PartsOptions, { db, store, guard, tokens, metrics }: CourierParts) {
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
  const all = stoppedWhileDamaged(couriers({ simulator, live: registered.live }), guard)
  return { courier, registered, all }
}

/** Imported only where it is used: the client takes a tenth of the total load time. */
const load = createRequire(import.meta.url)
type EventStoreDbModule = typeof import('./event-store/eventstoredb/eventstoredb.ts')

type StoreReports = {
  readonly metrics?: ServiceMetrics
  /** Default: a sign of lost events is only thrown. */
  readonly signs?: DamageSigns
}

/** Opens a ledger's store, for the service and for tools that move ledgers. */
export function eventStoreOf(
  options: Pick<PartsOptions, 'databaseUrl' | 'eventStoreUrl' | 'eventStoreNamespace' | 'log'>,
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
    dataDir: isEmbedded ? config.dataDir : undefined,
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
    if (callsCouriers(config) || config.roles.has('projector')) {
      loops.push(...(await guardLoop(parts, stop.signal)))
    }
    // Records the shipments whose owners a restore of both has lost.
    if (config.roles.has('projector') && parts.guard.damage === null) {
      await noteLostOwnersAtStart(readModels, store)
    }
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
      const { app, keys } = apiOf(parts, log, { trustedProxies, pagesFolder, routes, stopping })
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
