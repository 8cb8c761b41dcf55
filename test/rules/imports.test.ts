import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import t from 'tap'
import { projectRoot } from '../support/source-files.ts'

const { default: rules } = await import(join(projectRoot, '.dependency-cruiser.mjs'))

/** The violations of the rules in `.dependency-cruiser.mjs` among a project's sources. */
async function violations(baseDir: string): Promise<readonly string[]> {
  const { forbidden, options } = rules
  const given = { ...options, baseDir, ruleSet: { forbidden }, validate: true } as ICruiseOptions
  const { output } = await cruise(['src', 'projections'], given)
  const { summary, modules } = output as ICruiseResult
  t.ok(modules.length > 1)
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).toSorted()
}

t.test('imports go in the directions of the architecture page, types included', async (t) => {
  t.same(await violations(projectRoot), [])
})

t.test('the rules of imports find what they forbid', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  const files = {
    'src/service/tsconfig.json': '{}',
    'src/service/domain/a.ts': "import type { B } from '../database/b.ts'",
    'src/service/domain/clock.ts': "import { readFileSync } from 'node:fs'",
    'src/service/database/b.ts': 'export type B = 1',
    'src/service/http/c.ts': "import '../cli/d.ts'\nimport '../event-store/memory.ts'",
    'src/service/cli/d.ts': "import '../../client/client.ts'",
    'src/service/event-store/memory.ts': 'export const memory = 1',
    'src/service/processes/e.ts': "import type { F } from './f.ts'",
    'src/service/processes/f.ts': "import { e } from './e.ts'\nexport type F = 1",
    'src/service/roles.ts': "import '../simulator/simulator.ts'",
    'src/simulator/simulator.ts': "import '../service/http/c.ts'",
    'src/client/client.ts': "import '../console/main.tsx'\nimport './mcp/i.ts'",
    'src/client/mcp/i.ts': 'export const i = 1',
    'src/console/main.tsx': "import type { B } from '../service/database/b.ts'",
    'projections/g.ts': "import '../test/h.ts'",
    'test/h.ts': 'export const h = 1',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  t.same(await violations(folder), [
    'client: src/client/client.ts → src/console/main.tsx',
    'console: src/console/main.tsx → src/service/database/b.ts',
    'direction-of-domain: src/service/domain/a.ts → src/service/database/b.ts',
    'direction-of-http: src/service/http/c.ts → src/service/cli/d.ts',
    'direction-of-projections: projections/g.ts → test/h.ts',
    'library-of-the-client: src/client/client.ts → src/client/mcp/i.ts',
    'library-of-the-client: src/client/client.ts → src/console/main.tsx',
    'no-circles: src/service/processes/e.ts → src/service/processes/f.ts',
    'no-tests-in-the-product: projections/g.ts → test/h.ts',
    'only-the-composition-names-adapters: src/service/http/c.ts → src/service/event-store/memory.ts',
    'only-the-composition-starts-the-simulator: src/service/roles.ts → src/simulator/simulator.ts',
    'pure-domain: src/service/domain/a.ts → src/service/database/b.ts',
    'pure-domain: src/service/domain/clock.ts → fs',
    'simulator: src/simulator/simulator.ts → src/service/http/c.ts',
    'the-service-needs-no-other-house: src/service/cli/d.ts → src/client/client.ts',
  ])
})
