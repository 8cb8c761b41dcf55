import { spawn } from 'node:child_process'
import { say } from '../support/say.ts'
import { proofs } from './proofs.ts'

/*
 * `npm run prove` runs all proofs one after another and ends with a table: whether each held, and
 * the last line that it printed, which has its figures. Proofs that need a server or a checkout
 * that is not available are skipped and marked so, as are those whose last line says that they were
 * skipped. `npm run prove -- --list` lists them.
 */
const names = Object.keys(proofs).map((name) => `prove:${name}`)
if (process.argv[2] === '--list') {
  for (const [name, what] of Object.entries(proofs)) say(`npm run prove:${name.padEnd(11)} ${what}`)
  process.exit(0)
}
/** The environment variable that a proof needs. */
const needs: Readonly<Record<string, string>> = {
  'prove:cluster': 'EVENTSTOREDB_NODE',
  'prove:lost-end-nodes': 'EVENTSTOREDB_NODE',
  'prove:rolling': 'PREVIOUS',
}

/** Passes the output through and returns its last line. */
async function run(name: string): Promise<{ readonly held: boolean; readonly figures: string }> {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'inherit'] })
  let figures = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text)
    figures = text.trimEnd().split('\n').at(-1) ?? figures
  })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject).on('close', resolve)
  return { held: (await promise) === 0, figures }
}

const table: string[] = []
for (const name of names) {
  const variable = needs[name]
  if (variable !== undefined && process.env[variable] === undefined) {
    table.push(`${name.padEnd(20)} skipped: it needs ${variable}`)
    continue
  }
  say(name)
  const { held, figures } = await run(name)
  const skipped = held ? /^\w+: (skipped: .*)$/.exec(figures)?.[1] : undefined
  table.push(`${name.padEnd(20)} ${skipped ?? `${held ? 'held  ' : 'FAILED'} ${figures}`}`)
  if (!held) process.exitCode = 1
}
say(['', ...table].join('\n'))
