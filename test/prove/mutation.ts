import { Stryker } from '@stryker-mutator/core'
import { say } from '../support/say.ts'

// Makes small mistakes in the code, one at a time, each of which the tests must notice: `npm run
// prove:mutation [group]`. Prints each unnoticed mistake, and the share of those that were noticed.
// Only code covered by fast tests is mutated, because each mistake costs a run of them.

type Group = { readonly mutate: readonly string[]; readonly tests: readonly string[] }

const groups: Readonly<Record<string, Group>> = {
  idempotency: {
    mutate: [
      'src/service/http/rules/idempotency-key.ts',
      'src/service/processes/calls/fingerprint.ts',
    ],
    tests: ['test/http/keys-and-cursors.test.ts'],
  },
  cursor: {
    mutate: ['src/service/http/rules/lists.ts'],
    tests: ['test/http/keys-and-cursors.test.ts'],
  },
  signing: { mutate: ['src/service/webhooks/sign.ts'], tests: ['test/webhooks/sign.test.ts'] },
  egress: {
    mutate: ['src/service/webhooks/egress/egress.ts'],
    tests: ['test/webhooks/egress.test.ts'],
  },
  reconciliation: {
    mutate: ['src/service/domain/operation/reconciliation.ts'],
    tests: ['test/domain/{reconciliation,evidence,cancellation}.test.ts'],
  },
  decisions: {
    mutate: [
      'src/service/domain/{shipment,operation}/*-decisions.ts',
      'src/service/domain/operation/{creation,cancellation}.ts',
      'src/service/domain/operation/operation.ts',
      'src/service/domain/quota.ts',
    ],
    tests: ['test/domain/{shipment-decisions,evidence,cancellation,reconciliation,quota}.test.ts'],
  },
  folding: {
    mutate: [
      'src/service/domain/operation/{machine,transitions}.ts',
      'src/service/domain/shipment/shipment.ts',
    ],
    tests: [
      'test/domain/{folding,shipment-decisions,evidence,cancellation,reconciliation,work}.test.ts',
    ],
  },
  tracking: {
    mutate: [
      'src/service/domain/tracking/{tracking,polling,tracking-transitions,cancellation-scan}.ts',
    ],
    tests: ['test/domain/{tracking,polling}.test.ts'],
  },
  webhooks: {
    mutate: ['src/service/domain/webhooks/webhook-{event,render,delivery}.ts'],
    tests: ['test/domain/webhooks.test.ts'],
  },
  quote: { mutate: ['src/service/domain/quote.ts'], tests: ['test/domain/quote.test.ts'] },
  merkle: {
    mutate: ['src/service/domain/ledger/{merkle,merkle-tiles}.ts'],
    tests: ['test/domain/merkle.test.ts'],
  },
}
/** The minimum share of mistakes that a group's tests must notice. */
const scoreMin = 0.85
/** A mistake may cause an endless loop. */
const timeoutMs = 20_000

type Result = Awaited<ReturnType<Stryker['runMutationTest']>>[number]
const noticed = new Set(['Killed', 'Timeout'])
const notCounted = new Set(['Ignored', 'CompileError', 'RuntimeError'])

async function tryGroup(name: string, { mutate, tests }: Group): Promise<readonly Result[]> {
  say(`${name}: ${mutate.join(', ')}`)
  const results = await new Stryker({
    testRunner: 'tap',
    plugins: ['@stryker-mutator/tap-runner'],
    mutate: [...mutate],
    tap: { testFiles: [...tests], forceBail: true },
    coverageAnalysis: 'perTest',
    tempDirName: '.mutation',
    cleanTempDir: 'always',
    reporters: ['progress'],
    disableTypeChecks: false,
    allowConsoleColors: false,
    timeoutMS: timeoutMs,
    ignorePatterns: ['dist', 'docs', '*.log'],
  }).runMutationTest()
  const tried = results.filter(({ status }) => !notCounted.has(status))
  for (const { status, location, fileName, mutatorName, replacement } of tried) {
    if (noticed.has(status)) continue
    const file = fileName.slice(fileName.indexOf('src/'))
    const place = `${file}:${location.start.line + 1}:${location.start.column + 1}`
    say(`  not noticed: ${place} ${mutatorName} -> ${String(replacement).slice(0, 80)}`)
  }
  say(`${name}: ${scored(tried)}`)
  return tried
}

function scoreOf(tried: readonly Result[]): number {
  return tried.filter(({ status }) => noticed.has(status)).length / tried.length
}

function scored(tried: readonly Result[]): string {
  return `${(100 * scoreOf(tried)).toFixed(1)} % of ${tried.length} mistakes noticed`
}

const [wanted] = process.argv.slice(2)
const chosen = Object.entries(groups).filter(([name]) => wanted === undefined || name === wanted)
if (chosen.length === 0) throw new Error(`There is no group ${wanted}: ${Object.keys(groups)}.`)
const all: Result[] = []
const weak: string[] = []
for (const [name, group] of chosen) {
  const tried = await tryGroup(name, group)
  if (scoreOf(tried) < scoreMin) weak.push(name)
  all.push(...tried)
}
if (weak.length > 0) {
  say(`below ${100 * scoreMin} %: ${weak.join(', ')}`)
  process.exitCode = 1
}
say(scored(all))
