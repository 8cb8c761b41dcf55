import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { PaperAnswer, PaperMessage, PaperQuestion } from './paper-messages.ts'

const program = join(import.meta.dirname, 'paper-process-main.ts')
/** It collects garbage early: without that it would use twice the memory for the same work. */
const flags = [
  '--optimize-for-size',
  '--max-semi-space-size=2',
  '--disable-warning=ExperimentalWarning',
]
/** Starting it takes longer than most of its work, and more work often comes soon. */
const idleMs = 60_000

/** The process hung or ended with a question, so it is not asked again. */
export class PaperProcessEnded extends Error {
  override readonly name = 'PaperProcessEnded'
}

export type Printed = { readonly answer: PaperAnswer; readonly pdf: Buffer }

type Waiting = {
  readonly resolve: (printed: Printed) => void
  readonly reject: (error: Error) => void
}

/**
 * A process that reads and writes PDFs, because a PDF from outside can take all the memory of the one
 * that reads it. It starts with the first question, takes one at a time, and ends when none has come
 * for a minute. If it ends sooner, its question fails, and the next one starts another. It has none
 * of our secrets, and ends with this process.
 */
export class PaperProcess {
  readonly #memoryMaxMib: number
  #child: ChildProcess | null = null
  #waiting: Waiting | null = null
  #idle: NodeJS.Timeout | null = null

  constructor(memoryMaxMib: number) {
    this.#memoryMaxMib = memoryMaxMib
  }

  /**
   * The answer, and the file if one was printed. Throws if it fails, and PaperProcessEnded if the
   * process ends, or is ended because it has not answered in time.
   */
  async ask(question: PaperQuestion, answerMs: number): Promise<Printed> {
    if (this.#waiting !== null) throw new Error('bug: two questions at once')
    if (this.#idle !== null) clearTimeout(this.#idle)
    const child = this.#child ?? this.#started()
    const { promise, resolve, reject } = Promise.withResolvers<Printed>()
    const waiting = { resolve, reject }
    this.#waiting = waiting
    const timer = setTimeout(() => {
      // This process may have been stopped itself: an answer that is there by now counts.
      setImmediate(() => {
        if (this.#waiting === waiting) this.end(new PaperProcessEnded('It did not answer in time.'))
      })
    }, answerMs)
    // If it cannot be sent, the process has ended, and that fails the question.
    child.send(question, () => undefined)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      if (this.#waiting === waiting) this.#waiting = null
      this.#rest()
    }
  }

  /** Ends the process; a question that it has not answered fails with this error. */
  end(error: Error): void {
    const child = this.#child
    this.#child = null
    child?.kill('SIGKILL')
    this.#waiting?.reject(error)
  }

  close(): void {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.end(new Error('The service is closing.'))
  }

  #started(): ChildProcess {
    const memory = `--max-old-space-size=${this.#memoryMaxMib}`
    const child = spawn(process.execPath, [memory, ...flags, program], {
      // What libraries print may quote the documents, so it is in no log.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { NODE_ENV: 'production' },
      serialization: 'advanced',
    })
    lower(child)
    let parts: Uint8Array[] = []
    child.on('message', (message: PaperMessage) => {
      // What a process said before it was ended must not answer a later question.
      if (this.#child !== child) return
      if ('part' in message) {
        parts.push(message.part)
        return
      }
      const pdf = Buffer.concat(parts)
      parts = []
      if ('failed' in message) this.#waiting?.reject(new Error(message.failed))
      else this.#waiting?.resolve({ answer: message.answer, pdf })
    })
    const ended = (how: string) => {
      if (this.#child !== child) return
      this.end(new PaperProcessEnded(`The process that prints ended: ${how}.`))
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

/** Requests that wait for an answer come before papers. */
function lower(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has already ended, or the system has no priorities.
  }
}
