import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { exitCodes, exitOf } from '../../../src/service/cli/exit-codes.ts'
import { runCommand } from '../../support/run-command.ts'

/* Runs the two verifiers of a bundle, and the command of the product, in the same way. */

export type Verdict = { readonly exitCode: number | null; readonly text: string }

/** The input of a verifier: a bundle, and options by name. */
export type Asked = {
  readonly bundle: string
  readonly options?: Readonly<
    Partial<Record<'key' | 'witness' | 'checkpoint' | 'consistency', string>>
  >
}

const root = join(import.meta.dirname, '..', '..', '..')
export const verifyScript = join(root, 'src/verifier/verify.mjs')
const pythonVerifier = join(root, 'test/examples')

const wordsOf = ({ bundle, options = {} }: Asked) => [
  bundle,
  ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
]

/** Runs a verify.mjs in a process of its own, outside the project. */
export function runScript(script: string, args: readonly string[], node = process.execPath) {
  const { status, stdout, stderr } = spawnSync(node, [script, ...args], {
    encoding: 'utf8',
    env: {},
  })
  return { exitCode: status, text: `${stdout}${stderr}` }
}

/** `verify --file` of the product. */
export async function byProduct({ bundle, options = {} }: Asked): Promise<Verdict> {
  const flags = new Map<string, string | readonly string[]>([['file', bundle]])
  for (const [name, value] of Object.entries(options))
    flags.set(name, name === 'key' ? value : [value])
  try {
    const { exit = 'fine', text } = await runCommand('verify', '', {}, flags)
    return { exitCode: exitCodes[exit], text }
  } catch (error) {
    return { exitCode: exitCodes[exitOf(error)], text: String(error) }
  }
}

/** verify.mjs, or a script in its place, in one process for many bundles. */
export function byScript(asked: readonly Asked[], script = verifyScript): readonly Verdict[] {
  const program = `
    import { main } from ${JSON.stringify(script)}
    const { write } = process.stdout
    const answers = []
    for (const args of ${JSON.stringify(asked.map(wordsOf))}) {
      let text = ''
      process.stdout.write = process.stderr.write = (piece) => { text += piece; return true }
      answers.push({ exitCode: await main(args), text })
    }
    process.stdout.write = write
    process.stdout.write(JSON.stringify(answers))`
  return answersOf(process.execPath, ['--input-type=module', '-e', program])
}

/** test/examples/verify_bundle.py, in one process for many bundles. */
export function byPython(asked: readonly Asked[]): readonly Verdict[] {
  const program = `
import contextlib, io, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, ${JSON.stringify(pythonVerifier)})
import verify_bundle
answers = []
for args in json.loads(sys.stdin.read()):
    with contextlib.redirect_stdout(io.StringIO()) as text, contextlib.redirect_stderr(text):
        try:
            code = verify_bundle.main(args)
        except SystemExit as end:
            code = end.code
    answers.append({'exitCode': code, 'text': text.getvalue()})
print(json.dumps(answers))`
  return answersOf('python3', ['-c', program], JSON.stringify(asked.map(wordsOf)))
}

function answersOf(command: string, args: readonly string[], input = ''): readonly Verdict[] {
  const options = { encoding: 'utf8', input, maxBuffer: 64 * 1024 * 1024 } as const
  const { status, stdout, stderr } = spawnSync(command, args, options)
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr.slice(-2_000)}`)
  return JSON.parse(stdout)
}

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))'])
const openssl = spawnSync('openssl', ['version'], { encoding: 'utf8' })

/** What the Python verifier lacks on this machine; null if nothing. */
export const pythonLacks =
  hasPython.status !== 0
    ? 'Python 3.8 or later is not installed'
    : !/^OpenSSL ([3-9]|\d\d)/.test(openssl.stdout ?? '')
      ? 'openssl 3 or later is not installed'
      : null
