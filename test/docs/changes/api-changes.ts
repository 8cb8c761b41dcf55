import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withParts } from '../../../src/docs-site/code-samples/with-parts.ts'
import { say } from '../../support/say.ts'
import { projectRoot } from '../../support/source-files.ts'
import { breakingChanges } from './breaking-changes.ts'

const file = 'docs/openapi.json'

/** The document of the last release, or of the last commit while there is no release. */
function released(): object | null {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: projectRoot,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    const [tag = 'HEAD'] = git('tag', '--list', 'v*', '--sort=-v:refname', '--merged')
      .split('\n')
      .filter((line) => line !== '')
    return JSON.parse(git('show', `${tag}:${file}`))
  } catch {
    return null
  }
}

const before = released()
const now = JSON.parse(readFileSync(join(projectRoot, file), 'utf8'))
// Without a git history, as in an unpacked archive, nothing can be compared.
const changes = before === null ? [] : breakingChanges(withParts(before), withParts(now))
for (const change of changes) say(`breaking: ${change}`)
say(
  before === null
    ? 'No earlier document to compare with.'
    : `${changes.length} breaking changes of ${file}.`,
)
process.exitCode = changes.length === 0 ? 0 : 1
