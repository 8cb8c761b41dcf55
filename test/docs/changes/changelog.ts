import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withParts } from '../../../src/docs-site/code-samples/with-parts.ts'
import { projectRoot } from '../../support/source-files.ts'
import { newIn, type Statement, surfaceOf } from './api-surface.ts'

/** The changes of a day. */
export type Entry = {
  readonly date: string
  readonly added: readonly Statement[]
  readonly removed: readonly Statement[]
}

export const changesFile = 'docs/api-changes.json'

function committed<T>(file: string, otherwise: T): T {
  const path = join(projectRoot, file)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : otherwise
}

/**
 * The entries to commit, newest first: the committed ones, and under this day the difference
 * between the document and the committed one. What was added and removed on the same day is
 * omitted.
 */
export function nextEntries(
  entries: readonly Entry[],
  { before, now, date }: { readonly before: object; readonly now: object; readonly date: string },
): readonly Entry[] {
  const surfaces = { before: surfaceOf(before), now: surfaceOf(now) }
  const added = newIn(surfaces.now, surfaces.before)
  const removed = newIn(surfaces.before, surfaces.now)
  if (added.length === 0 && removed.length === 0) return entries
  const [newest, ...older] = entries
  const today = newest?.date === date ? newest : { date, added: [], removed: [] }
  const without = (list: readonly Statement[], others: readonly Statement[]) =>
    list.filter((each) => !others.some((other) => String(other) === String(each)))
  const merged = {
    date,
    added: [...without(today.added, removed), ...without(added, today.removed)],
    removed: [...without(today.removed, added), ...without(removed, today.added)],
  }
  const others = today === newest ? older : entries
  const isEmpty = merged.added.length === 0 && merged.removed.length === 0
  return isEmpty ? others : [merged, ...others]
}

/** The entries once this document is committed. */
export function currentEntries(now: object): readonly Entry[] {
  const date = new Date().toISOString().slice(0, 10)
  const before = withParts(committed('docs/openapi.json', now))
  return nextEntries(committed<readonly Entry[]>(changesFile, []), { before, now, date })
}

const plural: Readonly<Record<string, string>> = {
  takes: 'take',
  has: 'have',
  'is a union by': 'are unions by',
}

/** Groups statements about one subject or with the same content. */
function sentencesOf(statements: readonly Statement[]): readonly string[] {
  const bySubject = Map.groupBy(statements, ([subject, verb]) => `${subject}|${verb}`)
  const joined = [...bySubject.values()].map((group) => {
    const [[subject, verb] = ['', '']] = group
    return { subject, verb, objects: group.map(([, , object]) => object) }
  })
  const byContent = Map.groupBy(joined, ({ verb, objects }) => [verb, ...objects].join('|'))
  return [...byContent.values()].map((group) => {
    const [{ verb, objects } = { verb: '', objects: [] }] = group
    const isOne = group.length === 1
    const subjects = group.map(({ subject }) => `\`${subject}\``).join(', ')
    // A sentence follows a colon; otherwise names do.
    const said = verb.endsWith(':') ? objects : objects.map((object) => `\`${object}\``)
    return `${subjects} ${isOne ? verb : (plural[verb] ?? verb)} ${said.join(', ')}.`
  })
}

/** The text of docs/changelog.md. */
export function changelogPage(entries: readonly Entry[]): string {
  const days = entries.map(({ date, added, removed }) =>
    [
      `## ${date}`,
      '',
      ...sentencesOf(added).map((sentence) => `- ${sentence}`),
      ...sentencesOf(removed).map((sentence) => `- No longer: ${sentence}`),
    ].join('\n'),
  )
  return `# Changelog

What changed in the API, day by day, newest first. How changes are made and announced:
[versions and deprecation](guides/versioning.md).

${days.join('\n\n')}
`
}
