import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiOf } from '../../src/service/api.ts'
import { createServices, ledgerNameOf } from '../../src/service/app.ts'
import { seedSandbox } from '../../src/service/banner.ts'
import type { SignInSettings } from '../../src/service/http/sign-in/issuer.ts'
import type { Witness } from '../../src/service/ledger/witnesses/submit.ts'
import { checkEventStore } from '../../src/service/processes/event-store-binding.ts'
import { noteLostOwnersAtStart } from '../../src/service/processes/lost-owners.ts'
import type { AdvanceLimits } from '../../src/service/processes/sandbox/advance-limits.ts'
import {
  ensureProjections,
  guardLoop,
  projectorLoops,
  workerLoops,
} from '../../src/service/roles.ts'
import type { Secrets } from '../../src/service/secrets/secrets.ts'
import { logger } from '../../src/service/security/logger.ts'
import type { Services } from '../../src/service/services.ts'
import { type Simulator, simulator } from '../../src/simulator/simulator.ts'
import { type SimulatorRecord, simulatorRecord } from '../../src/simulator/simulator-record.ts'
import { type ApiClient, apiClient } from './api-client.ts'
import { type TestDatabase, testDatabase } from './test-database.ts'
import { type TestLedger, testLedger } from './test-ledger.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

export type Service = ApiClient & {
  readonly parts: Services
  readonly database: TestDatabase
  readonly simulator: Simulator
  /** The file of the simulated courier's own record: the truth about guides and calls. */
  readonly recordFile: string
  /** The record opened for reading, in parallel to the simulator. */
  readonly record: SimulatorRecord
  readonly secrets: Secrets
  /** Where it writes the list of erasures. */
  readonly checkpointDir: string
  /** Where its ledger is, for services opened on the same data. */
  readonly ledger: TestLedger
  /** Lines of the log, as JSON. */
  readonly logged: readonly string[]
  readonly listener: Listener
  /** Closes everything, as at the end of the test. */
  stop(): Promise<void>
}

/** The API's port, which can be closed and reopened while everything behind it keeps running. */
type Listener = {
  /** Refuses new connections and closes open ones. */
  close(): Promise<void>
  /** Listens on the same port again. */
  open(): Promise<void>
}

export function testSecrets(): Secrets {
  return {
    secretsKey: randomBytes(32).toString('base64'),
    secretsKeyPrevious: [],
    apiKeyPepper: randomBytes(32),
    checkpointKey: randomBytes(32),
    checkpointKeyPrevious: null,
    simulatorKey: randomBytes(32),
  }
}

/** A log that discards everything, for services opened on the same data. */
export function noLogger(): ReturnType<typeof logger> {
  return logger({ level: 'silent', pretty: false })
}

/** Logs everything into `lines`. */
export function collectingLogger(lines: string[]): ReturnType<typeof logger> {
  const destination = { write: (line: string) => void lines.push(line) }
  return logger({ level: 'debug', pretty: false, destination })
}

export type TestServiceOptions = {
  readonly roles?: readonly ('api' | 'projector' | 'worker')[]
  /** A migrated database to use instead of a new one. */
  readonly database?: TestDatabase
  /** The folder for checkpoints; a temporary one by default. */
  readonly checkpointDir?: string
  /** Where the database keeps its files, if the service itself started it. */
  readonly dataDir?: string
  /** Limits for advances of a sandbox clock, low enough for a test to reach. */
  readonly advance?: Partial<AdvanceLimits>
  /** The built pages, if they are to be served. */
  readonly pagesFolder?: string
  /** The port of the API, if it must be known before. Default: any free one. */
  readonly port?: number
  /** How people sign in to the console. Default: with keys. */
  readonly signIn?: SignInSettings
  /** A stopped service whose database and files this one takes over. */
  readonly after?: Service
  readonly ledger?: TestLedger
  /** The secrets of another service; its own by default. */
  readonly secrets?: Secrets
  /** Cosign the checkpoints of the ledger. */
  readonly witnesses?: readonly Witness[]
  /** How long the couriers of a quote have. */
  readonly ratesWithinMs?: number
  /** A proxy in front of the simulated courier, given the courier's URL. */
  readonly courierUrl?: (simulatorUrl: string) => Promise<string>
}

/** The composed service on its own database: all roles in this process, real sockets. */
export async function service(t: Test, options: TestServiceOptions = {}): Promise<Service> {
  const { roles = ['api', 'projector', 'worker'] } = options
  const { after } = options
  const directory = folder(t)
  const database = options.database ?? after?.database ?? (await testDatabase(t))
  const secrets = options.secrets ?? after?.secrets ?? testSecrets()
  const recordFile = after?.recordFile ?? join(directory, 'simulator.sqlite')
  const checkpointDir =
    options.checkpointDir ?? after?.checkpointDir ?? join(directory, 'checkpoints')
  mkdirSync(checkpointDir, { recursive: true })
  const simulated = await simulator({
    file: recordFile,
    key: secrets.simulatorKey,
    host: '127.0.0.1',
  })
  const simulatorUrl = (await options.courierUrl?.(simulated.url)) ?? simulated.url
  const record = simulatorRecord({ file: recordFile, key: secrets.simulatorKey })
  const logged: string[] = []
  const log = collectingLogger(logged)
  const ledger = options.ledger ?? testLedger()
  const parts = createServices({
    ...ledger,
    databaseUrl: database.url,
    secrets,
    simulatorUrl,
    allowPrivate: true,
    checkpointDir,
    dataDir: options.dataDir,
    log,
    witnesses: options.witnesses ?? [],
    ...(options.advance === undefined ? {} : { advance: options.advance }),
    ratesWithinMs: options.ratesWithinMs,
  })
  await ensureProjections(parts)
  await checkEventStore(parts.db, parts.store, ledgerNameOf(ledger)).catch(
    async (error: unknown) => {
      await parts.close()
      record.close()
      await simulated.close()
      throw error
    },
  )
  const stop = new AbortController()
  const guarding = await guardLoop(parts, stop.signal)
  if (roles.includes('projector') && parts.guard.damage === null) {
    await noteLostOwnersAtStart(parts.db, parts.store)
  }
  await parts.registered.refresh()
  const loops = [...guarding, parts.watch.run(stop.signal), parts.registered.run(stop.signal)]
  if (roles.includes('projector')) loops.push(...projectorLoops(parts, stop.signal))
  if (roles.includes('worker')) loops.push(...workerLoops(parts, stop.signal))
  const seeded = after?.seeded ?? (await seedSandbox(parts))
  if (seeded === null) throw new Error('the test database is not fresh')
  const { pagesFolder, signIn } = options
  const { app, keys } = apiOf(parts, log, { pagesFolder, signIn })
  await app.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  const close = async () => {
    await app.close()
    await keys.close()
    stop.abort()
    await Promise.all(loops)
    await parts.inFlightCalls.idle()
    await parts.close()
    record.close()
    await simulated.close()
  }
  let stopped: Promise<void> | undefined
  const stopOnce = () => {
    stopped ??= close()
    return stopped
  }
  t.teardown(stopOnce)
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const client = apiClient(`http://127.0.0.1:${port}`, seeded)
  return {
    parts,
    database,
    simulator: simulated,
    recordFile,
    record,
    secrets,
    logged,
    checkpointDir,
    ledger,
    listener: listenerOf(app.server, port),
    ...client,
    stop: stopOnce,
  }
}

function listenerOf(server: Server, port: number): Listener {
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    async open() {
      const listening = once(server, 'listening')
      server.listen(port, '127.0.0.1')
      await listening
    },
  }
}

function folder(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'shipping-ledger-test-'))
  t.teardown(async () => rmSync(made, { recursive: true, force: true }))
  return made
}
