import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commands as clientCommands } from '../../src/client/command/run-command-line.ts'
import { commands } from '../../src/service/cli/commands.ts'
import { serviceMetrics } from '../../src/service/http/service/metrics.ts'
import { scopes } from '../../src/service/security/api-keys.ts'
import { benchmarks } from '../bench/benchmarks.ts'
import { generatedPages } from '../docs/generated-pages.ts'
import { proofs } from '../prove/proofs.ts'
import { committedDocument, reasonsOf } from '../support/declared-answers.ts'
import { isTest, projectRoot, projectTexts } from '../support/source-files.ts'
import { testCalls } from './syntax.ts'

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')
const documents = projectTexts((file) => /^(README\.md|docs\/.*\.md)$/.test(file))

for (const [file, content] of Object.entries(generatedPages)) {
  t.test(`the generated file is up to date: ${file}`, async (t) => {
    const fresh = await content()
    const committed = existsSync(join(projectRoot, file)) ? read(file) : ''
    t.equal(committed, fresh, `${file} is out of date: run \`npm run generate\` and commit it`)
  })
}

/** An invariant's paragraph: `**I7.** sentence … — *test title*`; it may name several tests. */
type Invariant = { readonly number: number; readonly tests: readonly string[] }

function invariantsOf(text: string): readonly Invariant[] {
  const paragraphs = text.split(/\n(?=\*\*I\d+\.\*\*)/).slice(1)
  return paragraphs.map((paragraph) => ({
    number: Number(/^\*\*I(\d+)\./.exec(paragraph)?.[1]),
    tests: [...paragraph.matchAll(/^- Test: "(.+)"$/gm)].map(([, title]) => String(title)),
  }))
}

const titles = new Set<string>()
for (const [file, text] of projectTexts(isTest)) {
  for (const { title } of testCalls(file, text)) titles.add(title)
}

t.test('every row of the security page names tests that exist', async (t) => {
  const text = read('docs/security.md')
  const rows = text.split(/\n(?=\*\*API\d+ )/).slice(1)
  t.equal(rows.length, 10)
  for (const [index, row] of rows.entries()) {
    t.ok(row.startsWith(`**API${index + 1} `))
    t.match(row, /^- Test: "/m, `API${index + 1}`)
  }
  const named = [...text.matchAll(/^- Test: "(.+)"$/gm)].map(([, title]) => String(title))
  t.same(
    named.filter((title) => !titles.has(title)),
    [],
  )
})

t.test('every invariant is numbered in order and names tests that exist', async (t) => {
  const invariants = invariantsOf(read('docs/invariants.md'))
  t.ok(invariants.length > 0)
  t.same(
    invariants.map(({ number }) => number),
    invariants.map((_, index) => index + 1),
  )
  const unproved = invariants.filter(({ tests }) => tests.length === 0)
  t.same(unproved, [], 'every invariant names a test')
  const missing = invariants.flatMap(({ number, tests }) =>
    tests.filter((title) => !titles.has(title)).map((title) => `I${number}: ${title}`),
  )
  t.same(missing, [])
})

t.test('an invariant that names no test is detected', async (t) => {
  const text = '# X\n\n**I1.** One.\n- Test: "a"\n- Test: "b"\n\n**I2.** Two.\n'
  t.same(invariantsOf(text), [
    { number: 1, tests: ['a', 'b'] },
    { number: 2, tests: [] },
  ])
})

t.test('every npm command in the documents is a script of package.json', async (t) => {
  const { scripts } = JSON.parse(read('package.json'))
  const unknown: string[] = []
  for (const [file, text] of documents) {
    for (const [, name] of text.matchAll(/\bnpm run (?:--?\w+ )*([\w:-]+)/g)) {
      if (name !== undefined && !Object.hasOwn(scripts, name)) unknown.push(`${file}: ${name}`)
    }
  }
  t.same(unknown, [])
  for (const script of Object.values<string>(scripts)) {
    const [, file] = /(\S+\.ts)\b/.exec(script) ?? []
    if (file !== undefined) t.ok(existsSync(join(projectRoot, file)), file)
  }
})

t.test('the lists of benchmarks and proofs are complete', async (t) => {
  const files = readdirSync(join(projectRoot, 'test/bench')).filter((file) => file.endsWith('.ts'))
  const benches = files.map((file) => file.slice(0, -3))
  t.same(
    Object.keys(benchmarks).toSorted(),
    benches.filter((name) => name !== 'run' && name !== 'benchmarks').toSorted(),
  )
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const commands = Object.keys(scripts).filter((script) => script.startsWith('prove:'))
  t.same(
    Object.keys(proofs).toSorted(),
    commands.map((command) => command.slice('prove:'.length)).toSorted(),
  )
})

t.test('the guide to the usual changes names files, checks and commands that exist', async (t) => {
  const guide = read('docs/guides/changing.md')
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const names = [...guide.matchAll(/`([^`\n]+)`/g)].map(([, name]) => String(name))
  const paths = names.filter((name) => /^(src|projections|test|docs|docker-compose)[./]/.test(name))
  t.ok(paths.length > 40)
  t.same(
    paths.filter((path) => !existsSync(join(projectRoot, path))),
    [],
  )
  const runs = names.flatMap((name) => /^npm run (?!--)(\S+)/.exec(name)?.[1] ?? [])
  t.same(
    runs.filter((script) => !(script in scripts)),
    [],
  )
  const sections = guide.split(/^## /m).slice(1)
  const silent = sections.filter((section) => !/^If you forget one: |courier add/m.test(section))
  t.same(silent, [], 'each step names what fails')
})

/** The programs whose command lines the documents show, with their commands. */
const programs = [
  [/^ *npm run --silent ledger -- ([^#\n]+)/gm, commands],
  [/^ *npx shipping-ledger ([^#\n]+)/gm, clientCommands],
] as const

t.test('every command in the documents exists, with its flags', async (t) => {
  for (const [pattern, known] of programs) {
    const wrong: string[] = []
    let found = 0
    for (const [file, text] of documents) {
      for (const [, call = ''] of text.matchAll(pattern)) {
        const said = call.trim()
        const command = known.find(({ name }) => said === name || said.startsWith(`${name} `))
        const flags = [...said.matchAll(/ --([\w-]+)/g)].map(([, flag]) => String(flag))
        const unknown = flags.filter((flag) => flag !== 'json' && !(flag in (command?.flags ?? {})))
        if (said !== 'help' && (command === undefined || unknown.length > 0))
          wrong.push(`${file}: ${said}`)
        found += 1
      }
    }
    t.same(wrong, [])
    t.ok(found > 5)
  }
})

t.test('the guides call the verifiers of bundles with options that all of them have', async (t) => {
  const sources = ['src/verifier/verify.mjs', 'test/examples/verify_bundle.py'].map(read)
  let found = 0
  const unknown: string[] = []
  for (const [file, text] of documents) {
    for (const [, call = ''] of text.matchAll(
      /^ *(?:node verify\.mjs|python3 verify_bundle\.py)(.*)/gm,
    )) {
      found++
      const [words = ''] = call.split('#')
      for (const [option] of words.matchAll(/--\w+/g)) {
        if (!sources.every((source) => source.includes(option))) unknown.push(`${file}: ${option}`)
      }
    }
  }
  t.same(unknown, [])
  t.ok(found > 4)
})

t.test('every metric that the runbook names exists', async (t) => {
  const { registry } = serviceMetrics({
    isReady: async () => true,
    disks: async () => [],
    unwritableFiles: async () => [],
    projections: async () => [],
    operations: async () => [],
    attention: async () => [],
    webhooks: async () => ({ pending: 0, dead: 0, discarded: 0, failing: 0, oldestAgeSeconds: 0 }),
    erasures: async () => ({ pending: 0, oldestAgeSeconds: 0 }),
    unsealedSeconds: async () => 0,
    ledger: async () => ({
      isDamaged: false,
      findFirst: { asked: 0, found: 0, created: 0 },
    }),
    witnesses: async () => [],
  })
  const text = read('docs/guides/operating.md')
  const named = [...text.matchAll(/`(\w+_(?:seconds|total)|operations)`/g)].map(([, name]) => name)
  t.ok(named.length > 3)
  for (const name of named) t.ok(registry.getSingleMetric(String(name)), `${name} is a metric`)
})

t.test('every link between documents leads to a file', async (t) => {
  const broken: string[] = []
  for (const [file, text] of documents) {
    for (const [, target] of text.matchAll(/\]\((?!https?:|#|\/|mailto:)([^)#\s]+)/g)) {
      if (!existsSync(join(projectRoot, file, '..', String(target))))
        broken.push(`${file}: ${target}`)
    }
  }
  t.same(broken, [])
})

t.test('every TypeScript block of the guides is part of a tested example', async (t) => {
  const examples = [...projectTexts((file) => file.startsWith('test/examples/')).values()]
  const unknown: string[] = []
  let blocks = 0
  for (const [file, text] of documents) {
    if (!file.startsWith('docs/guides/')) continue
    for (const [, block = ''] of text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
      blocks++
      if (!examples.some((example) => example.includes(block))) unknown.push(`${file}: ${block}`)
    }
  }
  t.ok(blocks >= 3)
  t.same(unknown, [])
})

t.test('the guides list every 409 reason of a creation and every scope', async (t) => {
  const [, rows = ''] =
    /\| reason [\s\S]*?\n((?:\|.*\n)+)/.exec(read('docs/guides/what-to-do-with-a-409.md')) ?? []
  const listed = [...rows.matchAll(/^\| `([a-z_]+)`/gm)].map(([, reason]) => reason)
  const operation = committedDocument.paths['/v1/shipments']?.post
  t.same(listed.sort(), operation === undefined ? [] : reasonsOf(operation, 409))
  const named = [...read('docs/guides/authentication.md').matchAll(/`([a-z]+:[a-z]+)`/g)]
  t.same([...new Set(named.map(([, scope]) => scope))].sort(), [...scopes].sort())
})
