import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createServices } from '../../src/service/app.ts'
import { type Seeded, seedSandbox } from '../../src/service/banner.ts'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import type { Secrets } from '../../src/service/secrets/secrets.ts'
import type { ServiceOptions, Services } from '../../src/service/services.ts'
import { type SimulatorRecord, simulatorRecord } from '../../src/simulator/simulator-record.ts'
import { type ApiClient, apiClient } from './api-client.ts'
import { type Ended, type RunningProcess, runProcess } from './run-process.ts'
import { noLogger, testSecrets } from './service.ts'
import { type TestDatabase, testDatabase } from './test-database.ts'
import { ledgerEnvironment, testLedger } from './test-ledger.ts'

type Test = { teardown(fn: () => Promise<unknown>): unknown }

/** A service process, started as an operator starts it. */
export type ServiceProcess = ApiClient & {
  readonly pid: number
  readonly ended: Promise<Ended>
  signal(signal: NodeJS.Signals): void
}

/** Service processes on one database, and the simulated courier in a process of its own. */
export type Fleet = {
  readonly database: TestDatabase
  readonly secrets: Secrets
  readonly seeded: Seeded
  /** Where the processes store checkpoints, outside the database. */
  readonly checkpointDir: string
  /** The ledger and the read models, accessed from outside the processes. */
  readonly parts: Services
  /** Where the simulated courier listens. */
  readonly simulatorUrl: string
  /** The simulated courier's own record: the truth about guides and calls. */
  readonly record: SimulatorRecord
  /** Starts a process, on the given port if there is one. */
  start(options?: {
    readonly roles?: string
    readonly port?: number
    /** The folder of another checkout whose program it runs. Default: the fleet's checkout. */
    readonly checkout?: string
    readonly env?: Readonly<Record<string, string>>
  }): Promise<ServiceProcess>
  /** The environment variables of every process. */
  readonly environment: Readonly<Record<string, string>>
  /** Starts a command as an operator types it. */
  command(...args: readonly string[]): Pick<ServiceProcess, 'ended' | 'signal'>
}

/**
 * When many processes start at once, a port that was free may be taken by the time of the start.
 */
const portTriesMax = 3

async function onPort(
  port: number | undefined,
  run: (port: string) => Promise<RunningProcess>,
): Promise<{ readonly started: RunningProcess; readonly own: number }> {
  for (let tries = 1; ; tries++) {
    const own = port ?? (await freePort())
    try {
      return { started: await run(String(own)), own }
    } catch (error) {
      const isTaken = String(error).includes(' is taken by another process')
      if (!isTaken || port !== undefined || tries === portTriesMax) throw error
    }
  }
}

function environment(database: TestDatabase, secrets: Secrets): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    DATABASE_ADMIN_URL: database.adminUrl,
    SECRETS_KEY: secrets.secretsKey,
    API_KEY_PEPPER: secrets.apiKeyPepper.toString('base64'),
    CHECKPOINT_KEY: secrets.checkpointKey.toString('base64'),
    SIMULATOR_KEY: secrets.simulatorKey.toString('base64'),
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
  }
}

export type FleetOptions = {
  /** A migrated database to use instead of a new one. */
  readonly database?: TestDatabase
  readonly secrets?: Secrets
  /**
   * The folder of the checkout that seeds the database and whose program the processes run.
   * Default: this project.
   */
  readonly checkout?: string
  /** The program that the processes run instead of the service's main program. */
  readonly program?: string
  /** Additional environment variables for the simulated courier's process. */
  readonly simulator?: Readonly<Record<string, string>>
}

const project = resolve(import.meta.dirname, '../..')

/** Old versions had the service at the top level of src. */
export function serviceFolder(checkout: string): string {
  return existsSync(join(checkout, 'src/service')) ? 'src/service' : 'src'
}

/** The seed is written by the checkout's own version, which may be older than ours. */
async function seededBy(checkout: string, options: ServiceOptions): Promise<Seeded | null> {
  const service = join(checkout, serviceFolder(checkout))
  const app = (await import(join(service, 'app.ts'))) as { createServices: typeof createServices }
  const banner = (await import(join(service, 'banner.ts'))) as {
    seedSandbox: typeof seedSandbox
  }
  const parts = app.createServices(options)
  try {
    return await banner.seedSandbox(parts)
  } finally {
    await parts.close()
  }
}

export async function fleet(t: Test, options: FleetOptions = {}): Promise<Fleet> {
  const database = options.database ?? (await testDatabase(t))
  const { secrets = testSecrets(), program, checkout = project } = options
  const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-fleet-'))
  const running = new Set<RunningProcess>()
  const ledger = testLedger()
  const checkpointDir = join(directory, 'checkpoints')
  const env = {
    ...environment(database, secrets),
    ...ledgerEnvironment(ledger),
    CHECKPOINT_DIR: checkpointDir,
  }
  const run = async (more: Record<string, string>, from = checkout) => {
    const main = program ?? join(serviceFolder(from), 'main.ts')
    const started = runProcess(resolve(from, main), { env: { ...env, ...more } })
    running.add(started)
    started.ended.then(() => running.delete(started))
    await started.said(/"msg":"ready"/)
    return started
  }
  t.teardown(async () => {
    for (const { child } of running) {
      child.kill('SIGCONT')
      child.kill('SIGKILL')
    }
    await Promise.all([...running].map(({ ended }) => ended))
    rmSync(directory, { recursive: true, force: true })
  })
  const simulatorPort = String(await freePort())
  await run({
    ROLES: 'simulator',
    DATA_DIR: directory,
    SIMULATOR_PORT: simulatorPort,
    ...options.simulator,
  })
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`
  const serviceOptions = {
    ...ledger,
    databaseUrl: database.url,
    secrets,
    simulatorUrl,
    log: noLogger(),
  }
  const parts = createServices(serviceOptions)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= parts.close()
    return closing
  }
  t.teardown(close)
  const seeded =
    checkout === project ? await seedSandbox(parts) : await seededBy(checkout, serviceOptions)
  if (seeded === null) throw new Error('the test database is not fresh')
  const record = simulatorRecord({
    file: join(directory, 'simulator.sqlite'),
    key: secrets.simulatorKey,
  })
  t.teardown(async () => record.close())
  return {
    database,
    secrets,
    seeded,
    record,
    checkpointDir,
    simulatorUrl,
    environment: env,
    parts: { ...parts, close },
    async start({ roles = 'api,projector,worker', port, checkout: from, env: more } = {}) {
      const mine = { ROLES: roles, SIMULATOR_URL: simulatorUrl, ...more }
      const { started, own } = await onPort(port, (PORT) => run({ ...mine, PORT }, from))
      const { child, ended } = started
      return {
        ...apiClient(`http://127.0.0.1:${own}`, seeded),
        pid: child.pid as number,
        ended,
        signal: (signal) => void child.kill(signal),
      }
    },
    command(...args) {
      const more = { SIMULATOR_URL: simulatorUrl, DATA_DIR: directory }
      const begun = runProcess('src/service/cli/cli.ts', {
        env: { ...env, ...more },
        arguments: args,
      })
      running.add(begun)
      begun.ended.then(() => running.delete(begun))
      return { ended: begun.ended, signal: (signal) => void begun.child.kill(signal) }
    },
  }
}
