import { resolve } from 'node:path'
import { useCompileCache } from '../compile-cache.ts'
import { readConfig, userFolder } from '../config.ts'
import { logger } from '../security/logger.ts'
import { systemUser } from './acting.ts'
import { run } from './run-command.ts'

/** Logs only errors, to standard error: standard output is for the command's answer. */
const log = logger({
  level: 'error',
  pretty: process.stderr.isTTY === true,
  destination: process.stderr,
})

/** The exit code that shells report after SIGPIPE: 128 plus the signal's number. */
const brokenPipeExit = 141

/** Ends the process silently when its output is closed, as in `… | head`. */
function endWhenReaderCloses(stream: NodeJS.WritableStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(brokenPipeExit)
  })
}

useCompileCache()
for (const stream of [process.stdout, process.stderr]) endWhenReaderCloses(stream)
process.exitCode = await run(process.argv.slice(2), {
  // Imported lazily, because help texts do not need it.
  open: async () => (await import('./open-services.ts')).openServices(log),
  openLedgers: async (sides) => (await import('./open-ledgers.ts')).openLedgers(sides, log),
  write: (line) => process.stdout.write(`${line}\n`),
  writeError: (line) => process.stderr.write(`${line}\n`),
  pathOf: (name) => resolve(userFolder(), name),
  operator: () => readConfig().operator,
  systemUser: systemUser(),
  isWatched: process.stderr.isTTY === true,
})
