import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { lostEndMutants } from '../prove/lost-end/lost-end-mutants.ts'
import { projectRoot } from '../support/source-files.ts'

t.test(
  'each flaw that the proof of a lost end puts in changes one place of the sources',
  async (t) => {
    t.ok(lostEndMutants.length > 3)
    for (const { name, changes } of lostEndMutants) {
      for (const [file, before] of changes) {
        const text = readFileSync(join(projectRoot, file), 'utf8')
        t.equal(text.split(before).length, 2, `${name}: ${file}`)
      }
    }
  },
)
