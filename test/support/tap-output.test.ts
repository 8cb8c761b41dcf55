import t from 'tap'
import { readTap } from './tap-output.ts'

const ended = { exitCode: 0, signal: null, timedOut: false }
const good = 'TAP version 14\n# Subtest: a\n    ok 1 - x\n    1..1\nok 1 - a # time=3ms\n1..1\n'

t.test('a test file that completes its plan counts its top-level tests', async (t) => {
  t.same(readTap({ ...ended, output: good }), { passed: 1, failed: 0, skipped: 0, problems: [] })
})

t.test('a failing test is named and counted once', async (t) => {
  const output = 'ok 1 - a\nnot ok 2 - b # time=1ms\n1..2\n'
  const result = readTap({ ...ended, exitCode: 1, output })
  t.same(result, { passed: 1, failed: 1, skipped: 0, problems: ['b'] })
})

t.test('skipped tests are neither passed nor failed', async (t) => {
  const result = readTap({ ...ended, output: 'ok 1 - a\nok 2 - b # SKIP no network\n1..2\n' })
  t.same(result, { passed: 1, failed: 0, skipped: 1, problems: [] })
})

const deaths = {
  'nothing printed': { ...ended, output: '' },
  'nothing printed and killed': { ...ended, exitCode: null, signal: 'SIGKILL', output: '' },
  'killed after its plan': { ...ended, exitCode: null, signal: 'SIGSEGV', output: good },
  'an exit code after its plan': { ...ended, exitCode: 7, output: good },
  'no plan': { ...ended, output: 'ok 1 - a\n' },
  'fewer tests than planned': { ...ended, output: 'ok 1 - a\n1..2\n' },
  'too slow': { ...ended, exitCode: null, signal: 'SIGTERM', timedOut: true, output: good },
  'bailed out': { ...ended, output: 'ok 1 - a\nBail out! lost\n1..1\n' },
  'tests nothing': { ...ended, output: '1..0 # SKIP empty\n' },
}
for (const [death, run] of Object.entries(deaths)) {
  t.test(`a test file counts as failed: ${death}`, async (t) => {
    t.ok(readTap(run).failed > 0)
  })
}
