import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { builtPages } from './folders.ts'
import { isBuiltCurrent } from './source-digest.ts'

/** A build takes two seconds; on a machine that is a hundred times busier it is given up. */
const buildWithinMs = 180_000
/** `npm run build:console` */
export const buildProgram = join(import.meta.dirname, 'build.ts')
/** What a failed build said that is worth a line of the log. */
const saidMax = 2_000

/**
 * `missing`: nobody has looked yet. `failed`: the build went wrong, and there are no pages of these
 * sources; those of an earlier build are served if there are any.
 */
export type PagesState = 'missing' | 'building' | 'current' | 'failed'

/** The built pages of the console. */
export type Pages = {
  readonly folder: string
  state(): PagesState
  /** Resolves when it is known whether there are pages; never rejects. */
  ready(): Promise<PagesState>
  /** Ends a build that is under way. */
  close(): Promise<void>
}

export type KeepOptions = {
  readonly log: Log
  /** The program that builds. */
  readonly program?: string
  /** Whether there is nothing to build. */
  readonly isCurrent?: () => Promise<boolean>
}

/** Builds the pages, in a process of its own, unless they are there and of these sources. */
export function keepBuilt(options: KeepOptions): Pages {
  const { log, program = buildProgram, isCurrent = isBuiltCurrent } = options
  let state: PagesState = 'missing'
  const stop = new AbortController()
  const make = async () => {
    if (await isCurrent()) {
      state = 'current'
      return
    }
    state = 'building'
    const startedAt = performance.now()
    await runBuild(program, stop.signal)
    state = 'current'
    log.info({ durationMs: Math.round(performance.now() - startedAt) }, 'the console is built')
  }
  const made = make().catch((error: unknown) => {
    state = 'failed'
    if (!stop.signal.aborted) log.error({ err: error }, 'the console could not be built')
  })
  const ready = async () => {
    await made
    return state
  }
  return {
    folder: builtPages,
    state: () => state,
    ready,
    async close() {
      stop.abort()
      await made
    },
  }
}

/** The service is not slowed by it: the child has the lowest priority and none of our secrets. */
function runBuild(program: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { NODE_ENV: 'production' },
      timeout: buildWithinMs,
      killSignal: 'SIGKILL',
      signal,
    })
    lower(child)
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-saidMax)
    })
    child.on('error', reject)
    child.on('close', (code, killedBy) => {
      if (code === 0) resolve()
      else reject(new Error(`the build ended with ${code ?? killedBy}: ${said.trim()}`))
    })
  })
}

function lower(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or the system has no priorities: the build is right all the same.
  }
}
