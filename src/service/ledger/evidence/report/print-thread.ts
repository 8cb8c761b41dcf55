import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Problem } from '../../../errors.ts'
import type { Report } from './report.ts'

export type ToPrint = { readonly number: number; readonly report: Report }
export type Printed =
  | { readonly number: number; readonly pdf: Uint8Array }
  | { readonly number: number; readonly failed: string }

/** The largest report takes six seconds of computing. More means that the machine is overloaded. */
const printMs = 45_000
const retryAfterSeconds = 30
/** Loading the printer takes longer than printing: the next report often comes soon. */
const idleMs = 60_000
/** Several times what the largest report takes. */
const memoryMaxMib = 512

type Waiting = {
  readonly resolve: (pdf: Buffer) => void
  readonly reject: (error: Error) => void
}

/**
 * Prints reports in a thread of its own, so that no request waits for it. The thread starts with the
 * first report, ends when none has come for a minute, and does not keep the process alive.
 */
export class ReportPrinter {
  #thread: Worker | null = null
  #idle: NodeJS.Timeout | null = null
  #numbers = 0
  readonly #waiting = new Map<number, Waiting>()

  async print(report: Report): Promise<Buffer> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    const thread = this.#thread ?? this.#started()
    const number = ++this.#numbers
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    this.#waiting.set(number, { resolve, reject })
    const timer = setTimeout(() => this.#fail(thread, tooSlow()), printMs)
    thread.postMessage({ number, report } satisfies ToPrint)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(number)
      if (this.#waiting.size === 0) this.#rest()
    }
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    await this.#thread?.terminate()
  }

  #started(): Worker {
    const thread = new Worker(join(import.meta.dirname, 'print-thread-main.ts'), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMaxMib },
    })
    thread.unref()
    thread.on('message', (printed: Printed) => {
      const waiting = this.#waiting.get(printed.number)
      if ('pdf' in printed) waiting?.resolve(Buffer.from(printed.pdf))
      else waiting?.reject(new Error(`The report cannot be printed: ${printed.failed}`))
    })
    thread.on('error', (cause) => {
      this.#fail(thread, new Error('The thread that prints reports failed.', { cause }))
    })
    thread.on('exit', () => this.#fail(thread, new Error('The thread that prints reports ended.')))
    this.#thread = thread
    return thread
  }

  /** Nothing more comes from this thread; the next report starts another. */
  #fail(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return
    this.#thread = null
    for (const { reject } of this.#waiting.values()) reject(error)
    void thread.terminate()
  }

  #rest(): void {
    this.#idle = setTimeout(() => {
      const thread = this.#thread
      this.#thread = null
      void thread?.terminate()
    }, idleMs)
    this.#idle.unref()
  }
}

function tooSlow(): Problem {
  const detail = 'The report could not be printed in time.'
  return new Problem('overloaded', { detail, retryAfterSeconds })
}
