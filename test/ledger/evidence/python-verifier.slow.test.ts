import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { differing, questionsIn } from './questions.ts'
import { byPython, pythonLacks } from './run-verifiers.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-python-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))

/** In CI the tests always run. */
const skip = pythonLacks !== null && !process.env.CI ? pythonLacks : false
const without = pythonLacks === null ? '' : ` (skipped: ${pythonLacks})`

t.test(
  `the verifier in Python gives the right verdict on each tampered bundle${without}`,
  {
    skip,
  },
  async (t) => {
    const questions = questionsIn(folder)
    const verdicts = byPython([...questions.values()].map(([one]) => one))
    t.same(differing(questions, verdicts), [])
  },
)
