import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { compileCacheFolder } from '../../compile-cache.ts'
import type { PrintAnswer, PrintJob, PrintMessage } from './print-messages.ts'

const program = join(import.meta.dirname, 'print-process-main.ts')
/** Collects garbage early; without that it would use twice the memory for the same work. */
const flags = [
  '--optimize-for-size',
  '--max-semi-space-size=2',
  '--disable-warning=ExperimentalWarning',
]
const wasmPageKib = 64
/** Starting the process takes longer than most of its work, and more work often follows soon. */
const idleMs = 60_000

/** The process hung or exited at this request, which is therefore not repeated. */
export class PrintProcessEnded extends Error {
  override readonly name = 'PrintProcessEnded'
}

export type Printed = { readonly answer: PrintAnswer; readonly file: Buffer }

type Limits = {
  readonly memoryMaxMib: number
  /** How far `lower` puts its priority below that of requests, 0 to 19. */
  readonly niceness: number
}

type Waiting = {
  readonly resolve: (printed: Printed) => void
  readonly reject: (error: Error) => void
}

/**
 * A child process that reads and writes PDFs, because an untrusted PDF can exhaust the memory of
 * its reader. It starts with the first request, handles one at a time, and exits after a minute
 * without requests. If it exits early, the pending request fails and the next one starts a new
 * process. It has no secrets, and exits with this process.
 */
export class PrintProcess {
  readonly #limits: Limits
  #child: ChildProcess | null = null
  #waiting: Waiting | null = null
  #idle: NodeJS.Timeout | null = null

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * Returns the answer, and the file if one was printed. Throws if printing fails, and
   * PrintProcessEnded if the process exits or is killed because it has not answered in time.
   */
  async ask(question: PrintJob, answerMs: number): Promise<Printed> {
    if (this.#waiting !== null) throw new Error('bug: two print requests at once')
    if (this.#idle !== null) clearTimeout(this.#idle)
    const child = this.#child ?? this.#started()
    const { promise, resolve, reject } = Promise.withResolvers<Printed>()
    const waiting = { resolve, reject }
    this.#waiting = waiting
    const timer = setTimeout(() => {
      // This process itself may have been suspended: an answer that has arrived by now counts.
      setImmediate(() => {
        if (this.#waiting === waiting) this.end(new PrintProcessEnded('It did not answer in time.'))
      })
    }, answerMs)
    // If it cannot be sent, the process has exited, and its exit fails the request.
    child.send(question, () => undefined)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      if (this.#waiting === waiting) this.#waiting = null
      this.#rest()
    }
  }

  /** Kills the process; a pending request fails with this error. */
  end(error: Error): void {
    const child = this.#child
    this.#child = null
    child?.kill('SIGKILL')
    this.#waiting?.reject(error)
  }

  /**
   * Lowers its priority until it exits. It starts with that of requests: on a busy machine, a
   * process of low priority would need longer to start than a client waits for one label.
   */
  lower(): void {
    try {
      const pid = this.#child?.pid
      if (pid !== undefined) setPriority(pid, this.#limits.niceness)
    } catch {
      // The process has already exited, or the system has no priorities.
    }
  }

  close(): void {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.end(new Error('The service is closing.'))
  }

  #started(): ChildProcess {
    const { memoryMaxMib } = this.#limits
    const memory = [
      `--max-old-space-size=${memoryMaxMib}`,
      `--wasm-max-mem-pages=${(memoryMaxMib * 1024) / wasmPageKib}`,
    ]
    const child = spawn(process.execPath, [...memory, ...flags, program], {
      // Libraries may print parts of the documents, so their output is in no log.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { NODE_ENV: 'production', NODE_COMPILE_CACHE: compileCacheFolder },
      serialization: 'advanced',
    })
    let parts: Uint8Array[] = []
    child.on('message', (message: PrintMessage) => {
      // Output from before it was killed must not answer a later request.
      if (this.#child !== child) return
      if ('part' in message) {
        parts.push(message.part)
        return
      }
      const file = Buffer.concat(parts)
      parts = []
      if ('failed' in message) this.#waiting?.reject(new Error(message.failed))
      else this.#waiting?.resolve({ answer: message.answer, file })
    })
    const ended = (how: string) => {
      if (this.#child !== child) return
      this.end(new PrintProcessEnded(`The process that prints ended: ${how}.`))
    }
    child.on('error', (error) => ended(error.message))
    child.on('exit', (code, signal) => ended(String(signal ?? code)))
    child.unref()
    child.channel?.unref()
    this.#child = child
    return child
  }

  #rest(): void {
    this.#idle = setTimeout(() => this.end(new Error('It had nothing to do.')), idleMs)
    this.#idle.unref()
  }
}
