import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isSource, isTest, projectRoot, projectTexts, topLevel } from '../support/source-files.ts'
import { declaredNames, testCalls } from './syntax.ts'

const sources = projectTexts(isSource)
const tests = projectTexts(isTest)
const code = new Map([...sources, ...tests])
const documents = projectTexts((file) => /^(README\.md|docs\/.*\.md)$/.test(file))
const everything = projectTexts((file) =>
  /\.(tsx?|m?js|py|sql|md|json|ya?ml|html|css|svg|sh)$|^\.ci\//.test(file),
)

/**
 * A longer file states the reason at its top, and is listed here with its length, which may only
 * shrink.
 */
const fileLinesMax = 400
const longFilesKnown: Readonly<Record<string, number>> = {}
/** Written by openapi-typescript for compilers. */
const isGenerated = (file: string) => file.startsWith('src/client/generated/')

function ratchet(found: ReadonlyMap<string, number>, known: Readonly<Record<string, number>>) {
  const problems: string[] = []
  for (const [name, lines] of found) {
    const allowed = known[name]
    if (allowed === undefined) problems.push(`${name} has ${lines} lines: split it`)
    else if (lines > allowed) problems.push(`${name} grew from ${allowed} to ${lines} lines`)
    else if (lines < allowed) problems.push(`${name} shrank: write ${lines} in the list`)
  }
  for (const name of Object.keys(known)) {
    if (!found.has(name)) problems.push(`${name} is short now: take it off the list`)
  }
  return problems
}

t.test('no file in src or projections is longer than 400 lines', async (t) => {
  const found = new Map<string, number>()
  for (const [file, text] of sources) {
    const lines = text.split('\n').length - 1
    if (lines > fileLinesMax && !isGenerated(file)) found.set(file, lines)
  }
  t.same(ratchet(found, longFilesKnown), [])
})

t.test('a ratchet reports new, grown and missing entries', async (t) => {
  const found = new Map([
    ['a', 80],
    ['b', 90],
    ['c', 71],
  ])
  t.equal(ratchet(found, { a: 80, b: 85, d: 100 }).length, 3)
})

t.test('no two files of a house have the same name', async (t) => {
  const written = [...sources.keys()].filter((file) => !isGenerated(file))
  const houseOf = (file: string) => (file.startsWith('src/') ? file.split('/')[1] : 'service')
  const byName = Map.groupBy(written, (file) => `${houseOf(file)} ${file.replace(/^.*\//, '')}`)
  const twice = [...byName].filter(([, files]) => files.length > 1)
  t.strictSame(twice, [], 'make one file of them, or give them two names')
})

t.test('no name ends in Manager, Helper, Util, Common, Base, Impl or DTO', async (t) => {
  const empty =
    /(Manager|Helpers?|Utils?|Common|Base|Impl|DTO|Dto)$|^(manager|helpers?|utils?|common|base|impl|dto)$/
  const found: string[] = []
  for (const [file, text] of code) {
    const fileName = file.replace(/^.*\/|(\.test)?\.tsx?$/g, '')
    if (/(^|-)(manager|helpers?|utils?|common|base|impl|dto)$/.test(fileName)) found.push(file)
    for (const name of declaredNames(file, text))
      if (empty.test(name)) found.push(`${file} ${name}`)
  }
  t.same(found, [])
})

/** Words assembled here, so that this file does not match itself. */
const unfinished = new RegExp(
  `(//|^\\s*(\\*|--|#)|<!--).*\\b(${['TO', 'FIX', 'XX'].map((w, i) => w + ['DO', 'ME', 'X'][i]).join('|')})\\b`,
)
const suppressed = new RegExp(
  `@ts-${'(ignore|expect-error|nocheck)'}|es${'lint'}-disable|prettier-${'ignore'}`,
)
const machinePath = new RegExp(
  `(^|[\\s"'\`(=:])/(${['work', 'tmp', 'home', 'root', 'Users'].join('|')})/[A-Za-z]`,
)
const registryHost =
  /\bregistry\.(?!npmjs\.org)[a-z0-9-]+\.|\/\/(npm|nexus|artifactory|verdaccio)[.:][a-z0-9]/i

function linesWith(texts: ReadonlyMap<string, string>, pattern: RegExp): readonly string[] {
  const found: string[] = []
  for (const [file, text] of texts) {
    for (const [index, line] of text.split('\n').entries()) {
      if (pattern.test(line)) found.push(`${file}:${index + 1} ${line.trim().slice(0, 120)}`)
    }
  }
  return found
}

t.test('no comment marks unfinished work', async (t) => {
  t.same(linesWith(everything, unfinished), [])
  t.match(`// ${'TO'}${'DO'} later`, unfinished)
})

t.test('no type or lint check is switched off without a reason', async (t) => {
  t.same(linesWith(code, suppressed), [])
  t.same(
    linesWith(code, /biome-ignore(?! [\w/]+: \w+ \w+)/).filter(
      (line) => !line.startsWith('test/rules/tidy'),
    ),
    [],
  )
})

t.test("no file contains a machine's path or a private registry", async (t) => {
  t.same(linesWith(everything, machinePath), [])
  t.same(linesWith(everything, registryHost), [])
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'))
  const resolved = Object.values<{ resolved?: string; link?: boolean }>(lock.packages)
    .filter(({ link }) => link !== true)
    .map((entry) => entry.resolved)
    .filter((address) => address !== undefined)
  t.same(
    resolved.filter((address) => !address.startsWith('https://registry.npmjs.org/')),
    [],
  )
})

t.test('the domain uses no clock, randomness or timer', async (t) => {
  const impure =
    /Date\.now|new Date\(\)|randomUUID|randomBytes|Math\.random|performance\.|setTimeout|setInterval/
  const domain = new Map([...sources].filter(([file]) => file.startsWith('src/service/domain/')))
  t.ok(domain.size > 20)
  t.same(linesWith(domain, impure), [])
})

t.test('mock is the only courier code in the sources', async (t) => {
  const codes = new Set<string>()
  for (const [file, text] of sources) {
    // What the agents' tools show of the field is not a code.
    if (file === 'src/client/generated/agent-tools.ts') continue
    for (const [, name] of text.matchAll(/provider_?code['"]?\s*[:=]+\s*['"]([^'"]+)['"]/gi)) {
      codes.add(String(name))
    }
  }
  t.same(
    [...codes].filter((name) => name !== 'mock'),
    [],
  )
})

t.test('only the commands and the start print to the terminal', async (t) => {
  const printing = linesWith(sources, /\bconsole\.\w+\(|process\.std(out|err)\.write/)
  t.same(
    printing.filter(
      (line) =>
        !/^src\/(service\/(cli\/|main\.ts|lifecycle\.ts)|client\/command\/|[a-z-]+\/build\/build\.ts)/.test(
          line,
        ),
    ),
    [],
  )
})

t.test('every test has a unique title and a body, and none is skipped or run alone', async (t) => {
  const titles = new Map<string, string>()
  const problems: string[] = []
  for (const [file, text] of tests) {
    for (const { title, hasBody } of testCalls(file, text)) {
      const other = titles.get(title)
      if (other !== undefined) problems.push(`${file} and ${other}: ${title}`)
      if (!hasBody) problems.push(`${file}: ${title} has no body`)
      titles.set(title, file)
    }
  }
  t.ok(titles.size > 50)
  t.same(problems, [])
  // A skip that depends on the machine gives its reason instead of `true`.
  const alone = ['only', 'todo'].join('|')
  const pattern = new RegExp(`\\bt\\.(${alone})\\(|\\b(${alone}|skip): true`)
  t.same(linesWith(tests, pattern), [])
})

t.test('every document has exactly one title', async (t) => {
  const odd: string[] = []
  for (const [file, text] of documents) {
    const titles = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').match(/^# .+$/gm) ?? []
    if (titles.length !== 1) odd.push(`${file} has ${titles.length}`)
  }
  t.same(odd, [])
})

t.test("the project's top level has only the agreed files", async (t) => {
  const agreed = new Set([
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'src',
    'projections',
    'test',
    'docs',
    'docker-compose.yml',
    'Dockerfile',
    'README.md',
  ])
  t.same(
    topLevel().filter((name) => !name.startsWith('.') && !agreed.has(name)),
    [],
  )
})
