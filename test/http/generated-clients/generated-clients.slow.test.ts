import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import t from 'tap'
import { exampleShipmentRequest } from '../../../src/service/http/openapi/examples.ts'
import { type Service, service } from '../../support/service.ts'
import { projectRoot } from '../../support/source-files.ts'
import { unionMisuses, unionPrograms, withHeyApi, withOpenapiTypescript } from './programs.ts'

const run = promisify(execFile)
const document = join(projectRoot, 'docs', 'openapi.json')

const directory = mkdtempSync(join(tmpdir(), 'generated-clients-'))
t.teardown(() => rmSync(directory, { recursive: true, force: true }))
const inFolder = (name: string) => join(directory, name)

const ledger = await service(t)
const env = {
  ...process.env,
  SHIPPING_LEDGER_URL: ledger.url,
  SHIPPING_LEDGER_KEY: ledger.seeded.shopKey,
}

/** The body of a creation in the service's own workspace. */
function orderOf({ seeded }: Service, reference: string) {
  return exampleShipmentRequest(reference, seeded)
}

/** What the compiler prints about all programs in the folder. */
async function compile(): Promise<{ readonly stdout: string }> {
  const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  return await run(process.execPath, [tsc], { cwd: directory }).catch((error) => error)
}

/** What each program prints for this reference. */
const expectedOf = (name: string) => ({
  created: /^[0-9A-Za-z-]+$/,
  listed: [name],
  refused: 'not_found',
})

t.test('clients that two generators for TypeScript make compile and run', async (t) => {
  symlinkSync(join(projectRoot, 'node_modules'), inFolder('node_modules'))
  writeFileSync(inFolder('package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(
    inFolder('openapi-typescript.ts'),
    astToString(await openapiTypescript(new URL(`file://${document}`))),
  )
  await createClient({
    input: document,
    output: inFolder('hey-api'),
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
    logs: { level: 'silent' },
  })
  copyFileSync(
    join(projectRoot, 'src', 'client', 'generated', 'api-types.ts'),
    inFolder('api-types.ts'),
  )
  const programs = { 'with-openapi-typescript': withOpenapiTypescript, 'with-hey-api': withHeyApi }
  const compiledOnly = unionPrograms('./api-types.js')
  for (const [name, program] of Object.entries({ ...programs, ...compiledOnly })) {
    writeFileSync(inFolder(`${name}.ts`), program)
  }
  const order = JSON.stringify(orderOf(ledger, 'PLACEHOLDER'))
  writeFileSync(
    inFolder('order.ts'),
    `export const order = { ...(${order} as const), external_reference: process.argv[2] ?? '' }`,
  )
  writeFileSync(
    inFolder('tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2024',
        module: 'nodenext',
        strict: true,
        skipLibCheck: true,
        types: ['node'],
        outDir: 'made',
      },
      include: ['*.ts'],
    }),
  )
  const compiled = await compile()
  t.equal(compiled.stdout, '', 'strict TypeScript finds no error in them')
  for (const name of Object.keys(programs)) {
    const { stdout } = await run(process.execPath, [join('made', `${name}.js`), name], {
      cwd: directory,
      env,
    })
    t.match(JSON.parse(stdout), expectedOf(name))
  }
})

t.test('the types of three generators refuse what a union does not promise', async (t) => {
  const misuses = unionMisuses('./api-types.js')
  for (const [name, program] of Object.entries(misuses)) {
    writeFileSync(inFolder(`${name}.ts`), program)
  }
  const { stdout } = await compile()
  for (const [name, program] of Object.entries(misuses)) {
    const lines = stdout.split('\n').filter((line: string) => line.startsWith(`${name}.ts(`))
    const expected = program.split('\n').filter((line) => line.startsWith('export const ')).length
    t.equal(lines.length, expected, `${name}: ${lines.join('\n')}`)
  }
})

/** The configuration that the guide gives to the generator for Python. */
function guidesConfig(): string {
  const guide = readFileSync(join(projectRoot, 'docs', 'guides', 'generated-clients.md'), 'utf8')
  return /^```json\n(.*?)^```/ms.exec(guide)?.[1] ?? ''
}

const generator = 'openapi-python-client'
const hasGenerator = await run(generator, ['--version']).then(
  () => true,
  () => false,
)

t.test(
  'a client that a generator for Python makes compiles and runs',
  { skip: hasGenerator ? false : `${generator} is not installed: no client for Python was made` },
  async (t) => {
    const name = 'with-openapi-python-client'
    writeFileSync(inFolder('config.json'), guidesConfig())
    const made = inFolder('shipping_ledger_client')
    const options = ['--config', inFolder('config.json'), '--meta', 'none', '--output-path', made]
    const generated = await run(generator, ['generate', '--path', document, ...options])
    t.notMatch(generated.stdout, /WARNING|ERROR/, 'nothing was left out')
    await run('python3', ['-m', 'compileall', '-q', made])
    const program = join(import.meta.dirname, 'with_openapi_python_client.py')
    const { stdout } = await run('python3', [program, JSON.stringify(orderOf(ledger, name))], {
      env: { ...env, PYTHONPATH: directory },
    })
    t.match(JSON.parse(stdout), expectedOf(name))
  },
)
