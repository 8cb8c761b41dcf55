import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import type { ReadModels } from '../projections/tables.ts'
import { apiOf } from './api.ts'
import { bannerOf, type Seeded, seedSandbox } from './banner.ts'
import { allowsPrivateWebhooks, type Config } from './config.ts'
import { keepBuilt } from './console-build/keep-built.ts'
import { catalogue } from './couriers/catalogue.ts'
import type { Courier } from './couriers/courier.ts'
import { couriers } from './couriers/couriers.ts'
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
import type { Sealer } from './http/deps.ts'
import type { RegisterRoutes } from './http/server.ts'
import { metricsServer, type ServiceMetrics, serviceMetrics } from './http/service/metrics.ts'
import { openCheckpointFolder } from './ledger/checkpoint-files.ts'
import { readTree } from './ledger/tree.ts'
import type { Parts } from './parts.ts'
import { Underway } from './processes/calls/underway.ts'
import { courierAccounts } from './processes/connections/courier-accounts.ts'
import {
  RegisteredCouriers,
  type TokenSealer,
} from './processes/connections/registered-couriers.ts'
import type { ProcessDeps } from './processes/deps.ts'
import { postgresClaims } from './processes/due/claims-postgres.ts'
import { erasureList, unlisted } from './processes/erasure/erasure-list.ts'
import { erasureFigures, erasureRows } from './processes/erasure/erasure-rows.ts'
import { checkEventStore, type LedgerName } from './processes/event-store-binding.ts'
import { noteLostOwnersAtStart } from './processes/lost-owners.ts'
import { type AdvanceLimits, advanceLimits } from './processes/sandbox/advance-limits.ts'
import { operationFigures, projectionLags, secondsBehind } from './processes/service-figures.ts'
import { ensureProjections, projectorLoops, workerLoops } from './roles.ts'
import { sessionNameOf } from './secrets/process-sessions.ts'
import { checkSecretsAgain } from './secrets/secret-checks.ts'
import type { Secrets } from './secrets/secrets.ts'
import {
  openConnectorToken,
  openCredentials,
  sealConnectorToken,
  sealCredentials,
} from './security/credentials.ts'
import type { logger } from './security/logger.ts'
import { masterKeys } from './security/secrets-types.ts'
import { Vault } from './security/vault.ts'
import { postgresVaultRows } from './security/vault-statements.ts'
import { webhookSealer } from './security/webhook-secrets.ts'
import { busy } from './start-error.ts'
import type { DeliverDeps } from './webhooks/deliver.ts'
import { webhookFigures } from './webhooks/delivery-figures.ts'
import { dueDeliveries } from './webhooks/due-deliveries.ts'
import { webhookSender } from './webhooks/send.ts'

/** The composition root: the only file that names adapters. */

export type AppOptions = {
  readonly config: Config
  readonly secrets: Secrets
  /** As the application's role; migrated. */
  readonly databaseUrl: string
  readonly isEmbedded: boolean
  readonly log: ReturnType<typeof logger>
  /** Of benchmarks: routes beside the service's own. */
  readonly routes?: readonly RegisterRoutes[]
} & Pick<PartsOptions, 'courierOf'>

/** The roles of this process, running. */
export type RunningApp = {
  /** Where the API listens; null when this process has no API. */
  readonly url: string | null
  /** Where the simulated courier listens; null when this process has none. */
  readonly simulatorPort: number | null
  /** Finishes what it has begun, then lets go of everything. */
  close(): Promise<void>
  /** What a person at the first start wants to read; null = nothing new to say. */
  banner(): Promise<string | null>
}

export type PartsOptions = {
  readonly databaseUrl: string
  /** Which event store: as in the configuration. */
  readonly eventStoreUrl?: string | undefined
  readonly eventStoreNamespace?: string
  readonly secrets: Secrets
  /** Null: none is at hand; a test-mode call then finds the courier unreachable. */
  readonly simulatorUrl: string | null
  readonly log: ReturnType<typeof logger>
  /** Of benchmarks: another courier in place of the simulated one, or around it. */
  readonly courierOf?: ((simulated: Courier) => Courier) | undefined
  /** Whether webhooks of test mode may go to private addresses; false unless given. */
  readonly allowPrivate?: boolean
  /** Other ones than the service's own let a proof live through days of deliveries in a minute. */
  readonly deliveries?: Partial<Pick<DeliverDeps, 'sender' | 'rules'>>
  /** Where checkpoints and the list of erasures are kept outside the database; nowhere if left out. */
  readonly checkpointDir?: string | undefined
  /** Smaller ones let a test see in a moment what happens at the limits. */
  readonly advance?: Partial<AdvanceLimits>
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

function metricsOf(db: Kysely<ReadModels>, storeOf: () => EventStore) {
  return serviceMetrics({
    projections: () => projectionLags(db, storeOf()),
    operations: () => operationFigures(db),
    webhooks: () => webhookFigures(db),
    erasures: () => erasureFigures(db),
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
  const { databaseUrl, secrets, log } = options
  const connections = pool({ connectionString: databaseUrl, log, name: sessionNameOf(secrets) })
  const dialect = new PostgresDialect({ pool: connections })
  const db = new Kysely<Database>({ dialect })
  const readModels = new Kysely<ReadModels>({ dialect })
  const keys = masterKeys(secrets.secretsKey, secrets.secretsKeyPrevious)
  const pepper = { current: { version: 1, key: secrets.apiKeyPepper }, previous: [] }
  let store: EventStore
  const metrics = metricsOf(readModels, () => store)
  store = observed(eventStoreOf(options, metrics), (outcome) => metrics.append(outcome))
  const sealer = credentialsSealer(keys)
  const courier = simulatedCourier({ url: options.simulatorUrl ?? noSimulatorUrl })
  const tokens = tokenSealer(keys)
  const registered = new RegisteredCouriers({ db, store, tokens, log })
  const simulator = options.courierOf?.(courier) ?? courier
  const all = couriers({ simulator, live: registered.live })
  const isLedgerHere = options.eventStoreUrl === undefined
  const vault = new Vault(postgresVaultRows(connections, { isLedgerHere }), keys)
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
    webhookSealer: deliver.sealer,
    deliver,
    seal: {
      keys: { current: secrets.checkpointKey, previous: secrets.checkpointKeyPrevious },
      checkpointDir: options.checkpointDir ?? null,
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

/** Loaded only where it is used: its client is a tenth of what a start would load. */
const load = createRequire(import.meta.url)
type EventStoreDbModule = typeof import('./event-store/eventstoredb/eventstoredb.ts')

/** The store of a ledger, for the service and for what moves ledgers. */
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

/** Which ledger a database belongs to, for life. */
export function ledgerNameOf(
  options: Pick<PartsOptions, 'eventStoreUrl' | 'eventStoreNamespace'>,
): LedgerName {
  const kind = options.eventStoreUrl === undefined ? 'PostgreSQL' : 'EventStoreDB'
  return { kind, namespace: options.eventStoreNamespace ?? '' }
}

/** The database and its event store belong together; what a restore of both has lost is noted. */
async function checkLedger(
  { roles }: Config,
  { readModels, store }: Parts,
  ledger: LedgerName,
): Promise<void> {
  await checkEventStore(readModels, store, ledger)
  if (roles.has('projector')) await noteLostOwnersAtStart(readModels, store)
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

/** Where nobody listens: the simulated courier of a process that was given none. */
const noSimulatorUrl = 'http://127.0.0.1:1'

function partsOptionsOf(
  { config, secrets, databaseUrl, isEmbedded, log, courierOf }: AppOptions,
  simulatorUrl: string | null,
): PartsOptions {
  if (simulatorUrl === null) {
    log.warn('no simulated courier: test keys find it unreachable until SIMULATOR_URL is set')
  }
  const { eventStoreUrl, eventStoreNamespace, checkpointDir } = config
  return {
    databaseUrl,
    eventStoreUrl,
    eventStoreNamespace,
    secrets,
    simulatorUrl,
    log,
    allowPrivate: allowsPrivateWebhooks(config, isEmbedded),
    checkpointDir,
    courierOf,
  }
}

/** Starts the roles that the configuration names. */
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
    await parts.processes.underway.idle()
    stop.abort()
    await Promise.all(loops)
    await parts.close()
    await simulated?.close()
  }
  try {
    if (config.roles.has('projector')) await openCheckpointFolder(config.checkpointDir, log)
    await ensureProjections(parts)
    await checkSecretsAgain(parts.pool, secrets)
    await parts.registered.refresh()
    if (callsCouriers(config)) loops.push(parts.registered.run(stop.signal))
    await checkLedger(config, parts, ledgerNameOf(partsOptions))
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
      loops.push(parts.watch.run(stop.signal))
      const { trustedProxies } = config
      const pages = keepBuilt({ log })
      closers.push(() => pages.close())
      const { app, keys } = apiOf(parts, log, { trustedProxies, pages, routes: options.routes })
      await app.listen({ host: config.host, port: config.port }).catch(busy('PORT', config.port))
      closers.push(async () => {
        await app.close()
        await keys.close()
      })
      url = urlOf(config, app.server.address())
      // Only now: the keys are shown once, in the banner of a start that succeeds.
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

function urlOf(config: Config, address: unknown): string {
  const port =
    typeof address === 'object' && address !== null && 'port' in address
      ? address.port
      : config.port
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `http://${host}:${String(port)}`
}
