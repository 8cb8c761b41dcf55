import { createServices } from '../app.ts'
import { readConfig } from '../config.ts'
import { runningProcess } from '../database/data-directory.ts'
import { runningDatabase } from '../open-database.ts'
import { externalSecrets, type Secrets } from '../secrets/secrets.ts'
import type { logger } from '../security/logger.ts'
import type { Services } from '../services.ts'
import { StartError } from '../start-error.ts'

/** What commands use: the services of the running service, and the configuration that they need. */
export type CommandServices = Services & {
  readonly secrets: Secrets
  /** The folder of the file with SECRETS_KEY; null if the environment sets the key. */
  readonly secretsDir: string | null
  /** Whether the event store numbers its events from 1 without gaps. */
  readonly isContiguous: boolean
  /** Whether the address of the simulated courier is known, which test keys need. */
  readonly simulatorIsKnown: boolean
}

/** Connects to the database in DATABASE_URL, else to the running embedded database in DATA_DIR. */
export async function openServices(log: ReturnType<typeof logger>): Promise<CommandServices> {
  const config = readConfig()
  const { databaseUrl, dataDir } = config
  const found =
    databaseUrl === undefined
      ? runningDatabase(dataDir, config)
      : { url: databaseUrl, secrets: externalSecrets(undefined, config) }
  if (found === undefined) {
    throw new StartError(
      `No shipping-ledger is running on ${dataDir}. Start it with "npm start", or set DATA_DIR or DATABASE_URL to those of the running one.`,
    )
  }
  const port = runningProcess(dataDir)?.simulatorPort
  const running = port === undefined ? undefined : `http://127.0.0.1:${port}`
  const simulatorUrl = config.simulatorUrl ?? running
  const services = createServices({
    databaseUrl: found.url,
    eventStoreUrl: config.eventStoreUrl,
    eventStoreNamespace: config.eventStoreNamespace,
    secrets: found.secrets,
    simulatorUrl: simulatorUrl ?? null,
    checkpointDir: config.checkpointDir,
    witnesses: config.witnesses,
    log,
  })
  // Looks may need registered couriers.
  await services.registered.refresh().catch((error: unknown) => {
    log.error({ err: error }, 'the registry of couriers could not be read')
  })
  return {
    ...services,
    secrets: found.secrets,
    secretsDir: databaseUrl === undefined && config.secretsKey === undefined ? dataDir : null,
    isContiguous: config.eventStoreUrl === undefined,
    simulatorIsKnown: simulatorUrl !== undefined,
  }
}
