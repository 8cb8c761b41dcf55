import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export type RunningProcess = {
  readonly child: ChildProcess
  /** Resolves when standard output matches; rejects with the output if the process exits first. */
  said(pattern: RegExp): Promise<RegExpMatchArray>
  readonly ended: Promise<Ended>
}

export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly uid?: number
  readonly gid?: number
  readonly detached?: boolean
  readonly arguments?: readonly string[]
}

/** Collecting young objects less often saves short processes a tenth of their work. */
export const leanNode = ['--max-semi-space-size=64', '--disable-warning=ExperimentalWarning']

/** A shared compile cache, because short processes spend most of their time loading sources. */
const compiled = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }

/**
 * Starts a file of this project, or of another checkout by its absolute path, as a separate process
 * with only this environment.
 */
export function runProcess(file: string, options: RunOptions = {}): RunningProcess {
  const path = resolve(import.meta.dirname, '../..', file)
  const { arguments: more = [], ...rest } = options
  const args = [...leanNode, path, ...more]
  return watchProcess(
    spawn(process.execPath, args, {
      ...rest,
      env: { ...compiled, ...options.env },
      cwd: '/',
      stdio: 'pipe',
    }),
  )
}

/**
 * Why a test of our Python code is skipped; false to run it. In CI it always runs, and fails
 * without Python.
 */
export function withoutPython(): string | false {
  if (process.env.CI !== undefined) return false
  const isOld = ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']
  return spawnSync('python3', isOld).status === 0 ? false : 'Python 3.11 is not installed'
}

/** Runs an operator's command until it exits. */
export function runCommand(
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ended> {
  return runProcess('src/service/cli/cli.ts', { env, arguments: words }).ended
}

/** Runs a command of the client's package until it exits. */
export function runClientCommand(
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ended> {
  return runProcess(clientCommand, { env, arguments: words }).ended
}

export const clientCommand = 'src/client/command/shipping-ledger.ts'

/** A folder for the output of every process, for debugging; unset: no output is kept. */
const keptIn = process.env.KEEP_OUTPUT_IN

export function watchProcess(child: ChildProcess): RunningProcess {
  if (keptIn !== undefined) child.stdout?.pipe(createWriteStream(join(keptIn, `${child.pid}.log`)))
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }) as Ended)
  return {
    child,
    ended,
    said(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = stdout.match(pattern)
          if (found === null) return
          child.stdout?.off('data', look)
          resolve(found)
        }
        child.stdout?.on('data', look)
        look()
        ended.then(() =>
          reject(new Error(`exited without printing ${pattern}: ${stdout}${stderr}`)),
        )
      })
    },
  }
}
