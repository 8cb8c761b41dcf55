import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../service/log.ts'
import { builtPages } from './folders.ts'
import { isBuiltCurrent } from './source-digest.ts'

/** A build takes ten seconds. On a machine twenty times busier it is given up. */
const buildWithinMs = 180_000
/** `npm run build:pages` */
const buildProgram = join(import.meta.dirname, 'build.ts')
/** How much of a failed build's output goes into the log. */
const saidMax = 2_000

/**
 * `missing`: not checked yet. `failed`: the build failed, and there are no pages for these sources;
 * pages of an earlier build are served if there are any.
 */
export type PagesState = 'missing' | 'building' | 'current' | 'failed'

/** The built pages: the console and the documentation site. */
export type Pages = {
  readonly folder: string
  state(): PagesState
  /** Resolves when it is known whether the pages exist. Never rejects. */
  ready(): Promise<PagesState>
  /** Stops a build in progress. */
  close(): Promise<void>
}

type KeepOptions = {
  readonly log: Log
  /** The build program. */
  readonly program?: string
  /** Whether the built pages are up to date. */
  readonly isCurrent?: () => Promise<boolean>
}

/** Builds the pages in a separate process unless they exist for these sources. */
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
    log.info({ durationMs: Math.round(performance.now() - startedAt) }, 'the pages are built')
  }
  const made = make().catch((error: unknown) => {
    state = 'failed'
    if (!stop.signal.aborted) log.error({ err: error }, 'the pages could not be built')
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

/**
 * The build does not slow the service: the child has the lowest priority and none of our secrets. It
 * ends when its channel to this process closes, even if this process is killed.
 */
function runBuild(program: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { NODE_ENV: 'production' },
      timeout: buildWithinMs,
      killSignal: 'SIGKILL',
      signal,
    })
    lower(child)
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
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
    // It has already ended, or the system has no priorities. The build is correct either way.
  }
}
