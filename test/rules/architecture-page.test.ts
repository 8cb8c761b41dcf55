import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectFiles, projectRoot } from '../support/source-files.ts'

const page = readFileSync(join(projectRoot, 'docs/architecture.md'), 'utf8')

function sectionOf(text: string, title: string): string {
  return text.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? ''
}

/**
 * Every path that the map names. A line consists of one or more names, then two spaces or the end.
 * An indented line names folders inside the last folder named without indentation.
 */
function pathsOfMap(map: string): readonly string[] {
  const paths: string[] = []
  let parent = ''
  for (const line of map.split('\n')) {
    const names = /^( *)(\S+(?: \S+)*)/.exec(line)
    if (names === null) continue
    const isInside = names[1] !== ''
    for (const name of String(names[2]).split(' ')) {
      if (!isInside && name.endsWith('/')) parent = name
      if (name.endsWith('/') || /\.\w+$/.test(name))
        paths.push(isInside ? `${parent}${name}` : name)
    }
  }
  return paths
}

/** The folders of src, two levels deep, which the map must name. */
function foldersOf(files: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  for (const file of files) {
    const [, first, second, ...rest] = file.split('/')
    if (!file.startsWith('src/') || second === undefined) continue
    folders.add(`src/${first}/`)
    if (rest.length > 0) folders.add(`src/${first}/${second}/`)
  }
  return [...folders]
}

t.test('the map of the architecture page names what exists, and every folder of src', async (t) => {
  const [, street = '', , rooms = ''] = sectionOf(page, 'Map').split('```')
  const map = street + rooms
  const named = pathsOfMap(map)
  t.ok(named.length > 40)
  t.same(
    named.filter((path) => {
      const full = join(projectRoot, path)
      return !existsSync(full) || statSync(full).isDirectory() !== path.endsWith('/')
    }),
    [],
    'named in the map of docs/architecture.md, but gone',
  )
  t.same(
    foldersOf(projectFiles()).filter((folder) => !named.includes(folder)),
    [],
    'folders that the map of docs/architecture.md does not name',
  )
})

t.test(
  'the reader of the map finds names on lines of their own and folders inside others',
  async (t) => {
    const map = 'src/a.ts   text with b/ in it\nsrc/c/     text; d.ts\n  e/ f/\n  g/       text\n'
    t.same(pathsOfMap(map), ['src/a.ts', 'src/c/', 'src/c/e/', 'src/c/f/', 'src/c/g/'])
    t.same(foldersOf(['src/a.ts', 'src/c/e/x.ts', 'test/y/z.ts']), ['src/c/', 'src/c/e/'])
  },
)

t.test('the glossary of the architecture page has each term once and in order', async (t) => {
  const terms = [...sectionOf(page, 'Glossary').matchAll(/^\| (.+?) \|/gm)]
    .map(([, term]) => String(term))
    .filter((term) => term !== 'term')
  t.ok(terms.length > 20)
  t.same(terms, [...new Set(terms)].sort())
})

t.test('every decision record has a number of its own, the same in its title', async (t) => {
  const files = readdirSync(join(projectRoot, 'docs/decisions')).filter((file) => /^\d/.test(file))
  const owners = new Map<number, string>()
  const problems: string[] = []
  for (const file of files) {
    const number = Number(file.slice(0, 4))
    const other = owners.get(number)
    if (other !== undefined) problems.push(`${file} and ${other} have the same number`)
    owners.set(number, file)
    const text = readFileSync(join(projectRoot, 'docs/decisions', file), 'utf8')
    if (!text.startsWith(`# ${number}. `)) problems.push(`the title of ${file} has another number`)
  }
  t.ok(files.length > 20)
  t.same(problems, [])
})
