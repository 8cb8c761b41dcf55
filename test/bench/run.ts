import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run bench` runs them all, `npm run bench -- <name> [its arguments]` one. */
const directory = import.meta.dirname
const names = readdirSync(directory)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3))
const [name, ...args] = process.argv.slice(2)
if (name !== undefined && !existsSync(join(directory, `${name}.ts`))) {
  process.stderr.write(`There is no benchmark ${name}: there are ${names.join(', ')}.\n`)
  process.exit(2)
}
for (const each of name === undefined ? names : [name]) {
  process.stdout.write(`${each}\n`)
  const run = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(directory, `${each}.ts`), ...args],
    { stdio: 'inherit' },
  )
  if (run.status !== 0) process.exitCode = 1
}
