import { resolve } from 'node:path'
import { useCompileCache } from '../compile-cache.ts'
import { readConfig, userFolder } from '../config.ts'
import { logger } from '../security/logger.ts'
import { systemUser } from './acting.ts'
import { endWhenReaderCloses } from './closed-reader.ts'
import { run } from './run-command.ts'

/** Logs only problems outside the command itself: standard output holds its answer alone. */
const log = logger({
  level: 'error',
  pretty: process.stderr.isTTY === true,
  destination: process.stderr,
})

useCompileCache()
for (const stream of [process.stdout, process.stderr]) endWhenReaderCloses(stream)
process.exitCode = await run(process.argv.slice(2), {
  // Imported late: a help text does not need it.
  open: async () => (await import('./open.ts')).openAdministration(log),
  openLedgers: async (sides) => (await import('./open-ledgers.ts')).openLedgers(sides, log),
  write: (line) => process.stdout.write(`${line}\n`),
  writeError: (line) => process.stderr.write(`${line}\n`),
  pathOf: (name) => resolve(userFolder(), name),
  operator: () => readConfig().operator,
  systemUser: systemUser(),
  isWatched: process.stderr.isTTY === true,
})
