import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { compilerErrors } from '../support/compile.ts'
import { type ApiOperation, committedDocument } from '../support/declared-answers.ts'
import { service } from '../support/service.ts'

const run = promisify(execFile)

type Sample = { readonly label: string; readonly source: string }
type Sampled = ApiOperation & { readonly 'x-codeSamples': readonly Sample[] }

const operations = Object.values(committedDocument.paths).flatMap((methods) =>
  Object.values(methods),
) as unknown as readonly Sampled[]

function sampleOf(operation: Sampled, label: string): string {
  const sample = operation['x-codeSamples'].find((one) => one.label === label)
  if (sample === undefined) throw new Error(`${operation.operationId} has no sample for ${label}`)
  return sample.source
}

function isInstalled(program: string, ...check: readonly string[]): boolean {
  try {
    execFileSync(program, check.length === 0 ? ['--version'] : check, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'code-samples-'))
  t.teardown(() => rmSync(made, { recursive: true, force: true }))
  return made
}

t.test('every sample for Node.js compiles against the typed client', async (t) => {
  t.ok(operations.length > 80)
  const texts = new Map(
    operations.map((operation) => {
      const source = sampleOf(operation, 'Node.js')
      const imported = "from '../client/client.ts'"
      const text = source.replace("from 'shipping-ledger/client'", imported)
      return [`src/samples/${operation.operationId}.ts`, text]
    }),
  )
  t.strictSame(compilerErrors([...texts.keys()], texts), [])
  const [[file = '', text = ''] = []] = texts
  const wrong = new Map([[file, text.replace('name:', 'nom:')]])
  t.match(compilerErrors([file], wrong), [/nom/], 'a wrong field is found')
})

/** For a test's `skip`: false if the program is there. */
function without(program: string): string | false {
  return isInstalled(program) ? false : `${program} is not installed`
}

t.test('every sample for Python can be parsed', { skip: without('python3') }, async () => {
  const all = operations.map((operation) => sampleOf(operation, 'Python'))
  const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)'
  execFileSync('python3', ['-c', program], { input: JSON.stringify(all) })
})

t.test('every sample for PHP can be parsed', { skip: without('php') }, async () => {
  const directory = folder()
  for (const operation of operations) {
    const file = join(directory, `${operation.operationId}.php`)
    writeFileSync(file, sampleOf(operation, 'PHP'))
    execFileSync('php', ['-l', file], { stdio: 'ignore' })
  }
})

t.test('the samples of a creation, a list and a read run against the service', async (t) => {
  const ledger = await service(t)
  const env = {
    ...process.env,
    SHIPPING_LEDGER_URL: ledger.url,
    SHIPPING_LEDGER_KEY: ledger.seeded.operatorKey,
  }
  const programs = [
    ['curl', isInstalled('curl'), 'sh', '-c'],
    ['Python', isInstalled('python3'), 'python3', '-c'],
    ['PHP', isInstalled('php', '-r', 'exit((int) !extension_loaded("curl"));'), 'php', '-r'],
  ] as const
  const find = (id: string) => operations.find(({ operationId }) => operationId === id) as Sampled
  for (const [label, isThere, program, flag] of programs) {
    if (!isThere) {
      t.comment(`${label} is not installed: its samples were not run`)
      continue
    }
    const output = async (id: string) => {
      const source = sampleOf(find(id), label).replace(/^<\?php\n/, '')
      return (await run(program, [flag, source], { env })).stdout
    }
    t.match(await output('createWorkspace'), /another-shop/, `${label}: created, then found`)
    t.match(await output('listWorkspaces'), /another-shop/, `${label}: listed`)
    t.match(await output('getKey'), /shipments:write/, `${label}: read`)
  }
})
