import type { AppOptions, RunningApp } from './app.ts'
import { keepCompiled, useCompileCache } from './compile-cache.ts'
import { type Config, readConfig } from './config.ts'
import { lockDataDirectory } from './database/data-directory.ts'
import { type Life, lifecycle } from './lifecycle.ts'
import { openDatabase } from './open-database.ts'
import { logger } from './security/logger.ts'

type Logger = ReturnType<typeof logger>

type StartApp = (options: AppOptions) => Promise<RunningApp>

/** Runs the process: configuration, data directory, database, then the roles. Stops in reverse. */
export async function main(startApp: StartApp): Promise<void> {
  let log: Logger | undefined
  let config: Config | undefined
  await lifecycle(
    async (life) => {
      config = readConfig()
      log = logger({ level: config.logLevel, pretty: process.stdout.isTTY === true })
      await startAll(life, config, log, startApp)
    },
    {
      log: () => log,
      showStack: () => config?.logLevel === 'debug',
      shutdownDelayMs: () => config?.shutdownDelayMs ?? 0,
    },
  )
}

async function startAll(
  life: Life,
  config: Config,
  log: Logger,
  startApp: StartApp,
): Promise<void> {
  // With an external database only the simulator writes files, so any number of others may run.
  const needsDirectory = config.databaseUrl === undefined || config.roles.has('simulator')
  const directory = needsDirectory ? lockDataDirectory(config.dataDir) : undefined
  if (directory) life.started('data directory', directory.release)
  const database = await openDatabase({ ...config, directory, log })
  life.started('database', database.close)
  const app = await startApp({
    config,
    secrets: database.secrets,
    databaseUrl: database.url,
    isEmbedded: database.isEmbedded,
    log,
    stopping: life.stopping,
  })
  life.started('app', app.close)
  const port = app.url === null ? Number.NaN : Number(new URL(app.url).port)
  if (directory && !Number.isNaN(port)) directory.describe({ port })
  if (directory && app.simulatorPort !== null) {
    directory.describe({ simulatorPort: app.simulatorPort })
  }
  const banner = await app.banner()
  if (banner !== null) process.stdout.write(`${banner}\n`)
  log.info('ready')
  keepCompiled()
}

if (import.meta.main) {
  useCompileCache()
  // Imported late, so that an invalid configuration is reported before heavy modules are loaded.
  await main(async (options) => (await import('./app.ts')).startApp(options))
}
