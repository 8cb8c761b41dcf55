import t from 'tap'
import { isSource, projectTexts } from '../support/source-files.ts'
import { forbiddenImports, importCycles, importsOf, partOf } from './imports.ts'

const everything = [
  'config',
  'console',
  'couriers',
  'database',
  'domain',
  'embedded-postgres',
  'error-kinds',
  'errors',
  'event-store',
  'http',
  'ledger',
  'log',
  'open-database',
  'processes',
  'projections',
  'projector',
  'secrets',
  'security',
  'simulator',
  'start-error',
  'turns',
  'url-at',
  'webhooks',
]
const foundations = ['errors', 'database', 'event-store', 'secrets', 'security', 'couriers']

/** What every part may import: the domain, and five files without imports of ours. */
const shared = ['domain', 'error-kinds', 'log', 'start-error', 'turns', 'url-at']
/** Which part of the code may import which; docs/architecture.md explains it. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  log: [],
  'start-error': [],
  turns: [],
  'url-at': [],
  'error-kinds': [],
  errors: ['domain', 'error-kinds'],
  config: shared,
  'embedded-postgres': [...shared],
  database: [...shared],
  secrets: [...shared, 'embedded-postgres'],
  'open-database': [...shared, 'database', 'embedded-postgres', 'secrets'],
  'event-store': [...shared, 'database'],
  couriers: [...shared, 'database'],
  security: [...shared, 'errors', 'database', 'event-store'],
  projections: [...shared, 'database', 'event-store'],
  projector: [...shared, 'database', 'event-store', 'projections'],
  processes: [...shared, ...foundations, 'projections', 'projector'],
  webhooks: [...shared, ...foundations, 'projections', 'projector', 'processes'],
  ledger: [...shared, ...foundations, 'projections', 'projector', 'processes'],
  http: [
    ...shared,
    ...foundations,
    'client',
    'console',
    'projections',
    'projector',
    'processes',
    'webhooks',
    'ledger',
  ],
  console: ['client', 'docs-site', 'log'],
  'docs-site': ['client', 'console'],
  simulator: [...shared, 'couriers'],
  client: [],
  'compile-cache': [],
  lifecycle: [...shared],
  parts: everything,
  banner: everything,
  api: [...everything, 'parts'],
  roles: [...everything, 'parts'],
  app: [...everything, 'api', 'banner', 'main', 'parts', 'roles'],
  main: [...everything, 'app', 'compile-cache', 'lifecycle'],
  cli: [...everything, 'app', 'client', 'compile-cache'],
}
/** Adapters are chosen in one place. The scenarios are a table of data, not an adapter. */
const adapters =
  /^src\/service\/(event-store\/(postgres\/postgres|memory|eventstoredb\/eventstoredb)|couriers\/simulated-courier)\.ts$|^src\/simulator\//
const sources = projectTexts(isSource)

t.test('every import goes in an allowed direction, type imports included', async (t) => {
  t.ok(sources.size > 20)
  t.same(forbiddenImports(sources, allowedImports), [])
})

t.test('every part of the code has its row in the table of imports', async (t) => {
  const parts = [...new Set([...sources.keys()].map(partOf))]
  t.same(
    parts.filter((part) => allowedImports[part] === undefined),
    [],
  )
})

t.test('the import rule finds a forbidden import, also of a type only', async (t) => {
  const wrong = new Map([
    ['src/service/domain/a.ts', "import type { B } from '../database/b.ts'"],
    ['projections/c.ts', "import { d } from '../test/support/d.ts'"],
    ['src/service/http/e.ts', "export { f } from '../cli/f.ts'"],
    ['src/service/http/g.ts', "import { b } from '../database/b.ts'"],
  ])
  t.equal(forbiddenImports(wrong, allowedImports).length, 3)
})

t.test('no files import each other in a cycle', async (t) => {
  t.same(importCycles(sources), [])
  const circle = new Map([
    ['src/service/domain/a.ts', "import type { B } from './b.ts'"],
    ['src/service/domain/b.ts', "import { a } from './a.ts'"],
  ])
  t.equal(importCycles(circle).length, 1)
})

t.test('only app.ts names adapters', async (t) => {
  const named: string[] = []
  for (const [file, text] of sources) {
    // The simulated courier is the other side of its adapter.
    if (file.startsWith('src/simulator/')) continue
    for (const target of importsOf(file, text)) {
      const isInside = target.startsWith(`${file.split('/').slice(0, -1).join('/')}/`)
      if (adapters.test(target) && !isInside && file !== 'src/service/app.ts') {
        named.push(`${file} names ${target}`)
      }
    }
  }
  t.same(named, [])
  t.ok(adapters.test('src/service/couriers/simulated-courier.ts'))
  t.notOk(adapters.test('src/service/couriers/scenarios/scenarios.ts'))
})

t.test('the client imports only its own files', async (t) => {
  const foreign: string[] = []
  for (const [file, text] of sources) {
    if (partOf(file) !== 'client') continue
    for (const target of importsOf(file, text)) {
      if (!target.startsWith('src/client/')) foreign.push(`${file}: ${target}`)
    }
  }
  t.same(foreign, [])
})

t.test('the domain imports only zod and node:crypto', async (t) => {
  const foreign: string[] = []
  for (const [file, text] of sources) {
    if (partOf(file) !== 'domain') continue
    for (const target of importsOf(file, text)) {
      if (!/^(src\/service\/domain\/|zod$|node:crypto$)/.test(target))
        foreign.push(`${file}: ${target}`)
    }
  }
  t.same(foreign, [])
})

function linesWith(pattern: RegExp, fits: (file: string) => boolean): readonly string[] {
  const found: string[] = []
  for (const [file, text] of sources) {
    if (!fits(file)) continue
    for (const [index, line] of text.split('\n').entries()) {
      if (pattern.test(line)) found.push(`${file}:${index + 1} ${line.trim()}`)
    }
  }
  return found
}

t.test('only config.ts reads the environment', async (t) => {
  t.same(
    linesWith(/process\.env/, (file) => file !== 'src/service/config.ts'),
    [],
  )
})

t.test('the domain uses no clock, randomness or timer', async (t) => {
  const impure =
    /Date\.now|new Date\(\)|randomUUID|randomBytes|Math\.random|performance\.|setTimeout|setInterval/
  t.same(
    linesWith(impure, (file) => partOf(file) === 'domain'),
    [],
  )
})
