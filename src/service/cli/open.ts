import { projections } from '../../../projections/all.ts'
import { openParts } from '../app.ts'
import { readConfig } from '../config.ts'
import { runningProcess } from '../database/data-directory.ts'
import { runningDatabase } from '../open-database.ts'
import { externalSecrets } from '../secrets/secrets.ts'
import type { logger } from '../security/logger.ts'
import { StartError } from '../start-error.ts'
import type { Administration } from './administration.ts'
import { operationsAdministration } from './operations/operations-administration.ts'
import { erasureAdministration } from './personal-data/erasure-administration.ts'
import { holdAdministration } from './personal-data/hold-administration.ts'

/** Connects to the database of DATABASE_URL, else to the embedded one running on DATA_DIR. */
export async function openAdministration(log: ReturnType<typeof logger>): Promise<Administration> {
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
  const parts = openParts({
    databaseUrl: found.url,
    eventStoreUrl: config.eventStoreUrl,
    eventStoreNamespace: config.eventStoreNamespace,
    secrets: found.secrets,
    simulatorUrl: simulatorUrl ?? null,
    checkpointDir: config.checkpointDir,
    log,
  })
  // Reconciliation also asks registered couriers.
  await parts.registered.refresh().catch((error: unknown) => {
    log.error({ err: error }, 'the registry of couriers could not be read')
  })
  return {
    db: parts.db,
    readModels: parts.readModels,
    pool: parts.pool,
    store: parts.store,
    vault: parts.processes.vault,
    remembered: parts.remembered,
    pepper: parts.pepper,
    tokens: parts.tokens,
    seal: {
      isContiguous: config.eventStoreUrl === undefined,
      checkpointKey: found.secrets.checkpointKey,
      checkpointKeyPrevious: found.secrets.checkpointKeyPrevious,
      checkpointDir: config.checkpointDir ?? null,
    },
    witnesses: config.witnesses,
    keyCare: {
      pool: parts.pool,
      secrets: found.secrets,
      secretsDir:
        databaseUrl === undefined && config.secretsKey === undefined ? config.dataDir : null,
    },
    projections,
    operations: operationsAdministration(parts.processes, simulatorUrl !== undefined),
    erasures: erasureAdministration(parts.processes),
    holds: holdAdministration(parts),
    log,
    close: () => parts.close(),
  }
}
