import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  browserTests,
  faults,
  reportTotals,
  runTests,
  slowTests,
  type Totals,
  testFiles,
} from './run-tests.ts'
import { say } from './say.ts'

type Step = { readonly name: string; readonly run: () => Promise<Totals> }

const root = join(import.meta.dirname, '..', '..')
const specifications = ['docs/openapi.json', 'docs/connector-openapi.json']
/** It mostly waits, and load on the machine does not change its counts. */
const counters = 'test/faults/counters.alone.fault.test.ts'
const isRule = (file: string) => file.startsWith('test/rules/')

/** A program from the project's packages; exit code 0 passes. */
function program(script: string, ...args: string[]): () => Promise<Totals> {
  return () =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: {
          ...process.env,
          REDOCLY_TELEMETRY: 'off',
          REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        },
      })
      const end = (passed: boolean) => resolve({ passed: Number(passed), failed: Number(!passed) })
      child.on('error', () => end(false))
      child.on('close', (code) => end(code === 0))
    })
}

/**
 * Steps with one process each. Types are checked by TypeScript 7; our tools that use the compiler's
 * API need version 5.
 */
const staticChecks: readonly Step[] = [
  { name: 'types', run: program('typescript-7/bin/tsc', '-p', 'test') },
  { name: 'types of the console', run: program('typescript-7/bin/tsc', '-p', 'src/console') },
  { name: 'types of the site', run: program('typescript-7/bin/tsc', '-p', 'src/docs-site') },
  {
    name: 'format and lint',
    run: program('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  },
  { name: 'nothing unused', run: program('knip/bin/knip.js', '--no-progress') },
  {
    name: 'OpenAPI documents',
    run: program(
      '@redocly/cli/bin/cli.js',
      'lint',
      '--config=.redocly.yaml',
      ...specifications.filter((file) => existsSync(join(root, file))),
    ),
  },
  {
    name: 'OpenAPI documents, by another linter',
    run: program('../test/docs/lint-openapi.ts'),
  },
  {
    name: 'no breaking change of the API',
    run: program('../test/docs/changes/api-changes.ts'),
  },
]

const rules: Step = {
  name: 'rules and generated files',
  run: async () => runTests((await testFiles()).filter(isRule)),
}

const testSteps: readonly Step[] = [
  { name: 'tests', run: async () => runTests((await testFiles()).filter((file) => !isRule(file))) },
  {
    name: 'faults of processes, pages in a browser, and slow tests beside them',
    run: async () => {
      const files = await testFiles([faults, browserTests, slowTests])
      return runTests(files.filter((file) => file !== counters))
    },
  },
]

/** The checks: `npm run check` and CI run exactly these, in this order. */
async function runSteps(): Promise<Totals> {
  const summary: string[] = []
  const totals = { passed: 0, failed: 0 }
  const run = async ({ name, run: check }: Step) => {
    say(`\n== ${name}`)
    const startedAt = performance.now()
    const { passed, failed } = await check()
    totals.passed += passed
    totals.failed += failed
    const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
    summary.push(`${failed === 0 ? 'ok    ' : 'FAILED'} ${name}, ${took}`)
  }
  const counting = run({
    name: 'what a creation makes the database do',
    run: () => runTests([counters]),
  })
  for (const step of [...staticChecks, rules]) await run(step)
  for (const step of testSteps) await run(step)
  await counting
  say(`\n${summary.join('\n')}`)
  return totals
}

await reportTotals(runSteps)
