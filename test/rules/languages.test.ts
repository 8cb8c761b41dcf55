import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import t from 'tap'
import { projectRoot } from '../support/source-files.ts'

const folder = join(projectRoot, 'src', 'console')
const lingui = join(projectRoot, 'node_modules', '@lingui', 'cli', 'dist', 'lingui.js')
const spanish: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(folder, 'languages', 'es.json'), 'utf8'),
)

function check(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [lingui, 'check', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, said: `${stdout}${stderr}` }
}

t.test('the Spanish catalogue has the texts of the console and no others', (t) => {
  const { status, said } = check('sync', '--clean', '--overwrite')
  t.equal(status, 0, said)
  t.end()
})

t.test('each text of the console has its Spanish', (t) => {
  const { status, said } = check('missing', '--mode', 'catalog')
  t.equal(status, 0, said)
  t.ok(Object.keys(spanish).length > 300)
  t.end()
})

/** The names of the values in a text, with those inside its plurals, and the names of its tags. */
function namesOf(text: string): readonly string[] {
  const names = new Set<string>()
  const read = (part: unknown): void => {
    if (!Array.isArray(part)) return
    for (const each of part) {
      if (!Array.isArray(each)) continue
      names.add(String(each[0]))
      for (const option of Object.values(each[2] ?? {})) read(option)
    }
  }
  read(compileMessage(text))
  for (const [tag] of text.matchAll(/<\/?\w+\/?>/g)) names.add(tag)
  return [...names].toSorted()
}

t.test('a Spanish text has the values and the elements of the English one', (t) => {
  for (const [english, text] of Object.entries(spanish)) {
    t.same(namesOf(text), namesOf(english), english)
  }
  t.end()
})
