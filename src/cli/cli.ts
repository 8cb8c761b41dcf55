import { readConfig } from '../config.ts'
import { runningDatabase } from '../database/open-database.ts'
import { externalSecrets } from '../database/secrets.ts'
import { logger } from '../security/logger.ts'
import { StartError } from '../start-error.ts'
import type { Administration } from './administration.ts'
import { run } from './run.ts'

/** Only what goes wrong beside the command itself: its answer is on standard output. */
const log = logger({
  level: 'error',
  pretty: process.stderr.isTTY === true,
  destination: process.stderr,
})

/** The database that DATABASE_URL names, else the embedded one that runs on DATA_DIR. */
async function open(): Promise<Administration> {
  const config = readConfig()
  const { databaseUrl } = config
  const found =
    databaseUrl === undefined
      ? runningDatabase(config.dataDir, config)
      : { url: databaseUrl, secrets: externalSecrets(undefined, config) }
  if (found === undefined) {
    throw new StartError(
      `No shipping-ledger is running on ${config.dataDir}: start it with "npm start", or set DATA_DIR or DATABASE_URL to those of the one that runs.`,
    )
  }
  const { administration } = await import('../app.ts')
  return administration({ config, databaseUrl: found.url, secrets: found.secrets, log })
}

process.exitCode = await run(process.argv.slice(2), {
  open,
  write: (line) => process.stdout.write(`${line}\n`),
  writeError: (line) => process.stderr.write(`${line}\n`),
})
