import t from 'tap'
import { readTap } from './tap-output.ts'

const ended = { exitCode: 0, signal: null, timedOut: false }
const file = (name: string, points: string, state = 'ok') =>
  `# Subtest: ${name}\n${points}    1..1\n${state} 1 - ${name} # time=1500.5ms\n`
const good = file('a.test.ts', '        ok 1 - x\n        1..1\n    ok 1 - one # time=3ms\n')
const plan = '1..1\n'

function readOne(run: Parameters<typeof readTap>[0]) {
  const [found, ...more] = readTap(run, ['a.test.ts'])
  if (found === undefined || more.length > 0) throw new Error('one file has one result')
  return found
}

t.test('the tests of a file are the points one level below its own', async (t) => {
  const found = readOne({ ...ended, output: `TAP version 14\n${good}${plan}` })
  const counts = { passed: 1, failed: 0, skipped: 0 }
  t.match(found, { file: 'a.test.ts', ...counts, problems: [], seconds: 1.5005 })
})

t.test('a failing test is named and counted once', async (t) => {
  const points = '    ok 1 - a\n    not ok 2 - b # time=1ms\n'
  const output = file('a.test.ts', points, 'not ok')
  const found = readOne({ ...ended, exitCode: 1, output })
  t.match(found, { passed: 1, failed: 1, skipped: 0, problems: ['b'] })
})

t.test('skipped tests are neither passed nor failed', async (t) => {
  const output = file('a.test.ts', '    ok 1 - a\n    ok 2 - b # SKIP no network\n')
  t.match(readOne({ ...ended, output }), { passed: 1, failed: 0, skipped: 1, problems: [] })
})

t.test('each file of a process has its own tests and its own output', async (t) => {
  const output = `${good}${file('b.test.ts', '    not ok 1 - two\n', 'not ok')}1..2\n`
  const [a, b] = readTap({ ...ended, exitCode: 1, output }, ['a.test.ts', 'b.test.ts'])
  t.match(a, { file: 'a.test.ts', passed: 1, failed: 0 })
  t.match(b, { file: 'b.test.ts', passed: 0, failed: 1, problems: ['two'] })
  t.notMatch(b?.output, /one/)
})

t.test('a file that ends its process fails, and so do the files after it', async (t) => {
  const output = `${good}# Subtest: b.test.ts\n    ok 1 - two\n`
  const files = ['a.test.ts', 'b.test.ts', 'c.test.ts']
  const found = readTap({ ...ended, exitCode: 3, output }, files)
  t.same(
    found.map(({ failed, problems }) => [failed, ...problems]),
    [
      [0],
      [1, 'it ended before its end, with exit code 3'],
      [1, 'an earlier file ended its process'],
    ],
  )
})

const whole = `${good}${plan}`
const deaths = {
  'nothing printed': { ...ended, output: '' },
  'nothing printed and killed': { ...ended, exitCode: null, signal: 'SIGKILL', output: '' },
  'killed after its plan': { ...ended, exitCode: null, signal: 'SIGSEGV', output: whole },
  'an exit code after its plan': { ...ended, exitCode: 7, output: whole },
  'no end': { ...ended, output: '# Subtest: a.test.ts\n    ok 1 - a\n' },
  'a wrong plan': { ...ended, exitCode: 1, output: file('a.test.ts', '    ok 1 - a\n', 'not ok') },
  'too slow': { ...ended, exitCode: null, signal: 'SIGTERM', timedOut: true, output: whole },
  'bailed out': { ...ended, output: `${whole}Bail out! lost\n` },
  'tests nothing': { ...ended, output: '    1..0\nok 1 - a.test.ts # time=1ms\n1..1\n' },
}
for (const [death, run] of Object.entries(deaths)) {
  t.test(`a test file counts as failed: ${death}`, async (t) => {
    t.ok(readOne(run).failed > 0)
  })
}
