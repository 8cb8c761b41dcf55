import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../support/source-files.ts'

/**
 * Lints OpenAPI documents with Spectral, which reads JSON as YAML: every tab of the committed files
 * would be a warning, so it gets copies without.
 */

const folder = join(projectRoot, 'dist', 'linted')
mkdirSync(folder, { recursive: true })
const copies = ['openapi.json', 'connector-openapi.json'].map((name) => {
  const document = JSON.parse(readFileSync(join(projectRoot, 'docs', name), 'utf8'))
  writeFileSync(join(folder, name), JSON.stringify(document, null, 1))
  return join(folder, name)
})
const linter = join(projectRoot, 'node_modules', '@stoplight', 'spectral-cli', 'dist', 'index.js')
const ruleset = ['--ruleset', join(projectRoot, '.spectral.yaml')]
const { status } = spawnSync(
  process.execPath,
  [linter, 'lint', ...copies, ...ruleset, '--fail-severity', 'hint', '--format', 'text'],
  { stdio: ['ignore', 'inherit', 'inherit'] },
)
process.exitCode = status ?? 1
