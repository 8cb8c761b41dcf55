#!/usr/bin/env node
import { resolve } from 'node:path'
import { runCommandLine } from './run-command-line.ts'

/** The exit code that shells report after SIGPIPE: 128 plus the signal's number. */
const brokenPipeExit = 141

/** Ends the process silently when its output is closed, as in `… | head`. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(brokenPipeExit)
  })
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  write: (line) => process.stdout.write(`${line}\n`),
  writeError: (line) => process.stderr.write(`${line}\n`),
  isWatched: process.stderr.isTTY === true,
  // npm runs scripts in the package's folder and says where the user is.
  pathOf: (name) => resolve(process.env.INIT_CWD ?? process.cwd(), name),
  variable: (name) => process.env[name],
})
