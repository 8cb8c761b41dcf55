import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { sampleOf } from '../../src/docs-site/markdown/sample.ts'
import { type Program, programsOf } from '../../src/docs-site/markdown/sample-programs.ts'
import { textAt } from '../../src/docs-site/quick-start/sample-call.ts'
import type { ApiDocument, Sample } from '../../src/docs-site/site-page.ts'
import { committedDocument } from '../support/declared-answers.ts'
import { watchProcess } from '../support/run-process.ts'
import type { Service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'

export type GuideSample = { readonly sample: Sample; readonly programs: readonly Program[] }

/** The samples of a guide that its page can run. */
export function samplesOfGuide(name: string): readonly GuideSample[] {
  const text = readFileSync(join(projectRoot, 'docs', 'guides', `${name}.md`), 'utf8')
  return [...text.matchAll(/^```(sh run.*)\n([\s\S]*?)\n```$/gm)].map(
    ([, info = '', command = '']) => {
      const sample = sampleOf(info, command)
      if (sample === null) throw new Error(`${name} has a sample that does not run: ${info}`)
      const api = committedDocument as unknown as ApiDocument
      return { sample, programs: programsOf(command, sample, api) }
    },
  )
}

/** How samples in one language are run, and how their output is read. */
export type Runtime = {
  readonly label: string
  readonly isThere: boolean
  run(source: string, env: Env, folder: string): Promise<unknown>
}
type Env = Readonly<Record<string, string>>

const run = promisify(execFile)

function succeeds(program: string, ...given: readonly string[]): boolean {
  try {
    execFileSync(program, given, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const isPhpThere = succeeds('php', '--version')

const jsonOf = (text: string): unknown => (text === '' ? null : JSON.parse(text))

/** Prints a value as JSON where a program would format it for people. */
const printJson = `data:text/javascript,${encodeURIComponent(
  'console.log = (value) => process.stdout.write(JSON.stringify(value))',
)}`
const pythonValue = 'import ast, json, sys\nprint(json.dumps(ast.literal_eval(sys.stdin.read())))'
const client = pathToFileURL(join(projectRoot, 'src', 'client', 'client.ts')).href

/** The shell, and each language whose runtime is installed. */
export const runtimes: readonly Runtime[] = [
  {
    label: 'curl',
    isThere: true,
    run: async (source, env, folder) => {
      const options = { cwd: folder, env: { ...env, PATH: pathWithCurl(folder) } }
      const shell = spawn('sh', ['-c', source], { ...options, stdio: 'pipe' })
      const { stdout, stderr } = await watchProcess(shell).ended
      if (stderr !== '') throw new Error(`${source}\n${stderr}`)
      return jsonOf(stdout)
    },
  },
  {
    label: 'Node.js',
    isThere: true,
    run: async (source, env, folder) => {
      const file = join(folder, 'sample.mjs')
      writeFileSync(file, source.replace('shipping-ledger/client', client))
      const flags = ['--disable-warning=ExperimentalWarning', '--import', printJson]
      const { stdout } = await run(process.execPath, [...flags, file], { cwd: folder, env })
      return jsonOf(stdout)
    },
  },
  {
    label: 'Python',
    isThere: succeeds('python3', '--version'),
    run: async (source, env, folder) => {
      const options = { cwd: folder, env: { ...process.env, ...env } }
      const { stdout } = await run('python3', ['-c', source], options)
      if (stdout === '') return null
      return jsonOf(execFileSync('python3', ['-c', pythonValue], { input: stdout }).toString())
    },
  },
  {
    label: 'PHP',
    isThere: succeeds('php', '-r', 'exit((int) !extension_loaded("curl"));'),
    run: async (source, env, folder) => {
      const options = { cwd: folder, env: { ...process.env, ...env } }
      const { stdout } = await run('php', ['-r', source.replace(/^<\?php\n/, '')], options)
      return jsonOf(stdout)
    },
  },
]

/** The PATH for the shell, with our curl if the machine has none. */
function pathWithCurl(folder: string): string {
  const path = process.env.PATH ?? ''
  if (spawnSync('curl', ['--version']).status === 0) return path
  const script = join(projectRoot, 'test', 'faults', 'curl.ts')
  const node = `"${process.execPath}" --disable-warning=ExperimentalWarning`
  writeFileSync(join(folder, 'curl'), `#!/bin/sh\nexec ${node} "${script}" "$@"\n`)
  chmodSync(join(folder, 'curl'), 0o755)
  return `${folder}${delimiter}${path}`
}

/**
 * Runs the samples of a guide in one language, and stores what the guide tells the reader to store.
 */
export function reader(samples: readonly GuideSample[], runtime: Runtime, given: Given) {
  const env: Record<string, string> = { ...given.env }
  return {
    env,
    run: async (index: number): Promise<unknown> => {
      const { sample, programs } = samples[index] ?? {}
      const program = programs?.find(({ label }) => label === runtime.label)
      if (sample === undefined || program === undefined) throw new Error(`no sample ${index}`)
      const body = await runtime.run(program.source, env, given.folder)
      for (const [name, path] of Object.entries(sample.keeps)) {
        const value = textAt(body, path)
        if (value !== null) env[name] = value
      }
      return body
    },
  }
}

type Given = { readonly env: Env; readonly folder: string }

/** What the page fills in once the reader has signed in with the shop's key. */
export function sessionOf({ url, seeded }: Service, order: string): Env {
  return {
    SHIPPING_LEDGER_URL: url,
    SHIPPING_LEDGER_KEY: seeded.shopKey,
    ORDER: order,
    WORKSPACE_ID: seeded.workspaceId,
    CONNECTION_ID: seeded.connectionId,
    ORIGIN_ID: seeded.originId,
    DESTINATION_ID: seeded.destinationId,
    PRODUCT_ID: seeded.productId,
  }
}
