import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { operationSamples } from '../../src/docs-site/code-samples/operation-samples.ts'
import { compilerErrors } from '../support/compile.ts'
import { service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'

const run = promisify(execFile)

const document = readFileSync(join(projectRoot, 'docs', 'openapi.json'), 'utf8')
const samples = operationSamples(JSON.parse(document))
const operations = Object.keys(samples)

function sampleOf(operation: string, label: string): string {
  const sample = samples[operation]?.find((one) => one.label === label)
  if (sample === undefined) throw new Error(`${operation} has no sample for ${label}`)
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
      return [`src/samples/${operation}.ts`, text]
    }),
  )
  t.strictSame(compilerErrors([...texts.keys()], texts), [])
  const [[file = '', text = ''] = []] = texts
  const wrong = new Map([[file, text.replace('name:', 'nom:')]])
  t.match(compilerErrors([file], wrong), [/nom/], 'a wrong field is found')
})

/** For a test's `skip`: false if the program is installed. */
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
    const file = join(directory, `${operation}.php`)
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
  for (const [label, isThere, program, flag] of programs) {
    if (!isThere) {
      t.comment(`${label} is not installed: its samples were not run`)
      continue
    }
    const output = async (id: string) => {
      const source = sampleOf(id, label).replace(/^<\?php\n/, '')
      return (await run(program, [flag, source], { env })).stdout
    }
    t.match(await output('createWorkspace'), /another-shop/, `${label}: created, then found`)
    t.match(await output('listWorkspaces'), /another-shop/, `${label}: listed`)
    t.match(await output('getKey'), /shipments:write/, `${label}: read`)
  }
})
